"""Pictures for the manual of Palazzo for the piecepack; cells, payments and points come from the rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tabletop.rules.game import Position
from tabletop.rules.piecepack import GAME
from tabletop.rules.piecepack.components import COINS, COST, STRUCTURES
from tools.pictures.rule_pictures.drawing import DARK, LINE, Picture, box, text, verdict

SUITS = {"M": ("#dfe3e8", "moon"), "S": ("#f2d479", "sun"), "A": ("#a9c7e6", "arms"), "C": ("#d7b3d8", "crown")}
SIDE = 54
"""The size of a structure."""
Cell = tuple[int, int]
Cells = Mapping[str, Cell]


def structure(x: float, y: float, name: str) -> str:
    """Return a structure: its suit in colour and words, and its value."""
    fill, suit = SUITS[name[1]]
    value = text(x + SIDE / 2, y + 30, {"0": "null", "1": "ace"}.get(name[2], name[2]), 17)
    return box(x, y, SIDE, SIDE, fill) + value + text(x + SIDE / 2, y + 46, suit, 11)


def turret(x: float, y: float) -> str:
    """Return a pawn that stands on the edge of a structure."""
    body = f'<path d="M{x + 38:g} {y + 6:g} l7 -16 7 16z" fill="{DARK}"/>'
    return body + f'<circle cx="{x + 45:g}" cy="{y - 11:g}" r="5" fill="{DARK}"/>'


def position(seats: int, palazzi: Sequence[Cells] = (), yard: str = "", **fields: Any) -> Position:
    """Return a position at the first seat's action, changed by the fields; ``yard`` is a structure that lies there."""
    data = GAME.new(["Ada", "Ben", "Cyd", "Dan"][:seats]).to_json()
    own = fields.pop("own", {})
    for seat, cells in zip(data["seats"], palazzi, strict=False):
        seat["palazzo"] = {name: list(cell) for name, cell in cells.items()}
    data["seats"][0] |= own
    used = {name for cells in palazzi for name in cells} | {yard, *fields.get("pending", ())}
    left = [*([yard] if yard else []), *(piece for piece in STRUCTURES if piece not in used)]
    coins = [coin for coin in COINS if coin not in own.get("hand", ())]
    data |= {"yard": left[:4], "stack": left[4:], "bank": coins[:4], "coins": coins[4:], "actions_left": 1}
    data |= {"turn": {"phase": "action", "seat": 0}} | fields
    data.pop("awaits", None)
    return GAME.load(data)


def placing(cells: Cells, pending: str) -> Position:
    """Return a position in which that structure is to be placed into that palazzo."""
    return position(2, [cells], pending=[pending], actions_left=0, turn={"phase": "place", "seat": 0})


def grid(cells: Cells, left: float, top: float) -> tuple[list[str], dict[Cell, tuple[float, float]]]:
    """Return a palazzo with its highest row at the top, and the place of each cell in it and around it."""
    columns, rows = zip(*cells.values(), strict=True)
    places = {
        (x, y): (left + SIDE * (x - min(columns) + 1), top + SIDE * (max(rows) + 1 - y))
        for x in range(min(columns) - 1, max(columns) + 2)
        for y in range(min(rows) - 1, max(rows) + 2)
    }
    return [structure(*places[cell], name) for name, cell in cells.items()], places


def building() -> Picture:
    """Return three moons with marks where a sun 2 may be built."""
    cells = {"TM1": (0, 0), "TM2": (1, 0), "TM3": (2, 0)}
    new = "TS2"
    here = placing(cells, new)
    parts, places = grid(cells, 90, 10)
    parts += [structure(16, 64, new), text(43, 134, "new", 12)]
    for cell, (x, y) in places.items():
        beside = any(abs(cell[0] - other[0]) + abs(cell[1] - other[1]) == 1 for other in cells.values())
        if beside and cell not in cells.values():
            legal = here.refusal(GAME.parse(f"build {new} at {cell[0]},{cell[1]}")) is None
            parts.append(box(x + 3, y + 3, SIDE - 6, SIDE - 6, "none", 'stroke-dasharray="3 4"'))
            parts.append(verdict(x + SIDE / 2, y + 34, legal))
    return Picture("piecepack-building", 380, 184, "A sun 2 goes only beside the moon 2, whose value it shares", parts)


def hole() -> Picture:
    """Return a ring that must not be closed."""
    cells = {
        "TM1": (0, 0), "TM2": (1, 0), "TM3": (2, 0), "TS3": (2, 1), "TA3": (2, 2), "TA2": (1, 2), "TA1": (0, 2),
    }  # fmt: skip
    new, cell = "TS1", (0, 1)
    refusal = placing(cells, new).refusal(GAME.parse(f"build {new} at {cell[0]},{cell[1]}"))
    assert refusal is not None
    parts, places = grid(cells, 36, -44)
    x, y = places[cell]
    inside = places[(1, 1)]
    parts += [structure(16, 64, new), text(43, 134, "new", 12)]
    parts += [
        box(x + 3, y + 3, SIDE - 6, SIDE - 6, "none", 'stroke-dasharray="3 4"'),
        verdict(x + SIDE / 2, y + 34, False),
    ]
    parts.append(text(inside[0] + SIDE / 2, inside[1] + 26, "would be", 11))
    parts.append(text(inside[0] + SIDE / 2, inside[1] + 40, "cut off", 11))
    return Picture("piecepack-hole", 270, 184, "The ring may not be closed: the cell inside would be cut off", parts)


def payment() -> Picture:
    """Return payments of coins and die, and what they buy."""
    parts, bought = [], "TM4"
    for row, pay in enumerate((("DM5", "DM4"), ("DM4", "die"), ("DM5", "DS5"))):
        y, coins = 12 + 66 * row, [coin for coin in pay if coin != "die"]
        after = position(2, yard=bought, own={"hand": coins}).after(
            GAME.parse(f"purchase {bought} with {'+'.join(pay)}")
        )
        exact = after.phase == "action"
        parts.append(structure(16, y, bought))
        for at, paid in enumerate(pay):
            x, face = 104 + 44 * at, "5" if paid == "die" else paid[2]
            coin = f'<circle cx="{x}" cy="{y + 27}" r="18" fill="#e7c76a" stroke="{LINE}"/>'
            parts += [box(x - 17, y + 10, 34, 34, "#fff") if paid == "die" else coin, text(x, y + 33, face, 16)]
        words = "exactly: one more action" if exact else "too much: no change"
        parts.append(text(190, y + 32, f"It costs {COST[bought]}, paid {words}", anchor="start"))
    return Picture("piecepack-payment", 480, 212, "Paying exactly earns one more action", parts)


def scoring() -> Picture:
    """Return the observatories of four seats, the first with its turret on one, and their points."""
    palazzi = [{"TM0": (0, 0), "TM1": (1, 0)}, {"TM2": (0, 0), "TM3": (1, 0)}, {"TM4": (0, 0)}, {"TM5": (0, 0)}]
    here = position(4, palazzi, own={"turret": "TM0"})
    parts = []
    for seat, (name, score) in enumerate(zip(here.names, here.score(), strict=True)):
        x = 16 + 140 * seat
        parts += [structure(x + SIDE * column, 46, piece) for piece, (column, _) in palazzi[seat].items()]
        points = score.parts[0]["points"]
        parts += [text(x, 24, name, anchor="start"), text(x, 126, f"observatories: {points}", anchor="start")]
    parts.append(turret(16, 46))
    return Picture(
        "piecepack-scoring", 560, 142, "Two observatories and the turret, two, one and one: 9, 4, 1, 1", parts
    )


def pictures() -> Iterator[Picture]:
    """Yield the pictures of the manual."""
    for draw in (building, hole, payment, scoring):
        yield draw()
