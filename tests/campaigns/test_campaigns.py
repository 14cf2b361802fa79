"""Each campaign runs for a second here and finds no fault; as commands they run for as long as one likes."""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import tests.campaigns
from doubles.clock import PATIENCE
from tests.campaigns import by_ear, damage, garbage, harness, pairs, power_cuts, slow, soak, tables, texts, uploads

CAMPAIGNS = {
    "by_ear": (by_ear.campaign, "games", 1),
    "damage": (damage.campaign, "damages", 1),
    "garbage": (garbage.campaign, "inputs", 100),
    "pairs": (pairs.campaign, "replies", 10),
    "power_cuts": (power_cuts.campaign, "cuts", 20),
    "slow": (slow.campaign, "inputs", 30),
    "tables": (tables.campaign, "acts", 1),
    "texts": (texts.campaign, "inputs", 30),
    "uploads": (uploads.campaign, "inputs", 20),
}
"""Each campaign, the count that says how much was tried, and its least value here."""


@pytest.mark.parametrize("name", CAMPAIGNS)
def test_a_campaign_finds_no_fault(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A short run of a campaign reports no faults and tries at least the expected number of inputs."""
    monkeypatch.setattr(harness, "HANG", PATIENCE)  # a machine that is busy with other tests is not a fault
    campaign, counted, least = CAMPAIGNS[name]
    tally = harness.run(campaign, seconds=1.0, seed=7)
    assert tally.faults == []
    assert tally.counts[counted] >= least


COMMANDS = {"kills_referee": ("kills", 1), "kills_http": ("kills", 1), "bad_disk": ("troubles", 1)}
"""Campaigns that fork, which a process with threads should not do: they run as commands."""


@pytest.mark.parametrize("name", COMMANDS)
def test_a_campaign_of_processes_finds_no_fault(name: str) -> None:
    """A campaign that kills or hampers processes loses no acknowledged event and finds none twice."""
    counted, least = COMMANDS[name]
    words = [sys.executable, "-m", f"tests.campaigns.{name}", "--seconds", "1", "--seed", "7"]
    done = subprocess.run(words, capture_output=True, text=True, check=False, cwd=Path(__file__).parents[2])
    assert done.returncode == 0, done.stdout + done.stderr
    line = json.loads(done.stdout)
    assert (line["faults"], line["lost"], line["doubled"]) == ([], 0, 0)
    assert line[counted] >= least


def test_a_campaign_is_a_command_that_ends_with_a_line_of_json() -> None:
    """A campaign run as a command takes ``--seconds`` and ``--seed`` and prints its counts as one line of JSON."""
    words = [sys.executable, "-m", "tests.campaigns.damage", "--seconds", "0", "--seed", "3"]
    done = subprocess.run(words, capture_output=True, text=True, check=True, cwd=Path(__file__).parents[2])
    line = json.loads(done.stdout)
    assert (line["campaign"], line["seed"], line["damages"], line["faults"]) == ("damage", 3, 1, [])


def test_a_campaign_that_finds_a_fault_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    """A campaign that finds a fault names it in its line and exits with status 1."""
    with pytest.raises(SystemExit) as ended:
        harness.main(lambda _budget, tally: tally.check(False, "lost"), "", ["--seconds", "0"])
    assert ended.value.code == 1
    assert json.loads(capsys.readouterr().out)["faults"] == ["lost"]


def test_what_takes_too_long_is_a_fault_unless_the_processor_was_busy(monkeypatch: pytest.MonkeyPatch) -> None:
    """An input that takes ten seconds is a hang, unless other programs had the processor for nine of them."""
    tally = harness.Tally()
    for name, busy in (("slow", 0.0), ("starved", 9.0)):
        monkeypatch.setattr("time.monotonic", iter([50.0, 60.0]).__next__)
        monkeypatch.setattr(harness, "waited", iter([1.0, 1.0 + busy]).__next__)
        with tally.input(name):
            pass
    assert tally.faults == ["'slow': took 10.0 s"]
    assert tally.counts == {"inputs": 2, "slowest_ms": 10_000, "faulty": 1}


def test_a_page_that_reveals_a_secret_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The campaign reports faults if pieces that a visitor knows are treated as hidden."""
    monkeypatch.setattr(
        pairs, "hidden_from", lambda positions, _seat: [set(position.game.pieces) for position in positions]
    )
    monkeypatch.setattr(harness, "MOST_FAULTS", 1)
    assert harness.run(pairs.campaign, seconds=60.0, seed=7).faults


def test_a_table_that_is_served_with_phones_and_a_tv_plays_on_their_pages() -> None:
    """In the soak campaign everybody sits down, one act is done, and all pages hear of it."""
    tally = harness.run(soak.campaign, seconds=0.0, seed=7)
    assert tally.faults == []
    assert tally.counts["every"][0]["median_ms"] > 0


def test_a_game_that_is_kept_counts_and_is_not_played_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An interrupted campaign of tables skips the games it has kept and replays the game that was cut off."""
    games, kept = [], tmp_path / "games.jsonl"

    def played(place: tables.Place, seed: int, harsh: int, budget: harness.Budget) -> tables.PlayedGame:
        games.append((place.name, seed))
        over = place.make == "printed"
        return tables.PlayedGame(place.name, seed, harsh, over, 7, 0, 0, 0, 1.0, 10, [0.5], [], [])

    monkeypatch.setattr(tables, "played", played)
    monkeypatch.setattr(harness.Budget, "rounds", lambda _budget: iter(range(2)))
    for _ in range(2):
        tally = harness.Tally()
        tables.campaign(harness.Budget(0.0, 5), tally, only="piecepack", keep=kept)
        assert (tally.counts["acts"], tally.faults) == (14, [])
    assert games == [("piecepack printed 2", 5), ("piecepack printed 3", 5)]
    games.clear()
    for _ in range(2):
        tables.campaign(harness.Budget(0.0, 5), harness.Tally(), only="piecepack box", keep=kept)
    assert games == [("piecepack box 2", 5), ("piecepack box 3", 5)] * 2


def test_a_campaign_runs_openblas_with_one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """Campaigns run OpenBLAS with one thread: on a busy machine, waiting threads took longer than the work."""
    monkeypatch.delenv("OPENBLAS_NUM_THREADS")
    importlib.reload(tests.campaigns)
    assert os.environ["OPENBLAS_NUM_THREADS"] == "1"
