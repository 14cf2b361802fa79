"""The pose of a thing on the table, and coordinates in its own frame; lengths in mm, angles in degrees clockwise."""

from __future__ import annotations

import math
from typing import NamedTuple


class PiecePose(NamedTuple):
    """The place of a thing's centre, mm, and its turn, degrees clockwise."""

    x: float
    y: float
    angle: float

    def out(self, x: float, y: float) -> tuple[float, float]:
        """Return the table's coordinates of a point in the thing's own frame."""
        c, s = math.cos(math.radians(self.angle)), math.sin(math.radians(self.angle))
        return self.x + c * x - s * y, self.y + s * x + c * y

    def within(self, x: float, y: float) -> tuple[float, float]:
        """Return the coordinates of a point of the table in the thing's own frame, mm."""
        c, s = math.cos(math.radians(self.angle)), math.sin(math.radians(self.angle))
        dx, dy = x - self.x, y - self.y
        return c * dx + s * dy, c * dy - s * dx
