"""Explains in words why a seat would choose an action of Palazzo."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tabletop.bots.palazzo.worth import money
from tabletop.messages import Message, PieceRef
from tabletop.rules.palazzo.phases.auction import goal
from tabletop.rules.palazzo.phases.palazzi import Column, has_floor, insert, points
from tabletop.rules.palazzo.phases.payments import best
from tabletop.rules.palazzo.state import State
from tabletop.rules.value import Ids


def reasons(state: State, action: Any) -> Sequence[Message]:
    """Return why the seat that decides would do the action."""
    explanation = EXPLANATIONS.get(action.do)
    return () if explanation is None else explanation(state, action)


def _tiles(state: State, tiles: Sequence[str]) -> list[Message]:
    """Return what each tile alone gains at its best place, in words, the best first."""
    palazzi = state.palazzi[state.seat]
    gains = sorted([(_best(palazzi, tile), tile) for tile in tiles], reverse=True)
    return [_grown(tile, before, after) for (_, before, after), tile in gains]


def _best(palazzi: Sequence[Column], tile: str) -> tuple[int, int, int]:
    """Return the most that a tile can gain, and the points of its palazzo before (0 for a new one) and after."""
    ways = [(points((tile,)), 0, points((tile,)))]
    for column in palazzi:
        if not has_floor(column, tile):
            before, after = points(column), points(insert(column, tile))
            ways.append((after - before, before, after))
    return max(ways)


def _grown(tile: str, before: int, after: int) -> Message:
    if before == 0 and after == points((tile,)):
        return Message("{tile} begins a palazzo", tile=PieceRef(tile))
    return Message(
        "{tile} takes a palazzo from {before} to {after} points", tile=PieceRef(tile), before=before, after=after
    )


def _buy(state: State, action: Any) -> Sequence[Message]:
    return [*_tiles(state, action.tiles), Message("it costs {value}", value=money(action.pay))]


def _bid(state: State, action: Any) -> Sequence[Message]:
    laid = state.bid_of(state.seat) + money(action.cards)
    return [*_tiles(state, state.quarry), Message("the bid is {value}", value=laid)]


def _auction(state: State, _: Any) -> Sequence[Message]:
    quarry = goal(state)
    return [] if quarry is None else _tiles(state, state.quarries[quarry - 1])


def _place(state: State, action: Any) -> Sequence[Message]:
    column = next((palazzo for palazzo in state.palazzi[state.seat] if palazzo[-1] == action.onto), ())
    return [_grown(action.tile, points(column) if column else 0, points((*column, action.tile)))]


def _money(state: State, _: Any) -> Sequence[Message]:
    return [Message("the most that you can pay now is {value}", value=_most(state, state.hands[state.seat]))]


def _take(state: State, action: Any) -> Sequence[Message]:
    hand = state.hands[state.seat]
    before, after = _most(state, hand), _most(state, tuple(sorted((*hand, action.card))))
    if before == after:
        return []
    return [Message("the most that you can pay goes from {before} to {after}", before=before, after=after)]


def _most(state: State, hand: Ids) -> int:
    """Return the highest payment that the cards make."""
    return best(hand, certificates_alone=state.options.certificates_alone)


def _build(state: State, _: Any) -> Sequence[Message]:
    return [Message("a tile of the warehouse costs {price} then", price=state.price_after_build)]


def _rebuild(state: State, action: Any) -> Sequence[Message]:
    own = state.palazzi[state.seat]
    changed: list[Column] = []
    for column in own:
        if action.tile in column:
            rest = tuple(tile for tile in column if tile != action.tile)
            changed += [rest] if rest else []
        else:
            changed.append(insert(column, action.tile) if action.onto in column else column)
    changed += [(action.tile,)] if action.kind == "lift" else []
    before, after = sum(map(points, own)), sum(map(points, changed))
    return [Message("your palazzi go from {before} to {after} points", before=before, after=after)]


EXPLANATIONS: Mapping[str, Callable[[State, Any], Sequence[Message]]] = {
    "buy": _buy,
    "bid": _bid,
    "auction": _auction,
    "claim": lambda state, action: _tiles(state, (action.tile,)),
    "place": _place,
    "money": _money,
    "take": _take,
    "build": _build,
    "rebuild": _rebuild,
}
"""Kind of action → the function that explains it."""
