"""A part of the table as seen from straight above, two pixels to a module."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.vision.frame import Grey
from tabletop.vision.plane import Plane
from tabletop.vision.tags import ACROSS

Floats: TypeAlias = NDArray[np.float32]
Mask: TypeAlias = NDArray[np.bool_]
Box: TypeAlias = tuple[float, float, float, float]
"""Left, top, right, bottom in mm on the table."""

FINE = 2
"""Pixels a module."""
INSIDE = 6
"""Modules by which the middle of a tag has to lie inside the picture: of the others too little is seen."""
_STEP = 16
"""The view is worked out at every so many px and taken as straight in between."""


@dataclass(frozen=True, slots=True, eq=False)
class Sheet:
    """A flat picture: ``grey`` with px of ``pitch`` mm, whose top left corner lies at ``left``, ``top`` mm.

    ``wanted`` tells, for every px of a sheet of half the size, whether the middle of a tag may lie there.
    """

    grey: Grey
    left: float
    top: float
    pitch: float
    wanted: Mask

    def to_mm(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return px of this sheet (…, 2) as mm on the table."""
        found: NDArray[np.float64] = (points + 0.5) * self.pitch + (self.left, self.top)
        return found

    def to_px(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return mm on the table (…, 2) as px of this sheet."""
        found: NDArray[np.float64] = (points - (self.left, self.top)) / self.pitch - 0.5
        return found


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """Where the px of a sheet are found in the picture, ready to be taken out of frame after frame.

    ``part``: left, top, right, bottom in px of what is needed of the picture.
    """

    maps: tuple[NDArray[np.int16], NDArray[np.uint16]]
    part: tuple[int, int, int, int]
    shrink: int
    left: float
    top: float
    pitch: float
    wanted: Mask

    def take(self, grey: Grey) -> Sheet:
        """Return the sheet out of a picture."""
        left, top, right, bottom = self.part
        near = grey[top:bottom, left:right]
        if self.shrink > 1:
            size = ((right - left) // self.shrink, (bottom - top) // self.shrink)
            near = cv2.resize(near, size, interpolation=cv2.INTER_AREA).astype(np.uint8, copy=False)
        flat = cv2.remap(near, *self.maps, cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
        return Sheet(flat.astype(np.uint8, copy=False), self.left, self.top, self.pitch, self.wanted)


def view(plane: Plane, box: Box, side: float, where: Mask | None = None) -> View:
    """Return the view of a part of the table for tags with that side in mm.

    ``where``: a mask of any size laid over the whole picture; only tags that reach into it are looked for.
    """
    pitch = side / ACROSS / FINE
    left, top, right, bottom = box
    columns, rows = max(4, int((right - left) / pitch)), max(4, int((bottom - top) / pitch))
    coarse, step = _coarse(plane, box, pitch, columns, rows)
    x, y = (left + right) / 2, (top + bottom) / 2
    px = plane.to_px(np.array([(x, y), (x + pitch, y), (x, y + pitch)]))
    steps = np.linalg.norm(px[1:] - px[0], axis=1)
    # Shrunk first where several px fall on one: nothing is skipped, and noise is averaged.
    shrink = max(1, int(np.sqrt(max(1.0, float(steps[0] * steps[1]))) + 0.35))
    part = _part(coarse, plane.shape, shrink)
    near = (coarse + np.float32(0.5) - np.array(part[:2], np.float32)) / np.float32(shrink) - np.float32(0.5)
    across, along = (_grown(near[..., axis], step, columns, rows) for axis in (0, 1))
    half = (max(1, columns // FINE), max(1, rows // FINE))
    wanted = _wanted(coarse, step, half, plane, INSIDE * FINE * float(steps.mean()), where)
    whole, parts = cv2.convertMaps(across, along, cv2.CV_16SC2)
    maps = (whole.astype(np.int16, copy=False), parts.astype(np.uint16, copy=False))
    return View(maps, part, shrink, left, top, pitch, wanted)


def _coarse(plane: Plane, box: Box, pitch: float, columns: int, rows: int) -> tuple[Floats, int]:
    """Return px of the picture for a sheet's px at every so many px, (…, …, 2), and how many."""
    step = min(_STEP, max(4, min(columns, rows) // 4))
    xs = box[0] + (np.arange(0, columns + step, step) + 0.5) * pitch
    ys = box[1] + (np.arange(0, rows + step, step) + 0.5) * pitch
    grid = np.stack(np.meshgrid(xs, ys), axis=-1)
    return np.clip(plane.to_px(grid), -1e4, 3e4).astype(np.float32), step


def _part(coarse: Floats, shape: tuple[int, int], shrink: int) -> tuple[int, int, int, int]:
    """Return the part of the picture that a sheet needs, px, in whole steps of ``shrink``."""
    height, width = (length // shrink * shrink for length in shape)
    (left, top), (right, bottom) = coarse.min(axis=(0, 1)), coarse.max(axis=(0, 1))
    margin = 4 * shrink
    x0 = int(np.clip((left - margin) // shrink * shrink, 0, width - shrink))
    y0 = int(np.clip((top - margin) // shrink * shrink, 0, height - shrink))
    x1 = int(np.clip((right + margin) // shrink * shrink + shrink, x0 + shrink, width))
    y1 = int(np.clip((bottom + margin) // shrink * shrink + shrink, y0 + shrink, height))
    return x0, y0, x1, y1


def _wanted(coarse: Floats, step: int, half: tuple[int, int], plane: Plane, margin: float, where: Mask | None) -> Mask:
    """Return where on a sheet of half the size the middle of a tag may lie.

    It lies ``margin`` px inside the picture, and the tag reaches into the mask.
    """
    height, width = plane.shape
    x, y = coarse[..., 0], coarse[..., 1]
    inside = np.minimum(np.minimum(x, y), np.minimum(width - 1 - x, height - 1 - y))
    wanted: Mask = _grown(inside, step / FINE, *half) >= margin
    if where is not None:
        rows, columns = where.shape
        column = np.clip(x * (columns / width), 0, columns - 1).astype(np.intp)
        row = np.clip(y * (rows / height), 0, rows - 1).astype(np.intp)
        reach = 2 * int(np.ceil(ACROSS * FINE * 0.71 / step)) + 1
        near = cv2.dilate(where[row, column].astype(np.float32), np.ones((reach, reach), np.uint8))
        wanted &= _grown(near.astype(np.float32, copy=False), step / FINE, *half) > 0
    return wanted


def _grown(coarse: Floats, step: float, columns: int, rows: int) -> Floats:
    """Return for every px of the sheet what is known at every step, taken as straight in between."""
    grow = np.array([[step, 0, 0], [0, step, 0]], dtype=np.float32)
    return cv2.warpAffine(
        coarse, grow, (columns, rows), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    ).astype(np.float32)


def sharpened(grey: Grey) -> NDArray[np.int16]:
    """Return the sheet with what lens and motion smoothed brought back, grey levels that may leave 0…255."""
    soft = cv2.GaussianBlur(grey, (0, 0), 0.6)
    wide = cv2.GaussianBlur(grey, (0, 0), 2.2)
    return cv2.addWeighted(soft, 4, wide, -3, 0, dtype=cv2.CV_16S).astype(np.int16, copy=False)
