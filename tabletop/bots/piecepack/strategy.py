"""The rules of thumb for Palazzo for the piecepack: what each action is worth to the seat that does it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from typing import Any

from tabletop.bots.piecepack.weights import Weights
from tabletop.bots.seen import Seen
from tabletop.bots.strategy import Strategy
from tabletop.messages import Message, PieceRef
from tabletop.rules.game import Action, View
from tabletop.rules.piecepack.building.palazzo import PiecepackPalazzo
from tabletop.rules.piecepack.components import COINS, COST, FACE, FACES, STRUCTURES
from tabletop.rules.piecepack.scoring import AHEAD_POINTS
from tabletop.rules.piecepack.state import State

SUIT_BY_PLACE = tuple(number // len(FACES) for number in range(len(STRUCTURES)))
"""The number of each structure's suit, in the order of STRUCTURES."""
SUIT_OF: Mapping[str | None, int | None] = {None: None, **dict(zip(STRUCTURES, SUIT_BY_PLACE, strict=True))}
VALUE_OF: Mapping[str | None, int] = {None: 0, **{structure: FACE[structure] for structure in STRUCTURES}}


class PiecepackStrategy(Strategy):
    """Buys what adds most for what it costs, and builds where more will fit."""

    weights = Weights()
    kind_weights: Mapping[str, float] = {"build": 4}
    """Building outweighs keeping, so that games end."""

    def may_hide(self, view: View, seen: Seen) -> Mapping[str, Collection[str]]:
        """Return the coins for hands and pool, the structures for the stack."""
        return {"hand": COINS, "coins": COINS, "stack": STRUCTURES}

    def reasons(self, position: Any, action: Action) -> Sequence[Message]:
        """Return what a structure adds, and whether an exact payment gives one more action."""
        kind = action.do
        if kind not in ("purchase", "build"):
            return ()
        chosen: Any = action
        gain = round(_Moment(position, self.weights._replace(rival=0.0)).adds(chosen.structure))
        added = Message("{structure} adds {points} points", structure=PieceRef(chosen.structure), points=gain)
        exact = kind == "purchase" and position.purses[position.active].paid(chosen) == COST[chosen.structure]
        return [added, Message("paid exactly: one more action")] if exact else [added]

    def features(self, position: Any, seat: int) -> Sequence[float]:
        """Return points, reserve, ducats of purse and die (which count while there is a yard), and turn."""
        state: State = position
        points = _points([_counts(state, other) for other in range(state.seats)])[seat]
        left = (len(state.yard) + len(state.stack)) / len(STRUCTURES)
        purse = state.purses[seat]
        turn = left if state.active == seat else 0.0
        return [float(points), float(len(state.reserves[seat])), purse.reach * left, purse.die * left, turn]

    def weigh(self, position: Any, legal: Sequence[Action]) -> list[float]:
        """Return what each of the legal actions is worth to the seat that decides, in points."""
        moment = _Moment(position, self.weights)
        return [moment.weigh(action) for action in legal]


class _Moment:
    """What actions are worth in one position; values that several actions need are computed once."""

    def __init__(self, state: State, weights: Weights) -> None:
        self._state, self._weights, self._seat = state, weights, state.active
        self._counts = [_counts(state, seat) for seat in range(state.seats)]
        self._by_suits: dict[tuple[int | None, int | None], tuple[int, int]] = {}
        self._now = self._points()

    def weigh(self, action: Any) -> float:
        """Return what an action is worth, in points."""
        weights, kind = self._weights, action.do
        match kind:
            case "coin":
                return (FACE[action.coin] or self._state.options.coin_null) * weights.ducat * self._needed()
            case "purchase":
                return self._purchase(action)
            case "build":
                return self._built(self._state.palazzo.put(action.structure, action.at), action.structure)
            case "keep":
                return self.adds(action.structure) * weights.reserve
            case "turret":
                return self._points(action.on, self._state.turrets[self._seat]) - self._now - weights.action
            case "reserve":
                return self._reserve(action) - weights.action
        return 0.0

    def _needed(self) -> float:
        """Return the share of its worth that a coin still has: little once the last structure is bought."""
        return 0.1 if self._state.closing is not None else 1.0

    def _purchase(self, action: Any) -> float:
        state, weights = self._state, self._weights
        purse = state.purses[self._seat]
        paid = purse.paid(action)
        die = purse.die if action.die else 0
        cost = (paid - die) * weights.ducat + die * weights.ducat * weights.die
        again = weights.again if paid == COST[action.structure] else 0.0
        worth = self.adds(action.structure)
        return (worth if self._fits(action.structure) else worth * weights.reserve) - cost + again

    def _fits(self, structure: str) -> bool:
        return bool(self._state.palazzo.fitting(structure).sites)

    def adds(self, structure: str) -> float:
        """Return what one more structure in the palazzo is worth."""
        return self._points(more=structure) - self._now

    def _built(self, palazzo: PiecepackPalazzo, structure: str) -> float:
        sites = sum([len(palazzo.fitting(other).sites) for other in self._state.yard])
        return self.adds(structure) + self._weights.site * sites

    def _reserve(self, action: Any) -> float:
        structure, swap = action.structure, action.swap
        if action.kind == "remove":
            return -self.adds(structure)
        gain = self.adds(structure) * (1 - self._weights.reserve)
        return gain if swap is None else gain - self.adds(swap) * (1 - self._weights.reserve)

    def _points(self, more: str | None = None, less: str | None = None) -> float:
        """Return the seat's points, less a part of the best other seat's, with one structure added and one removed."""
        suits = SUIT_OF[more], SUIT_OF[less]
        points = self._by_suits.get(suits)
        if points is None:
            points = self._by_suits[suits] = self._with_suits(*suits)
        own, rival = points
        return own + VALUE_OF[more] - VALUE_OF[less] - self._weights.rival * rival

    def _with_suits(self, more: int | None, less: int | None) -> tuple[int, int]:
        """Return the points of the seat and of the best other one after a change of suits, values unchanged."""
        counts = [*self._counts]
        own = counts[self._seat] = [*counts[self._seat]]
        for suit, step in ((more, 1), (less, -1)):
            if suit is not None:
                own[suit] += step
        points = _points(counts)
        return points.pop(self._seat), max(points)


def _counts(state: State, seat: int) -> list[int]:
    """Return how many structures of each suit a seat has built, the turret's twice, then the sum of their values."""
    counts, turret = [0, 0, 0, 0, 0], state.turrets[seat]
    standing = state.palazzi[seat].standing
    for place in standing if turret is None else (*standing, STRUCTURES.index(turret)):
        counts[SUIT_BY_PLACE[place]] += 1
        counts[4] += place % len(FACES)
    return counts


def _points(counts: Sequence[Sequence[int]]) -> list[int]:
    """Return the points of each seat."""
    *suits, values = zip(*counts, strict=True)
    return [sum(points) for points in zip(values, *map(_awards, suits), strict=True)]


@lru_cache(maxsize=1 << 12)
def _awards(built: tuple[int, ...]) -> Sequence[int]:
    """Return the points of each seat for a suit, given how many structures of it each seat has built."""
    ahead = [sum([other > own for other in built]) for own in built]
    return [own * AHEAD_POINTS[more] if more < len(AHEAD_POINTS) else 0 for own, more in zip(built, ahead, strict=True)]
