"""Where a thing lies on the table, and how far others lie from it; lengths in mm, angles in degrees clockwise."""

from __future__ import annotations

import math
from typing import NamedTuple


class PiecePose(NamedTuple):
    """Where a thing's centre lies, mm, and its turn, degrees clockwise."""

    x: float
    y: float
    angle: float

    def out(self, x: float, y: float) -> tuple[float, float]:
        """Return the table's coordinates of a point in the thing's own frame."""
        c, s = math.cos(math.radians(self.angle)), math.sin(math.radians(self.angle))
        return self.x + c * x - s * y, self.y + s * x + c * y

    def within(self, x: float, y: float) -> tuple[float, float]:
        """Return how far a point of the table lies across and along the thing's own axes, mm."""
        c, s = math.cos(math.radians(self.angle)), math.sin(math.radians(self.angle))
        dx, dy = x - self.x, y - self.y
        return c * dx + s * dy, c * dy - s * dx
