"""The choice of money or build, and the taking of money from the row."""

from __future__ import annotations

from collections.abc import Mapping

from tabletop.rules.palazzo.actions import Build, Money, Take
from tabletop.rules.palazzo.components import KIND
from tabletop.rules.palazzo.components import MONEY as MONEY_CARDS
from tabletop.rules.palazzo.phases.chance import copy_of
from tabletop.rules.palazzo.state import State, end_turn
from tabletop.rules.phase import Why, why
from tabletop.rules.value import replaced, without

_MONEY, _BUILD = Money(), Build()


# ---- money


def money_options(state: State) -> list[Money]:
    """Return the choice of money, if there are enough cards."""
    return [] if why_not_money(state, _MONEY) else [_MONEY]


def why_not_money(state: State, _: Money) -> Why | None:
    """Return why money cannot be chosen: deck and discards together must fill the row."""
    there = len(state.deck) + len(state.discards)
    if there >= state.row_size:
        return None
    return why("deck-too-short", _BUILD, needed=state.row_size, there=there)


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
    """Return the taking of one card of each kind in the row."""
    return list({KIND[card]: TAKES[card] for card in state.row}.values())


def why_not_take(state: State, action: Take) -> Why | None:
    """Return why a card cannot be taken: only cards in the row can."""
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
    """Return the choice to build, always legal: stack III never runs out before the fifth end tile."""
    return [_BUILD]


def build(state: State, _: Build) -> State:
    """Let chance turn up two tiles."""
    return state.change(phase="reveal", decider=None, drawn=())
