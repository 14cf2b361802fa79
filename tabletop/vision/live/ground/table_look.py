"""How the bare table looks in small pictures: light, edges, spots, and looks of it that were forgotten."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.vision.frame import Grey
from tabletop.vision.geometry.plane import Array, Mask

AnyFloats: TypeAlias = NDArray[np.floating]
Rows: TypeAlias = NDArray[np.intp]

MIN_EDGE_STEP = 11.0
"""Least difference of grey levels across two px at an edge; gradients of light have less."""
RIM_PX = 5
"""Width of the strip that is examined along the edge of a thing, px of the small picture."""
MAX_GAP_PX = 17
"""Widest gap, px of the small picture, between parts of one thing: here and there an arm is as grey as the table."""
MAX_OLDER_DIFFERENCE = 14.0
"""Largest difference of a px from its older look, grey levels."""
MIN_OLDER_FRACTION = 0.8
"""Least fraction of a forgotten place that looks so again: a thing that hides a part of it may be as grey."""


class PictureLight:
    """The light in a small picture relative to when the table was learned: of each block, and the median of all.

    ``wrong``: how much the picture differs from the bare table in this light, once that was asked for.
    """

    def __init__(self, small: Grey, blocks: AnyFloats) -> None:
        self.small, self.blocks = small, blocks
        self.usual = np.float32(np.median(blocks))
        self.wrong: AnyFloats | None = None

    @cached_property
    def everywhere(self) -> AnyFloats:
        """The relative light at every px."""
        return cv2.resize(self.blocks, self.small.shape[::-1], interpolation=cv2.INTER_LINEAR).astype(np.float32)

    @cached_property
    def even(self) -> AnyFloats:
        """The picture, corrected for that light."""
        even: AnyFloats = self.small / self.everywhere
        return even


class OlderLook:
    """The look of the table in the places, ``count`` of them so far, where it was forgotten.

    A sheet of paper over two cards hides their edges, as if the table between them had been learned with something on
    it that is gone now.  The table is forgotten there, and learned with the sheet, until the sheet is taken away.
    """

    def __init__(self, shape: tuple[int, int]) -> None:
        self._look = np.zeros(shape, dtype=np.float32)
        self._places: NDArray[np.intp] = np.zeros(shape, dtype=np.intp)
        self.count = 0

    def keep(self, look: AnyFloats, place: Mask) -> None:
        """Keep the look of a place that is forgotten."""
        self.count += 1
        self._look[place] = look[place]
        self._places[place] = self.count

    def recall(self, look: AnyFloats, now: AnyFloats, odd: Mask, free: Mask) -> bool:
        """Restore a ``look`` in place where all that is ``free`` of a place looks as it did before it was forgotten.

        ``odd``: where the picture ``now`` is unlike the present look.  Return whether any place was restored.
        """
        if not (self._places[odd & free] > 0).any():
            return False
        alike = free & (np.abs(now - self._look) < MAX_OLDER_DIFFERENCE)
        again, seen = (np.bincount(self._places[mask], minlength=self.count + 1) for mask in (alike, free))
        restored = again > MIN_OLDER_FRACTION * seen
        restored[0] = False
        places = restored[self._places]
        look[places] = self._look[places]
        self._places[places] = 0
        return bool(restored.any())


def stale_places(even: AnyFloats, look: AnyFloats, odd: Mask, known: Mask, min_area: float) -> Iterator[Mask]:
    """Iterate over the places where the table was learned with an arm or a cup on it that is gone now.

    Such a place has an edge all around in the ``look``, but not in an ``even`` picture.  Partial edges do not count: if
    an arm lay over the edge of a card, only the picture has that edge.  ``odd``: where the picture is unlike the look,
    which is ``known`` and free of pieces; ``min_area``: the places' least area in px.
    """
    if np.count_nonzero(odd) < min_area:
        return
    wide = np.ones((RIM_PX, RIM_PX), np.uint8)
    closed = cv2.morphologyEx(odd.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((MAX_GAP_PX, MAX_GAP_PX), np.uint8))
    opened = cv2.morphologyEx(closed, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(opened)
    large = [index for index in range(1, count) if stats[index, cv2.CC_STAT_AREA] >= min_area]
    if not large:
        return
    now, before = (cv2.morphologyEx(picture.astype(np.float32), cv2.MORPH_GRADIENT, wide) for picture in (even, look))
    certain = cv2.erode(known.astype(np.uint8), wide) > 0
    for index in large:
        place = (labels == index).astype(np.uint8)
        grown = cv2.dilate(place, wide) > 0
        rim = grown & (cv2.erode(place, wide) == 0) & certain
        if rim.any() and np.median(now[rim]) < np.median(before[rim]):
            yield grown


def even_parts(plain: AnyFloats) -> tuple[Mask, NDArray[np.int32]]:
    """Return the px of a picture at no edge, and a label for each connected part of them."""
    even = steepness(plain) < MIN_EDGE_STEP
    _, labels = cv2.connectedComponents(even.astype(np.uint8), connectivity=4)
    return even, labels.astype(np.int32, copy=False)


def steepness(plain: AnyFloats) -> AnyFloats:
    """Return the difference of grey levels across two px."""
    soft = cv2.blur(plain.astype(np.float32), (3, 3))
    return cv2.morphologyEx(soft, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8)).astype(np.float32, copy=False)


def unevenness(now: AnyFloats, xs: Rows, ys: Rows) -> float:
    """Return the standard deviation of px, grey levels, after removing a linear gradient."""
    across = np.stack([xs - xs.mean(), ys - ys.mean(), np.ones(len(xs))], axis=1)
    steady = across @ np.linalg.lstsq(across, now, rcond=None)[0]
    return float((now - steady).std())


def compact(odd: Mask, min_area: float) -> list[Array]:
    """Return the middles, px, of the compact spots of a mask with at least that many px that do not touch its edge."""
    if np.count_nonzero(odd) < min_area:
        return []
    count, _, stats, middles = cv2.connectedComponentsWithStats(
        cv2.morphologyEx(odd.astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    )
    height, width = odd.shape
    found = []
    for index in range(1, count):
        x, y, across, along, area = (int(value) for value in stats[index])
        edge = x <= 1 or y <= 1 or x + across >= width - 1 or y + along >= height - 1
        if not edge and area >= min_area and area > 0.4 * across * along:
            found.append(np.asarray(middles[index], dtype=np.float64))
    return found
