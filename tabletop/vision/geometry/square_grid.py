"""A part of the table, square by square."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import cv2
import numpy as np

from tabletop.vision.geometry.plane import Array, Mask


class SquareGrid(NamedTuple):
    """Squares of the table: a corner of the first one, steps along a row and down a column (all mm), columns, rows."""

    corner: Array
    across: Array
    down: Array
    size: tuple[int, int]

    def mm(self, column: Array, row: Array) -> Array:
        """Return places (…, 2) in mm; whole numbers are the middles of squares."""
        return self.corner + (column + 0.5)[..., None] * self.across + (row + 0.5)[..., None] * self.down

    def within(self, outlines: Iterable[Array]) -> Mask:
        """Return which squares, (rows, columns), lie within any of some outlines (n, 2), mm."""
        inverse = np.linalg.inv(np.column_stack([self.across, self.down]))
        filled = np.zeros(self.size[::-1], np.uint8)
        for outline in outlines:
            cv2.fillPoly(filled, [np.round((outline - self.corner) @ inverse.T).astype(np.int32)], 1)
        return filled > 0
