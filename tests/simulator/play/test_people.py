"""Simulated people press OK only if that is a truthful answer, and move pieces that the table does not see."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace

import pytest

from tabletop.messages import Message
from tabletop.referee.interpretation.interpret import AskedAbout, Doubt
from tabletop.referee.snapshot import Said
from tabletop.rules.layout import Layout
from tabletop.rules.palazzo import GAME
from tabletop.simulator.play.people import People, is_unfounded
from tabletop.simulator.table.hands import Nudge, Step, TurnLamp, carry_out
from tabletop.simulator.world import World
from tabletop.vision.scene import ReadBy, Scene, Sighting

PIECE = "B1.2"
"""The tile that is turned up."""


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
    done, helped = helping(Sighting(f"PZ:{PIECE}", 0.0, 0.0, 0.0, ((0.0, 0.0),) * 4, 1.0, how))
    assert any(isinstance(step, Nudge) and step.piece == PIECE for step in done) is is_pushed
    assert bool(helped) is is_pushed


@pytest.mark.parametrize("says", ["Push it.", "Push it, or turn away any lamp reflected in it."])
def test_people_turn_the_lamp_if_pushing_has_not_helped_and_the_table_asks_for_it(says: str) -> None:
    """They turn it only if the table speaks of a lamp, and only after they have pushed the piece."""
    done, _ = helping(says=Said("waiting", Message(says)))
    turned = [number for number, step in enumerate(done) if isinstance(step, TurnLamp)]
    assert bool(turned) is ("lamp" in says)
    pushed = [number for number, step in enumerate(done) if isinstance(step, Nudge)]
    assert all(number > pushed[-1] for number in turned)


def helping(*seen: Sighting, says: Said | None = None) -> tuple[list[Step], list[str]]:
    """Return what people do who turn up a tile that is never understood, and how they helped."""
    position = GAME.new(["Ann", "Ben"])
    world = World(GAME, position.names, seed=1, size=(640, 360), clock=lambda: 0.0)
    world.arrange(position)
    done = list[Step]()
    shown = SimpleNamespace(
        scene=Scene(0.0, 1, Layout({}), seen), number=0, events=(), signals={}, say=(says,) if says else (), todo=(),
        position=position,
    )  # fmt: skip

    def perform(steps: Sequence[Step]) -> None:
        for step in steps:
            done.append(step)
            carry_out(step, world.table)

    action = GAME.action({"do": "reveal", "piece": PIECE})
    return done, People(world, lambda: shown, perform, lambda: None, 1).show(position, [action])  # type: ignore[arg-type, return-value]
