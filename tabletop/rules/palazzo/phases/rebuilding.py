"""Rebuilding: a change of one tile of a seat's palazzi, paid for with one card."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from tabletop.rules.palazzo.actions import Rebuild, make_rebuilds
from tabletop.rules.palazzo.components import FLOOR
from tabletop.rules.palazzo.phases.chance import copy_of, one_of_each
from tabletop.rules.palazzo.phases.palazzi import Column, has_floor, home, insert
from tabletop.rules.palazzo.state import State, end_turn
from tabletop.rules.phase import Why, why
from tabletop.rules.value import without

Change: TypeAlias = tuple[str, str, str | None]
"""A rebuild without the card that pays: its kind, the tile, and the tile that it goes onto."""


def rebuilds(state: State) -> Iterable[Rebuild]:
    """Return every change of one tile, each with every kind of card that could pay for it."""
    palazzi, hand = state.palazzi[state.seat], state.hands[state.seat]
    return make_rebuilds(changes(palazzi), one_of_each(hand)) if palazzi and hand else ()


def changes(palazzi: tuple[Column, ...]) -> list[Change]:
    """Return every change of one tile of these palazzi.

    Twins count as two: each stands in a palazzo of its own, and each palazzo is a target of its own.
    """
    every: list[Change] = []
    for column in palazzi:
        if len(column) > 1:
            every += [("lift", tile, None) for tile in column]
            continue
        (tile,) = column
        every.append(("scrap", tile, None))
        every += [("insert", tile, other[0]) for other in palazzi if not has_floor(other, tile)]
    return every


def why_not_rebuild(state: State, action: Rebuild) -> Why | None:
    """Return why a rebuild is refused: the tile is judged first, then the card."""
    palazzi = state.palazzi[state.seat]
    own = home(palazzi, action.tile)
    if own is None:
        return why("not-own", tile=action.tile)
    if action.kind == "lift":
        if len(own) == 1:
            return why("stands-alone", tile=action.tile)
    elif len(own) > 1:
        lift = Rebuild("lift", action.tile, None, action.pay) if action.pay in state.hands[state.seat] else None
        return why("not-alone", lift, tile=action.tile)
    if action.kind == "insert":
        onto = home(palazzi, action.onto or "")
        if onto is None:
            return why("not-own", tile=action.onto)
        if onto is own:
            return why("into-itself", tile=action.tile)
        if has_floor(onto, action.tile):
            return why("duplicate-floor", tile=action.tile, floor=FLOOR[action.tile])
    hand = state.hands[state.seat]
    if not hand:
        return why("no-money-left")
    if action.pay in hand:
        return None
    pay = copy_of(action.pay, hand) or hand[0]
    return why("not-in-hand", action._replace(pay=pay), card=action.pay)


def rebuild(state: State, action: Rebuild) -> State:
    """Change the palazzi and discard the card; the turn ends."""
    seat, tile = state.seat, action.tile
    changed: list[Column] = []
    for column in state.palazzi[seat]:
        if tile in column:
            if len(column) > 1:
                changed.append(without(column, tile))
        elif action.onto in column:
            changed.append(insert(column, tile))
        else:
            changed.append(column)
    if action.kind == "lift":
        changed.append((tile,))
    return end_turn(
        state,
        hands=state.put_hand(seat, without(state.hands[seat], action.pay)),
        discards=(*state.discards, action.pay),
        palazzi=state.put_palazzi(tuple(changed)),
        box=(*state.box, tile) if action.kind == "scrap" else state.box,
    )
