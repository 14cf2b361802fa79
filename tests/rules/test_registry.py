"""An installed game offers what its layer expects, or an error says what it offers instead."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from tabletop.bots.strategy import STRATEGIES, strategy_of
from tabletop.printing.game_sheets import FACES as PRINTED_FACES
from tabletop.printing.game_sheets import SHEETS
from tabletop.rules import registry
from tabletop.rules.game import Illegal
from tabletop.rules.registry import EDITIONS, GAMES, Layer
from tabletop.simulator.camera.drawing import FACES
from tabletop.vision.score.tally import SCORINGS, scored_games
from tabletop.web.games import UIS

LAYERS = (GAMES, EDITIONS, STRATEGIES, PRINTED_FACES, SHEETS, FACES, SCORINGS, UIS)


@pytest.fixture
def wrong(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of an installed game that offers a number to every layer."""
    info = tmp_path / "wrong-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: wrong\nVersion: 1\n")
    offered = "".join(f"[{layer.group}]\nwrong = wrong_part:ANSWER\n" for layer in LAYERS)
    (info / "entry_points.txt").write_text(offered)
    (tmp_path / "wrong_part.py").write_text("ANSWER = 42\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    return "wrong"


@pytest.mark.parametrize("layer", LAYERS, ids=lambda layer: layer.group)
def test_a_part_of_a_wrong_type_is_named(layer: Layer[object], wrong: str) -> None:
    """A part of a wrong type is an error that names the game, the entry point, its group, and the expected type."""
    expected = (
        rf"'wrong' cannot be loaded: wrong_part:ANSWER in {layer.group} must be of type {layer.kind.__name__}, not int"
    )
    with pytest.raises(Illegal, match=expected):
        layer.part(wrong)
    with pytest.raises(Illegal, match="must be of type Strategy, not int"):
        strategy_of(wrong)


def test_loops_over_all_games_leave_a_broken_one_out(wrong: str, caplog: pytest.LogCaptureFixture) -> None:
    """Loops over all games leave out a broken one with a warning in the log."""
    with caplog.at_level(logging.WARNING):
        assert list(EDITIONS.parts()) == ["palazzo", "patrician"]
        assert [game.name for game in scored_games()] == list(registry.BUILT_IN)
    assert wrong in registry.names()
    assert "must be of type Enrolment, not int" in caplog.text
    assert "must be of type Scoring, not int" in caplog.text


def test_a_game_that_offers_nothing_has_no_part() -> None:
    assert [layer.part("unheard-of") for layer in LAYERS] == [None] * len(LAYERS)


def test_a_new_game_does_not_change_what_is_played_by_default() -> None:
    """The default game stays palazzo even if another name comes before it in the alphabet."""
    assert registry.DEFAULT == "palazzo"
