"""What several pictures of a table that stands still show together.

Noise differs from picture to picture and tags do not: their sum is read as one picture, against the same thresholds.
Only the part that is looked at again is added up, so that a still table costs next to nothing.
"""

from __future__ import annotations

import math
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.vision.frame import Grey

Part: TypeAlias = tuple[int, int, int, int]
"""Left, top, right, bottom in px of the picture."""

ENOUGH = 4
"""Pictures that are added up: they halve the noise, and a table rarely stands still for longer."""


class Evidence:
    """Pictures of one part of a still table, added up."""

    def __init__(self) -> None:
        self.count = 0
        self._part: Part = (0, 0, 0, 0)
        self._newest: Grey = np.zeros((0, 0), np.uint8)
        self._sum: NDArray[np.float32] = np.zeros((0, 0), np.float32)

    def add(self, grey: Grey, part: Part) -> None:
        """Add a part of a picture; another part, or a picture of another size, begins anew."""
        left, top, right, bottom = part
        if not self.count or part != self._part or grey.shape != self._newest.shape:
            self._sum, self.count = np.zeros((bottom - top, right - left), np.float32), 0
        self._part, self._newest = part, grey
        cv2.accumulate(grey[top:bottom, left:right], self._sum)
        self.count += 1

    def picture(self) -> Grey:
        """Return the newest picture with the mean of all pictures in its place where they were added up."""
        if not self.count:
            return self._newest
        left, top, right, bottom = self._part
        together = self._newest.copy()
        together[top:bottom, left:right] = cv2.convertScaleAbs(self._sum, alpha=1 / self.count)
        return together

    def forget(self) -> None:
        """Begin anew: something moved."""
        self.count = 0


def part_of(px: NDArray[np.float64], shape: tuple[int, ...], margin: float = 8) -> Part:
    """Return the part of a picture of that shape that holds all points (n, 2) px, with some px around them."""
    (left, top), (right, bottom) = px.min(axis=0) - margin, px.max(axis=0) + margin
    height, width = shape
    x0, y0 = min(max(0, math.floor(left)), width - 1), min(max(0, math.floor(top)), height - 1)
    return x0, y0, max(x0 + 1, min(width, math.ceil(right))), max(y0 + 1, min(height, math.ceil(bottom)))
