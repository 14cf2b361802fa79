"""Bots play each other in all seats with the same chance; an interrupted tournament resumes with the same results."""

from __future__ import annotations

import errno
import json
import math
import multiprocessing
import os
import random
from collections.abc import Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from tabletop.bots.bot import Budget
from tabletop.bots.tournament.games import GameResult, Tournament, play, play_all
from tabletop.bots.tournament.standings import report, standings
from tabletop.bots.tournament.tournament_folder import RESULTS_FILE, KeptTournament, OtherTournament, locked_folder
from tabletop.cli import main
from tabletop.rules.text.record_text import parse_record
from tabletop.rules.text.replay import replay

GAME = Tournament("piecepack", ("thrifty", "random"), 4, 7, Budget(playouts=4))


def test_in_a_round_every_bot_plays_every_seat_with_the_same_chance() -> None:
    three = replace(GAME, levels=("thrifty", "random", "random"))
    orders = [three.order_of(number) for number in range(6)]
    assert all(sorted(order) == [0, 1, 2] for order in orders)
    assert all({order[seat] for order in orders[:3]} == {0, 1, 2} for seat in range(3))
    assert [three.chance_of(number) for number in range(6)] == [7, 7, 7, 8, 8, 8]


def test_the_same_game_is_the_same_wherever_it_is_played() -> None:
    first, again = play(GAME, 2), play(GAME, 2)
    assert first == again
    assert first.record != play(GAME, 3).record


def test_each_game_has_a_record_that_replays() -> None:
    one = play(GAME, 0)
    record = parse_record(one.record)
    *_, last = replay(record)
    assert tuple(seat.points for seat in last.position.score()) == one.scores


def test_no_more_games_run_at_once_than_asked_for() -> None:
    running: list[Future[GameResult]] = []

    class Watched(Executor):
        def submit(self, fn: Any, /, *args: Any, **more: Any) -> Future[Any]:
            future: Future[Any] = Future()
            running.append(future)
            assert sum(not one.done() for one in running) <= 2
            if len(running) % 2 == 0:
                for one in running:
                    if not one.done():
                        one.set_result(GameResult(0, 0, (0, 1), (1, 0), (1, 2)))
            return future

    assert len([*play_all(GAME, range(6), play, Watched(), 2)]) == 6


def test_a_long_wait_for_a_game_is_reported_again_and_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """While no game ends, the callback is called again and again."""
    monkeypatch.setattr("tabletop.bots.tournament.games.CALL_AFTER_S", 0)
    game, calls = Future[GameResult](), []

    class Slow(Executor):
        def submit(self, fn: Any, /, *args: Any, **more: Any) -> Future[Any]:
            return game

    def waited() -> None:
        calls.append(1)
        if len(calls) == 3:
            game.set_result(GameResult(0, 0, (0, 1), (1, 0), (1, 2)))

    assert len([*play_all(GAME, [0], play, Slow(), 1, waited)]) == 1
    assert len(calls) == 3


@given(
    ranks=st.lists(st.sampled_from([(1, 2), (2, 1), (1, 1)]), min_size=1, max_size=40),
)
def test_shares_add_up_to_one_and_lie_within_their_intervals(ranks: list[tuple[int, int]]) -> None:
    results = [GameResult(n, 7, GAME.order_of(n), (5, 5), both) for n, both in enumerate(ranks)]
    found = standings(GAME, results)
    assert math.isclose(sum(one.share for one in found), 1)
    assert all(0 <= one.low <= one.share <= one.high <= 1 for one in found)


def test_the_interval_holds_the_truth_about_as_often_as_it_claims() -> None:
    """In 92 to 98 % of 300 tournaments between equal bots, the interval contains one half."""
    lots, held = random.Random(4), 0
    for _ in range(300):
        wins = [lots.random() < 0.5 for _ in range(80)]
        results = [GameResult(n, 7, GAME.order_of(n), (0, 0), (1, 2) if won else (2, 1)) for n, won in enumerate(wins)]
        one = standings(GAME, results)[0]
        held += one.low <= 0.5 <= one.high
    assert 0.92 <= held / 300 <= 0.98


def test_the_better_bot_gets_the_better_rating() -> None:
    results = [
        GameResult(n, 7, GAME.order_of(n), (0, 0), (1, 2) if GAME.order_of(n)[0] == 0 else (2, 1)) for n in range(20)
    ]
    best, worst = standings(GAME, results)
    assert (best.share, worst.share) == (1, 0)
    assert best.rating - best.doubt > worst.rating + worst.doubt


def run(*arguments: str) -> Any:
    return CliRunner().invoke(main, ["tournament", *arguments], prog_name="tabletop")


def asked(*more: str) -> list[str]:
    return [
        "--game",
        "piecepack",
        "--bots",
        "thrifty,random",
        "--playouts",
        "4",
        "--seed",
        "7",
        "--workers",
        "1",
        *more,
    ]


def test_the_command_prints_the_protocols_document(tmp_path: Path) -> None:
    done = run(*asked("--games", "4", "--json", "--csv", str(tmp_path / "games.csv")))
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    assert (found["game"], found["seats"], found["games"]) == ("piecepack", 2, 4)
    assert [one["name"] for one in found["bots"]] == ["thrifty", "random"]
    assert {"share", "low", "high", "points"} <= found["bots"][0].keys()
    assert [one["order"] for one in found["results"]] == [[0, 1], [1, 0], [0, 1], [1, 0]]
    assert [one["seed"] for one in found["results"]] == [7, 7, 8, 8]
    assert (tmp_path / "games.csv").read_text().count("\n") == 5


@pytest.fixture(scope="module")
def whole() -> dict[str, Any]:
    """The report of four games played in one go."""
    return report(GAME, [play(GAME, number) for number in range(4)], 0)


def test_an_interrupted_tournament_resumes_where_it_was(tmp_path: Path, whole: dict[str, Any]) -> None:
    """With two stored games and half a line of a third, as a kill leaves them, the report is as if played in one go."""
    kept = KeptTournament(tmp_path, GAME, frames=False)
    for number in (1, 0):
        kept.add(play(GAME, number))
    with (tmp_path / RESULTS_FILE).open("ab") as file:
        file.write(b'{"number": 2, "se')
    done = run(*asked("--games", "4", "--json", "--out", str(tmp_path)))
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    assert {**found, "seconds": 0} == {**whole, "seconds": 0}
    assert len([*(tmp_path / "records").iterdir()]) == 4
    assert done.stderr.count("of 4 games") == 2


def test_a_result_that_cannot_be_stored_ends_the_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If a result cannot be stored, that is reported at once and no process goes on playing."""

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", str(tmp_path))

    monkeypatch.setattr(KeptTournament, "add", full)
    done = run(*asked("--games", "4", "--out", str(tmp_path)))
    assert multiprocessing.active_children() == []
    assert done.exit_code == 1
    assert f"{tmp_path} cannot be used: no space left on device." in done.stderr


def test_only_one_tournament_at_a_time_plays_in_a_folder(tmp_path: Path) -> None:
    """A second tournament in the same folder is refused, since it would play and count the same games again."""
    held = locked_folder(tmp_path)
    done = run(*asked("--games", "2", "--out", str(tmp_path)))
    os.close(held)
    assert (done.exit_code, [*tmp_path.iterdir()]) == (2, [])
    assert f"A tournament is being played in {tmp_path}: wait for it, or stop it first." in done.stderr


def test_a_folder_of_another_tournament_is_refused(tmp_path: Path) -> None:
    KeptTournament(tmp_path, GAME, frames=False)
    with pytest.raises(OtherTournament, match="another tournament"):
        KeptTournament(tmp_path, replace(GAME, seed=8), frames=False)
    more = KeptTournament(tmp_path, replace(GAME, games=100), frames=False)
    assert more.results() == []


def test_a_game_that_is_stored_twice_counts_once(tmp_path: Path) -> None:
    """A game that is stored twice counts once, as it was stored last."""
    kept = KeptTournament(tmp_path, GAME, frames=False)
    first = play(GAME, 0)
    for one in (replace(first, ranks=(1, 1)), first):
        kept.add(one)
    assert kept.results() == [replace(first, record="")]


@pytest.mark.parametrize(
    "change",
    [
        {"order": [0, 2]}, {"order": [0, 0]}, {"order": [0, 1, 2]}, {"scores": [1]}, {"ranks": [1, 2, 2]},
        {"ranks": [0, 0]}, {"ranks": [1, 3]}, {"number": -1}, {"number": 1e999}, {"seed": None},
    ],
    ids=str,
)  # fmt: skip
def test_a_line_that_is_not_a_result_is_named(tmp_path: Path, change: dict[str, Any]) -> None:
    """A line of the results file that is not a result is named with advice to delete it; nothing is counted."""
    KeptTournament(tmp_path, GAME, frames=False)
    right = {"number": 0, "seed": 7, "order": [0, 1], "scores": [3, 5], "ranks": [2, 1]}
    (tmp_path / RESULTS_FILE).write_text(json.dumps(right | change) + "\n")
    done = run(*asked("--games", "2", "--out", str(tmp_path)))
    assert done.exit_code == 2
    assert f"line 1 of {RESULTS_FILE} is not a result: delete it to play that game again." in done.stderr


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--game", "piecepack", "--bots", "thrifty,genius"], "There is no level “genius”"),
        (["--game", "piecepack", "--bots", "thrifty"], "seats"),
        (["--game", "piecepack", "--bots", "random,random", "--seconds", "1", "--playouts", "2"], "give one of them"),
        (["--game", "piecepack", "--bots", "random,random", "--playouts", "0"], "--playouts"),
        (["--game", "chess", "--bots", "random,random"], "chess"),
    ],
)
def test_bad_usage_is_one_sentence(arguments: list[str], sentence: str) -> None:
    done = run(*arguments)
    assert done.exit_code == 2
    assert sentence in done.stderr
    assert "Traceback" not in done.output


@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::DeprecationWarning")
def test_a_cluster_plays_the_same_games(cluster: Any, whole: dict[str, Any]) -> None:
    done = run(*asked("--games", "4", "--json", "--dask", cluster.scheduler_address))
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["results"] == whole["results"]


@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::DeprecationWarning")
def test_a_cluster_without_workers_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """A cluster without workers is reported before the games are waited for."""
    from distributed import LocalCluster

    monkeypatch.setattr("tabletop.bots.tournament.games.play_all", lambda *_: iter(()))
    with LocalCluster(n_workers=0, processes=False, dashboard_address=":0") as empty:
        done = run(*asked("--games", "2", "--dask", empty.scheduler_address))
    assert "The cluster has no workers. The games will continue when it has one." in done.stderr


def test_a_missing_cluster_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tabletop.cli.common.players.CLUSTER_TIMEOUT_S", 0.1)
    done = run(*asked("--games", "2", "--dask", "tcp://127.0.0.1:1"))
    assert done.exit_code == 1
    assert "There is no Dask scheduler at tcp://127.0.0.1:1" in done.stderr


def test_processes_that_go_away_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """If the worker processes go away after the first game, that is reported and the status is 1."""
    from concurrent.futures import BrokenExecutor

    def broken(*_: Any) -> Iterator[GameResult]:
        yield play(GAME, 0)
        raise BrokenExecutor

    monkeypatch.setattr("tabletop.bots.tournament.games.play_all", broken)
    done = run(*asked("--games", "4"))
    assert done.exit_code == 1
    assert "With --out the games so far are kept" in done.stderr


def test_threads_play_as_processes_do(whole: dict[str, Any]) -> None:
    with ThreadPoolExecutor(2) as pool:
        results = [*play_all(GAME, range(4), play, pool, 4)]
    assert {**report(GAME, results, 0)} == whole


def test_games_through_frames_have_the_same_bots_budget_and_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    """Games through frames get the tournament's bots, budget and seeds, and their records are stored.

    How such games are read is tested elsewhere.
    """
    from tabletop.simulator.play import tournament
    from tabletop.simulator.play.playground import PlayCounts

    asked_for: list[tournament.TournamentSetting] = []

    def seen(setting: tournament.TournamentSetting) -> tournament.Outcome:
        asked_for.append(setting)
        return tournament.Outcome(setting.seed, True, (3, 5), (2, 1), 1.0, PlayCounts(), "the game")

    monkeypatch.setattr(tournament, "play_game", seen)
    assert tournament.play_of_tournament(GAME, 3) == GameResult(3, 8, (1, 0), (3, 5), (2, 1), "the game")
    (setting,) = asked_for
    assert (setting.players, setting.seed) == (("random", "thrifty"), 8)
    assert setting.names == ("random 2", "thrifty 1")
    assert (setting.thought, setting.shuffled) == (GAME.budget, True)
