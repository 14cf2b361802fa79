"""A whole game seen through frames and pins is understood act by act, and photographs of its end give its scores."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import pytest
from click.testing import CliRunner

from tabletop.cli import main
from tabletop.match.journal_file import read_events
from tabletop.rules.text.record_text import parse_record
from tabletop.rules.text.replay import course
from tabletop.simulator.camera.simulated_camera import SimulatedCamera
from tabletop.simulator.conditions import conditions
from tabletop.simulator.play import tournament
from tabletop.simulator.play.seen_table import SeenTable
from tabletop.simulator.play.tournament import Outcome, TournamentSetting, play_on, set_up
from tabletop.simulator.world import modules
from tests.end_to_end.support import SMALL

SETTING = TournamentSetting("palazzo", 50, ("random", "thrifty"), harsh=1, size=SMALL)
"""The shortest of the games with seeds 1 to 130 in which every kind of action occurs."""
OTHER_SEEDS = {"patrician": 1, "piecepack": 12}
"""Game → the seed of a short game in which every kind of action occurs."""


class Played(NamedTuple):
    ground: SeenTable
    outcome: Outcome
    folder: Path


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Played]:
    """A game of two seats, played to its end; the pieces are still on its table."""
    folder = tmp_path_factory.mktemp("game")
    with closing(set_up(SETTING, folder)) as ground:
        yield Played(ground, play_on(ground, SETTING), folder)


def test_everything_that_was_done_was_accepted_and_nothing_else(played: Played) -> None:
    tally = played.outcome.tally
    assert played.outcome.finished, tally.problems
    assert (tally.wrong, tally.missed, tally.corrections) == (0, 0, 0), tally.problems


@pytest.mark.parametrize("game", OTHER_SEEDS)
def test_every_other_game_is_played_to_its_score_as_well(game: str, tmp_path: Path) -> None:
    """Nothing is misread, missed or asked about needlessly, although half of the people do whole turns in one sweep."""
    setting = TournamentSetting(game, OTHER_SEEDS[game], ("random", "thrifty"), harsh=1, size=SMALL, hasty=True)
    with closing(set_up(setting, tmp_path)) as ground:
        outcome = play_on(ground, setting)
        assert (outcome.finished, len(outcome.scores)) == (True, 2)
    tally = outcome.tally
    assert (tally.wrong, tally.missed, tally.corrections) == (0, 0, 0), tally.problems
    assert tally.questions <= 1, tally.asked


def test_the_journal_holds_the_game(played: Played) -> None:
    [path] = played.folder.glob("*.tabletop")
    _, match = read_events(path)
    assert match.position == played.ground.snapshot.position
    assert match.position.over


def test_the_outcome_holds_the_game_as_text(played: Played) -> None:
    """The record that a tournament keeps leads to the position in which the game ended."""
    assert course(parse_record(played.outcome.record)).positions[-1] == played.ground.snapshot.position


def test_the_command_prints_what_the_protocol_says_and_nothing_else(
    played: Played, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tournament, "play_games", lambda settings: iter([played.outcome]))
    answer = CliRunner().invoke(main, ["demo", "--headless", "--json", "--seats", "2"])
    told = json.loads(answer.stdout)
    assert answer.exit_code == 0
    assert list(told) == [
        "games", "finished", "frames", "actions", "wrong", "missed", "questions", "corrections", "seconds", "results",
    ]  # fmt: skip
    [result] = told["results"]
    score = played.ground.snapshot.position.score()
    assert result == {
        "seed": SETTING.seed,
        "scores": [one.points for one in score],
        "ranks": [one.rank for one in score],
    }


@pytest.mark.parametrize("size", [(4608, 2592), (2304, 1296)])
def test_a_photograph_of_the_end_gives_the_scores_of_the_referee(
    played: Played, tmp_path: Path, size: tuple[int, int]
) -> None:
    camera = SimulatedCamera(
        played.ground.world.table,
        modules,
        size=size,
        given=conditions(SETTING.harsh),
        seed=2,
        clock=lambda: 0.0,
    )
    photograph = tmp_path / "table.jpg"
    photograph.write_bytes(camera.photograph())
    answer = CliRunner().invoke(main, ["score", str(photograph), "--json"])
    told = json.loads(answer.stdout)
    assert [seat["points"] for seat in told["seats"]] == list(played.outcome.scores), told
