"""Training is reproducible: the same seed gives the same file, and the shipped files match the games."""

from __future__ import annotations

import json
from concurrent.futures import BrokenExecutor
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from tabletop.bots import training
from tabletop.bots.strategy import LEARNED_FILE, strategy_of
from tabletop.cli import main
from tabletop.rules import registry

TINY = Path(__file__).parent / "tiny_learned.json"
"""Made by the command that it contains."""


@pytest.mark.parametrize("workers", ["1", "2"])
def test_training_makes_the_stored_file_again(tmp_path: Path, workers: str) -> None:
    """The command in a trained file makes the same file again, byte by byte, with any number of processes."""
    made_by = json.loads(TINY.read_text())["made by"].split()
    done = CliRunner().invoke(main, [*made_by[1:], "--workers", workers, "--out", str(tmp_path / LEARNED_FILE)])
    assert done.exit_code == 0, done.output
    assert (tmp_path / LEARNED_FILE).read_bytes() == TINY.read_bytes()


def test_strategies_that_go_round_in_circles_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game in which both strategies move their turrets to and fro forever is ended and compared as it stands."""
    monkeypatch.setattr(training, "MAX_ACTIONS", 400)
    one = (0.87271156, 0.40576708, 2.09422856, 0.60554488, 0.34226125, 2.23535808, 0.05446398)
    other = (0.52728844, 0.59423292, 1.90577144, 0.39445511, 0.45773875, 2.76464192, 0.04553602)
    sides = [strategy_of("piecepack").with_weights(weights) for weights in (other, one)]
    *_, end = training.play(registry.game("piecepack"), sides, "2 0.324667243768898")
    assert not end.over
    assert -1 < training.compare("piecepack", sides, "2 0.324667243768898") < 1


def test_training_ends_in_a_sentence_if_the_processes_go_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the worker processes go away, training ends with a sentence and leaves no file behind."""

    def broken(*_: object, **__: object) -> str:
        raise BrokenExecutor

    monkeypatch.setattr("tabletop.bots.training.train", broken)
    out = tmp_path / LEARNED_FILE
    done = CliRunner().invoke(main, ["train", "--game", "palazzo", "--workers", "1", "--out", str(out)])
    assert done.exit_code == 1
    assert "The processes that played are gone (BrokenExecutor). Nothing was written." in done.stderr
    assert not out.exists()


@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::DeprecationWarning")
@pytest.mark.parametrize("game", registry.BUILT_IN)
def test_a_cluster_makes_the_same_file(cluster: Any, tmp_path: Path, game: str) -> None:
    """Training on a cluster makes the same file as here, for every game."""
    asked = ["train", "--game", game, "--seed", "4", "--rounds", "1", "--pairs", "1", "--games", "2"]
    for out, where in (("here.json", "--workers=1"), ("there.json", f"--dask={cluster.scheduler_address}")):
        done = CliRunner().invoke(main, [*asked, where, "--out", str(tmp_path / out)])
        assert done.exit_code == 0, done.output
    assert (tmp_path / "here.json").read_bytes() == (tmp_path / "there.json").read_bytes()


@pytest.mark.parametrize("game", registry.BUILT_IN)
def test_the_shipped_weights_fit_their_game(game: str) -> None:
    """Each game ships learned weights that differ from the guessed ones and name the command that made them."""
    strategy = strategy_of(game)
    learned = strategy.learned()
    assert learned.weights != strategy.weights
    assert learned.weights._fields == strategy.weights._fields
    assert learned.outlook.scatter > 0
    text = files(f"tabletop.bots.{game}").joinpath(LEARNED_FILE).read_text()
    assert json.loads(text)["made by"].startswith(f"tabletop train --game {game} --seed ")
