"""Palazzo for the piecepack: one grid a seat; suits are compared between seats."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import hypot

import numpy as np

from tabletop.messages import Message, join
from tabletop.rules.piecepack.building.palazzo import flaw
from tabletop.rules.piecepack.components import FACE, SUITS, TITLES
from tabletop.rules.piecepack.scoring import AHEAD
from tabletop.vision.geometry.columns import Placed
from tabletop.vision.geometry.grid import plot
from tabletop.vision.score import merge
from tabletop.vision.score.tally import BuildingFault, Built, ScoredGroup, ScorePart, Scoring, Worth

FLAWS: Mapping[str, Message] = {
    "cell-taken": Message("Two structures lie on one cell."),
    "splits": Message("The palazzo is in several parts: every structure must share a full edge with another one."),
    "clashing-neighbour": Message("Neighbours share neither suit nor value."),
    "makes-a-hole": Message("The palazzo encloses an empty cell."),
}
"""Which building rule of the piecepack a palazzo breaks, as a sentence."""
TILE_MM = 50.0
"""The side of a piecepack's tile, unless something tells another."""


@dataclass(frozen=True, slots=True)
class PiecepackTally:
    """Palazzo for the piecepack: one grid a seat; suits are compared between seats, ``turrets`` are told."""

    turrets: frozenset[str] = frozenset()
    kind: str = field(default="structure", init=False)
    zone: str = field(default="seat", init=False)
    directed: bool = field(default=False, init=False)
    apart: bool = field(default=True, init=False)
    compared: bool = field(default=True, init=False)

    @property
    def unseen(self) -> Message:
        """Pawns bear no tags, and coins in hand are hidden."""
        ties = Message("Ties are broken by coins and dice, which no picture shows.")
        if self.turrets:
            return ties
        return join((Message("Turrets have no tags, so they are not counted."), ties))

    def built(self, pictures: Sequence[Sequence[Placed]]) -> Built:
        """Return the grid that pictures show together."""
        found = merge.cells([dict(plot(placed, self.size(placed)[0], 0.0).cells) for placed in pictures if placed])
        contradicting = (found.contradicting,) if found.contradicting else ()
        return Built((tuple(sorted(found.cells)),) if found.cells else (), found.cells, contradicting)

    def missing_between(self, placed: Sequence[Placed]) -> list[tuple[str, str]]:
        """Return nothing: an empty cell inside a palazzo breaks its rules, and is told as that."""
        return []

    def ambiguous_neighbours(self, placed: Sequence[Placed]) -> list[tuple[str, str]]:
        """Return nothing."""
        return []

    def worth(self, seats: Mapping[int, Built]) -> Mapping[int, Worth]:
        """Return each seat's materials and suits; a palazzo that breaks a rule counts for nobody."""
        palazzi = {seat: self._palazzo(built) for seat, built in seats.items()}
        standing = {seat: self._standing(one.tiles) if one.points is not None else () for seat, one in palazzi.items()}
        counts = {suit: {seat: self._count(ones, suit) for seat, ones in standing.items()} for suit in SUITS}
        return {seat: Worth((one,), tuple(self._parts(seat, counts))) for seat, one in palazzi.items()}

    def size(self, placed: Sequence[Placed]) -> tuple[float, float]:
        """Return the side of the tiles twice: the usual distance to the nearest other one."""
        others = [[_apart(one, other) for other in placed if other is not one] for one in placed]
        side = float(np.median([min(apart) for apart in others])) if len(placed) > 1 else TILE_MM
        return side, side

    def sizes(self, placed: Sequence[Placed]) -> Sequence[tuple[float, float]]:
        """Return that one size."""
        return [self.size(placed)]

    def _palazzo(self, built: Built) -> ScoredGroup:
        tiles = built.groups[0] if built.groups else ()
        broken = flaw(built.cells) if built.cells else None
        if broken is not None:
            return ScoredGroup(tiles, None, (BuildingFault(broken, FLAWS[broken]),))
        return ScoredGroup(tiles, sum(FACE[one] for one in self._standing(tiles)))

    def _standing(self, tiles: Iterable[str]) -> tuple[str, ...]:
        """Return the structures as they count: the one under the turret twice."""
        return tuple(one for tile in tiles for one in (tile,) * (2 if tile in self.turrets else 1))

    def _count(self, standing: Iterable[str], suit: str) -> int:
        return sum(one[1] == suit for one in standing)

    def _parts(self, seat: int, counts: Mapping[str, Mapping[int, int]]) -> Iterable[ScorePart]:
        for suit, title in TITLES.items():
            own = counts[suit][seat]
            ahead = sum(other > own for other in counts[suit].values())
            if own:
                yield ScorePart(
                    Message("{count} × {what}", count=own, what=Message(title)),
                    own * (AHEAD[ahead] if ahead < len(AHEAD) else 0),
                )


def _apart(one: Placed, other: Placed) -> float:
    return hypot(one.x - other.x, one.y - other.y)


SCORING = Scoring(lambda turrets, _edition: PiecepackTally(turrets), turrets_on="structure")
