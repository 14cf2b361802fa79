"""Entering a table's own edition: which of I, II and III is printed on the back of each tile."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from tabletop.rules.edition import EditionFault, Enrolment, toml_string
from tabletop.rules.game import Illegal
from tabletop.rules.palazzo.components import MATERIALS, STACKS, TILES
from tabletop.rules.palazzo.edition import check
from tabletop.rules.palazzo.options import MAX_NAME_LENGTH, UNKNOWN_STACKS

ANSWER_HELP = "I, II or III, as on its back (1, 2 and 3 will do)"


def stack(answer: str) -> str:
    """Return the stack that an answer names.  Raises ValueError with a sentence if it names none."""
    text = answer.strip().upper()
    if text in ("1", "2", "3"):
        return STACKS[int(text) - 1]
    if text not in STACKS:
        raise ValueError(f"{answer.strip()[:40]!r} is not a stack; answer {ANSWER_HELP}.")
    return text


def entered_stacks(data: Mapping[str, Any]) -> dict[str, str]:
    """Return the stack of each tile that an unfinished edition lists exactly once."""
    table = data.get("stacks")
    lists = {name: table.get(name) for name in STACKS} if isinstance(table, dict) else {}
    named = [(tile, name) for name, tiles in lists.items() if isinstance(tiles, list) for tile in tiles]
    return {
        tile: name
        for tile, name in named
        if isinstance(tile, str) and tile in TILES and sum(tile == other for other, _ in named) == 1
    }


def to_toml(name: str, answers: Mapping[str, str]) -> str:
    """Return the text of an edition file with these tiles in their stacks; some tiles may still be missing."""
    return "\n".join(_lines(name, answers)) + "\n"


def faults(data: Mapping[str, Any], _seats: int | None) -> list[EditionFault]:
    """Return the first constraint that an edition breaks, if there is one."""
    try:
        check(data)
    except Illegal as error:
        return [EditionFault("stacks", "stacks", error.message)]
    return []


def _lines(name: str, answers: Mapping[str, str]) -> Iterator[str]:
    short = name[:MAX_NAME_LENGTH]
    yield "# Which tile of Palazzo belongs to which stack, entered at a table."
    yield from (
        'game = "palazzo"',
        f"name = {toml_string('own' if short in ('', UNKNOWN_STACKS) else short)}",
        "synthetic = false",
    )
    yield from ("", "[stacks]")
    for number in STACKS:
        yield f"{number} = ["
        for material in MATERIALS:
            tiles = [tile for tile in TILES if tile[0] == material and answers.get(tile) == number]
            if tiles:
                yield f"  {', '.join(json.dumps(tile) for tile in tiles)},"
        yield "]"


def _words(tile: str) -> str:
    material, floor, windows = TILES[tile][1:]
    return f"{MATERIALS[material]}, floor {floor}, {windows} window{'s' * (windows > 1)}"


ENROLMENT = Enrolment(
    pieces={tile: _words(tile) for tile in TILES},
    kind="tile",
    answers=ANSWER_HELP,
    single=False,
    normal=stack,
    entered=entered_stacks,
    to_toml=to_toml,
    table="stacks",
    faults=faults,
)
"""Asks for the stack of each of the 48 tiles; the end tiles always belong to III."""
