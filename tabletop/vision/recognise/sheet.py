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
Box: TypeAlias = tuple[float, float, float, float]
"""Left, top, right, bottom in mm on the table."""

FINE = 2
"""Pixels a module."""
_STEP = 16
"""The view is worked out at every so many px and taken as straight in between."""


@dataclass(frozen=True, slots=True, eq=False)
class Sheet:
    """A flat picture: ``grey`` with px of ``pitch`` mm, whose top left corner lies at ``left``, ``top`` mm."""

    grey: Grey
    left: float
    top: float
    pitch: float

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
    """Where the px of a sheet are found in the picture, ready to be taken out of frame after frame."""

    maps: tuple[NDArray[np.int16], NDArray[np.uint16]]
    shrink: int
    left: float
    top: float
    pitch: float

    def take(self, grey: Grey) -> Sheet:
        """Return the sheet out of a picture."""
        if self.shrink > 1:
            height, width = grey.shape
            size = (width // self.shrink, height // self.shrink)
            whole = grey[: size[1] * self.shrink, : size[0] * self.shrink]
            grey = cv2.resize(whole, size, interpolation=cv2.INTER_AREA).astype(np.uint8, copy=False)
        flat = cv2.remap(grey, *self.maps, cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
        return Sheet(flat.astype(np.uint8, copy=False), self.left, self.top, self.pitch)


def view(plane: Plane, box: Box, side: float) -> View:
    """Return the view of a part of the table for tags with that side in mm."""
    pitch = side / ACROSS / FINE
    left, top, right, bottom = box
    columns, rows = max(4, int((right - left) / pitch)), max(4, int((bottom - top) / pitch))
    spots = _spots(plane, box, pitch, columns, rows)
    x, y = (left + right) / 2, (top + bottom) / 2
    px = plane.to_px(np.array([(x, y), (x + pitch, y), (x, y + pitch)]))
    steps = np.linalg.norm(px[1:] - px[0], axis=1)
    # Shrunk first where several px fall on one: nothing is skipped, and noise is averaged.
    shrink = max(1, int(np.sqrt(max(1.0, float(steps[0] * steps[1]))) + 0.35))
    if shrink > 1:
        spots = ((spots + 0.5) / shrink - 0.5).astype(np.float32)
    whole, parts = cv2.convertMaps(spots[..., 0].copy(), spots[..., 1].copy(), cv2.CV_16SC2)
    maps = (whole.astype(np.int16, copy=False), parts.astype(np.uint16, copy=False))
    return View(maps, shrink, left, top, pitch)


def _spots(plane: Plane, box: Box, pitch: float, columns: int, rows: int) -> Floats:
    """Return px of the picture for every px of the sheet, (rows, columns, 2)."""
    step = min(_STEP, max(4, min(columns, rows) // 4))
    xs = box[0] + (np.arange(0, columns + step, step) + 0.5) * pitch
    ys = box[1] + (np.arange(0, rows + step, step) + 0.5) * pitch
    grid = np.stack(np.meshgrid(xs, ys), axis=-1)
    coarse = np.clip(plane.to_px(grid), -1e4, 3e4).astype(np.float32)
    grow = np.array([[step, 0, 0], [0, step, 0]], dtype=np.float32)
    return cv2.warpAffine(
        coarse, grow, (columns, rows), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    ).astype(np.float32)


def sharpened(grey: Grey) -> NDArray[np.int16]:
    """Return the sheet with what lens and motion smoothed brought back, grey levels that may leave 0…255."""
    soft = cv2.GaussianBlur(grey, (0, 0), 0.6)
    wide = cv2.GaussianBlur(grey, (0, 0), 2.2)
    return cv2.addWeighted(soft, 4, wide, -3, 0, dtype=cv2.CV_16S).astype(np.int16, copy=False)
