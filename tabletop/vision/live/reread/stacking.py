"""Stacks several pictures of a table that stands still.

Noise differs from picture to picture and tags do not: the mean is read like one picture, with the same thresholds.
Only parts that are read again are stacked, so that a still table costs next to nothing.
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
"""Largest difference from the middle grey, in grey levels, of all but a few px after evening out a picture."""
CLIPPED_FRACTION = 0.005
"""Fraction of px that may be clipped by that."""
MIN_SHRUNK_WIDTH_PX = 3.0
"""Width of the blur, px, in the shrunk picture in which slow variations are computed."""
PART_MARGIN_PX = 8
"""Margin, px, around a part that is stacked."""
MIN_STRETCHED_GREY = 40.0
"""Least difference, grey levels, that is stretched to ``STRETCH_GREY``, so that bare wood does not look like print."""


class PictureStack:
    """The sum of pictures of one part of a still table: at most 257 of them, which fit into sixteen bits."""

    def __init__(self) -> None:
        self.count = 0
        self._part: Part = (0, 0, 0, 0)
        self._newest: Grey = np.zeros((0, 0), np.uint8)
        self._sum: NDArray[np.uint16] = np.zeros((0, 0), np.uint16)

    def add(self, grey: Grey, part: Part) -> None:
        """Add a part of a picture; if the part or the picture's size differs, start again."""
        left, top, right, bottom = part
        if not self.count or part != self._part or grey.shape != self._newest.shape:
            self._sum, self.count = np.zeros((bottom - top, right - left), np.uint16), 0
        self._part, self._newest = part, grey
        np.add(self._sum, grey[top:bottom, left:right], out=self._sum)
        self.count += 1

    def picture(self, width: float = 0.0, canvas: Grey | None = None, around: Part | None = None) -> Grey:
        """Return the newest picture with its part replaced by the mean of all pictures.

        ``width``: remove variations wider than that many px from the part, such as a veil of reflected light, and
        stretch the rest; 0 leaves the light unchanged.  ``canvas``: an array of that size to overwrite, which is faster
        than a new one; ``around``: the part of it to overwrite, if not all.
        """
        if not self.count:
            return self._newest
        left, top, right, bottom = self._part
        together = np.empty_like(self._newest) if canvas is None else canvas
        x0, y0, x1, y1 = around or (0, 0, *self._newest.shape[::-1])
        np.copyto(together[y0:y1, x0:x1], self._newest[y0:y1, x0:x1])
        mean = self._sum.astype(np.float32) / np.float32(self.count)
        together[top:bottom, left:right] = without_veil(mean, width) if width > 0 else cv2.convertScaleAbs(mean)
        return together


def without_veil(light: Floats, width: float) -> Grey:
    """Return a picture without variations wider than ``width`` px, with the rest stretched."""
    # Such slow variations are computed in a shrunk picture.
    height, length = light.shape
    shrink = max(1, min(int(width / MIN_SHRUNK_WIDTH_PX), height, length))
    small = cv2.resize(light, (length // shrink, height // shrink), interpolation=cv2.INTER_AREA)
    rest = light - cv2.resize(cv2.GaussianBlur(small, (0, 0), width / shrink), (length, height))
    usual = float(np.quantile(np.abs(rest[::2, ::2]), 1 - CLIPPED_FRACTION))
    stretched: Grey = np.clip(rest * (STRETCH_GREY / max(MIN_STRETCHED_GREY, usual)) + 128, 0, 255).astype(np.uint8)
    return stretched


def part_of(px: NDArray[np.float64], shape: tuple[int, ...]) -> Part:
    """Return the part of a picture of that shape that contains all points (n, 2) px, with a margin."""
    (left, top), (right, bottom) = px.min(axis=0) - PART_MARGIN_PX, px.max(axis=0) + PART_MARGIN_PX
    height, width = shape
    x0, y0 = min(max(0, math.floor(left)), width - 1), min(max(0, math.floor(top)), height - 1)
    return x0, y0, max(x0 + 1, min(width, math.ceil(right))), max(y0 + 1, min(height, math.ceil(bottom)))
