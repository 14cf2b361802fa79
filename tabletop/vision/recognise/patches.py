"""Patches: every candidate cut out of the picture at finer resolution and turned upright, sharpened or softened.

Only places that may have a tag are cut out; the table as a whole is never rectified as finely.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import cos, sin, sqrt
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.vision.frame import Floats, Grey
from tabletop.vision.geometry.plane import Array, Plane
from tabletop.vision.recognise.rectified import Cutting, shrunk
from tabletop.vision.tags.patterns import TAG_MODULES

Rows: TypeAlias = NDArray[np.intp]

PATCH_MODULES = 32
"""Side of a patch, modules: a tag with its quiet zone, room to move it, and a margin for sharpening."""
KNOTS = np.array([x + 1j * y for y in (-1, 0, 1) for x in (-1, 0, 1)])
"""The knots of a patch as x + iy from its middle, in units of half its side."""
FINE_MODULE_PX = 2
"""Pixels per module at which tags are identified."""
MAX_COLUMNS = 32000
"""Most columns of px that a picture may have to be sampled by OpenCV."""
MAX_WARPED_PX = 65536
"""Number of px that are warped at a time: the maps of more exceed a core's cache."""


@dataclass(frozen=True, eq=False)
class Patches:
    """Patches of places on the table, ``fine`` px per module, side by side in one picture.

    ``middles`` (n, 2) are in mm; ``turns`` (n,) are the radians by which each was turned back; ``module`` is in mm.
    A pose in a patch is x, y in modules from its middle, the angle in radians clockwise, and the size as a fraction of
    the assumed one.
    """

    grey: Grey
    middles: Array
    turns: Array
    module: float
    fine: int

    def __len__(self) -> int:
        return len(self.middles)

    def sharply(self, rows: Rows, poses: Floats, offsets: Floats) -> Floats:
        """Return the sharpened grey levels at ``offsets`` from each pose, (n, tries, s).

        ``rows`` (n,) are the patches, ``poses`` (n, tries, 4); ``offsets`` (3, s) are x and y in modules, and ones.
        """
        return self._sampled(rows, poses, offsets, self._sharp)[0]

    def softly(self, rows: Rows, poses: Floats, offsets: Floats) -> Floats:
        """Return the softened grey levels at the offsets; parameters as for ``sharply``."""
        return self._sampled(rows, poses, offsets, self._soft)[0]

    def softly_and_sharply(self, rows: Rows, poses: Floats, offsets: Floats) -> tuple[Floats, Floats]:
        """Return the softened and the sharpened grey levels at the offsets; parameters as for ``sharply``."""
        soft, sharp = self._sampled(rows, poses, offsets, self._soft, self._sharp)
        return soft, sharp

    def smoothly(self, rows: Rows, poses: Floats, offsets: Floats) -> Floats:
        """Return the grey levels softened by almost a module at the offsets; parameters as for ``sharply``."""
        return self._sampled(rows, poses, offsets, self._smooth)[0]

    def plainly(self, rows: Rows, poses: Floats, offsets: Floats) -> Floats:
        """Return the unfiltered grey levels at the offsets; parameters as for ``sharply``."""
        return self._sampled(rows, poses, offsets, self._light)[0]

    @cached_property
    def _light(self) -> Floats:
        return self.grey.astype(np.float32)

    @cached_property
    def _sharp(self) -> Floats:
        """The picture with the detail restored that lens and motion blurred: it distinguishes a tag from all else."""
        soft, wide = _blurred(self.grey, 0.3 * self.fine), _blurred(self.grey, 1.1 * self.fine)
        return cv2.addWeighted(soft, 4, wide, -3, 0).astype(np.float32, copy=False)

    @cached_property
    def _soft(self) -> Floats:
        """The picture without the finest detail, mostly noise: it distinguishes tags from each other."""
        return _blurred(self.grey, 0.5 * self.fine)

    @cached_property
    def _smooth(self) -> Floats:
        """The picture without most of the noise of bad light, and with half of the detail that distinguishes tags."""
        return _blurred(self.grey, 0.9 * self.fine)

    def _sampled(self, rows: Rows, poses: Floats, offsets: Floats, *pictures: Floats) -> list[Floats]:
        """Return each picture's grey levels at the offsets; parameters as for ``sharply``."""
        count, tries = poses.shape[:2]
        fine, side = self.fine, PATCH_MODULES * self.fine
        flat = poses.reshape(-1, 4)
        size, turn = flat[:, 3] * fine, flat[:, 2]
        across, down = np.cos(turn) * size, np.sin(turn) * size
        matrices = np.empty((2, len(flat), 3), np.float32)
        matrices[0, :, 0] = matrices[1, :, 1] = across
        matrices[1, :, 0] = down
        matrices[0, :, 1] = -down
        matrices[:, :, 2] = flat.T[:2] * fine + (side - 1) / 2
        matrices[0].reshape(count, tries, 3)[:, :, 2] += (rows * side)[:, None]
        x, y = (matrices.reshape(-1, 3) @ offsets).reshape(2, len(flat), -1)
        seen = (cv2.remap(each, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE) for each in pictures)
        return [each.astype(np.float32, copy=False).reshape(count, tries, -1) for each in seen]

    def to_mm(self, rows: Rows | int, points: Array) -> Array:
        """Return points (…, 2), in modules from the middle of a patch or of each of several, as mm on the table."""
        across, down = np.cos(self.turns[rows]) * self.module, np.sin(self.turns[rows]) * self.module
        x, y = points[..., 0], points[..., 1]
        mm: Array = np.stack([across * x - down * y, down * x + across * y], axis=-1)
        return mm + self.middles[rows]

    def place(self, row: int, x: float, y: float) -> tuple[float, float]:
        """Return a point, in modules from the middle of one patch, as mm on the table."""
        left, top = self.middles[row].tolist()
        turn = float(self.turns[row])
        across, down = cos(turn) * self.module, sin(turn) * self.module
        return left + across * x - down * y, top + down * x + across * y

    def light(self, row: int) -> Grey:
        """Return the grey levels of a tag in the middle of a patch, quiet zone included."""
        side, rest = PATCH_MODULES * self.fine, (PATCH_MODULES - TAG_MODULES) * self.fine // 2
        return self.grey[rest : side - rest, row * side + rest : (row + 1) * side - rest]


def cut_patches(seen: Cutting, plane: Plane, middles: Array, turns: Array, side: float, fine: int) -> Patches:
    """Return patches of places (n, 2) mm, each turned back by its angle, for tags with that side in mm.

    If there are more places than fit into one picture, only the first are cut out.
    """
    max_count = MAX_COLUMNS // (PATCH_MODULES * fine)
    middles, turns = middles[:max_count], turns[:max_count]
    module = side / TAG_MODULES
    knots = np.exp(1j * turns)[:, None] * KNOTS * (PATCH_MODULES / 2 * module)
    px = plane.to_px(middles[:, None] + knots.view(np.float64).reshape(-1, len(KNOTS), 2))
    grey = _warped(seen, seen.to_px(px), PATCH_MODULES * fine, glance=fine == 1)
    return Patches(grey, middles, turns, module, fine)


def joined(patches: Sequence[Patches]) -> Patches:
    """Return several sets of patches of one tag size as one, because computing with all of them at once is faster."""
    grey = np.concatenate([each.grey for each in patches], axis=1)
    middles, turns = (np.concatenate(each) for each in zip(*((one.middles, one.turns) for one in patches), strict=True))
    return Patches(grey, middles, turns, patches[0].module, patches[0].fine)


def _warped(seen: Cutting, px: Array, side: int, *, glance: bool) -> Grey:
    """Return places of a part of a picture warped to squares, side by side; ``px`` (n, 9, 2) are their knots."""
    dense = _density(px, side)
    # For a glance at places that the picture shows at least as finely, linear interpolation will do.
    interpolation = cv2.INTER_LINEAR if glance and dense >= 1 else cv2.INTER_CUBIC
    # If several px of a large picture fall on one px of a patch, they are averaged first.
    shrink = max(1, min(int(dense + 0.35), *seen.grey.shape))
    if shrink == 1 or seen.has_shrunk(shrink):
        picture = seen.shrunk(shrink)
    else:
        part, corner = _part_around(seen.grey, px, shrink)
        picture, px = shrunk(part, shrink), px - corner
    px = (px + 0.5) / shrink - 0.5
    # Side by side, because blurring a picture of a few long rows takes half the time of one of many short rows.
    warped = np.empty((side, len(px), side), np.uint8)
    step = MAX_WARPED_PX // side**2
    for first in range(0, len(px), step):
        batch = slice(first, first + step)
        knots = px[batch].astype(np.float32).transpose(2, 0, 1).reshape(-1, 9)
        x, y = (knots @ _knot_weights(side)).reshape(2, -1, side)
        squares = cv2.remap(picture, x, y, interpolation, borderMode=cv2.BORDER_REPLICATE)
        warped[:, batch] = squares.reshape(-1, side, side).transpose(1, 0, 2)
    return warped.reshape(side, -1)


def _blurred(grey: Grey, width: float) -> Floats:
    """Return grey levels blurred by that width, px."""
    kernel = _gaussian_kernel(width)
    return cv2.sepFilter2D(grey, cv2.CV_32F, kernel, kernel).astype(np.float32, copy=False)


def _part_around(picture: Grey, px: Array, step: int) -> tuple[Grey, Array]:
    """Return the part of a picture around points (…, 2) px, and its top left px, a multiple of ``step``."""
    points, size = px.reshape(-1, 2), np.array(picture.shape[::-1])
    first = np.clip((points.min(axis=0) // step - 4) * step, 0, np.maximum(size // step * step - step, 0)).astype(
        np.intp
    )
    end = np.clip((points.max(axis=0) // step + 5) * step, first + step, size).astype(np.intp)
    return picture[first[1] : end[1], first[0] : end[0]], first


@lru_cache(maxsize=8)
def _gaussian_kernel(width: float) -> Array:
    """Return the kernel of a blur: with an explicit one, bytes are blurred into floats in two thirds of the time."""
    return cv2.getGaussianKernel(round(8 * width + 1) | 1, width).astype(np.float64, copy=False)


def _density(px: Array, side: int) -> float:
    """Return how many px of the picture fall on one px of a patch, the median over all patches."""
    if not len(px):
        return 1.0
    across, down = px[:, 5] - px[:, 3], px[:, 7] - px[:, 1]
    area = np.sort(np.abs(across[:, 0] * down[:, 1] - across[:, 1] * down[:, 0]))
    return sqrt(area[len(area) // 2]) / side


@lru_cache(maxsize=8)
def _knot_weights(side: int) -> Floats:
    """Return the weight of each of the nine knots of a quadratic interpolation at every px of a patch, (9, px)."""
    t = (np.arange(side) + 0.5) / side * 2 - 1
    line = np.stack([t * (t - 1) / 2, 1 - t * t, t * (t + 1) / 2])
    weights: Floats = np.einsum("jy,ix->jiyx", line, line).reshape(9, -1).astype(np.float32)
    weights.flags.writeable = False
    return weights
