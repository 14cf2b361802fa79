"""The small files beside the games may hold anything: a table starts without them, a tournament names them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tabletop.bots.tournament.tournament_folder import OtherTournament, ResultFile, tournament_in
from tabletop.config import Config
from tabletop.match import store
from tabletop.service.starts import Starts, StartsFile
from tabletop.setup.draft import Draft
from tabletop.web.seating import seats_file
from tabletop.web.seating.seats_file import KeptSeats

DEEP = "[" * 100_000
"""More brackets than Python's JSON parser can follow."""
ENDLESS = '{"failed": 1e999, "why": "", "asked": false, "holders": {}, "names": {}, "hosts": [], "deputed": [1e999]}'
"""JSON with numbers that are not finite."""


@pytest.mark.parametrize("text", [DEEP, ENDLESS])
@pytest.mark.parametrize(
    ("name", "read", "otherwise"),
    [
        ("starts.json", lambda path: StartsFile(path.parent).read(), Starts()),
        ("seats.json", lambda path: seats_file.load(path, range(3)), KeptSeats()),
        ("seats.json", seats_file.every_name, []),
        (store.OVER_FILE, lambda path: store.unfinished(path.parent), None),
        ("setup.json", lambda path: Draft.read(path, Config()), Draft.of(Config())),
    ],
)
def test_a_file_of_the_table_that_cannot_be_read_counts_as_absent(
    tmp_path: Path, name: str, read: Callable[[Path], Any], otherwise: object, text: str
) -> None:
    """Whatever such a file holds, the table and its safe mode start as if it were missing."""
    (tmp_path / name).write_text(text)
    assert read(tmp_path / name) == otherwise


@pytest.mark.parametrize(
    ("name", "read"),
    [
        ("tournament.json", lambda path: tournament_in(path.parent)),
        ("results.jsonl", lambda path: ResultFile(path).read()),
    ],
)
def test_a_file_of_a_tournament_that_cannot_be_read_is_named(
    tmp_path: Path, name: str, read: Callable[[Path], Any]
) -> None:
    """A tournament's file that cannot be read is named in the error, so that an export can go on with other games."""
    (tmp_path / name).write_text(DEEP + "\n")
    with pytest.raises(OtherTournament, match=name):
        read(tmp_path / name)
