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

from tabletop.vision.frame import Floats, Grey

Part: TypeAlias = tuple[int, int, int, int]
"""Left, top, right, bottom in px of the picture."""

STRETCH_GREY = 115.0
"""How many grey levels from the middle all but a few px stay once a picture has been evened."""
CLIPPED_FRACTION = 0.005
"""The share of those few px."""
MIN_SHRUNK_WIDTH_PX = 3.0
"""What changes slowly is looked for in a picture so small that it still changes over this many px."""
PART_MARGIN_PX = 8
"""How much of a picture is stacked around what is looked at, px."""
MIN_STRETCHED_GREY = 40.0
"""Differences smaller than this, grey levels, are not stretched to all of that: bare wood need not look like print."""


class PictureStack:
    """Pictures of one part of a still table, added up: at most 257 of them, which sixteen bits hold."""

    def __init__(self) -> None:
        self.count = 0
        self._part: Part = (0, 0, 0, 0)
        self._newest: Grey = np.zeros((0, 0), np.uint8)
        self._sum: NDArray[np.uint16] = np.zeros((0, 0), np.uint16)

    def add(self, grey: Grey, part: Part) -> None:
        """Add a part of a picture; another part, or a picture of another size, begins again."""
        left, top, right, bottom = part
        if not self.count or part != self._part or grey.shape != self._newest.shape:
            self._sum, self.count = np.zeros((bottom - top, right - left), np.uint16), 0
        self._part, self._newest = part, grey
        np.add(self._sum, grey[top:bottom, left:right], out=self._sum)
        self.count += 1

    def picture(self, width: float = 0.0, canvas: Grey | None = None) -> Grey:
        """Return the newest picture with the mean of all pictures in its place where they were added up.

        ``width``: what changes over more than that many px, as a veil of mirrored light does, is taken out there, and
        what is left is stretched; 0 leaves the light as it is.  ``canvas``: an older picture of that size that is not
        needed any more, to paint over; a new one takes longer.
        """
        if not self.count:
            return self._newest
        left, top, right, bottom = self._part
        together = np.empty_like(self._newest) if canvas is None else canvas
        np.copyto(together, self._newest)
        mean = self._sum.astype(np.float32) / np.float32(self.count)
        together[top:bottom, left:right] = evened(mean, width) if width > 0 else cv2.convertScaleAbs(mean)
        return together


def evened(light: Floats, width: float) -> Grey:
    """Return a picture without what changes over more than ``width`` px, its differences stretched."""
    # What changes so slowly shows in a small picture as well.
    height, length = light.shape
    shrink = max(1, min(int(width / MIN_SHRUNK_WIDTH_PX), height, length))
    small = cv2.resize(light, (length // shrink, height // shrink), interpolation=cv2.INTER_AREA)
    rest = light - cv2.resize(cv2.GaussianBlur(small, (0, 0), width / shrink), (length, height))
    usual = float(np.quantile(np.abs(rest[::2, ::2]), 1 - CLIPPED_FRACTION))
    stretched: Grey = np.clip(rest * (STRETCH_GREY / max(MIN_STRETCHED_GREY, usual)) + 128, 0, 255).astype(np.uint8)
    return stretched


def part_of(px: NDArray[np.float64], shape: tuple[int, ...]) -> Part:
    """Return the part of a picture of that shape that holds all points (n, 2) px, with some px around them."""
    (left, top), (right, bottom) = px.min(axis=0) - PART_MARGIN_PX, px.max(axis=0) + PART_MARGIN_PX
    height, width = shape
    x0, y0 = min(max(0, math.floor(left)), width - 1), min(max(0, math.floor(top)), height - 1)
    return x0, y0, max(x0 + 1, min(width, math.ceil(right))), max(y0 + 1, min(height, math.ceil(bottom)))
