"""Golden records: each exception of each game occurs in one, and each replays to the same result."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tabletop.rules.text.record_text import SCHEMA, format_record, parse_record
from tabletop.rules.text.replay import replay
from tests.rules.golden.counting import count_games, count_leaves
from tests.rules.golden.exceptions import EXCEPTIONS
from tests.rules.golden.make import positions, shown
from tests.rules.golden.starts import TREES

HERE = Path(__file__).parent / "golden"
FILES = sorted(HERE.glob("*.txt"))
COUNTS = json.loads((HERE / "counts.json").read_text(encoding="utf-8"))
WHOLE = json.loads((HERE / "trees.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_golden_record_replays_with_every_check(file: Path) -> None:
    """A golden record replays with all checks; if it does not, the rules have changed and so must their version."""
    text = file.read_text(encoding="utf-8")
    one = parse_record(text)
    assert format_record(one) == text
    assert len(list(replay(one))) == sum(line.kind == "action" for line in one.lines) > 0


@pytest.mark.parametrize("name", sorted(EXCEPTIONS))
def test_every_exception_is_shown_by_a_golden_record(name: str) -> None:
    shows = [
        shown(name, parse_record(file.read_text(encoding="utf-8"))) for file in FILES if file.stem.startswith(name)
    ]
    assert set().union(*shows) == set(EXCEPTIONS[name])


def test_the_released_schema_has_golden_records() -> None:
    schemas = {
        line for file in FILES for line in file.read_text(encoding="utf-8").split("\n") if line.startswith("schema: ")
    }
    assert schemas >= {f"schema: {schema}" for schema in range(1, SCHEMA + 1)}


@pytest.mark.parametrize(("title", "place", "depth", "count"), [row for rows in COUNTS.values() for row in rows])
def test_the_numbers_of_action_sequences_have_not_changed(title: str, place: int, depth: int, count: int) -> None:
    assert count_leaves(positions(title)[place], depth) == count


@pytest.mark.parametrize(("title", "place", "count"), [row for rows in WHOLE.values() for row in rows])
def test_the_numbers_of_whole_games_have_not_changed(title: str, place: int, count: int) -> None:
    start = next((starts[title] for starts in TREES.values() if title in starts), None)
    assert count_games(start() if start is not None else positions(title)[place]) == count
