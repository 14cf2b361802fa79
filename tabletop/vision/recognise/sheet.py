"""The table as seen from straight above, coarse: just fine enough to find where tags may lie."""

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
Maps: TypeAlias = tuple[NDArray[np.int16], NDArray[np.uint16]]

COARSE = 0.7
"""Pixels a module: tags are found as well as on a sheet of one px a module, for half the work."""
INSIDE = 6
"""Modules by which the middle of a tag has to lie inside the picture: of the others too little is seen."""
EDGE = 7
"""Modules by which it has to lie inside the sheet."""
SOFT = 0.55
"""Blur before the picture is sampled, px of the sheet: what is finer would come out as something else."""
STEP = 8
"""The view is worked out at every so many px and taken as straight in between."""


@dataclass(frozen=True, slots=True, eq=False)
class Sheet:
    """A flat picture: ``grey`` with px of ``pitch`` mm, whose top left corner lies at ``left``, ``top`` mm.

    ``wanted`` tells for every px whether the middle of a tag may lie there; ``picture`` is what was seen, on ``plane``.
    """

    grey: Grey
    left: float
    top: float
    pitch: float
    wanted: Mask
    picture: Grey
    plane: Plane

    def to_mm(self, points: NDArray[np.floating]) -> NDArray[np.float64]:
        """Return px of this sheet (…, 2) as mm on the table."""
        return (points.astype(np.float64) + 0.5) * self.pitch + (self.left, self.top)


class View:
    """Where the px of a sheet for tags of that ``side`` in mm are found in the pictures of a camera.

    It is worked out once for a plane; sheets of the whole table or of a part are then taken out of frame after frame.
    """

    def __init__(self, plane: Plane, side: float) -> None:
        self.plane = plane
        self.pitch = side / ACROSS / COARSE
        self.left, self.top, right, bottom = plane.bounds()
        step = STEP * self.pitch
        columns, rows = int((right - self.left) / step) + 1, int((bottom - self.top) / step) + 1
        xs = self.left + (np.arange(columns + 1) * STEP + 0.5) * self.pitch
        ys = self.top + (np.arange(rows + 1) * STEP + 0.5) * self.pitch
        grid = np.stack(np.meshgrid(xs, ys), axis=-1)
        self._knots: Floats = np.clip(plane.to_px(grid), -1e4, 3e4).astype(np.float32)
        """Px of the picture for every so many px of the sheet, (…, …, 2)."""
        self._dense = _density(plane) * self.pitch
        """Px of the picture for one px of the sheet."""
        # Shrunk first where several px fall on one: nothing is skipped, and noise is averaged.
        self._shrink = max(1, int(self._dense))
        self._maps: Maps | None = None

    def take(self, grey: Grey, box: Box | None = None, where: Mask | None = None) -> Sheet:
        """Return the sheet of a part of the table (all that is visible) out of a picture.

        ``where``: a mask of any size laid over the whole picture; only tags that reach into it are looked for.
        """
        left, top, knots = self._part(box)
        x0, y0, x1, y1 = self._seen(knots)
        shrink = self._shrink
        near = grey[y0:y1, x0:x1]
        if shrink > 1:
            near = _bytes(cv2.resize(near, ((x1 - x0) // shrink, (y1 - y0) // shrink), interpolation=cv2.INTER_AREA))
        near = _bytes(cv2.GaussianBlur(near, (0, 0), SOFT * max(1.0, self._dense / shrink)))
        if box is not None:
            maps = _maps(knots, (x0, y0), shrink)
        else:
            maps = self._maps = self._maps or _maps(knots, (x0, y0), shrink)
        flat = cv2.remap(near, *maps, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return Sheet(_bytes(flat), left, top, self.pitch, self._wanted(knots, where), grey, self.plane)

    def _part(self, box: Box | None) -> tuple[float, float, Floats]:
        """Return left and top in mm of the smallest part that holds a box, and its knots."""
        if box is None:
            return self.left, self.top, self._knots
        corner, step = np.array((self.left, self.top)), STEP * self.pitch
        cells = np.array(self._knots.shape[1::-1]) - 1
        x0, y0 = near = np.clip((np.array(box[:2]) - corner) // step, 0, cells - 1).astype(int)
        x1, y1 = np.clip(np.ceil((np.array(box[2:]) - corner) / step), near + 1, cells).astype(int)
        left, top = (corner + near * step).tolist()
        return left, top, self._knots[y0 : y1 + 1, x0 : x1 + 1]

    def _seen(self, knots: Floats) -> tuple[int, int, int, int]:
        """Return left, top, right, bottom, px, of the part of the picture that a sheet needs, in whole shrunk px."""
        shrink = self._shrink
        height, width = (length // shrink * shrink for length in self.plane.shape)
        (left, top), (right, bottom) = knots.min(axis=(0, 1)), knots.max(axis=(0, 1))
        margin = 4 * shrink
        x0 = int(np.clip((left - margin) // shrink * shrink, 0, width - shrink))
        y0 = int(np.clip((top - margin) // shrink * shrink, 0, height - shrink))
        x1 = int(np.clip((right + margin) // shrink * shrink + shrink, x0 + shrink, width))
        y1 = int(np.clip((bottom + margin) // shrink * shrink + shrink, y0 + shrink, height))
        return x0, y0, x1, y1

    def _wanted(self, knots: Floats, where: Mask | None) -> Mask:
        """Return where on a sheet the middle of a tag may lie: inside, and so that the tag reaches into the mask."""
        height, width = self.plane.shape
        x, y = knots[..., 0], knots[..., 1]
        inside = np.minimum(np.minimum(x, y), np.minimum(width - 1 - x, height - 1 - y))
        wanted: Mask = _grown(inside) >= INSIDE * COARSE * self._dense
        if where is not None:
            rows, columns = where.shape
            column = np.clip(x * (columns / width), 0, columns - 1).astype(np.intp)
            row = np.clip(y * (rows / height), 0, rows - 1).astype(np.intp)
            reach = 2 * int(np.ceil(ACROSS * COARSE * 0.71 / STEP)) + 1
            near = cv2.dilate(where[row, column].astype(np.float32), np.ones((reach, reach), np.uint8))
            wanted &= _grown(near.astype(np.float32, copy=False)) > 0
        edge = int(EDGE * COARSE)
        wanted[:edge], wanted[-edge:], wanted[:, :edge], wanted[:, -edge:] = False, False, False, False
        return wanted


def _density(plane: Plane) -> float:
    """Return how many px of the picture a mm has in the middle of the table."""
    left, top, right, bottom = plane.bounds()
    x, y = (left + right) / 2, (top + bottom) / 2
    px = plane.to_px(np.array([(x, y), (x + 1, y), (x, y + 1)]))
    across, along = np.linalg.norm(px[1:] - px[0], axis=1)
    return float(np.sqrt(across * along))


def _maps(knots: Floats, corner: tuple[int, int], shrink: int) -> Maps:
    """Return where every px of a sheet lies in a part of the picture with that corner, as fixed-point maps."""
    near = (knots + np.float32(0.5) - np.array(corner, np.float32)) / np.float32(shrink) - np.float32(0.5)
    whole, parts = cv2.convertMaps(_grown(near[..., 0]), _grown(near[..., 1]), cv2.CV_16SC2)
    return whole.astype(np.int16, copy=False), parts.astype(np.uint16, copy=False)


def _grown(knots: Floats) -> Floats:
    """Return for every px of the sheet what is known at every step, taken as straight in between."""
    rows, columns = knots.shape
    grow = np.array([[STEP, 0, 0], [0, STEP, 0]], dtype=np.float32)
    size = ((columns - 1) * STEP, (rows - 1) * STEP)
    grown = cv2.warpAffine(knots, grow, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return grown.astype(np.float32, copy=False)


def _bytes(picture: cv2.typing.MatLike) -> Grey:
    return picture.astype(np.uint8, copy=False)
