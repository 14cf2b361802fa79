"""The picture before the sensor: ground and pieces as layers of linear radiance, redrawn only where they changed.

The light does not change during a game, so each piece is turned once into a :class:`Patch`: how much of the background
it lets through and the radiance that it adds at each pixel.  Composing the picture then takes one multiplication and
one addition per patch.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

import cv2
import numpy as np

from tabletop.simulator.camera.lens import Floats
from tabletop.vision.frame import Colour, Grey


class PixelBox(NamedTuple):
    """A rectangle of pixels; right and bottom are outside it."""

    left: int
    top: int
    right: int
    bottom: int

    @property
    def empty(self) -> bool:
        """True if it contains no pixels."""
        return self.right <= self.left or self.bottom <= self.top

    @property
    def area(self) -> int:
        """Number of pixels."""
        return 0 if self.empty else (self.right - self.left) * (self.bottom - self.top)

    @property
    def window(self) -> tuple[slice, slice]:
        """The slices that cut it out of a picture."""
        return slice(self.top, self.bottom), slice(self.left, self.right)

    def within(self, other: PixelBox) -> tuple[slice, slice]:
        """Return the slices that cut it out of an array that covers ``other``."""
        return (
            slice(self.top - other.top, self.bottom - other.top),
            slice(self.left - other.left, self.right - other.left),
        )

    def cut(self, other: PixelBox) -> PixelBox:
        """Return the intersection of both."""
        return PixelBox(
            max(self.left, other.left),
            max(self.top, other.top),
            min(self.right, other.right),
            min(self.bottom, other.bottom),
        )

    def join(self, other: PixelBox) -> PixelBox:
        """Return the smallest box around both."""
        return PixelBox(
            min(self.left, other.left),
            min(self.top, other.top),
            max(self.right, other.right),
            max(self.bottom, other.bottom),
        )

    def grown(self, by: int) -> PixelBox:
        """Return the box with ``by`` more pixels on every side."""
        return PixelBox(self.left - by, self.top - by, self.right + by, self.bottom + by)


class Patch(NamedTuple):
    """One thing as the camera sees it: how much of its background it lets through, and its own radiance."""

    box: PixelBox
    keep: Floats
    add: Floats

    def onto(self, radiance: Floats, covers: PixelBox) -> None:
        """Draw the patch onto the radiance of the box ``covers``."""
        common = self.box.cut(covers)
        if common.empty:
            return
        there = radiance[common.within(covers)]
        here = common.within(self.box)
        np.multiply(there, self.keep[here], out=there)
        np.add(there, self.add[here], out=there)


Blur = Callable[[Floats, PixelBox], Floats]
"""Returns the radiance of a box as the lens blurs it; pixels at the box's edge may be repeated beyond it."""


class NoiselessPicture:
    """The noiseless picture of a table and everything that lies on it.

    ``blur`` is the lens, ``reach`` how many pixels its blur spreads.
    """

    def __init__(self, ground: Floats, blur: Blur, reach: int) -> None:
        self._ground = ground
        self._blur = blur
        self.reach = reach
        self.whole = PixelBox(0, 0, ground.shape[1], ground.shape[0])
        self._radiance = ground.copy()
        self._seen = blur(self._radiance, self.whole)
        self.pixels: Grey | Colour = develop(self._seen)

    def redraw(self, dirty: Iterable[PixelBox], patches: Iterable[Patch]) -> list[PixelBox]:
        """Redraw the dirty boxes with these patches, lowest first; return the boxes of pixels that changed."""
        boxes = merged(box.cut(self.whole) for box in dirty)
        patches = list(patches)
        for box in boxes:
            radiance = self._radiance[box.window]
            np.copyto(radiance, self._ground[box.window])
            for patch in patches:
                patch.onto(radiance, box)
        changed = [box.grown(self.reach).cut(self.whole) for box in boxes]
        for box in changed:
            wide = box.grown(self.reach).cut(self.whole)
            self._seen[box.window] = self._blur(self._radiance[wide.window], wide)[box.within(wide)]
            self.pixels[box.window] = develop(self._seen[box.window])
        return changed

    def overlaid(self, patches: Iterable[Patch], box: PixelBox) -> Grey | Colour:
        """Return the pixels of a box with passing things (hands) over it; the picture itself does not change.

        The passing things must already be as soft as the lens draws them, because they are drawn over blurred pixels.
        """
        radiance = self._seen[box.window].copy()
        for patch in patches:
            patch.onto(radiance, box)
        return develop(radiance)


def develop(radiance: Floats) -> Grey | Colour:
    """Return 8-bit pixels: the square root of the radiance, a gamma of 2.

    With this gamma the noise of arriving light has the same deviation at every brightness.
    """
    return cv2.convertScaleAbs(cv2.sqrt(radiance), alpha=255.0)  # type: ignore[return-value]


def merged(boxes: Iterable[PixelBox]) -> list[PixelBox]:
    """Return boxes that cover at least these pixels, with overlapping ones joined and empty ones left out."""
    result: list[PixelBox] = []
    for box in boxes:
        if box.empty:
            continue
        rest = []
        for other in result:
            if box.cut(other).empty:
                rest.append(other)
            else:
                box = box.join(other)
        result = [*rest, box]
    return result
