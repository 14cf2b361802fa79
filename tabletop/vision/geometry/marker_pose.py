"""The pose of a marker or piece on the table, and its local frame."""

from __future__ import annotations

from math import cos, radians, sin
from typing import NamedTuple

import numpy as np

from tabletop.vision.geometry.boxes import Box, corners_of
from tabletop.vision.geometry.plane import Array


class MarkerPose(NamedTuple):
    """The pose of a marker: its centre in mm, and the direction of its up in degrees clockwise."""

    x: float
    y: float
    angle: float

    def local(self, x: float, y: float) -> tuple[float, float]:
        """Return a point of the table in the marker's frame: x to the right, y down as one reads the marker."""
        turn = radians(self.angle)
        across, down = x - self.x, y - self.y
        return across * cos(turn) + down * sin(turn), down * cos(turn) - across * sin(turn)

    def table(self, x: float, y: float) -> tuple[float, float]:
        """Return a point of the marker's frame on the table: the inverse of ``local``."""
        turn = radians(self.angle)
        return self.x + x * cos(turn) - y * sin(turn), self.y + x * sin(turn) + y * cos(turn)

    def outline(self, part: Box) -> Array:
        """Return the corners (4, 2), mm on the table, of a box of the marker's frame."""
        return np.array([self.table(x, y) for x, y in corners_of(part).tolist()])
