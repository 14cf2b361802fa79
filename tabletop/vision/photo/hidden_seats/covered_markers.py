"""Markers of which something covers too much to read them: the rest still shows that their seats play."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

import cv2
import numpy as np

from tabletop.vision.frame import Floats, Grey
from tabletop.vision.geometry.plane import Array, Plane
from tabletop.vision.recognise.partly_alike import MaskedCorrelation, seen_parts
from tabletop.vision.recognise.patches import PATCH_MODULES, Patches, cut_patches
from tabletop.vision.recognise.recogniser import FINE_MODULE_PX, Recogniser
from tabletop.vision.scene import Sighting
from tabletop.vision.tags.patterns import CODE_MODULES, Pattern

HIDDEN_FRACTION = 0.7
"""The part of a marker that is left out, at any side or corner."""
FIRST_BLUR, FINE_BLUR = 1.2, 0.6
"""Blur of the patterns, modules: for a first look, and as a camera shows them."""
MIN_CORRELATION = 0.7
"""Correlation of the rest with that part of a marker from which on it is one: half-hidden ones have 0.7 to 0.97, what
else is on a table, such as the squares of a cloth, has 0.69 at most."""
MAX_UNLIKE_RATIO = 0.75
"""How far it may be from a correlation of 1, as a part of how far all other markers are."""
MIN_CONTRAST_RATIO, DARK_QUANTILE, LIGHT_QUANTILE = 0.5, 0.1, 0.95
"""The least contrast of a place, as a part of the grey level of paper, and what is dark and light there."""
MIN_SPREAD_RATIO = 0.03
"""The least standard deviation of what is compared, as a part of the grey level of paper: markers vary by 0.16 to 0.19
of it, bare paper and the table, which may look like anything if that is stretched, by 0.015 at most."""
MIN_DISTANCE_SIDES = 0.75
"""How far from a marker that was read, in sides, another one lies."""


class _PoseRange(NamedTuple):
    """How far around a pose a marker is looked for: to all sides, modules, how it is turned, degrees, and its size."""

    shifts: Sequence[float]
    turns: Sequence[float]
    sizes: Sequence[float]

    def around(self, pose: Floats) -> Floats:
        """Return the poses (n, 4) around one."""
        steps = np.meshgrid(self.shifts, self.shifts, np.radians(self.turns), self.sizes)
        across, down, turn, size = (step.ravel() for step in steps)
        poses = np.stack([across + pose[0], down + pose[1], turn + pose[2], size * pose[3]], axis=1)
        return poses.astype(np.float32)


FIRST_REACH = _PoseRange((-4, -2, 0, 2, 4), (-5, 0, 5), (0.9, 1.0, 1.1))
"""Far from all tags that were read, a plane is not quite right."""
CLOSER_REACHES = (
    _PoseRange((-1, 0, 1), (-2.5, 0, 2.5), (0.95, 1.0, 1.05)),
    _PoseRange((-0.5, 0, 0.5), (-1.5, 0, 1.5), (0.975, 1.0, 1.025)),
)

CLOSER_STARTS = 3
"""How many of the poses that fit best are looked around closely: roughly seen, a wrong one may fit better than the true
one."""


def covered_markers(
    recogniser: Recogniser,
    grey: Grey,
    plane: Plane,
    patterns: Mapping[str, Pattern],
    read: Sequence[Sighting],
    wanted: Collection[str],
    white: float,
) -> dict[str, Array]:
    """Return where the markers lie, mm, that were not read and of which a part is seen; empty if none is ``wanted``.

    ``patterns`` are those of all markers, ``read`` the markers that were read, and ``white`` is the grey level of
    paper.
    """
    known = {each.payload for each in read}
    wanted = frozenset(wanted) - known
    places = recogniser.hidden_places(recogniser.view(plane).take(grey)) if wanted else None
    if places is None or not len(places.middles):
        return {}
    taken = np.array([(each.x, each.y) for each in read]).reshape(-1, 2)
    apart = np.linalg.norm(places.middles[:, None] - taken, axis=2).min(axis=1, initial=np.inf)
    free = places.some(apart >= MIN_DISTANCE_SIDES * recogniser.side)
    if not len(free.middles):
        return {}
    close = cut_patches(free.seen, plane, free.middles, free.turns, recogniser.side, FINE_MODULE_PX)
    parts = _MarkerParts(patterns, wanted, MIN_SPREAD_RATIO * white)
    rows = np.flatnonzero(_contrast(close) >= MIN_CONTRAST_RATIO * white).tolist()
    found = {parts.best(close, row): free.middles[row] for row in rows}
    return {payload: middle for payload, middle in found.items() if payload and payload not in known}


def _contrast(close: Patches) -> Array:
    """Return by how many grey levels what is dark and what is light differ in each patch."""
    levels = close.grey.reshape(len(close), (PATCH_MODULES * close.fine) ** 2)
    dark, light = np.quantile(levels, (DARK_QUANTILE, LIGHT_QUANTILE), axis=1)
    contrast: Array = light - dark
    return contrast


class _MarkerParts:
    """What patches are compared with: the sides and corners of all markers, in each quarter turn.

    What varies by less than ``spread``, grey levels, is not stretched to look like a marker.
    """

    def __init__(self, patterns: Mapping[str, Pattern], wanted: Collection[str], spread: float) -> None:
        far = np.arange(CODE_MODULES) - CODE_MODULES // 2
        down, across = (each.ravel() for each in np.meshgrid(far, far, indexing="ij"))
        self._offsets = np.stack([across, down, np.ones_like(down)]).astype(np.float32)
        self._used, self._spread = seen_parts(self._offsets[:2], HIDDEN_FRACTION), spread
        self._payloads = list(patterns)
        self._first = self._blurred([patterns[payload] for payload in wanted], FIRST_BLUR)
        self._own = self._blurred(patterns.values(), FINE_BLUR)

    def best(self, close: Patches, row: int) -> str:
        """Return the marker of which a patch shows a part, empty if it shows none or it might be that of several."""
        rows = np.array([row])
        poses = FIRST_REACH.around(np.array((0, 0, 0, 1), np.float32))
        alike = self._alike(close.smoothly(rows, poses[None], self._offsets)[0], self._first)
        for reach in CLOSER_REACHES:
            nearest = np.argsort(-alike.max(axis=1))[:CLOSER_STARTS]
            poses = np.concatenate([reach.around(pose) for pose in poses[nearest]])
            alike = self._alike(close.softly(rows, poses[None], self._offsets)[0], self._own)
        each = alike.reshape(len(poses), len(self._payloads), 4).max(axis=(0, 2))
        second, first = np.sort(each)[-2:] if len(each) > 1 else (0.0, each[0])
        is_one = first >= MIN_CORRELATION and 1 - first <= MAX_UNLIKE_RATIO * (1 - second)
        return self._payloads[int(each.argmax())] if is_one else ""

    def _blurred(self, patterns: Iterable[Pattern], blur: float) -> MaskedCorrelation:
        """Return the comparison with every part of patterns, each in its four quarter turns."""
        soft = [cv2.GaussianBlur((~pattern).astype(np.float32), (0, 0), blur) for pattern in patterns]
        turned = [np.rot90(each, -quarter).ravel() for each in soft for quarter in range(4)]
        return MaskedCorrelation(np.stack(turned), self._used)

    def _alike(self, samples: Floats, parts: MaskedCorrelation) -> Floats:
        """Return the correlation of samples (n, all) with any part of every marker in each quarter turn."""
        length = np.sqrt(np.maximum(parts.squares(samples)[1], parts.counts * self._spread**2))
        most: Floats = parts.alike(samples, length).max(axis=1)
        return most
