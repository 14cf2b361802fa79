"""The manual agrees with the rules."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tabletop.rules.palazzo import GAME
from tabletop.rules.palazzo.components import PIECES
from tabletop.rules.palazzo.phases.palazzi import points

MANUAL = (Path(__file__).resolve().parents[3] / "docs" / "palazzo.md").read_text(encoding="utf-8")


def rows(title: str) -> list[list[str]]:
    """Return the cells of the table in a section."""
    section = MANUAL.split(f"## {title}\n")[1].split("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def test_every_line_of_notation_in_the_manual_is_read_and_written_so() -> None:
    kinds = set()
    for line, *_ in rows("Notation"):
        action = GAME.parse(line.strip("`"))
        assert f"`{GAME.format(action)}`" == line
        kinds.add(action.do)
    assert kinds == set(GAME.grammar.kinds)


def test_the_manual_lists_every_option_with_its_default_first() -> None:
    told = {row[0].strip("`"): re.findall(r"`([^`]+)`", row[1]) for row in rows("Options")}
    assert list(told) == list(GAME.options)
    for name, values in GAME.options.items():
        assert told[name] == ([str(value).lower() for value in values] or ["synthetic", "unknown"])


def test_the_pieces_named_are_in_the_box() -> None:
    named = set(re.findall(r"`([A-Z]\w*\.?\w*)`", MANUAL)) - {"S", "M"}
    assert named <= set(PIECES)


@pytest.mark.parametrize(("tiles", "mixed", "pure"), [(3, 5, 8), (4, 9, 12), (5, 13, 19)])
def test_the_table_of_points(tiles: int, mixed: int, pure: int) -> None:
    one = ["B1.1", "B2.2", "B3.2", "B4.1", "B5.1"][:tiles]
    other = ["S1.1", *one[1:]]
    assert (points(tuple(other)), points(tuple(one))) == (mixed, pure)
    words = next(row for row in rows("The end") if row[0] == str(tiles))
    windows = sum(int(tile[3]) for tile in one)
    assert mixed == windows + int((re.findall(r"\d+", words[1]) or [0])[0])
    assert pure == mixed + int(words[2])
