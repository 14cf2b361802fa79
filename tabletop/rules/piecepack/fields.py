"""A position as data: how each field is shown and read, and who may know it.

The coins of a hand are known to their seat alone, and of the face-down coins and structures only the number is known;
all else lies open.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import pairwise

from tabletop.messages import N_
from tabletop.rules import validate
from tabletop.rules.codec import NAME, SEAT, Codec, PositionDraft, each, number, optional, pieces, word
from tabletop.rules.fields import TURN, Data, Field
from tabletop.rules.game import Json, Policy
from tabletop.rules.grammar import MAX_CELL
from tabletop.rules.layout import Cell
from tabletop.rules.piecepack.building.palazzo import PiecepackPalazzo, flaw
from tabletop.rules.piecepack.components import COINS, INITIAL_DIE, STRUCTURES, ordered
from tabletop.rules.validate import bad, must
from tabletop.rules.value import Ids

FLAWS = {
    "cell-taken": N_("{where} has two structures on one cell"),
    "clashing-neighbour": N_("{where} has neighbours that share neither suit nor value"),
    "splits": N_("{where} is not one connected group"),
    "makes-a-hole": N_("{where} has a hole"),
}


def _in_order(ids: Iterable[str]) -> Ids:
    return ordered(*ids)


_COINS, _STRUCTURES = pieces(COINS, _in_order), pieces(STRUCTURES, _in_order)
_CELL = each(number(range(-2 * MAX_CELL, 2 * MAX_CELL + 1)), 2)
_AWAITED = word(("coin", "structure"))


def _read_palazzo(data: Json, where: str, draft: PositionDraft) -> PiecepackPalazzo:
    cells = validate.table(data, where)
    _STRUCTURES.read([*cells], where, draft)
    places: dict[str, Cell] = {}
    for structure, cell in cells.items():
        x, y = _CELL.read(cell, validate.within(structure, where), draft)
        places[structure] = (x, y)
    fault = flaw(places, draft.options.diagonal)
    if fault is not None:
        raise bad(FLAWS[fault], where=where)
    return PiecepackPalazzo(places, draft.options.diagonal)


def _read_closing(data: Json, where: str, draft: PositionDraft) -> tuple[int, ...]:
    seats: tuple[int, ...] = each(SEAT).read(data, where, draft)
    clockwise = all((one + 1) % draft.seats == two for one, two in pairwise(seats))
    must(clockwise and len(seats) <= draft.seats, "{where} must name each seat once, clockwise", where=where)
    return seats


def _read_left(data: Json, where: str, draft: PositionDraft) -> int:
    """Return the number of actions left; before the first turn it is 1, whatever the data says."""
    left = validate.number(int(draft.phase == "action") if data is None else data, where, range(2))
    return 1 if draft.phase in ("setup", "deal") else left


SEAT_FIELDS: Mapping[str, Field] = {
    "name": Field(Policy.ALL, NAME, "names"),
    "hand": Field(Policy.OWNER, _COINS, lambda state, seat: state.purses[seat].coins),
    "die": Field(Policy.ALL, number(range(INITIAL_DIE + 1)), lambda state, seat: state.purses[seat].die),
    "turret": Field(Policy.ALL, optional(word(STRUCTURES)), "turrets"),
    "palazzo": Field(Policy.ALL, Codec(_read_palazzo, PiecepackPalazzo.to_json), "palazzi"),
    "reserve": Field(Policy.ALL, _STRUCTURES, "reserves"),
}
"""The fields of a seat in a position."""

FIELDS: Mapping[str, Field] = {
    "yard": Field(Policy.ALL, _STRUCTURES),
    "bank": Field(Policy.ALL, _COINS),
    "coins": Field(Policy.COUNT, _COINS),
    "discards": Field(Policy.ALL, _COINS),
    "stack": Field(Policy.COUNT, _STRUCTURES),
    "active": Field(Policy.ALL, SEAT),
    "actions_left": Field(Policy.ALL, Codec(_read_left), "left", absent=None),
    "pending": Field(Policy.ALL, _STRUCTURES, absent=[]),
    "closing": Field(Policy.ALL, optional(Codec(_read_closing, list)), absent=None, nullable=True),
    "turn": TURN,
    "awaits": Field(Policy.ALL, Codec(_AWAITED.read, lambda awaits: awaits or None), phases=("reveal",)),
}
"""Every field except the game, its options and the seats, in the order of the data."""

DATA = Data("piecepack", SEAT_FIELDS, FIELDS)
