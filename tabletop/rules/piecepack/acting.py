"""The actions of a turn: a coin, the reserve, the turret, a purchase, or passing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TypeVar

from tabletop.rules.piecepack.actions import (
    COIN,
    PASS,
    REMOVE,
    TURRET,
    Coin,
    Pass,
    Purchase,
    Reserve,
    Turret,
    add,
    exchange,
)
from tabletop.rules.piecepack.components import COST, FACE
from tabletop.rules.piecepack.flow import go_on
from tabletop.rules.piecepack.money import Payment, Values, necessary, one_of_each, sufficient, worth
from tabletop.rules.piecepack.palazzo import Palazzo
from tabletop.rules.piecepack.state import Ids, State, ordered, replaced, with_one, without

S = TypeVar("S", bound=State)

# 1. Take a coin.


def coins(state: State) -> Sequence[Coin]:
    """List one coin of each value in the bank."""
    return _one_of_each(state.bank)


@lru_cache(maxsize=1024)
def _one_of_each(bank: Ids) -> Sequence[Coin]:
    return tuple([COIN[coin] for coin in one_of_each(bank)])


def why_not_coin(state: State, action: Coin) -> str | None:
    """Only a coin of the bank is taken."""
    return None if action.coin in state.bank else "not-in-bank"


def coin(state: S, action: Coin) -> S:
    """Take the coin into the hand."""
    seat = state.active
    hands = replaced(state.hands, seat, with_one(state.hands[seat], action.coin))
    return go_on(state, hands=hands, bank=without(state.bank, action.coin), left=state.left - 1)


# 2. Use the reserve.


def reserves(state: State) -> list[Reserve]:
    """List every way to add, to remove and to exchange one structure."""
    palazzo = state.palazzo
    uses = _uses if state.options.exchange_same_cell else _uses_anywhere
    found = palazzo.once(_removals).copy()
    for structure in state.reserve:
        found += palazzo.once(uses, structure)
    return found


def _removals(palazzo: Palazzo, _: str) -> list[Reserve]:
    return [REMOVE[structure] for structure in palazzo.loose()]


def _uses(palazzo: Palazzo, structure: str) -> list[Reserve]:
    """List every way to add a structure to a palazzo, or to exchange it in its cell."""
    return [
        *[add(structure, cell) for cell in palazzo.sites(structure)],
        *[exchange(structure, swap) for swap in palazzo.swaps(structure)],
    ]


def _uses_anywhere(palazzo: Palazzo, structure: str) -> list[Reserve]:
    """List every way to add a structure to a palazzo, or to exchange it and build it on any cell."""
    return [
        *[add(structure, cell) for cell in palazzo.sites(structure)],
        *[
            Reserve("exchange", structure, cell, swap)
            for swap in palazzo
            for cell in palazzo.once(Palazzo.without, swap).sites(structure)
        ],
    ]


def why_not_reserve(state: State, action: Reserve) -> str | None:
    """The pieces are where the action takes them from, and the palazzo obeys the building rules afterwards."""
    palazzo, structure = state.palazzo, action.structure
    if action.kind == "remove":
        return palazzo.bound(structure) if structure in palazzo else "not-in-palazzo"
    if action.kind == "exchange":
        return _why_not_exchange(state, structure, action)
    if structure not in state.reserve:
        return "not-in-reserve"
    return "no-cell" if action.at is None else palazzo.fault(structure, action.at)


def _why_not_exchange(state: State, structure: str, action: Reserve) -> str | None:
    palazzo, swap = state.palazzo, action.swap
    if (action.at is None) is not state.options.exchange_same_cell:
        return "no-cell" if action.at is None else "own-cell"
    if not palazzo or not state.reserve:
        return "nothing-to-exchange"
    if structure not in state.reserve:
        return "not-in-reserve"
    if swap is None or swap not in palazzo:
        return "swap-not-in-palazzo"
    if action.at is not None:
        return palazzo.once(Palazzo.without, swap).fault(structure, action.at)
    return None if swap in palazzo.swaps(structure) else "clashing-neighbour"


def reserve(state: S, action: Reserve) -> S:
    """Move the structures; a turret whose structure is taken out returns to its seat."""
    seat, palazzo, reserve = state.active, state.palazzo, state.reserve
    structure, swap, at = action.structure, action.swap, action.at
    gone = structure if action.kind == "remove" else swap
    if gone is not None:
        at = at or palazzo.cells[gone]
        palazzo, reserve = palazzo.without(gone), with_one(reserve, gone)
    if action.kind != "remove":
        assert at is not None
        palazzo, reserve = palazzo.put(structure, at), without(reserve, structure)
    turrets = state.turrets
    if gone is not None and turrets[seat] == gone:
        turrets = replaced(turrets, seat, None)
    return go_on(
        state,
        palazzi=replaced(state.palazzi, seat, palazzo),
        reserves=replaced(state.reserves, seat, reserve),
        turrets=turrets,
        left=state.left - 1,
    )


# 3. The turret.


def turrets(state: State) -> list[Turret]:
    """List the structures of the palazzo but the one the turret stands on."""
    here = state.turrets[state.active]
    return [TURRET[structure] for structure in state.palazzo if structure != here]


def why_not_turret(state: State, action: Turret) -> str | None:
    """The turret goes on another structure of the own palazzo."""
    if action.on not in state.palazzo:
        return "turret-not-in-palazzo"
    return "turret-there" if action.on == state.turrets[state.active] else None


def turret(state: S, action: Turret) -> S:
    """Put the turret there."""
    return go_on(state, turrets=replaced(state.turrets, state.active, action.on), left=state.left - 1)


# 4. Purchase.


def purchases(state: State) -> list[Purchase]:
    """List every structure of the yard with every payment that suffices, overpayments among them."""
    return _purchases(state, sufficient)


def thrifty_purchases(state: State) -> list[Purchase]:
    """List every structure of the yard with every payment from which neither a coin nor the die could be taken back."""
    return _purchases(state, necessary)


def _purchases(state: State, payments: Callable[[int, Values, int], Sequence[Payment]]) -> list[Purchase]:
    hand, die, null = state.hands[state.active], state.dice[state.active], state.options.coin_null
    values = tuple([FACE[coin] or null for coin in hand])
    reach = sum(values) + die
    return [
        Purchase(structure, tuple([hand[at] for at in chosen]), with_die)
        for structure in state.yard
        if COST[structure] <= reach
        for chosen, with_die in payments(COST[structure], values, die)
    ]


def why_not_purchase(state: State, action: Purchase) -> str | None:
    """A structure of the yard, coins of the own hand, a die that still has a number, and enough of it all."""
    if action.structure not in state.yard:
        return "not-in-yard"
    if unheld(state, action.pay) is not None:
        return "not-in-hand"
    if action.die and not state.dice[state.active]:
        return "die-spent"
    return "too-little" if paid(state, action) < COST[action.structure] else None


def unheld(state: State, pay: Ids) -> str | None:
    """Return the first coin of a payment that the seat does not hold, or names twice."""
    hand = state.hands[state.active]
    return next((coin for at, coin in enumerate(pay) if coin not in hand or coin in pay[:at]), None)


def paid(state: State, action: Purchase) -> int:
    """Return what the coins and the die make together."""
    return worth(action.pay, state.options.coin_null) + (state.dice[state.active] if action.die else 0)


def purchase(state: S, action: Purchase) -> S:
    """Pay, and hold the structure to be placed; an exact payment gives one more action."""
    seat, structure = state.active, action.structure
    exact = paid(state, action) == COST[structure]
    hand = tuple([coin for coin in state.hands[seat] if coin not in action.pay])
    return go_on(
        state,
        hands=replaced(state.hands, seat, hand),
        discards=ordered(*state.discards, *action.pay),
        dice=replaced(state.dice, seat, state.dice[seat] - 1) if action.die else state.dice,
        yard=without(state.yard, structure),
        pending=with_one(state.pending, structure),
        left=state.left if exact else state.left - 1,
    )


# Pass.


def may_do(state: State) -> bool:
    """Say whether anything but passing is legal in ``action``.

    A pending structure can be placed; the turret always finds another structure among two, a single one may be taken
    out, and one of the reserve fits an empty palazzo.
    """
    if state.pending or state.bank or len(state.palazzo) or state.reserve:
        return True
    return bool(purchases(state))


def passes(state: State) -> list[Pass]:
    """List passing where nothing else is legal, and in the closing round always."""
    return [PASS] if state.closing is not None or not may_do(state) else []


def why_not_pass(state: State, _: Pass) -> str | None:
    """Passing is for a seat that can do nothing else, and for the closing round."""
    return None if state.closing is not None or not may_do(state) else "may-act"


def pass_on(state: S, _: Pass) -> S:
    """Do without the action."""
    return go_on(state, left=0)
