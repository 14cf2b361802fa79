"""The choice of a turn: money, build or rebuild; and the taking of money from the row."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from tabletop.rules.palazzo.actions import Build, Money, Rebuild, Take, make_rebuilds
from tabletop.rules.palazzo.components import FLOOR, KIND
from tabletop.rules.palazzo.components import MONEY as MONEY_CARDS
from tabletop.rules.palazzo.phases.building import Column, has_floor, insert
from tabletop.rules.palazzo.phases.chance import copy_of, one_of_each
from tabletop.rules.palazzo.state import State, end_turn
from tabletop.rules.phase import Why, why
from tabletop.rules.value import replaced, without

_MONEY, _BUILD = Money(), Build()
Change: TypeAlias = tuple[str, str, str | None]
"""A rebuild except for the card that pays: its kind, the tile, what it goes onto."""


# ---- money


def money_options(state: State) -> list[Money]:
    """Money, if there are enough cards."""
    return [] if why_not_money(state, _MONEY) else [_MONEY]


def why_not_money(state: State, _: Money) -> Why | None:
    """Deck and discards together must fill the row."""
    there = len(state.deck) + len(state.discards)
    if there > state.seats:
        return None
    return why("deck-too-short", _BUILD, needed=state.seats + 1, there=there)


def money(state: State, _: Money) -> State:
    """Let chance turn up the row."""
    return state.change(phase="reveal", decider=None)


# ---- take


TAKES: Mapping[str, Take] = {card: Take(card) for card in MONEY_CARDS}


def taker(state: State, left: int) -> int:
    """Return who takes when that many cards are left: the active seat two, then each other seat clockwise one."""
    seats = len(state.names)
    return state.active if left >= seats else (state.active + seats - left) % seats


def takes(state: State) -> list[Take]:
    """One card of each kind in the row."""
    return list({KIND[card]: TAKES[card] for card in state.row}.values())


def why_not_take(state: State, action: Take) -> Why | None:
    """Only what lies in the row can be taken."""
    if action.card in state.row:
        return None
    card = copy_of(action.card, state.row)
    return why("not-in-row", TAKES[card] if card else None, card=action.card)


def take(state: State, action: Take) -> State:
    """Move the card into the hand; after the last card the turn ends."""
    row, seat, hands = without(state.row, action.card), state.seat, state.hands
    hands = replaced(hands, seat, tuple(sorted((*hands[seat], action.card))))
    if not row:
        return end_turn(state, hands=hands, row=row)
    return state.change(hands=hands, row=row, decider=taker(state, len(row)))


# ---- build


def build_options(_: State) -> list[Build]:
    """Building is always possible: stack III never runs dry before the fifth end tile."""
    return [_BUILD]


def build(state: State, _: Build) -> State:
    """Let chance turn up two tiles."""
    return state.change(phase="reveal", decider=None, drawn=())


# ---- rebuild


def home(palazzi: tuple[Column, ...], tile: str) -> Column | None:
    """Return the palazzo in which the tile stands; None if it stands in none."""
    for column in palazzi:
        if tile in column:
            return column
    return None


def rebuilds(state: State) -> Iterable[Rebuild]:
    """Every change of one tile, each with every kind of card that could pay for it."""
    palazzi, hand = state.palazzi[state.seat], state.hands[state.seat]
    return make_rebuilds(changes(palazzi), one_of_each(hand)) if palazzi and hand else ()


def changes(palazzi: tuple[Column, ...]) -> list[Change]:
    """Return every change of one tile of these palazzi.

    Twins never lie together here: each stands in a palazzo of its own, and each palazzo is a target of its own.
    """
    found: list[Change] = []
    for column in palazzi:
        if len(column) > 1:
            found += [("lift", tile, None) for tile in column]
            continue
        (tile,) = column
        found.append(("scrap", tile, None))
        found += [("insert", tile, other[0]) for other in palazzi if not has_floor(other, tile)]
    return found


def why_not_rebuild(state: State, action: Rebuild) -> Why | None:
    """The tile first, then the card."""
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
