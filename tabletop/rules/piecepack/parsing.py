"""Actions from JSON and from the short notation: the kind, then its words (``build TM3 at 1,-2``).

Only what can be told without a position is checked here: the kind, the keys, that pieces exist.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from tabletop.rules.actions import Data, Deal, bad, known, many, read, seat, value
from tabletop.rules.game import Illegal
from tabletop.rules.layout import Cell
from tabletop.rules.piecepack.actions import (
    COIN,
    KEEP,
    PASS,
    REMOVE,
    REVEAL,
    TURRET,
    Build,
    Pass,
    PiecepackAction,
    Purchase,
    Reserve,
    Turret,
)
from tabletop.rules.piecepack.components import PIECES, ordered
from tabletop.rules.text.notation import join, split

FARTHEST = 1_000_000
"""Cells; a palazzo of 24 structures needs fewer, wherever its first one was laid."""
DIE = "die"
"""How the die is called among the coins of a payment."""
KINDS = ("add", "remove", "exchange")


def action_from_json(data: Any) -> PiecepackAction:
    """Return the action that the protocol's form describes.

    Raises Illegal: ``bad-request``, ``unknown-action``, ``unknown-piece``.
    """
    return read(data, READERS)


def format_action(action: PiecepackAction) -> str:
    """Return the short notation of the action."""
    match action:
        case Deal(seat, cards):
            return f"deal {seat} {join(cards)}"
        case Purchase(structure, pay, die):
            return f"purchase {structure} with {join((*pay, DIE) if die else pay)}"
        case Reserve(kind, structure, at, swap):
            return f"{kind} {structure}{'' if swap is None else f' for {swap}'}{'' if at is None else _at(at)}"
        case Build(structure, at):
            return f"build {structure}{_at(at)}"
        case Turret(on):
            return f"turret on {on}"
        case Pass():
            return "pass"
        case _:
            return f"{action.do} {action[0]}"


def _at(cell: Cell) -> str:
    return f" at {cell[0]},{cell[1]}"


def parse_action(text: str) -> PiecepackAction:
    """Return the action that the short notation describes.  Raises Illegal (``bad-request``)."""
    for pattern, build in _NOTATION:
        found = pattern.fullmatch(text)
        if found:
            try:
                return action_from_json(build(found))
            except Illegal as error:
                raise bad(error.message) from error
    raise bad(f"{text[:60]!r} is no action; write for example: build TM3 at 1,0.")


def _reserve(data: Data) -> Reserve:
    kind = value(data, "kind")
    if not isinstance(kind, str):
        raise bad("reserve needs its kind: add, remove or exchange.")
    if kind not in KINDS:
        raise Illegal("unknown-action", "A use of the reserve is an add, a remove or an exchange.", "A turn 2: reserve")
    structure = _piece(data, "structure")
    if kind == "remove":
        return REMOVE.get(structure, Reserve(kind, structure))
    if kind == "add":
        return Reserve(kind, structure, _cell(data))
    return Reserve(kind, structure, _cell(data) if "at" in data else None, _piece(data, "for"))


def _purchase(data: Data) -> Purchase:
    structure, pay, die = _piece(data, "structure"), _pieces(data, "pay"), value(data, "die")
    if not isinstance(die, bool):
        raise bad("die must be true or false.")
    return Purchase(structure, pay, die)


def _one(key: str, made: Mapping[str, Any]) -> Callable[[Data], Any]:
    """Return the reader of a kind that names one piece: ready-made where it can be legal, else made on the spot."""
    make = type(next(iter(made.values())))

    def read(data: Data) -> Any:
        piece = _piece(data, key)
        return made[piece] if piece in made else make(piece)

    return read


READERS: Mapping[str, Callable[[Data], PiecepackAction]] = {
    "reveal": _one("piece", REVEAL),
    "deal": lambda data: Deal(seat(data), _pieces(data, "cards")),
    "coin": _one("coin", COIN),
    "reserve": _reserve,
    "turret": _one("on", TURRET),
    "purchase": _purchase,
    "pass": lambda _: PASS,
    "build": lambda data: Build(_piece(data, "structure"), _cell(data)),
    "keep": _one("structure", KEEP),
}

_P = r"(\w{1,20})"
_LIST = r"((?:\w{1,20}\+){0,99}\w{1,20}|-)"
_AT = r" at (0|-?[1-9]\d{0,9}),(0|-?[1-9]\d{0,9})"


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text, re.ASCII)


_NOTATION: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], dict[str, Any]]], ...] = (
    (_pattern(f"reveal {_P}"), lambda m: {"do": "reveal", "piece": m[1]}),
    (
        _pattern(rf"deal (0|[1-9]\d{{0,2}}) {_LIST}"),
        lambda m: {"do": "deal", "seat": int(m[1]), "cards": split(m[2])},
    ),
    (_pattern(f"coin {_P}"), lambda m: {"do": "coin", "coin": m[1]}),
    (_pattern(f"add {_P}{_AT}"), lambda m: _act("add", m[1], m[2], m[3])),
    (_pattern(f"remove {_P}"), lambda m: _act("remove", m[1])),
    (_pattern(f"exchange {_P} for {_P}(?:{_AT})?"), lambda m: {**_act("exchange", m[1], m[3], m[4]), "for": m[2]}),
    (_pattern(f"turret on {_P}"), lambda m: {"do": "turret", "on": m[1]}),
    (_pattern(f"purchase {_P} with {_LIST}"), lambda m: _buy(m[1], split(m[2]))),
    (_pattern("pass"), lambda _: {"do": "pass"}),
    (_pattern(f"build {_P}{_AT}"), lambda m: {**_act("", m[1], m[2], m[3]), "do": "build"}),
    (_pattern(f"keep {_P}"), lambda m: {"do": "keep", "structure": m[1]}),
)


def _buy(structure: str, means: list[str]) -> dict[str, Any]:
    die = means[-1:] == [DIE]
    return {"do": "purchase", "structure": structure, "pay": means[:-1] if die else means, "die": die}


def _act(kind: str, structure: str, x: str | None = None, y: str | None = None) -> dict[str, Any]:
    at = {} if x is None or y is None else {"at": [int(x), int(y)]}
    return {"do": "reserve", "kind": kind, "structure": structure, **at}


def _piece(data: Data, key: str) -> str:
    return known(value(data, key), key, PIECES)


def _pieces(data: Data, key: str) -> tuple[str, ...]:
    return ordered(*many(data, key, PIECES))


def _cell(data: Data) -> Cell:
    cell = value(data, "at")
    if not isinstance(cell, list) or len(cell) != 2 or not all(type(number) is int for number in cell):
        raise bad("at must be two whole numbers, [x, y].")
    if any(abs(number) > FARTHEST for number in cell):
        raise bad(f"at must lie within {FARTHEST:,} cells.")
    return (cell[0], cell[1])
