"""A part of a photograph, faded to draw on, in which doubts are marked with their numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

import cv2
import numpy as np
from PIL import Image

from tabletop.vision.geometry.boxes import side_lengths
from tabletop.vision.geometry.plane import Array
from tabletop.vision.image.load import Picture
from tabletop.vision.report.canvas import BLACK, Canvas, Place, Rgb

DOUBT_COLOUR: Rgb = (255, 196, 0)
DOUBT_LETTERS_PX = (26.0, 56.0)
"""Least and largest size of the letters of a doubt's number, px: visible on a phone, but not hiding a tile."""
PHOTO_SHARE = 0.86
"""Fraction of the photograph's contrast that is left under the drawing."""

Box: TypeAlias = tuple[int, int, int, int]
"""Left, top, right, bottom of a part of the photograph, px."""


class PhotoCrop(NamedTuple):
    """A part of the photograph with its drawing; ``scale``: px of the drawing per px of the photograph."""

    canvas: Canvas
    box: Box
    scale: float

    def places(self, px: Array) -> list[Place]:
        """Return points (n, 2) in px of the photograph as px of the drawing."""
        return [(float(x), float(y)) for x, y in (px - np.array(self.box[:2])) * self.scale]

    def shows(self, px: Array) -> bool:
        """Return whether a point of the photograph lies in this part."""
        return bool(self.box[0] <= px[0] < self.box[2] and self.box[1] <= px[1] < self.box[3])

    def doubt(self, corners: Array, number: int, *, aside: bool = False) -> None:
        """Mark a place that does not count, if it lies in this part, with the number of its sentence.

        ``aside``: put the number at a corner, because there is a name in the middle.
        """
        if self.shows(corners.mean(axis=0)):
            outline = self.places(corners)
            self.canvas.outline(outline, DOUBT_COLOUR, 5)
            at = corners[:1] if aside else corners.mean(axis=0)[None]
            size = float(np.clip(0.4 * shorter_side(outline), *DOUBT_LETTERS_PX))
            self.canvas.label(self.places(at)[0], f"?{number}", DOUBT_COLOUR, size, BLACK)


def crop(picture: Picture, box: Box, side: int, shrunk: float = 1.0) -> PhotoCrop:
    """Return a part of a photograph, faded to draw on, with ``side`` px along its longer side.

    ``shrunk``: px of this picture per px of the photograph in which ``box`` is given.
    """
    left, top, right, bottom = (round(edge * shrunk) for edge in box)
    scale = side / longer_side(box)
    size = (max(1, round((box[2] - box[0]) * scale)), max(1, round((box[3] - box[1]) * scale)))
    interpolation = cv2.INTER_AREA if size[0] < right - left else cv2.INTER_CUBIC
    # Converted to RGB after shrinking: a copy of the whole picture would take more memory than reading did.
    small = cv2.resize(picture.colour[top:bottom, left:right], size, interpolation=interpolation)
    photo = Image.fromarray(np.ascontiguousarray(small[:, :, ::-1]))
    return PhotoCrop(Canvas(Image.blend(Image.new("RGB", size, "white"), photo, PHOTO_SHARE)), box, scale)


def box_around(spots: Array, size: tuple[int, int]) -> Box:
    """Return the part of a picture of that size that contains all spots, px, limited to the picture."""
    width, height = size
    low = np.clip(np.floor(spots.min(axis=0)), 0, (width - 32, height - 32)).astype(int)
    high = np.clip(np.ceil(spots.max(axis=0)), low + 32, (width, height)).astype(int)
    return int(low[0]), int(low[1]), int(high[0]), int(high[1])


def longer_side(box: Box) -> int:
    """Return the longer side of a part of a photograph, px."""
    return max(box[2] - box[0], box[3] - box[1])


def shorter_side(outline: Sequence[Place]) -> float:
    """Return the shortest side of an outline, px."""
    return float(side_lengths(np.array(outline)).min())
