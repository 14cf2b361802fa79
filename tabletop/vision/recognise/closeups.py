"""Close-ups: every candidate cut out of the picture and turned upright, once sharpened and once softened.

Only places that may bear a tag are looked at closely: the table as a whole is never seen so fine.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import cos, sin
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.vision.frame import Grey
from tabletop.vision.plane import Plane
from tabletop.vision.recognise.sheet import Cutting
from tabletop.vision.tags import ACROSS

Array: TypeAlias = NDArray[np.float64]
Floats: TypeAlias = NDArray[np.float32]
Rows: TypeAlias = NDArray[np.intp]

ROOM = 34
"""Side of a close-up, modules: a tag with its quiet zone, room to move it, and what sharpening reaches into."""
TALLEST = 32000
"""Most rows of px in one picture that can be sampled."""


@dataclass(frozen=True, eq=False)
class Closeups:
    """Close-ups of places on the table, ``fine`` px a module, one below the other in one picture.

    ``middles`` (n, 2) mm; ``turns`` (n,) radians by which each was turned back; ``module`` in mm.  A pose in a close-up
    is x, y in modules from its middle, radians clockwise (its own up), and size as a part of what was assumed.
    """

    grey: Grey
    middles: Array
    turns: Array
    module: float
    fine: int

    def __len__(self) -> int:
        return len(self.middles)

    def sharply(self, rows: Rows, poses: Floats, offsets: Floats) -> Floats:
        """Return the sharpened grey levels at offsets (3, s), modules and ones, from each of some poses.

        ``rows`` (n,) are the close-ups, ``poses`` (n, tries, 4); returns (n, tries, s).
        """
        return self._sampled(self._sharp, rows, poses, offsets)

    def softly(self, rows: Rows, poses: Floats, offsets: Floats) -> Floats:
        """Return the softened grey levels as ``sharply`` does the sharpened ones."""
        return self._sampled(self._soft, rows, poses, offsets)

    def plainly(self, rows: Rows, poses: Floats, offsets: Floats) -> Floats:
        """Return the grey levels as they are, as ``sharply`` does the sharpened ones."""
        return self._sampled(self._light, rows, poses, offsets)

    @cached_property
    def _light(self) -> Floats:
        return self.grey.astype(np.float32)

    @cached_property
    def _sharp(self) -> Floats:
        """With what lens and motion smoothed brought back: that tells a tag from all else."""
        soft = cv2.GaussianBlur(self._light, (0, 0), 0.3 * self.fine)
        wide = cv2.GaussianBlur(self._light, (0, 0), 1.1 * self.fine)
        return cv2.addWeighted(soft, 4, wide, -3, 0).astype(np.float32, copy=False)

    @cached_property
    def _soft(self) -> Floats:
        """Without what is finer than a camera shows of a module, noise for the most part: that tells tags apart."""
        return cv2.GaussianBlur(self._light, (0, 0), 0.5 * self.fine).astype(np.float32, copy=False)

    def _sampled(self, picture: Floats, rows: Rows, poses: Floats, offsets: Floats) -> Floats:
        count, tries = poses.shape[:2]
        fine, side = self.fine, ROOM * self.fine
        size, turn, middle = poses[..., 3] * fine, poses[..., 2], (side - 1) / 2
        ways = np.empty((2, count, tries, 3), np.float32)
        ways[0, ..., 0] = ways[1, ..., 1] = np.cos(turn) * size
        ways[1, ..., 0] = np.sin(turn) * size
        ways[0, ..., 1] = -ways[1, ..., 0]
        ways[0, ..., 2] = poses[..., 0] * fine + middle
        ways[1, ..., 2] = poses[..., 1] * fine + (rows * side + middle)[:, None]
        x, y = (ways.reshape(-1, 3) @ offsets).reshape(2, count * tries, -1)
        seen = cv2.remap(picture, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return seen.astype(np.float32, copy=False).reshape(count, tries, -1)

    def to_mm(self, rows: Rows | int, points: Array) -> Array:
        """Return modules from the middle of a close-up, or of each of some, (…, 2) as mm on the table."""
        across, down = np.cos(self.turns[rows]) * self.module, np.sin(self.turns[rows]) * self.module
        x, y = points[..., 0], points[..., 1]
        mm: Array = np.stack([across * x - down * y, down * x + across * y], axis=-1)
        return mm + self.middles[rows]

    def place(self, row: int, x: float, y: float) -> tuple[float, float]:
        """Return modules from the middle of one close-up as mm on the table."""
        left, top = self.middles[row].tolist()
        turn = float(self.turns[row])
        across, down = cos(turn) * self.module, sin(turn) * self.module
        return left + across * x - down * y, top + down * x + across * y

    def light(self, row: int) -> Grey:
        """Return the grey levels of a tag in the middle of a close-up, quiet zone included."""
        side, rest = ROOM * self.fine, (ROOM - ACROSS) * self.fine // 2
        return self.grey[row * side + rest : (row + 1) * side - rest, rest : side - rest]


def closeups(seen: Cutting, plane: Plane, middles: Array, turns: Array, side: float, fine: int) -> Closeups:
    """Return close-ups of places (n, 2) mm, each turned back by its angle, for tags with that side in mm.

    Of more places than fit into one picture the first are taken.
    """
    most = TALLEST // (ROOM * fine)
    middles, turns = middles[:most], turns[:most]
    module = side / ACROSS
    ways = np.stack([np.cos(turns), np.sin(turns), -np.sin(turns), np.cos(turns)], axis=1).reshape(-1, 2, 2)
    knots = np.array([(x, y) for y in (-1, 0, 1) for x in (-1, 0, 1)], dtype=np.float64)
    px = plane.to_px(middles[:, None] + knots @ ways * (ROOM / 2 * module))
    grey = _straight(seen.grey, seen.to_px(px), ROOM * fine)
    return Closeups(grey, middles, turns, module, fine)


def _straight(picture: Grey, px: Array, side: int) -> Grey:
    """Return places of a picture straightened to squares, one below the other; ``px`` (n, 9, 2) are their knots."""
    # Where several px of a large picture fall on one, they are averaged.
    shrink = _shrink(px, side)
    weights = _weights(side * shrink)
    x, y = (
        (np.ascontiguousarray(px[..., axis], dtype=np.float32) @ weights).reshape(-1, side * shrink) for axis in (0, 1)
    )
    how = cv2.INTER_CUBIC if shrink == 1 else cv2.INTER_LINEAR
    tall = TALLEST // (side * shrink) * side * shrink
    parts = [
        cv2.remap(picture, x[top : top + tall], y[top : top + tall], how, borderMode=cv2.BORDER_REPLICATE)
        for top in range(0, len(x), tall)
    ]
    seen = np.concatenate(parts) if parts else np.zeros((0, side), np.uint8)
    if shrink > 1:
        seen = cv2.resize(seen, (side, len(seen) // shrink), interpolation=cv2.INTER_AREA)
    return seen.astype(np.uint8, copy=False)


def _shrink(px: Array, side: int) -> int:
    """Return how many px of the picture fall on one of the close-ups, the median over all."""
    if not len(px):
        return 1
    across, down = px[:, 5] - px[:, 3], px[:, 7] - px[:, 1]
    area = np.abs(across[:, 0] * down[:, 1] - across[:, 1] * down[:, 0])
    return max(1, int(np.sqrt(float(np.median(area))) / side + 0.35))


@lru_cache(maxsize=8)
def _weights(side: int) -> Floats:
    """Return what each of the nine knots of a parabola counts at every px of a close-up, (9, px)."""
    t = (np.arange(side) + 0.5) / side * 2 - 1
    line = np.stack([t * (t - 1) / 2, 1 - t * t, t * (t + 1) / 2])
    weights: Floats = np.einsum("jy,ix->jiyx", line, line).reshape(9, -1).astype(np.float32)
    weights.flags.writeable = False
    return weights
