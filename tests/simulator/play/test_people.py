"""Simulated people press OK only if that is a truthful answer to the referee's question."""

from __future__ import annotations

import pytest

from tabletop.referee.interpret import AskedAbout, Doubt
from tabletop.rules.palazzo import GAME
from tabletop.simulator.play.people import is_unfounded
from tabletop.simulator.world import World


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
def test_nobody_confirms_what_is_not_so(about: AskedAbout, lying: bool, unseen: list[str], false: bool) -> None:
    """OK says that a piece is still there, that it is gone, or that what cannot be read does not count."""
    position = GAME.new(["Ann", "Ben"])
    world = World(GAME, position.names, seed=1, size=(640, 360), clock=lambda: 0.0)
    world.arrange(position)
    piece = next(iter(world.table.lying if lying else world.table.away))
    assert is_unfounded(Doubt(about, frozenset({piece})), world.table, unseen) is false
