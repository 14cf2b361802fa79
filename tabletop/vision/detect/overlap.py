"""Which tags can all be real at once: of two that overlap by much, one is an illusion made of the other's modules.

Pieces may lie on one another, but then the upper one's tag is seen whole and the lower one's is not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import hypot
from typing import NamedTuple, TypeVar

MIN_DISTANCE_SIDES = 0.75
"""If the middles of two tags are nearer than this share of their mean side, not both can be read."""

Seen = TypeVar("Seen")


class Spot(NamedTuple):
    """Where a tag was read: its middle and side, mm, and how sure its identity is; the highest is the surest."""

    x: float
    y: float
    side: float
    sure: float

    def overlaps(self, other: Spot) -> bool:
        """Return whether two tags overlap so far that not both can be read."""
        return hypot(self.x - other.x, self.y - other.y) < MIN_DISTANCE_SIDES * (self.side + other.side) / 2


def uncovered(seen: Iterable[Seen], spot: Callable[[Seen], Spot]) -> tuple[list[Seen], list[Seen]]:
    """Return what can all be there at once, the surest first, and the others."""
    kept: list[tuple[Seen, Spot]] = []
    beneath = []
    for one, where in sorted(((one, spot(one)) for one in seen), key=lambda pair: -pair[1].sure):
        if any(where.overlaps(other) for _, other in kept):
            beneath.append(one)
        else:
            kept.append((one, where))
    return [one for one, _ in kept], beneath
