"""The actions of a turn: a coin, the reserve, the turret, a purchase, or passing."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TypeVar

from tabletop.rules.piecepack.actions import (
    COIN,
    EXCHANGE,
    PASS,
    REMOVE,
    TURRET,
    Coin,
    Pass,
    Purchase,
    Reserve,
    Turret,
    add,
)
from tabletop.rules.piecepack.components import COST, Ids
from tabletop.rules.piecepack.flow import go_on
from tabletop.rules.piecepack.money import Purse, one_of_each
from tabletop.rules.piecepack.palazzo import Palazzo
from tabletop.rules.piecepack.state import State, ordered, with_one
from tabletop.rules.value import replaced, without

S = TypeVar("S", bound=State)

# 1. Take a coin.


@lru_cache(maxsize=1024)
def _one_of_each(bank: Ids) -> Sequence[Coin]:
    return tuple([COIN[coin] for coin in one_of_each(bank)])


def coins(state: State) -> Sequence[Coin]:
    """List one coin of each value in the bank."""
    return _one_of_each(state.bank)


def why_not_coin(state: State, action: Coin) -> str | None:
    """Only a coin of the bank is taken."""
    return None if action.coin in state.bank else "not-in-bank"


def coin(state: S, action: Coin) -> S:
    """Take the coin into the hand."""
    seat, new = state.active, state.draft()
    purse = state.purses[seat]
    coins = with_one(purse.coins, action.coin)
    new["purses"] = replaced(state.purses, seat, Purse(coins, purse.die, purse.null))
    new["bank"] = without(state.bank, action.coin)
    new["left"] -= 1
    return go_on(state, new)


# 2. Use the reserve.


def reserves(state: State) -> list[Reserve]:
    """List every way to add, to remove and to exchange one structure."""
    active = state.active
    palazzo = state.palazzi[active]
    uses = _uses if state.options.exchange_same_cell else _uses_anywhere
    found = [REMOVE[structure] for structure in palazzo.loose]
    for structure in state.reserves[active]:
        found += palazzo.once(uses, structure)
    return found


def _uses(palazzo: Palazzo, structure: str) -> list[Reserve]:
    """List every way to add a structure to a palazzo, or to exchange it in its cell."""
    swaps = EXCHANGE[structure]
    return [
        *[add(structure, cell) for cell in palazzo.sites(structure)],
        *[swaps[swap] for swap in palazzo.swaps(structure)],
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
    return None if palazzo.suits(structure, swap) else "clashing-neighbour"


def reserve(state: S, action: Reserve) -> S:
    """Move the structures; a turret whose structure is taken out returns to its seat."""
    seat, palazzo, reserve = state.active, state.palazzo, state.reserve
    kind, structure, at, swap, _ = action
    gone = structure if kind == "remove" else swap
    if kind != "remove":
        reserve = without(reserve, structure)
    if gone is not None:
        reserve = with_one(reserve, gone)
    if swap is not None and at is None:
        palazzo = palazzo.exchanged(swap, structure)
    else:
        palazzo = palazzo if gone is None else palazzo.without(gone)
        palazzo = palazzo if at is None else palazzo.put(structure, at)
    new = state.draft()
    new["palazzi"] = replaced(state.palazzi, seat, palazzo)
    new["reserves"] = replaced(state.reserves, seat, reserve)
    if gone is not None and state.turrets[seat] == gone:
        new["turrets"] = replaced(state.turrets, seat, None)
    new["left"] -= 1
    return go_on(state, new)


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
    new = state.draft()
    new["turrets"] = replaced(state.turrets, state.active, action.on)
    new["left"] -= 1
    return go_on(state, new)


# 4. Purchase.


def purchases(state: State) -> list[Purchase]:
    """List every structure of the yard with every payment that suffices, overpayments among them."""
    return state.purses[state.active].purchases(state.yard)


def thrifty_purchases(state: State) -> list[Purchase]:
    """List every structure of the yard with every payment from which neither a coin nor the die could be taken back."""
    return state.purses[state.active].thrifty(state.yard)


def why_not_purchase(state: State, action: Purchase) -> str | None:
    """A structure of the yard, coins of the own hand, a die that still has a number, and enough of it all."""
    purse = state.purses[state.active]
    if action.structure not in state.yard:
        return "not-in-yard"
    if unheld(state, action.pay) is not None:
        return "not-in-hand"
    if action.die and not purse.die:
        return "die-spent"
    return "too-little" if purse.paid(action) < COST[action.structure] else None


def unheld(state: State, pay: Ids) -> str | None:
    """Return the first coin of a payment that the seat does not hold, or names twice."""
    held = state.purses[state.active].coins
    for at, coin in enumerate(pay):
        if coin not in held or coin in pay[:at]:
            return coin
    return None


def purchase(state: S, action: Purchase) -> S:
    """Pay, and hold the structure to be placed; an exact payment gives one more action."""
    seat, structure, purse = state.active, action.structure, state.purses[state.active]
    new = state.draft()
    new["purses"] = replaced(state.purses, seat, purse.after(action))
    new["discards"] = ordered(*state.discards, *action.pay)
    new["yard"] = without(state.yard, structure)
    new["pending"] = with_one(state.pending, structure)
    if purse.paid(action) != COST[structure]:
        new["left"] -= 1
    return go_on(state, new)


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
    new = state.draft()
    new["left"] = 0
    return go_on(state, new)
