"""Patrician: the heads of the cards that a seat has played; towers bear no tags."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from tabletop.messages import Message, join
from tabletop.rules.game import Json
from tabletop.rules.patrician.components import HEAD_SET, HEAD_SET_POINTS, HEADS, SEATS
from tabletop.rules.patrician.edition import Edition, synthetic
from tabletop.vision.geometry.columns import Placed
from tabletop.vision.score.tally import Built, ScoredGroup, ScorePart, Scoring, Worth


@dataclass(frozen=True, slots=True)
class PatricianTally:
    """Patrician: the heads of the cards played, as ``edition`` says what they show; towers bear no tags."""

    edition: Edition = field(default_factory=synthetic)
    kind: str = field(default="card", init=False)
    zone: str = field(default="played", init=False)
    directed: bool = field(default=False, init=False)
    apart: bool = field(default=False, init=False)
    compared: bool = field(default=False, init=False)

    @property
    def unseen(self) -> Message:
        """Floors have no tags; tokens are lying with their owners."""
        told = Message(
            "Towers have no tags: these are the points for heads alone; add each seat's tokens. A card whose tag "
            "is hidden is not noticed: check how many cards are listed."
        )
        if self.edition != synthetic():
            return told
        return join(
            (
                told,
                Message(
                    "The heads are counted as in the made-up edition that is included; those of your box may differ."
                ),
            )
        )

    def built(self, pictures: Sequence[Sequence[Placed]]) -> Built:
        """Return all cards that are seen; how they lie means nothing."""
        cards = tuple(sorted({each.piece for placed in pictures for each in placed}))
        return Built((cards,) if cards else (), {}, ())

    def missing_between(self, placed: Sequence[Placed]) -> list[tuple[str, str]]:
        """Return nothing: cards may lie anywhere."""
        return []

    def ambiguous_neighbours(self, placed: Sequence[Placed]) -> list[tuple[str, str]]:
        """Return nothing."""
        return []

    def worth(self, seats: Mapping[int, Built]) -> Mapping[int, Worth]:
        """Return each seat's points for every three equal heads."""
        return {seat: self._heads(built) for seat, built in seats.items()}

    def size(self, placed: Sequence[Placed]) -> tuple[float, float]:
        """Return height and width of what is drawn around a card's tag, mm."""
        return 24.0, 24.0

    def sizes(self, placed: Sequence[Placed]) -> Sequence[tuple[float, float]]:
        """Return that one size."""
        return [self.size(placed)]

    def _heads(self, built: Built) -> Worth:
        cards = built.groups[0] if built.groups else ()
        shown = Counter(head for card in cards for head in self.edition.faces[card].heads)
        return Worth(
            (ScoredGroup(cards, 0),),
            tuple(
                ScorePart(
                    Message("{count} × {what}", count=shown[head], what=head), shown[head] // HEAD_SET * HEAD_SET_POINTS
                )
                for head in HEADS
                if shown[head]
            ),
        )


def _tally(_turrets: frozenset[str], edition: Json) -> PatricianTally:
    return PatricianTally() if edition is None else PatricianTally(Edition.parse(edition, max(SEATS)))


SCORING = Scoring(_tally, has_editions=True)
