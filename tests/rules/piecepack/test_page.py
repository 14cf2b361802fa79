"""The manual page agrees with the code."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tabletop.rules.game import Json
from tabletop.rules.piecepack import GAME
from tabletop.rules.piecepack.actions import Build
from tabletop.rules.piecepack.phases.reasons import MEANINGS
from tests.rules.piecepack.board import board, code

PAGE = (Path(__file__).parents[3] / "docs" / "piecepack.md").read_text(encoding="utf-8")


def test_the_table_of_codes_is_complete() -> None:
    assert dict(re.findall(r"^\| `([a-z-]+)` \| (.+) \|$", PAGE.split("## Why")[1], re.M)) == dict(MEANINGS)


def test_the_table_of_options_is_complete_with_the_defaults_first() -> None:
    rows = re.findall(r"^\| `(\w+)` \| ([^|]+) \|", PAGE.split("## Options")[1].split("##")[0], re.M)
    assert {name: values.split(",")[0].strip() for name, values in rows} == {
        name: str(choices[0]).lower() for name, choices in GAME.options.items() if name != "first_seat"
    } | {"first_seat": "0 …"}


def test_every_line_of_the_notation_can_be_read() -> None:
    lines = re.findall(
        r"`([^`…]+)`", "".join(re.findall(r"^\|(.+?)\|", PAGE.split("## Notation")[1].split("##")[0], re.M))
    )
    assert len(lines) > 10
    assert [GAME.format(GAME.parse(line)) for line in lines] == lines


def test_the_example_of_a_sun_two() -> None:
    place: dict[str, Json] = {"pending": ["TS2"], "actions_left": 0, "turn": {"phase": "place", "seat": 0}}
    position = board(palazzo={"TM1": [0, 0], "TM2": [1, 0], "TM3": [2, 0]}, **place)
    assert {action.at for action in position.legal if isinstance(action, Build)} == {(1, 1), (1, -1)}


@pytest.mark.parametrize("structure", ["TS1", "TM0"])
def test_the_example_of_a_hole(structure: str) -> None:
    ring = {"TM1": [0, 0], "TM2": [1, 0], "TM3": [2, 0], "TS3": [2, 1], "TA3": [2, 2], "TA2": [1, 2], "TA1": [0, 2]}
    position = board(palazzo=ring, pending=[structure], actions_left=0, turn={"phase": "place", "seat": 0})
    assert (
        code(position, f"build {structure} at 0,1") == {"TS1": "makes-a-hole", "TM0": "clashing-neighbour"}[structure]
    )
