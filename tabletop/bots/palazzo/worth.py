"""What tiles and cards of Palazzo are worth to a seat, in points: those scored now, and those still to be hoped for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from tabletop.bots.palazzo.weights import Weights
from tabletop.rules.palazzo.components import CURRENCIES, END_TILES, FLOOR, TILES
from tabletop.rules.palazzo.phases.palazzi import Column, home, insert, points
from tabletop.rules.palazzo.phases.payments import Cards, read
from tabletop.rules.palazzo.phases.rebuilding import Change, changes
from tabletop.rules.palazzo.state import State
from tabletop.rules.value import without


def time_left(state: State) -> float:
    """Return about what share of the game is still to come, 1 … 0."""
    unseen = sum([len(stack) for stack in state.unseen])
    return max(0.0, min(unseen / len(TILES), 1 - len(state.end_tiles) / (len(END_TILES) + 1)))


class PalazziWorth:
    """What palazzi are worth at any stage of the game; every value is computed once."""

    def __init__(self, weights: Weights) -> None:
        self.weights = weights
        self._hope = (0.0, weights.hope_1, weights.hope_2, weights.hope_3, weights.hope_4, 0.0)
        self._parts: dict[Column, tuple[int, float]] = {}
        self.gain = lru_cache(maxsize=1 << 15)(self._gain)
        """What a tile adds to palazzi at a share of hope; cached, because playouts keep asking for the same values."""
        self.changes = lru_cache(maxsize=1 << 12)(self._changes)
        """Change of one tile → the points it gains at once, and the full hope that it adds."""

    def column(self, column: Column, hope: float) -> float:
        """Return what a palazzo is worth if the share ``hope``, 0 … 1, of what it may still gain counts."""
        parts = self._parts.get(column) or self._part(column)
        return parts[0] + hope * parts[1]

    def _part(self, column: Column) -> tuple[int, float]:
        """Return the points of a palazzo, and what it may still gain."""
        parts = self._parts[column] = points(column), self._future(column)
        return parts

    def _changes(self, palazzi: tuple[Column, ...]) -> Mapping[Change, tuple[int, float]]:
        found = {}
        for change in changes(palazzi):
            kind, tile, onto = change
            own = home(palazzi, tile)
            assert own is not None
            before, after = [own], list[Column]()
            if kind == "lift":
                after = [without(own, tile), (tile,)]
            elif onto is not None:
                target = home(palazzi, onto)
                assert target is not None
                before, after = [own, target], [insert(target, tile)]
            gone, come = [
                [self._parts.get(column) or self._part(column) for column in side] for side in (before, after)
            ]
            found[change] = (
                sum([now for now, _ in come]) - sum([now for now, _ in gone]),
                sum([hope for _, hope in come]) - sum([hope for _, hope in gone]),
            )
        return found

    def _future(self, column: Column) -> float:
        above, below = 5 - FLOOR[column[-1]], FLOOR[column[0]] - 1
        room = min(1.0, (above + below * self.weights.foot) / 2)
        pure = self.weights.pure + self.weights.pure_more * max(0, len(column) - 2)
        alike = len(column) > 1 and len({tile[0] for tile in column}) == 1
        return self._hope[len(column)] * room + (pure if alike else 0.0)

    def hope(self, left: float) -> float:
        """Return the share of hope that counts when the share ``left`` of the game is still to come."""
        return min(1.0, left * self.weights.urgency)

    def _gain(self, palazzi: tuple[Column, ...], tile: str, hope: float) -> float:
        """Return what a tile adds at its best place; not less than 0, because it may be discarded."""
        best = max(0.0, self.column((tile,), hope) - self.weights.crowd * len(palazzi))
        floor = FLOOR[tile]
        for column in palazzi:
            if FLOOR[column[-1]] < floor:
                best = max(best, self.column((*column, tile), hope) - self.column(column, hope))
            elif floor not in [FLOOR[other] for other in column]:
                # A tile that does not fit on top can be inserted later by a rebuild, which costs a turn and a card.
                grown = self.column(insert(column, tile), hope) - self.column(column, hope)
                best = max(best, grown - self.weights.insertion)
        return best

    def gain_of_all(self, palazzi: tuple[Column, ...], tiles: Sequence[str], hope: float) -> float:
        """Return what several tiles add, each as if it came alone, a little less for each further one."""
        gains = sorted([self.gain(palazzi, tile, hope) for tile in tiles], reverse=True)
        further = self.weights.further
        return sum([value * further**number for number, value in enumerate(gains)])


@lru_cache(maxsize=65536)
def money(cards: Cards) -> int:
    """Return what cards are worth when they are laid together; 0 if they are not a payment."""
    reading = read(cards)
    return reading.value if reading else 0


@lru_cache(maxsize=65536)
def purse(hand: Cards) -> int:
    """Return about the most that a hand can pay: its best currency with its certificates."""
    certificates = [card for card in hand if card[0] == "C"]
    return max([money((*certificates, *[card for card in hand if card[0] == c])) for c in CURRENCIES])
