"""The actions of a turn: a coin, the reserve, the turret, a purchase, or passing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import compress

from tabletop.messages import either
from tabletop.rules.phase import Why, why
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
from tabletop.rules.piecepack.building.palazzo import PLACE_BYTE, PiecepackPalazzo
from tabletop.rules.piecepack.components import COST, FACE, SUITING_TABLES, ordered, with_one
from tabletop.rules.piecepack.phases.flow import S, go_on
from tabletop.rules.piecepack.phases.payments import necessary_payments, sufficient_payments
from tabletop.rules.piecepack.phases.placing import builds, clashing_neighbours, keeps, why_unbuildable
from tabletop.rules.piecepack.state import State
from tabletop.rules.value import Ids, replaced, without

# 1. Take a coin.


def coins(state: State) -> Sequence[Coin]:
    """List the first coin of each value in the bank."""
    return _coins(state.bank)


@lru_cache(maxsize=4096)
def _coins(bank: Ids) -> Sequence[Coin]:
    return tuple({FACE[coin]: COIN[coin] for coin in reversed(bank)}.values())


def why_not_coin(state: State, action: Coin) -> Why | None:
    """Return why a coin cannot be taken: only coins of the bank can."""
    return None if action.coin in state.bank else why("not-in-bank", coin=action.coin)


def coin(state: S, action: Coin) -> S:
    """Take the coin into the hand."""
    seat = state.active
    purses = replaced(state.purses, seat, state.purses[seat].with_coin(action.coin))
    return go_on(state, purses=purses, bank=without(state.bank, action.coin), left=state.left - 1)


# 2. Use the reserve.


def reserves(state: State) -> Sequence[Reserve]:
    """List every use of the reserve."""
    seat = state.active
    return state.palazzi[seat].once(_uses if state.options.exchange_same_cell else _uses_anywhere, state.reserves[seat])


def _uses(palazzo: PiecepackPalazzo, reserve: Ids) -> list[Reserve]:
    """List every way to remove a structure, to add one of the reserve, or to exchange it in its cell."""
    standing, shape, (left, low) = palazzo.standing, palazzo.shape, palazzo.corner
    fits = shape.fits
    uses = [*map(REMOVES.__getitem__, compress(standing, shape.loose))]
    for structure in reserve:
        sites, swaps = fits[standing.translate(SUITING_TABLES[structure])]
        if sites:
            added = ADD[structure]
            uses += [added[left + x, low + y] for x, y in sites]
        if 1 in swaps:
            uses += map(EXCHANGES[structure].__getitem__, compress(standing, swaps))
    return uses


def _uses_anywhere(palazzo: PiecepackPalazzo, reserve: Ids) -> list[Reserve]:
    """List every way to remove a structure, to add one of the reserve, or to exchange it and build it on any cell."""
    uses = [*map(REMOVES.__getitem__, compress(palazzo.standing, palazzo.shape.loose))]
    rests = [(swap, palazzo.without(swap)) for swap in palazzo]
    for structure in reserve:
        uses += [ADD[structure][cell] for cell in palazzo.sites(structure)]
        uses += [Reserve("exchange", structure, cell, swap) for swap, rest in rests for cell in rest.sites(structure)]
    return uses


def why_not_reserve(state: State, action: Reserve) -> Why | None:
    """Return why a use of the reserve is refused.

    The pieces must be where the action takes them from, and the palazzo must obey the building rules afterwards.
    """
    palazzo, structure = state.palazzi[state.active], action.structure
    if action.kind == "exchange":
        return _why_not_exchange(state, structure, action)
    if action.kind == "remove":
        if structure not in palazzo:
            return why("not-in-palazzo", structure=structure)
        return _why_bound(palazzo, structure)
    if structure not in state.reserves[state.active]:
        return why("not-in-reserve", structure=structure)
    return why("no-cell") if action.at is None else why_unbuildable(palazzo, structure, action.at)


def _why_bound(palazzo: PiecepackPalazzo, structure: str) -> Why | None:
    """Return why a structure may not be taken out of its palazzo, or None if it may."""
    match palazzo.bound(structure):
        case "splits":
            return why("splits", gone=structure)
        case "removal-hole":
            return why("removal-hole", structure=structure)
    return None


def _why_not_exchange(state: State, structure: str, action: Reserve) -> Why | None:
    palazzo, swap = state.palazzo, action.swap
    if (action.at is None) is not state.options.exchange_same_cell:
        return why("no-cell") if action.at is None else why("own-cell")
    if not palazzo or not state.reserve:
        return why("nothing-to-exchange")
    if structure not in state.reserve:
        return why("not-in-reserve", structure=structure)
    if swap is None or swap not in palazzo:
        return why("swap-not-in-palazzo", swap=swap)
    if action.at is not None:
        found = why_unbuildable(palazzo.without(swap), structure, action.at)
        lacks_swap = found is not None and found.key in ("splits", "makes-a-hole")
        return (_why_bound(palazzo, swap) if lacks_swap else None) or found
    if palazzo.suits(structure, swap):
        return None
    neighbours = clashing_neighbours(palazzo.without(swap), structure, palazzo.cells[swap])
    return why("clashing-neighbour", structure=structure, neighbours=neighbours)


def reserve(state: S, action: Reserve) -> S:
    """Move the structures; a turret whose structure is taken out returns to its seat."""
    seat = state.active
    palazzo, reserve, turrets = state.palazzi[seat], state.reserves[seat], state.turrets
    kind, structure, at, swap, _ = action
    gone = structure if kind == "remove" else swap
    if kind != "remove":
        reserve = without(reserve, structure)
    if gone is not None:
        reserve = with_one(reserve, gone)
        if turrets[seat] == gone:
            turrets = replaced(turrets, seat, None)
    if swap is not None and at is None:
        palazzo = palazzo.exchanged(swap, structure)
    else:
        palazzo = palazzo if gone is None else palazzo.without(gone)
        palazzo = palazzo if at is None else palazzo.put(structure, at)
    return go_on(
        state,
        palazzi=replaced(state.palazzi, seat, palazzo),
        reserves=replaced(state.reserves, seat, reserve),
        turrets=turrets,
        left=state.left - 1,
    )


# 3. The turret.


def turrets(state: State) -> Iterable[Turret]:
    """List every structure of the palazzo except the one on which the turret stands."""
    seat = state.active
    return map(TURRETS.__getitem__, state.palazzi[seat].standing.replace(PLACE_BYTE[state.turrets[seat]], b""))


def why_not_turret(state: State, action: Turret) -> Why | None:
    """Return why the turret cannot go on a structure: it must be another one of the seat's palazzo."""
    if action.on not in state.palazzo:
        return why("turret-not-in-palazzo", on=action.on)
    return why("turret-there", on=action.on) if action.on == state.turrets[state.active] else None


def turret(state: S, action: Turret) -> S:
    """Put the turret there."""
    return go_on(state, turrets=replaced(state.turrets, state.active, action.on), left=state.left - 1)


# 4. Purchase.


def purchases(state: State) -> Sequence[Purchase]:
    """List every structure of the yard with every payment that suffices."""
    return state.purses[state.active].purchases(state.yard, sufficient_payments)


def thrifty_purchases(state: State) -> Sequence[Purchase]:
    """List every structure of the yard with every payment in which no coin is superfluous, nor the die."""
    return state.purses[state.active].purchases(state.yard, necessary_payments)


def why_not_purchase(state: State, action: Purchase) -> Why | None:
    """Return why a purchase is refused: the structure is judged first, then the coins, the die and the amount."""
    purse, structure = state.purses[state.active], action.structure
    if structure not in state.yard:
        return why("not-in-yard", structure=structure)
    for at, coin in enumerate(action.pay):
        if coin not in purse.coins or coin in action.pay[:at]:
            return why("not-in-hand", coin=coin)
    if action.die and not purse.die:
        return why("die-spent")
    needed, value = COST[structure], purse.paid(action)
    if value >= needed:
        return None
    short = needed - value
    helpful = purse.helpful(action, short)
    if not helpful:
        return why("too-little", structure=structure, needed=needed, value=value, short=short)
    return why("too-little-add", structure=structure, needed=needed, value=value, short=short, add=either(helpful))


def purchase(state: S, action: Purchase) -> S:
    """Pay; the structure is then pending, to be placed, and an exact payment gives one more action."""
    seat, structure, purse = state.active, action.structure, state.purses[state.active]
    return go_on(
        state,
        purses=replaced(state.purses, seat, purse.after(action)),
        discards=ordered(*state.discards, *action.pay),
        yard=without(state.yard, structure),
        pending=with_one(state.pending, structure),
        left=state.left if purse.paid(action) == COST[structure] else state.left - 1,
    )


# Pass.


def passes(state: State) -> list[Pass]:
    """List the pass, which is legal if a seat can do nothing else, and in the last round."""
    if state.closing is None and (state.bank or any(True for options in OTHER_LISTINGS for _ in options(state))):
        return []
    return [PASS]


def why_not_pass(state: State, _: Pass) -> Why | None:
    """Return why passing is refused: it is legal only if a seat can do nothing else, and in the last round."""
    return None if passes(state) else why("may-act")


def pass_on(state: S, _action: Pass) -> S:
    """Pass: do nothing."""
    return go_on(state, left=0)


OTHER_LISTINGS: Sequence[Callable[[State], Iterable[PiecepackAction]]] = (
    reserves,
    turrets,
    thrifty_purchases,
    builds,
    keeps,
)
"""The listings of the other actions besides taking a coin and passing."""
