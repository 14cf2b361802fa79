"""Training is reproducible: the same seed gives the same file, and the shipped files match the games."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path

import pytest
from click.testing import CliRunner

from tabletop.bots.strategy import LEARNED_FILE, strategy_of
from tabletop.cli import main
from tabletop.rules import registry

TINY = Path(__file__).parent / "tiny_learned.json"
"""Made by the command that it names."""


def test_a_tiny_file_is_made_again(tmp_path: Path) -> None:
    """The command that a file names makes the same file, to the last digit that it writes."""
    made_by = json.loads(TINY.read_text())["made by"].split()
    done = CliRunner().invoke(main, [*made_by[1:], "--out", str(tmp_path / LEARNED_FILE)])
    assert done.exit_code == 0, done.output
    assert json.loads((tmp_path / LEARNED_FILE).read_text()) == json.loads(TINY.read_text())


@pytest.mark.parametrize("game", registry.BUILT_IN)
def test_what_is_shipped_fits_its_game(game: str) -> None:
    """Each game ships numbers for its strong bot that differ from the guessed ones and say how they were made."""
    strategy = strategy_of(game)
    learned = strategy.learned()
    assert learned.weights != strategy.weights
    assert learned.weights._fields == strategy.weights._fields
    assert learned.outlook.scatter > 0
    text = files(f"tabletop.bots.{game}").joinpath(LEARNED_FILE).read_text()
    assert json.loads(text)["made by"].startswith(f"tabletop train --game {game} --seed ")
