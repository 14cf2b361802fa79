"""Positions laid out by hand: pieces that a test does not name are in the unseen stacks and the deck."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence

from tabletop.rules.game import Action, Json
from tabletop.rules.palazzo import GAME
from tabletop.rules.palazzo.components import END_TILES, MONEY
from tabletop.rules.palazzo.edition import shipped_edition
from tabletop.rules.palazzo.position import PalazzoPosition

STACKS = ("I", "II", "III")


def lay(
    seats: int = 2,
    phase: str = "action",
    seat: int | None = 0,
    active: int = 0,
    hands: Sequence[Sequence[str]] = (),
    palazzi: Sequence[Sequence[str]] = (),
    options: dict[str, Json] | None = None,
    **fields: Json,
) -> PalazzoPosition:
    """Return the position with these hands, palazzi and other fields of the protocol's data."""
    data = {
        "game": "palazzo",
        "options": options or {},
        "seats": [
            {
                "name": "ABCD"[at],
                "hand": list(hands[at]) if at < len(hands) else [],
                "palazzi": [column.split() for column in palazzi[at]] if at < len(palazzi) else [],
            }
            for at in range(seats)
        ],
        "warehouse": [],
        "quarries": [[], [], [], []],
        "architect": 1,
        "end_tiles": [],
        "discards": [],
        "box": [],
        "row": [],
        "active": active,
        "turn": {"phase": phase, "seat": seat},
        "pending": [],
        **fields,
    }
    used = set(json.dumps(data).replace('"', " ").replace(",", " ").replace("]", " ").split())
    stacks = dict(zip(STACKS, shipped_edition().stacks, strict=True))
    data.setdefault(
        "unseen",
        {
            name: [piece for piece in (*tiles, *(END_TILES if name == "III" else ())) if piece not in used]
            for name, tiles in stacks.items()
        },
    )
    data.setdefault("deck", [card for card in MONEY if card not in used])
    return GAME.load(json.loads(json.dumps(data)))


def auction(
    laid: Mapping[int, Sequence[Sequence[str]]],
    hands: Sequence[Sequence[str]],
    seat: int,
    active: int = 0,
    quarry: Sequence[str] = ("B5.1",),
    out: Sequence[int] = (),
    **more: Json,
) -> PalazzoPosition:
    """Return a position in an auction of the architect's quarry 1."""
    return lay(
        seats=len(hands),
        phase="bid",
        seat=seat,
        active=active,
        hands=hands,
        quarries=[list(quarry), [], [], []],
        auction={"laid": {str(at): acts for at, acts in laid.items()}, "out": list(out)},
        **more,
    )


def do(position: PalazzoPosition, *lines: str) -> PalazzoPosition:
    """Return the position after actions in short notation."""
    for line in lines:
        position = position.after(GAME.parse(line))
    return position


def why(position: PalazzoPosition, line: str) -> str | None:
    """Return the code with which an action in short notation is refused; None if it is legal."""
    reason = position.refusal(GAME.parse(line))
    return None if reason is None else reason.code


def lines(actions: Iterable[Action]) -> list[str]:
    """Return the actions in short notation, sorted."""
    return sorted(GAME.format(action) for action in actions)


def of(actions: Iterable[Action], kind: str) -> list[str]:
    """Return the actions of one kind in short notation, sorted."""
    return lines(action for action in actions if action.do == kind)
