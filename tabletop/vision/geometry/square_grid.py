"""A grid of squares over a part of the table."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, Self

import cv2
import numpy as np

from tabletop.vision.geometry.plane import Array, Mask


class SquareGrid(NamedTuple):
    """A grid of squares: a corner of the first one, steps along a row and down a column (all mm), columns and rows."""

    corner: Array
    across: Array
    down: Array
    size: tuple[int, int]

    @classmethod
    def upright(cls, corner: Array, pitch_mm: float, size: tuple[int, int]) -> Self:
        """Return a grid aligned with the table's axes; ``pitch_mm``: the side of its squares."""
        across, down = np.eye(2) * pitch_mm
        return cls(corner, across, down, size)

    @classmethod
    def over(cls, area: Array, size: tuple[int, int]) -> Self:
        """Return an area (4, 2), mm, divided into ``size``: columns and rows."""
        return cls(area[0], (area[1] - area[0]) / size[0], (area[3] - area[0]) / size[1], size)

    def widened(self, around: int) -> Self:
        """Return this grid with ``around`` more columns and rows on each side."""
        columns, rows = self.size
        corner = self.corner - around * (self.across + self.down)
        return self._replace(corner=corner, size=(columns + 2 * around, rows + 2 * around))

    def mm(self, column: Array, row: Array) -> Array:
        """Return columns and rows as places (…, 2) in mm; whole numbers are the middles of squares."""
        return self.corner + (column + 0.5)[..., None] * self.across + (row + 0.5)[..., None] * self.down

    def within(self, outlines: Iterable[Array]) -> Mask:
        """Return the mask, (rows, columns), of squares within any of some outlines (n, 2), mm."""
        inverse = np.linalg.inv(np.column_stack([self.across, self.down]))
        filled = np.zeros(self.size[::-1], np.uint8)
        for outline in outlines:
            cv2.fillPoly(filled, [np.round((outline - self.corner) @ inverse.T).astype(np.int32)], 1)
        return filled > 0
