"""Positions for tests, written as differences from a plain one."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence

from tabletop.rules.game import Json
from tabletop.rules.piecepack import GAME
from tabletop.rules.piecepack.components import COINS, STRUCTURES
from tabletop.rules.piecepack.position import PiecepackPosition


def board(
    hand: Sequence[str] = (),
    palazzo: Mapping[str, Sequence[int]] | None = None,
    reserve: Sequence[str] = (),
    other: dict[str, Json] | None = None,
    **fields: Json,
) -> PiecepackPosition:
    """Return a position in ``action`` for seat 0 of two; pieces not named are in yard, bank, pool and stack.

    ``other``: fields of seat 1.
    """
    seats = [
        {
            "name": "Ada",
            "hand": list(hand),
            "die": 5,
            "turret": None,
            "palazzo": palazzo or {},
            "reserve": list(reserve),
        },
        {"name": "Ben", "hand": [], "die": 5, "turret": None, "palazzo": {}, "reserve": [], **(other or {})},
    ]
    for name in ("die", "turret"):
        if name in fields:
            seats[0][name] = fields.pop(name)
    data = {
        "game": "piecepack",
        "options": fields.pop("options", {}),
        "seats": seats,
        "discards": [],
        "pending": [],
        "active": 0,
        "closing": None,
        "actions_left": 1,
        "turn": {"phase": "action", "seat": 0},
        **copy.deepcopy(fields),
    }
    used = {piece for seat in seats for key in ("hand", "reserve", "palazzo") for piece in seat[key]}
    used |= {piece for key in ("yard", "bank", "coins", "stack", "discards", "pending") for piece in data.get(key, ())}
    for zone, pieces, size in (
        ("bank", COINS, 4),
        ("coins", COINS, 24),
        ("yard", STRUCTURES, 4),
        ("stack", STRUCTURES, 24),
    ):
        if zone not in data:
            data[zone] = [piece for piece in pieces if piece not in used][:size]
            used.update(data[zone])
    return GAME.load(data)


def do(position: PiecepackPosition, *texts: str) -> PiecepackPosition:
    """Return the position after these actions in short notation."""
    for text in texts:
        position = position.after(GAME.parse(text))
    return position


def code(position: PiecepackPosition, text: str) -> str | None:
    """Return the code with which an action in short notation is refused; None if it is legal."""
    refusal = position.refusal(GAME.parse(text))
    return refusal.code if refusal else None


def legal(position: PiecepackPosition, *kinds: str) -> set[str]:
    """Return the legal actions in short notation, of these kinds or all."""
    return {GAME.format(action) for action in position.legal if not kinds or action.do in kinds}
