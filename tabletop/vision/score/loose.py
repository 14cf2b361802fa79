"""No tally at all: pieces of any kind lie anywhere, and none of them counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tabletop.messages import EMPTY, Message
from tabletop.vision.geometry.columns import Placed
from tabletop.vision.score.tally import Built, CommonParts, PhotoTable, Worth
from tabletop.vision.tags.catalogue import TAG_MM


@dataclass(frozen=True, slots=True)
class LooseTally:
    """For pictures of cards or zones that nobody scores: what cannot be read in them is told all the same."""

    kind: str = ""
    zones: tuple[str, ...] = ()
    directed: bool = False
    apart: bool = False
    compared: bool = False
    unseen: Message = EMPTY

    def built(self, pictures: Sequence[Sequence[Placed]]) -> Built:
        """Return nothing."""
        return Built((), {}, ())

    def missing_between(self, placed: Sequence[Placed]) -> list[tuple[str, str]]:
        """Return nothing."""
        return []

    def ambiguous_neighbours(self, placed: Sequence[Placed]) -> list[tuple[str, str]]:
        """Return nothing."""
        return []

    def knowing(self, tables: Sequence[PhotoTable]) -> LooseTally:
        """Return the same tally: nothing else counts."""
        return self

    def common(self, tables: Sequence[PhotoTable], seats: Mapping[int, Built]) -> CommonParts:
        """Return nothing: every point is a seat's own."""
        return CommonParts()

    def worth(self, seats: Mapping[int, Built]) -> Mapping[int, Worth]:
        """Return nothing."""
        return {}

    def size(self, placed: Sequence[Placed]) -> tuple[float, float]:
        """Return the height and width of a tag, mm."""
        return TAG_MM, TAG_MM

    def sizes(self, placed: Sequence[Placed]) -> Sequence[tuple[float, float]]:
        """Return that one size."""
        return [self.size(placed)]
