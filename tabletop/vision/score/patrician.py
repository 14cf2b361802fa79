"""Patrician: the heads of the cards that a seat has played, and the tokens for towers of printed floors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from tabletop.messages import Message, join
from tabletop.rules.game import Json
from tabletop.rules.layout import Tower as Standing
from tabletop.rules.patrician.components import CITIES, COLOURS, HEAD_SET, HEAD_SET_POINTS, HEADS, SEATS, SITES
from tabletop.rules.patrician.edition import Edition, synthetic
from tabletop.rules.patrician.phases.towers import Tower, awards
from tabletop.vision.geometry.columns import Placed
from tabletop.vision.score.tally import Built, CommonParts, PhotoTable, ScoredGroup, ScorePart, Scoring, Worth


@dataclass(frozen=True, slots=True)
class PatricianTally:
    """Patrician: the heads of the cards played, as ``edition`` says what they show, and tokens.

    ``towers``: True if pictures show towers, whose floors bear tags then.
    """

    edition: Edition = field(default_factory=synthetic)
    towers: bool = False
    kind: str = field(default="card", init=False)
    zone: str = field(default="played", init=False)
    directed: bool = field(default=False, init=False)
    apart: bool = field(default=False, init=False)
    compared: bool = field(default=False, init=False)

    @property
    def unseen(self) -> Message:
        """Floors have no tags; tokens are lying with their owners."""
        hidden = Message("A card whose tag is hidden is not noticed: check how many cards are listed.")
        told = (
            hidden
            if self.towers
            else Message(
                "Towers have no tags: these are the points for heads alone; add each seat's tokens. A card whose tag "
                "is hidden is not noticed: check how many cards are listed."
            )
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

    def knowing(self, tables: Sequence[PhotoTable]) -> PatricianTally:
        """Return the tally that knows whether towers are seen."""
        return replace(self, towers=any(_towers(table) for table in tables))

    def common(self, tables: Sequence[PhotoTable]) -> CommonParts:
        """Return the tokens of the cities whose two towers are seen, and what is wrong with others."""
        shown = [_towers(table) for table in tables]
        if not any(shown):
            return CommonParts()
        parts: dict[int, list[ScorePart]] = {}
        faults, missing = [], []
        for city in CITIES:
            seen = {towers[city.id] for towers in shown if city.id in towers}
            if len(seen) > 1:
                faults.append(
                    Message("Pictures show the towers of {city} differently: they count for nobody.", city=city.title)
                )
            elif not seen and city is not CITIES[-1]:  # only five seats play with the last one
                missing.append(city.title)
            for won in awards(city, *seen.pop()) if len(seen) == 1 else ():
                title = Message("{city}, site {site}", city=city.title, site=won.site)
                parts.setdefault(won.seat, []).append(ScorePart(title, won.points))
        if missing:
            faults.append(Message("The towers of these cities are not seen whole: {cities}.", cities=tuple(missing)))
        astray = sorted({one.piece for table in tables for one in table.pieces if one.like} & _astray(tables))
        if astray:
            faults.append(Message("Floors beside every city card count for nobody: {floors}.", floors=tuple(astray)))
        return CommonParts(parts, faults)

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


def _towers(table: PhotoTable) -> dict[str, tuple[Tower, Tower]]:
    """Return city → its two towers, the seats that own their floors from the ground up, of cities seen whole."""
    sites = {}
    for city in CITIES:
        found = [table.layout.get(f"site{city.id}{site}") for site in SITES]
        first, second = (tuple(map(COLOURS.index, one.floors)) if isinstance(one, Standing) else None for one in found)
        if first is not None and second is not None:
            sites[city.id] = (first, second)
    return sites


def _astray(tables: Sequence[PhotoTable]) -> set[str]:
    """Return the pieces that lie in no zone."""
    return {piece for table in tables for piece in table.layout.pieces("table")}


def _tally(_turrets: frozenset[str], edition: Json) -> PatricianTally:
    return PatricianTally() if edition is None else PatricianTally(Edition.parse(edition, max(SEATS)))


SCORING = Scoring(_tally, has_editions=True)
