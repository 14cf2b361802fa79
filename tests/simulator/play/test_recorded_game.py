"""A recorded game is replayed as it was, and a file without a whole game is refused with the reason."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from tabletop.cli import main
from tabletop.rules.game import Position
from tabletop.rules.palazzo import GAME
from tabletop.rules.text.record_text import parse_record
from tabletop.rules.text.replay import replay
from tabletop.simulator.errors import BadRecord
from tabletop.simulator.play.recorded_game import RecordedGame
from tests.campaigns.hard_games import RECORDS, settings

RECORD = RECORDS / "seats-3-seed-24.txt"
LINES = RECORD.read_text(encoding="utf-8").splitlines()
OTHER_OPTIONS = "\n".join(LINES[:6]).replace('"architect": 1', '"architect": 2')


def test_every_act_comes_in_the_order_of_the_record() -> None:
    """From the first position to the end, people and chance follow the record."""
    game = RecordedGame(RECORD)
    position: Position = GAME.new(game.names)
    for line in replay(parse_record(RECORD.read_text(encoding="utf-8"))):
        assert game.choose(position) == line.action
        position = line.position
    assert position.over


def test_all_hard_games_of_the_docs_can_be_played_again() -> None:
    """The twenty-four games that the docs name by seats and seed have their records."""
    kept = {(len(setting.players), setting.seed) for setting in settings()}
    assert kept == {
        *((2, seed) for seed in (3, 4, 7, 11, 22, 32)),
        *((3, seed) for seed in (3, 9, 12, 13, 21, 22, 23, 24, 25, 26, 27, 31, 35)),
        *((4, seed) for seed in (1, 3, 10, 23, 33)),
    }


def test_a_game_that_takes_another_course_says_so() -> None:
    """In a position that the record does not contain, BadRecord is raised instead of an action being made up."""
    with pytest.raises(BadRecord, match="another course"):
        RecordedGame(RECORD).choose(GAME.new(["Ann", "Bob"]))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("nothing", "header"),
        ("\n".join(LINES[:40]), "not played to its end"),
        (OTHER_OPTIONS, "not the record of a whole game with the usual options"),
    ],
)
def test_a_file_that_is_not_a_whole_game_is_refused_by_the_command(text: str, why: str, tmp_path: Path) -> None:
    """One sentence names the file and what is wrong with it."""
    path = tmp_path / "game.txt"
    path.write_text(text, encoding="utf-8")
    answer = CliRunner().invoke(main, ["demo", "--headless", "--record", str(path)])
    assert answer.exit_code == 2
    assert answer.output.count("game.txt") == 1
    assert why in " ".join(answer.output.split())
    assert "Traceback" not in answer.output


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (["--hasty"], "--hasty works only with --headless"),
        (["--make", "stone"], "has no make “stone”: choose printed or box"),
    ],
)
def test_what_a_demo_cannot_do_is_said(options: list[str], why: str) -> None:
    """One sentence says what the demo cannot do with these options."""
    answer = CliRunner().invoke(main, ["demo", *options])
    assert answer.exit_code == 2
    assert why in " ".join(answer.output.split())
