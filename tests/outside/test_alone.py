"""A game that can be played alone: without opponents to compare with, everything else works as with several seats."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from click.testing import CliRunner

from tabletop.bots.bot import Budget
from tabletop.bots.playout import Result, ended
from tabletop.bots.tournament.games import Tournament, play
from tabletop.bots.tournament.standings import report
from tabletop.cli import main
from tabletop.rules.game import SeatScore
from tests.rules.tiny import lantern


@pytest.fixture(autouse=True)
def _installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Install the documented game for a single seat."""
    info = tmp_path / "lantern-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: lantern\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[tabletop.games]\nlantern = tests.rules.tiny.lantern:GAME\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(lantern.Lantern, "seat_range", range(1, 2))


def test_a_lone_seat_leads_by_all_its_points() -> None:
    """The lead of a seat that plays alone is its points, so that bots can compare how games end."""
    assert ended([SeatScore(-3, (), None, 1)], 0) == Result(lead=-3, wins=1.0)


def test_games_of_one_bot_are_reported_and_exported(tmp_path: Path) -> None:
    """A lone bot wins every game, keeps its initial rating, and its lead in the exported tables is its points."""
    tournament = Tournament("lantern", ("sound",), 2, 7, Budget(playouts=4))
    results = [play(tournament, number) for number in range(2)]
    (bot,) = report(tournament, results, 1.0)["bots"]
    assert (bot["share"], bot["rating"]) == (1.0, 25.0)
    games = tmp_path / "games"
    games.mkdir()
    (games / "game.txt").write_text(results[0].record, encoding="utf-8")
    run = CliRunner().invoke(main, ["export", str(games), "--out", str(tmp_path / "tables")])
    assert run.exit_code == 0, run.output
    with (tmp_path / "tables" / "seats.csv").open(encoding="utf-8-sig") as lines:
        (seat,) = csv.DictReader(lines)
    assert seat["lead"] == seat["points"] == str(results[0].scores[0])
