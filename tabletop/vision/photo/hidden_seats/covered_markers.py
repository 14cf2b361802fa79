"""Identifies markers that are covered too much to be read, to know that their seats play."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

import cv2
import numpy as np

from tabletop.vision.frame import Floats, Grey
from tabletop.vision.geometry.plane import Array, Plane
from tabletop.vision.recognise.partly_alike import MaskedCorrelation, seen_parts
from tabletop.vision.recognise.patches import FINE_MODULE_PX, PATCH_MODULES, Patches, cut_patches
from tabletop.vision.recognise.recogniser import Recogniser
from tabletop.vision.scene import Sighting
from tabletop.vision.tags.patterns import CODE_MODULES, Pattern

HIDDEN_FRACTION = 0.7
"""Fraction of a marker that is left out of the comparison, at any side or corner."""
FIRST_BLUR, FINE_BLUR = 1.2, 0.6
"""Blur of the patterns, modules: for the first comparison, and as a camera shows them."""
MIN_CORRELATION = 0.7
"""Least correlation of the rest with that part of a marker: half-hidden markers have 0.7 to 0.97, other things on a
table, such as the squares of a cloth, have 0.69 at most."""
MAX_UNLIKE_RATIO = 0.75
"""Largest difference from a correlation of 1, as a fraction of that of the next best marker."""
MIN_CONTRAST_RATIO, DARK_QUANTILE, LIGHT_QUANTILE = 0.5, 0.1, 0.95
"""Least contrast of a place, as a fraction of the grey level of paper, and the quantiles that count as dark and
light."""
MIN_SPREAD_RATIO = 0.03
"""Lower limit of the standard deviation that samples are divided by, as a fraction of the grey level of paper: markers
have 0.16 to 0.19; bare paper and the table, which may look like anything if stretched, have 0.015 at most."""
MIN_DISTANCE_SIDES = 0.75
"""Least distance between two markers, in sides."""


class _PoseRange(NamedTuple):
    """The steps around a pose at which a marker is searched for: shifts in modules, degrees, and factors of size."""

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
"""The first, coarse search: far from all tags that were read, a plane is inaccurate."""
CLOSER_REACHES = (
    _PoseRange((-1, 0, 1), (-2.5, 0, 2.5), (0.95, 1.0, 1.05)),
    _PoseRange((-0.5, 0, 0.5), (-1.5, 0, 1.5), (0.975, 1.0, 1.025)),
)

CLOSER_STARTS = 3
"""Number of the best coarse poses that are refined: a wrong one may fit better than the true one at first."""


def covered_markers(
    recogniser: Recogniser,
    grey: Grey,
    plane: Plane,
    patterns: Mapping[str, Pattern],
    read: Sequence[Sighting],
    wanted: Collection[str],
    white: float,
) -> dict[str, Array]:
    """Return the middles, mm, of partly visible markers that were not read, by payload; empty if none is ``wanted``.

    ``patterns``: those of all markers; ``read``: the markers that were read; ``white``: the grey level of paper.
    """
    known = {each.payload for each in read}
    wanted = frozenset(wanted) - known
    places = recogniser.hidden_places(recogniser.view(plane).take(grey)) if wanted else None
    if places is None or not len(places.middles):
        return {}
    taken = np.array([(each.x, each.y) for each in read]).reshape(-1, 2)
    apart = np.linalg.norm(places.middles[:, None] - taken, axis=2).min(axis=1, initial=np.inf)
    free = places.subset(apart >= MIN_DISTANCE_SIDES * recogniser.side)
    if not len(free.middles):
        return {}
    close = cut_patches(free.seen, plane, free.middles, free.turns, recogniser.side, FINE_MODULE_PX)
    parts = _MarkerParts(patterns, wanted, MIN_SPREAD_RATIO * white)
    rows = np.flatnonzero(_contrast(close) >= MIN_CONTRAST_RATIO * white).tolist()
    found = {parts.best(close, row): free.middles[row] for row in rows}
    return {payload: middle for payload, middle in found.items() if payload and payload not in known}


def _contrast(close: Patches) -> Array:
    """Return the difference between dark and light in each patch, grey levels."""
    side = PATCH_MODULES * close.fine
    levels = close.grey.reshape(side, -1, side)
    dark, light = np.quantile(levels, (DARK_QUANTILE, LIGHT_QUANTILE), axis=(0, 2))
    contrast: Array = light - dark
    return contrast


class _MarkerParts:
    """Compares patches with the sides and corners of all markers, in each quarter turn.

    ``spread``: the lower limit of a patch's standard deviation, grey levels, so that even places do not match.
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
        """Return the marker that a patch shows a part of, empty if it shows none or it is ambiguous."""
        rows = np.array([row])
        poses = FIRST_REACH.around(np.array((0, 0, 0, 1), np.float32))
        alike = self._alike(close.smoothly(rows, poses[None], self._offsets)[0], self._first)
        for reach in CLOSER_REACHES:
            nearest = np.argsort(-alike.max(axis=1))[:CLOSER_STARTS]
            poses = np.concatenate([reach.around(pose) for pose in poses[nearest]])
            alike = self._alike(close.softly(rows, poses[None], self._offsets)[0], self._own)
        scores = alike.reshape(len(poses), len(self._payloads), 4).max(axis=(0, 2))
        second, first = np.sort(scores)[-2:] if len(scores) > 1 else (0.0, scores[0])
        is_one = first >= MIN_CORRELATION and 1 - first <= MAX_UNLIKE_RATIO * (1 - second)
        return self._payloads[int(scores.argmax())] if is_one else ""

    def _blurred(self, patterns: Iterable[Pattern], blur: float) -> MaskedCorrelation:
        """Return the comparison with every part of patterns, each in its four quarter turns."""
        soft = [cv2.GaussianBlur((~pattern).astype(np.float32), (0, 0), blur) for pattern in patterns]
        turned = [np.rot90(each, -quarter).ravel() for each in soft for quarter in range(4)]
        return MaskedCorrelation(np.stack(turned), self._used)

    def _alike(self, samples: Floats, parts: MaskedCorrelation) -> Floats:
        """Return the correlation of samples (n, all) with any part of every marker in each quarter turn."""
        length = np.sqrt(np.maximum(parts.squares(samples)[1], parts.counts * self._spread**2))
        best: Floats = parts.alike(samples, length).max(axis=1)
        return best
