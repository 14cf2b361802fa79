"""Positions from data: every part is checked, then the parts against each other.

A position that cannot be is refused with ``bad-position``, saying what and where.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from tabletop.rules.game import Illegal, Json
from tabletop.rules.layout import Cell
from tabletop.rules.piecepack.components import BANK, COINS, DIE, HAND, SEATS, STRUCTURES, YARD
from tabletop.rules.piecepack.money import Purse
from tabletop.rules.piecepack.options import Options, options
from tabletop.rules.piecepack.palazzo import Palazzo, flaw
from tabletop.rules.piecepack.position import PiecepackPosition
from tabletop.rules.piecepack.reading import FARTHEST
from tabletop.rules.piecepack.state import ordered
from tabletop.rules.piecepack.turn import PHASES

LONGEST_NAME = 200
"""Characters."""


def load(data: Json) -> PiecepackPosition:
    """Return the position that the data describes.  Raises Illegal (``bad-position``)."""
    if not isinstance(data, dict) or data.get("game") != "piecepack":
        raise bad('a position is an object with "game": "piecepack"')
    seats = _value(data, "seats", "the position")
    if not isinstance(seats, list) or len(seats) not in SEATS or not all(isinstance(seat, dict) for seat in seats):
        raise bad("seats must be 2 to 4 objects")
    turn = _value(data, "turn", "the position")
    if not isinstance(turn, dict) or not isinstance(turn.get("phase"), str) or turn["phase"] not in PHASES:
        raise bad(f"turn must be an object whose phase is one of {', '.join(PHASES)}")
    chosen = options(data.get("options", {}), len(seats), "bad-position")
    phase = turn["phase"]
    position = PiecepackPosition.of(
        {
            "names": tuple(_name(seat) for seat in seats),
            "options": chosen,
            "purses": tuple(_purse(seat, chosen) for seat in seats),
            "palazzi": tuple(_palazzo(seat, chosen) for seat in seats),
            "turrets": tuple(_turret(seat) for seat in seats),
            "reserves": tuple(_ids(seat, "reserve", STRUCTURES) for seat in seats),
            "yard": _ids(data, "yard", STRUCTURES),
            "bank": _ids(data, "bank", COINS),
            "coins": _ids(data, "coins", COINS),
            "discards": _ids(data, "discards", COINS),
            "stack": _ids(data, "stack", STRUCTURES),
            "active": _number(data, "active", len(seats) - 1),
            "left": _left(data, phase),
            "pending": _ids(data, "pending", STRUCTURES) if "pending" in data else (),
            "closing": _closing(data, len(seats)),
            "phase": phase,
            "awaits": _awaits(data, phase),
        }
    )
    _check_pieces(position)
    _check_open(position)
    _check_turn(position, turn)
    return position


def bad(what: str) -> Illegal:
    """Return the refusal of a position."""
    return Illegal("bad-position", f"This position cannot be: {what}.")


# The parts, one by one.


def _value(data: Mapping[str, Any], key: str, where: str) -> Any:
    if key not in data:
        raise bad(f"{where} has no {key!r}")
    return data[key]


def _number(data: Mapping[str, Any], key: str, most: int) -> int:
    value = _value(data, key, "the position")
    if type(value) is not int or not 0 <= value <= most:
        raise bad(f"{key!r} must be a whole number from 0 to {most}")
    return value


def _name(seat: Mapping[str, Any]) -> str:
    name = _value(seat, "name", "a seat")
    if not isinstance(name, str) or len(name) > LONGEST_NAME:
        raise bad(f"a name must be a text of at most {LONGEST_NAME} characters")
    return name


def _ids(data: Mapping[str, Any], key: str, known: tuple[str, ...]) -> tuple[str, ...]:
    values = _value(data, key, "the position")
    if not isinstance(values, list):
        raise bad(f"{key!r} must be a list")
    for value in values:
        _piece(value, key, known)
    return ordered(*values)


def _piece(value: Json, where: str, known: tuple[str, ...]) -> str:
    if not isinstance(value, str) or value not in known:
        shown = repr(value)[:20] if isinstance(value, str) else "something else"
        raise bad(f"{where!r} holds {shown}, which is no {'coin' if known is COINS else 'structure'}")
    return value


def _purse(seat: Mapping[str, Any], chosen: Options) -> Purse:
    return Purse(_ids(seat, "hand", COINS), _number(seat, "die", DIE), chosen.coin_null)


def _palazzo(seat: Mapping[str, Any], chosen: Options) -> Palazzo:
    cells = _value(seat, "palazzo", "a seat")
    if not isinstance(cells, dict):
        raise bad("a palazzo must be an object: structure to [x, y]")
    for structure, cell in cells.items():
        _piece(structure, "palazzo", STRUCTURES)
        if not isinstance(cell, list) or len(cell) != 2 or not all(_is_place(number) for number in cell):
            raise bad(f"the cell of {structure} must be two whole numbers, [x, y]")
    places: dict[str, Cell] = {structure: (cell[0], cell[1]) for structure, cell in cells.items()}
    found = flaw(places, chosen.diagonal)
    if found is not None:
        raise bad(f"the palazzo of {seat['name'][:40]!r} {_FLAWS[found]}")
    return Palazzo(places, chosen.diagonal)


_FLAWS = {
    "cell-taken": "has two structures on one cell",
    "clashing-neighbour": "has neighbours that share neither suit nor value",
    "splits": "is not one connected group",
    "makes-a-hole": "has a hole",
}


def _is_place(number: Json) -> bool:
    return type(number) is int and abs(number) <= 2 * FARTHEST


def _turret(seat: Mapping[str, Any]) -> str | None:
    on = _value(seat, "turret", "a seat")
    if on is None:
        return None
    if _piece(on, "turret", STRUCTURES) not in seat["palazzo"]:
        raise bad(f"the turret stands on {on}, which is not in its seat's palazzo")
    return str(on)


def _closing(data: Mapping[str, Any], seats: int) -> tuple[int, ...] | None:
    closing = data.get("closing")
    if closing is None:
        return None
    if not isinstance(closing, list) or not all(type(seat) is int and 0 <= seat < seats for seat in closing):
        raise bad("'closing' must be null or the seats still to act")
    if len(closing) > seats or any((one + 1) % seats != two for one, two in pairwise(closing)):
        raise bad("'closing' must name each seat once, clockwise")
    return tuple(closing)


def _left(data: Mapping[str, Any], phase: str) -> int:
    """Return the actions left; before the first turn its one action is, whatever the data says."""
    told = _number(data, "actions_left", 1) if "actions_left" in data else int(phase == "action")
    return 1 if phase in ("setup", "deal") else told


def _awaits(data: Mapping[str, Any], phase: str) -> str:
    if phase == "setup":
        yard = data.get("yard")
        return "structure" if isinstance(yard, list) and len(yard) < YARD else "coin"
    if phase != "reveal":
        return ""
    awaits = _value(data, "awaits", "the position")
    if not isinstance(awaits, str) or awaits not in ("coin", "structure"):
        raise bad('\'awaits\' must be "coin" or "structure"')
    return awaits


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


def _check_turn(position: PiecepackPosition, turn: Mapping[str, Any]) -> None:
    """The phase has something to decide, by the seat that is named."""
    phase, seat = position.phase, turn.get("seat")
    if "seat" not in turn or type(seat) not in (int, type(None)) or seat != position.decider:
        raise bad(f"in the phase {phase} the seat that decides is {position.decider}")
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
