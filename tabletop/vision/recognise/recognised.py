"""The tags recognised in a part of the table, and the places there that could not be identified."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tabletop.vision.geometry.plane import Array
from tabletop.vision.recognise.thresholds import MIN_SUM, certainty
from tabletop.vision.scene import Unreadable


class RecognisedTag(NamedTuple):
    """A tag of ours: payload, its corners (code without quiet zone) in mm from its own top left, clockwise.

    ``score`` and ``margin`` are those of :class:`~tabletop.vision.recognise.pose_search.Guess`; ``size`` is the printed
    size as a fraction of the assumed one.
    """

    payload: str
    corners: Array
    score: float
    margin: float
    size: float

    @property
    def place(self) -> tuple[float, float]:
        """The middle, mm."""
        # Called very often: with plain numbers it takes a third of the time.
        xs, ys = zip(*self.corners.tolist(), strict=True)
        return sum(xs) / 4, sum(ys) / 4

    @property
    def certainty(self) -> float:
        """How sure the identity is, 0…1: 0.5 at the thresholds, 1 if nothing else comes near."""
        return certainty(self.margin)

    @property
    def is_sure(self) -> bool:
        """Whether the identity is sure regardless of what else was recognised."""
        return self.score + self.margin >= MIN_SUM


class Recognised(NamedTuple):
    """The tags recognised in a part of the table, and the places that look like tags but could not be identified."""

    found: tuple[RecognisedTag, ...]
    doubts: tuple[Unreadable, ...]


def clearest(found: Sequence[RecognisedTag]) -> tuple[RecognisedTag, ...]:
    """Return tags without those that are not sure by themselves if the same tag is sure elsewhere."""
    known = {tag.payload for tag in found if tag.is_sure}
    return tuple(tag for tag in found if tag.is_sure or tag.payload not in known)
