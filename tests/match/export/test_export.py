"""Played games are exported as the same tables in every format, whatever else is in the folder."""

from __future__ import annotations

import csv
import json
import random
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from tabletop.bots.bot import Budget
from tabletop.bots.tournament.games import GameResult, Tournament, play
from tabletop.bots.tournament.tournament_folder import KeptTournament
from tabletop.cli import main
from tabletop.match import store
from tabletop.match.event import EventKind, Fact, Source
from tabletop.match.export.tables import TABLES
from tabletop.rules import registry
from tabletop.rules.text.record_text import format_record, parse_record
from tabletop.rules.text.recorder import seen_by

TOURNAMENT = Tournament("piecepack", ("thrifty", "random"), 2, 7, Budget(playouts=4))
Table = list[dict[str, Any]]


@pytest.fixture(scope="module")
def results() -> list[GameResult]:
    """The games of a tournament."""
    return [play(TOURNAMENT, number) for number in range(TOURNAMENT.games)]


@pytest.fixture
def folder(tmp_path: Path, results: list[GameResult]) -> Path:
    """A folder with a tournament in it."""
    kept = KeptTournament(tmp_path / "played" / "cup", TOURNAMENT, frames=False)
    for one in results:
        kept.add(one)
    return tmp_path / "played"


def export(folder: Path, *more: str) -> Result:
    return CliRunner().invoke(main, ["export", str(folder), "--out", str(folder.parent / "out"), *more])


def lines(folder: Path, table: str) -> Table:
    """Return the rows of a table as written in JSON Lines."""
    return [json.loads(line) for line in (folder.parent / "out" / f"{table}.jsonl").read_text("utf-8").splitlines()]


def test_a_tournament_becomes_three_tables(folder: Path, results: list[GameResult]) -> None:
    """Each game is exported with its seats, their bots, points and ranks, and all its actions in order."""
    done = export(folder, "--format", "jsonl")
    assert done.exit_code == 0, done.output
    games, seats, actions = (lines(folder, table) for table in TABLES)
    assert [one["game_id"] for one in games] == ["cup/records/00001.txt", "cup/records/00002.txt"]
    assert [(one["source"], one["seed"], one["budget"], one["over"]) for one in games] == [
        ("tournament", 7, "4 playouts", True)
    ] * 2
    assert [one["bot"] for one in seats] == ["thrifty", "random", "random", "thrifty"]
    assert [one["points"] for one in seats] == [points for one in results for points in one.scores]
    assert [one["rank"] for one in seats] == [rank for one in results for rank in one.ranks]
    assert sum(one["win"] for one in seats) == 2
    for game in games:
        own = [one for one in actions if one["game_id"] == game["game_id"]]
        assert [one["number"] for one in own] == list(range(1, game["actions"] + 1))
        assert sum(one["seat"] is not None for one in own) == game["decisions"]
    rules = registry.game("piecepack")
    assert all(rules.parse(one["action"]) == rules.action(json.loads(one["data"])) for one in actions)


def test_csv_has_the_values_of_json_lines(folder: Path) -> None:
    """CSV has the values of JSON Lines as text, and empty cells for unknown values."""
    assert export(folder, "--format", "jsonl", "--format", "csv").exit_code == 0
    for table, columns in TABLES.items():
        told = lines(folder, table)
        with (folder.parent / "out" / f"{table}.csv").open(encoding="utf-8", newline="") as file:
            rows = [*csv.DictReader(file)]
        assert [*rows[0]] == [*told[0]] == [column.name for column in columns]
        for row, one in zip(rows, told, strict=True):
            texts = [value if isinstance(value, str) else json.dumps(value) for value in one.values()]
            assert [*row.values()] == ["" if text == "null" else text for text in texts]


def test_the_description_of_by_names_every_source_of_an_action() -> None:
    """The description of ``by`` names every source of an action: all but the table, which makes undos only."""
    (by,) = (column.about for column in TABLES["actions"] if column.name == "by")
    assert set(re.split(", | or ", by.removeprefix("match: "))) == set(Source) - {Source.TABLE}


def test_no_name_is_run_as_a_formula_by_a_spreadsheet(tmp_path: Path) -> None:
    """In CSV, a player's name that looks like a formula is quoted, because somebody else opens it in a spreadsheet."""
    (tmp_path / "games").mkdir()
    store.start(tmp_path / "games", registry.game("palazzo"), ["=1+1", "@Ben"], 1_000_000.0)[0].close()
    assert export(tmp_path / "games", "--format", "jsonl", "--format", "csv").exit_code == 0
    with (tmp_path / "out" / "seats.csv").open(encoding="utf-8", newline="") as file:
        assert [row["name"] for row in csv.DictReader(file)] == ["'=1+1", "'@Ben"]
    assert [row["name"] for row in lines(tmp_path / "games", "seats")] == ["=1+1", "@Ben"]


def test_parquet_has_the_values_of_json_lines(folder: Path) -> None:
    """Each Parquet column has the declared type and its meaning as metadata, and the same values as JSON Lines."""
    parquet = pytest.importorskip("pyarrow.parquet", reason="the extra data is not installed")
    assert export(folder, "--format", "jsonl", "--format", "parquet").exit_code == 0
    for table, columns in TABLES.items():
        found = parquet.read_table(folder.parent / "out" / f"{table}.parquet")
        assert found.to_pylist() == lines(folder, table)
        assert [field.metadata[b"about"].decode() for field in found.schema] == [column.about for column in columns]


def test_a_game_scored_from_photographs_has_the_points_they_show(tmp_path: Path) -> None:
    seats = [
        {"seat": seat, "points": points, "sure": True, "palazzi": [], "parts": []}
        for seat, points in ((0, 17), (1, 31))
    ]
    store.keep(tmp_path / "games", registry.game("palazzo"), ["Ada", "Ben"], 1e6, {"seats": seats, "doubts": []})
    assert export(tmp_path / "games", "--format", "jsonl").exit_code == 0
    told = [(one["points"], one["rank"], one["win"], one["lead"]) for one in lines(tmp_path / "games", "seats")]
    assert told == [(17, 2, 0.0, -14), (31, 1, 1.0, 14)]


def test_a_match_is_exported_with_the_time_and_source_of_each_action(tmp_path: Path) -> None:
    """A match is exported with the time and the source of each action, without actions that were undone."""
    game, chance = registry.game("palazzo"), random.Random(1)
    journal, match = store.start(tmp_path / "games", game, ["Ada", "Ben"], 1_000_000.0)
    position = match.position
    while position.decider is None:
        action = game.draw(position, chance)
        journal.append([Fact(EventKind.ACTION, action.to_json(), None, Source.CAMERA, 1_000_030.0)])
        position = position.after(action)
    done = position.decider
    for text in ("money", "build"):
        fact = Fact(EventKind.ACTION, game.parse(text).to_json(), done, Source.PAGE, 1_000_060.0)
        (last,) = journal.append([fact])
        if text == "money":
            journal.append([Fact(EventKind.UNDO, {"to": last.number - 1}, None, Source.BUTTON, 1_000_061.0)])
    journal.close()
    assert export(tmp_path / "games", "--format", "jsonl").exit_code == 0
    (one,) = lines(tmp_path / "games", "games")
    assert (one["source"], one["started"], one["minutes"], one["over"]) == ("match", "1970-01-12T13:46:40Z", 1.0, False)
    *_, last_one = lines(tmp_path / "games", "actions")
    assert (last_one["do"], last_one["by"], last_one["time"]) == ("build", "page", "1970-01-12T13:47:40Z")
    assert [one["seat"] for one in lines(tmp_path / "games", "actions")].count(done + 1) == 1


def test_files_that_are_not_games_are_named_and_left_out(folder: Path, results: list[GameResult]) -> None:
    """Files that are not games are named and left out, the others are exported, and the status is 1."""
    (folder / "notes.txt").write_text("buy bread\n")
    (folder / "broken.txt").write_bytes(b"\xff\xfe")
    (folder / "broken.tabletop").write_bytes(b"SQLite format 3\0" + bytes(200))
    (folder / "mine.txt").write_text(format_record(seen_by(parse_record(results[0].record), 0)))
    done = export(folder, "--format", "jsonl")
    assert done.exit_code == 1
    assert "Traceback" not in done.output
    assert "mine.txt is left out: It is what one seat saw" in done.output
    assert done.output.count("is left out: ") == 4
    assert len(lines(folder, "games")) == 2


def test_file_names_may_contain_bytes_that_are_not_text(folder: Path, results: list[GameResult]) -> None:
    (folder / "\udcff.txt").write_text(results[0].record)
    assert export(folder, "--format", "jsonl", "--format", "csv").exit_code == 0
    assert [one["game_id"] for one in lines(folder, "games")][-1] == "?.txt"


@pytest.mark.parametrize("name", ["00001", "00009", "²"])
def test_a_foreign_record_in_a_tournaments_folder_is_a_plain_record(folder: Path, name: str) -> None:
    """A foreign record in a tournament's folder is exported as a record, and its seats are not taken for the bots."""
    others = play(replace(TOURNAMENT, levels=("random",) * 3), 0)
    (folder / "cup" / "records" / f"{name}.txt").write_text(others.record)
    assert export(folder, "--format", "jsonl").exit_code == 0
    (other,) = (one for one in lines(folder, "games") if one["seats"] == 3)
    assert (other["source"], other["seed"]) == ("record", None)
    assert {one["bot"] for one in lines(folder, "seats") if one["game_id"] == other["game_id"]} == {None}


def test_a_seed_too_large_for_parquet_is_left_out_there(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow", reason="the extra data is not installed")
    endless = replace(TOURNAMENT, seed=10**30, games=1)
    KeptTournament(tmp_path / "cup", endless, frames=False).add(play(endless, 0))
    assert export(tmp_path / "cup", "--format", "jsonl", "--format", "parquet").exit_code == 0
    assert [one["seed"] for one in lines(tmp_path / "cup", "games")] == [10**30]


def test_a_folder_without_games_leaves_older_tables_unchanged(folder: Path, tmp_path: Path) -> None:
    assert export(folder).exit_code == 0
    before = (tmp_path / "out" / "games.csv").read_bytes()
    (tmp_path / "empty").mkdir()
    done = export(tmp_path / "empty")
    assert (done.exit_code, "There are no games" in done.output) == (1, True)
    assert (tmp_path / "out" / "games.csv").read_bytes() == before
    assert {path.name for path in (tmp_path / "out").iterdir()} == {"games.csv", "seats.csv", "actions.csv"}


def test_the_page_about_the_data_has_every_column() -> None:
    """docs/data.md lists each column of each table with its type and meaning, in order."""
    page = (Path(__file__).parents[3] / "docs" / "data.md").read_text("utf-8")
    for columns in TABLES.values():
        types = {str: "text", int: "whole number", float: "number", bool: "true or false"}
        assert "".join(f"| `{one.name}` | {types[one.type]} | {one.about} |\n" for one in columns) in page
