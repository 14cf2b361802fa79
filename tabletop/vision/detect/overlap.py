"""Selects the tags that can all be real: of two that overlap by much, one is a false match in the other's modules.

Pieces may lie on one another, but then the upper one's tag is wholly visible and the lower one's is not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import hypot
from typing import NamedTuple, TypeVar

import numpy as np

from tabletop.vision.geometry.plane import Array

MIN_DISTANCE_SIDES = 0.75
"""Least distance between the middles of two tags that can both be read, as a fraction of their mean side."""

Seen = TypeVar("Seen")
Sides = TypeVar("Sides", float, Array)


class Spot(NamedTuple):
    """Where a tag was read: its middle and side, mm, and how sure its identity is (higher is surer)."""

    x: float
    y: float
    side: float
    sure: float

    def overlaps(self, other: Spot) -> bool:
        """Return whether two tags overlap so much that they cannot both be read."""
        return hypot(self.x - other.x, self.y - other.y) < _min_distance(self.side + other.side)


def uncovered(seen: Iterable[Seen], spot: Callable[[Seen], Spot]) -> tuple[list[Seen], list[Seen]]:
    """Return the tags that can all be real, the surest first, and the others."""
    ordered = sorted(((tag, spot(tag)) for tag in seen), key=lambda pair: -pair[1].sure)
    x, y, sides, _ = np.array([where for _, where in ordered]).reshape(-1, 4).T
    near = np.hypot(x[:, None] - x, y[:, None] - y) < _min_distance(sides[:, None] + sides)
    kept = np.ones(len(ordered), np.bool_)
    for number in np.flatnonzero(near.sum(axis=1) > 1).tolist():
        kept[number] = not (near[number, :number] & kept[:number]).any()
    pairs = list(zip(ordered, kept.tolist(), strict=True))
    return [tag for (tag, _), stays in pairs if stays], [tag for (tag, _), stays in pairs if not stays]


def _min_distance(sides: Sides) -> Sides:
    """Return the least distance between the middles of two tags that can both be read; ``sides``: their sum."""
    return sides * (MIN_DISTANCE_SIDES / 2)
