"""Simulated people press OK only if that is a truthful answer, and move pieces that the table does not see."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace

import pytest

from tabletop.referee.interpret import AskedAbout, Doubt
from tabletop.rules.layout import Layout
from tabletop.rules.palazzo import GAME
from tabletop.simulator.play.people import People, is_unfounded
from tabletop.simulator.table.hands import Nudge, Step
from tabletop.simulator.world import World
from tabletop.vision.scene import ReadBy, Scene, Sighting


@pytest.mark.parametrize(
    ("about", "lying", "unseen", "false"),
    [
        (AskedAbout.TAKEN, True, [], False),
        (AskedAbout.TAKEN, False, [], True),
        (AskedAbout.GONE, True, [], True),
        (AskedAbout.GONE, False, [], False),
        (AskedAbout.UNREAD, True, [], False),
        (AskedAbout.UNREAD, True, ["B1.1"], True),
    ],
)
def test_ok_is_pressed_only_if_it_confirms_the_truth(
    about: AskedAbout, lying: bool, unseen: list[str], false: bool
) -> None:
    """OK is unfounded if it would confirm something false about the piece or about an unreadable place."""
    position = GAME.new(["Ann", "Ben"])
    world = World(GAME, position.names, seed=1, size=(640, 360), clock=lambda: 0.0)
    world.arrange(position)
    piece = next(iter(world.table.lying if lying else world.table.away))
    assert is_unfounded(Doubt(about, frozenset({piece})), world.table, unseen) is false


@pytest.mark.parametrize(("how", "is_pushed"), [(ReadBy.KEPT, True), (ReadBy.RECOGNISED, False)])
def test_a_piece_that_the_table_only_remembers_is_pushed(how: ReadBy, is_pushed: bool) -> None:
    """People push a piece that the table reports only from memory, at the place where it was before."""
    position = GAME.new(["Ann", "Ben"])
    world = World(GAME, position.names, seed=1, size=(640, 360), clock=lambda: 0.0)
    world.arrange(position)
    piece, done = "B1.2", list[Step]()
    tag = Sighting(f"PZ:{piece}", 0.0, 0.0, 0.0, ((0.0, 0.0),) * 4, 1.0, how)
    said = SimpleNamespace(
        scene=Scene(0.0, 1, Layout({}), (tag,)), number=0, events=(), signals={}, say=(), todo=(), position=position
    )

    def perform(steps: Sequence[Step]) -> None:
        for step in steps:
            done.append(step)
            world.perform(step)

    action = GAME.action({"do": "reveal", "piece": piece})
    helped = People(world, lambda: said, perform, lambda: None, 1).show(position, [action])  # type: ignore[arg-type, return-value]
    assert any(isinstance(step, Nudge) and step.piece == piece for step in done) is is_pushed
    assert bool(helped) is is_pushed
