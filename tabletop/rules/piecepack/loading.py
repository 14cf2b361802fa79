"""Positions from data: every part is checked, then the parts against each other.

A position that cannot be is refused with ``bad-position``, saying what and where.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import pairwise

from tabletop.rules.game import Json
from tabletop.rules.grammar import FARTHEST
from tabletop.rules.layout import Cell
from tabletop.rules.piecepack.building.palazzo import PiecepackPalazzo, flaw
from tabletop.rules.piecepack.components import BANK, COINS, DIE, HAND, SEATS, STRUCTURES, YARD, ordered
from tabletop.rules.piecepack.options import Options, options
from tabletop.rules.piecepack.phases.money import Purse
from tabletop.rules.piecepack.position import PiecepackPosition
from tabletop.rules.piecepack.rules import PHASES
from tabletop.rules.validate import bad, items, member, names, number, one_of, pieces, table, who
from tabletop.rules.value import Ids


def load(data: Json) -> PiecepackPosition:
    """Return the position that the data describes.  Raises Illegal (``bad-position``)."""
    if not isinstance(data, dict) or data.get("game") != "piecepack":
        raise bad('a position is an object with "game": "piecepack"')
    seats = items(member(data, "seats", "the position"), "seats")
    if len(seats) not in SEATS:
        raise bad(f"Palazzo for the piecepack has 2 to 4 seats, not {len(seats)}")
    turn = table(member(data, "turn", "the position"), "turn")
    phase = one_of(member(turn, "phase", "turn"), "the phase", PHASES)
    chosen = options(data.get("options", {}), len(seats), "bad-position")
    position = PiecepackPosition.make(
        names=names(seats),
        options=chosen,
        purses=tuple([_purse(seat, at, chosen) for at, seat in enumerate(seats)]),
        palazzi=tuple([_palazzo(seat, at, chosen) for at, seat in enumerate(seats)]),
        turrets=tuple([_turret(seat, at) for at, seat in enumerate(seats)]),
        reserves=tuple([_ids(seat, "reserve", f"seat {at + 1}", STRUCTURES) for at, seat in enumerate(seats)]),
        yard=_ids(data, "yard", "the position", STRUCTURES),
        bank=_ids(data, "bank", "the position", COINS),
        coins=_ids(data, "coins", "the position", COINS),
        discards=_ids(data, "discards", "the position", COINS),
        stack=_ids(data, "stack", "the position", STRUCTURES),
        active=number(member(data, "active", "the position"), "active", range(len(seats))),
        left=_left(data, phase),
        pending=_ids(data, "pending", "the position", STRUCTURES) if "pending" in data else (),
        closing=_closing(data, len(seats)),
        phase=phase,
        awaits=_awaits(data, phase),
    )
    _check_pieces(position)
    _check_open(position)
    _check_turn(position, turn)
    return position


# The parts, one by one.


def _ids(data: Json, key: str, where: str, allowed: Ids) -> Ids:
    return ordered(*pieces(member(data, key, where), f"{key} of {where}", allowed))


def _purse(seat: Json, at: int, chosen: Options) -> Purse:
    die = number(member(seat, "die", f"seat {at + 1}"), f"the die of seat {at + 1}", range(DIE + 1))
    return Purse(_ids(seat, "hand", f"seat {at + 1}", COINS), die, chosen.coin_null)


def _palazzo(seat: Json, at: int, chosen: Options) -> PiecepackPalazzo:
    cells = table(member(seat, "palazzo", f"seat {at + 1}"), f"the palazzo of seat {at + 1}")
    for structure, cell in cells.items():
        one_of(structure, f"the palazzo of seat {at + 1}", STRUCTURES)
        if not isinstance(cell, list) or len(cell) != 2 or not all(_is_place(place) for place in cell):
            raise bad(f"the cell of {structure} must be two whole numbers, [x, y]")
    places: dict[str, Cell] = {structure: (cell[0], cell[1]) for structure, cell in cells.items()}
    found = flaw(places, chosen.diagonal)
    if found is not None:
        raise bad(f"the palazzo of seat {at + 1} {_FLAWS[found]}")
    return PiecepackPalazzo(places, chosen.diagonal)


_FLAWS = {
    "cell-taken": "has two structures on one cell",
    "clashing-neighbour": "has neighbours that share neither suit nor value",
    "splits": "is not one connected group",
    "makes-a-hole": "has a hole",
}


def _is_place(place: Json) -> bool:
    return type(place) is int and abs(place) <= 2 * FARTHEST


def _turret(seat: Json, at: int) -> str | None:
    told = member(seat, "turret", f"seat {at + 1}")
    if told is None:
        return None
    on = one_of(told, f"the turret of seat {at + 1}", STRUCTURES)
    if on not in seat["palazzo"]:
        raise bad(f"the turret of seat {at + 1} stands on {on}, which is not in its palazzo")
    return on


def _closing(data: Mapping[str, Json], seats: int) -> tuple[int, ...] | None:
    closing = data.get("closing")
    if closing is None:
        return None
    if not isinstance(closing, list) or not all(type(seat) is int and 0 <= seat < seats for seat in closing):
        raise bad("'closing' must be null or the seats still to act")
    if len(closing) > seats or any((one + 1) % seats != two for one, two in pairwise(closing)):
        raise bad("'closing' must name each seat once, clockwise")
    return tuple(closing)


def _left(data: Mapping[str, Json], phase: str) -> int:
    """Return the actions left; before the first turn its one action is, whatever the data says."""
    told = number(data.get("actions_left", int(phase == "action")), "actions_left", range(2))
    return 1 if phase in ("setup", "deal") else told


def _awaits(data: Mapping[str, Json], phase: str) -> str:
    if phase == "setup":
        yard = data.get("yard")
        return "structure" if isinstance(yard, list) and len(yard) < YARD else "coin"
    if phase != "reveal":
        return ""
    return one_of(member(data, "awaits", "the position"), "awaits", ("coin", "structure"))


# The parts against each other.


def _check_pieces(position: PiecepackPosition) -> None:
    """Every structure and every coin is somewhere, once."""
    palazzi = [tuple(palazzo) for palazzo in position.palazzi]
    structures = [*palazzi, *position.reserves, position.yard, position.stack, position.pending]
    coins = [*(purse.coins for purse in position.purses), position.bank, position.coins, position.discards]
    found = Counter(piece for place in (*structures, *coins) for piece in place)
    for piece in (*STRUCTURES, *COINS):
        if found[piece] != 1:
            raise bad(f"{piece} is there {found[piece]} times" if found[piece] else f"{piece} is missing")


def _check_open(position: PiecepackPosition) -> None:
    """Yard and bank hold at most four; the game closes when yard and stack are empty."""
    if len(position.yard) > YARD:
        raise bad(f"the yard holds at most {YARD} structures, not {len(position.yard)}")
    if len(position.bank) > BANK:
        raise bad(f"the bank holds at most {BANK} coins, not {len(position.bank)}")
    if (position.closing is not None or position.phase == "over") and (
        position.yard or position.stack or position.pending
    ):
        raise bad("the last round begins when every structure has been purchased and placed")
    if position.phase == "over":
        if position.closing:
            raise bad("the game is not over while seats are still to act")
    elif position.closing is not None and position.closing[:1] != (position.active,):
        raise bad("'closing' must begin with the active seat")


def _check_turn(position: PiecepackPosition, turn: Mapping[str, Json]) -> None:
    """The phase has something to decide, by the seat that is named."""
    phase, seat = position.phase, turn.get("seat")
    if "seat" not in turn or type(seat) not in (int, type(None)) or seat != position.decider:
        raise bad(f"in the phase {phase} {who(position.decider)} decides")
    if phase in ("setup", "deal"):
        _check_beginning(position)
    elif phase == "action" and position.left != 1:
        raise bad("in the phase action one action is left")
    elif phase == "place" and (position.left or not position.pending):
        raise bad("in the phase place a structure is pending and no action is left")
    elif phase == "reveal":
        if position.awaits == "coin":
            due = len(position.bank) < BANK and position.pool
        else:
            due = len(position.yard) < YARD and position.stack
        if not due:
            raise bad(f"no {position.awaits} can be turned up")


def _check_beginning(position: PiecepackPosition) -> None:
    """Before the first turn nothing is built or paid, and what is laid out follows its order."""
    held = (position.discards, position.pending, *position.reserves, *(tuple(one) for one in position.palazzi))
    if any(held) or any(purse.die != DIE for purse in position.purses):
        raise bad("before the first turn nothing is built, paid or pending, and each die shows 5")
    if position.active != position.options.first_seat:
        raise bad("before the first turn the first seat is active")
    sizes = [len(purse.coins) for purse in position.purses]
    if position.phase == "setup":
        done = len(position.yard) == YARD and len(position.bank) == BANK
        if any(sizes) or done or (position.bank and len(position.yard) < YARD):
            raise bad("in the setup the yard is laid out, then the bank, and nobody has coins")
    else:
        dealt = sizes.count(HAND)
        if sizes != [HAND] * dealt + [0] * (len(sizes) - dealt) or dealt == len(sizes):
            raise bad("in the deal some seats have two coins, the ones after them none")
        if len(position.yard) != YARD or len(position.bank) != BANK:
            raise bad("in the deal yard and bank are laid out")
