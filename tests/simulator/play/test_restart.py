"""A program restarted between an action and its tidying still knows which pieces have to be moved."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from tabletop.rules.palazzo import GAME
from tabletop.simulator.play.scenario import parse
from tabletop.simulator.table.hands import Lay, Push, Step, TakePiece
from tests.simulator.ground import PerfectGround

FOLDER = Path(__file__).parents[2] / "scenarios"
SCENES: dict[str, tuple[list[Step], tuple[str, str], list[Step]]] = {
    "patrician/wrong-city": ([Lay("ROM3", "played0"), Push("MONEY")], ("black", "siteROMA"), [Lay("K01", "siteROMA")]),
    "piecepack/buy-with-the-die": (
        [Lay("DA5", "pay1"), Lay("TC2", "seat1", cell=(0, 0)), Push("MONEY")],
        ("DA5", "discards"),
        [TakePiece("DA5", "box")],
    ),
}
"""Scenario that gives the opening → the steps of an action, the piece to be moved and its zone, the steps for it."""


@pytest.mark.parametrize("name", SCENES)
def test_what_is_to_be_tidied_is_known_after_a_restart(name: str, tmp_path: Path) -> None:
    """After a restart the same piece has to be moved to its zone, no action is repeated, and nothing alarms."""
    done, (piece, home), tidied = SCENES[name]
    scenario = parse((FOLDER / f"{name}.txt").read_text(encoding="utf-8"), GAME)
    with closing(PerfectGround(scenario, tmp_path)) as ground:
        for step in done:
            ground.perform(step)
            ground.tick(1.0)
        before = ground.snapshot
        ground.restart()
        after = ground.snapshot
        assert after.position == before.position
        assert (piece, home) in {(move.piece, move.belongs) for move in after.todo}
        for step in tidied:
            ground.perform(step)
        ground.tick(1.0)
        assert ground.snapshot.position == before.position
        assert ground.snapshot.todo == ()
