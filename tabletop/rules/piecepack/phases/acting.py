"""The actions of a turn: a coin, the reserve, the turret, a purchase, or passing."""

from __future__ import annotations

from collections.abc import Callable
from itertools import compress

from tabletop.rules.piecepack.actions import (
    ADD,
    COIN,
    EXCHANGES,
    PASS,
    REMOVES,
    TURRETS,
    Coin,
    Pass,
    PiecepackAction,
    Purchase,
    Reserve,
    Turret,
)
from tabletop.rules.piecepack.building.palazzo import ALONE, PiecepackPalazzo
from tabletop.rules.piecepack.components import COST, FACE, SUITING, Ids, ordered, with_one
from tabletop.rules.piecepack.phases.money import Payments, Values, necessary, sufficient
from tabletop.rules.piecepack.phases.placing import placings
from tabletop.rules.piecepack.state import Draft, State
from tabletop.rules.value import replaced, without


def complete(state: State) -> list[PiecepackAction]:
    """List every legal action, overpayments among them."""
    return _listed(state, sufficient)


def thrifty(state: State) -> list[PiecepackAction]:
    """List the legal actions but purchases from whose payment a coin or the die could be taken back."""
    return _listed(state, necessary)


def _listed(state: State, payments: Callable[[Values, int], Payments]) -> list[PiecepackAction]:
    seat = state.active
    palazzo = state.palazzi[seat]
    found: list[PiecepackAction] = [
        *{FACE[coin]: COIN[coin] for coin in reversed(state.bank)}.values(),  # the first of each value
        *palazzo.once(_uses if state.options.exchange_same_cell else _uses_anywhere, state.reserves[seat]),
        *map(TURRETS.__getitem__, palazzo.standing.replace(ALONE[state.turrets[seat]], b"")),
        *state.purses[seat].purchases(state.yard, payments),
    ]
    if state.pending:
        found += placings(state)
    if state.closing is not None or not found:
        found.append(PASS)
    return found


# 1. Take a coin.


def why_not_coin(state: State, action: Coin) -> str | None:
    """Only a coin of the bank is taken."""
    return None if action.coin in state.bank else "not-in-bank"


def coin(state: State, action: Coin, new: Draft) -> None:
    """Take the coin into the hand."""
    seat = state.active
    new["purses"] = replaced(state.purses, seat, state.purses[seat].with_coin(action.coin))
    new["bank"] = without(state.bank, action.coin)
    new["left"] -= 1


# 2. Use the reserve.


def _uses(palazzo: PiecepackPalazzo, reserve: Ids) -> list[Reserve]:
    """List every way to remove a structure, to add one of the reserve, or to exchange it in its cell."""
    standing, shape, (left, low) = palazzo.standing, palazzo.shape, palazzo.corner
    fits = shape.fits
    found = [*map(REMOVES.__getitem__, compress(standing, shape.loose))]
    for structure in reserve:
        sites, swaps = fits[standing.translate(SUITING[structure])]
        if sites:
            added = ADD[structure]
            found += [added[left + x, low + y] for x, y in sites]
        if 1 in swaps:
            found += map(EXCHANGES[structure].__getitem__, compress(standing, swaps))
    return found


def _uses_anywhere(palazzo: PiecepackPalazzo, reserve: Ids) -> list[Reserve]:
    """List every way to remove a structure, to add one of the reserve, or to exchange it and build it on any cell."""
    found = [*map(REMOVES.__getitem__, compress(palazzo.standing, palazzo.shape.loose))]
    rests = [(swap, palazzo.without(swap)) for swap in palazzo]
    for structure in reserve:
        found += [ADD[structure][cell] for cell in palazzo.sites(structure)]
        found += [Reserve("exchange", structure, cell, swap) for swap, rest in rests for cell in rest.sites(structure)]
    return found


def why_not_reserve(state: State, action: Reserve) -> str | None:
    """The pieces are where the action takes them from, and the palazzo obeys the building rules afterwards."""
    palazzo, structure = state.palazzi[state.active], action.structure
    if action.kind == "remove":
        return palazzo.bound(structure) if structure in palazzo else "not-in-palazzo"
    if action.kind == "exchange":
        return _why_not_exchange(state, structure, action)
    if structure not in state.reserves[state.active]:
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
        return palazzo.without(swap).fault(structure, action.at)
    return None if palazzo.suits(structure, swap) else "clashing-neighbour"


def reserve(state: State, action: Reserve, new: Draft) -> None:
    """Move the structures; a turret whose structure is taken out returns to its seat."""
    seat = state.active
    palazzo, reserve = state.palazzi[seat], state.reserves[seat]
    kind, structure, at, swap, _ = action
    gone = structure if kind == "remove" else swap
    if kind != "remove":
        reserve = without(reserve, structure)
    if gone is not None:
        reserve = with_one(reserve, gone)
        if state.turrets[seat] == gone:
            new["turrets"] = replaced(state.turrets, seat, None)
    if swap is not None and at is None:
        palazzo = palazzo.exchanged(swap, structure)
    else:
        palazzo = palazzo if gone is None else palazzo.without(gone)
        palazzo = palazzo if at is None else palazzo.put(structure, at)
    new["palazzi"] = replaced(state.palazzi, seat, palazzo)
    new["reserves"] = replaced(state.reserves, seat, reserve)
    new["left"] -= 1


# 3. The turret.


def why_not_turret(state: State, action: Turret) -> str | None:
    """The turret goes on another structure of the own palazzo."""
    if action.on not in state.palazzo:
        return "turret-not-in-palazzo"
    return "turret-there" if action.on == state.turrets[state.active] else None


def turret(state: State, action: Turret, new: Draft) -> None:
    """Put the turret there."""
    new["turrets"] = replaced(state.turrets, state.active, action.on)
    new["left"] -= 1


# 4. Purchase.


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


def purchase(state: State, action: Purchase, new: Draft) -> None:
    """Pay, and hold the structure to be placed; an exact payment gives one more action."""
    seat, structure, purse = state.active, action.structure, state.purses[state.active]
    new["purses"] = replaced(state.purses, seat, purse.after(action))
    new["discards"] = ordered(*state.discards, *action.pay)
    new["yard"] = without(state.yard, structure)
    new["pending"] = with_one(state.pending, structure)
    if purse.paid(action) != COST[structure]:
        new["left"] -= 1


# Pass.


def why_not_pass(state: State, _: Pass) -> str | None:
    """Passing is for a seat that can do nothing else, and for the closing round."""
    return None if PASS in thrifty(state) else "may-act"


def pass_on(_state: State, _action: Pass, new: Draft) -> None:
    """Do without the action."""
    new["left"] = 0
