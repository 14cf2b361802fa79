"""The demo lays a piece in a wrong zone on demand, and the simulated hands can put it right again."""

from __future__ import annotations

import random

import pytest

from tabletop.referee.interpretation.interpret import meaning
from tabletop.rules.contract import play_random_game
from tabletop.rules.registry import BUILT_IN, game
from tabletop.simulator.play.faults import mislaying_steps
from tabletop.simulator.table.hands import HandIn, HandOut, Lay, Push, TurnLamp
from tabletop.simulator.world import World
from tests.simulator.perfect_eye import seen


@pytest.mark.parametrize("name", BUILT_IN)
def test_a_piece_is_laid_in_another_zone_and_tidied_back(name: str) -> None:
    """A mislaid piece is in another public zone, and tidying up brings it back."""
    played = game(name)
    position = next(one for one in play_random_game(played, 3, 2).positions if one.decider is not None)
    world = World(played, position.names, seed=1, size=(640, 360), clock=lambda: 0.0)
    world.arrange(position)
    steps = mislaying_steps(world.table, position, random.Random(1))
    (piece,) = {step.piece for step in steps if not isinstance(step, HandIn | HandOut | Push | TurnLamp)}
    home = world.table.where(piece)
    for step in steps:
        world.perform(step)
    assert world.table.where(piece) != home
    assert world.table.where(piece) in world.table.fields
    for step in world.tidy_for(position):
        world.perform(step)
    assert world.table.where(piece) == home


@pytest.mark.parametrize("name", BUILT_IN)
def test_a_mislaid_piece_is_called_wrong_in_every_phase(name: str) -> None:
    """Whatever the seat that decides has to do, the referee names the piece that the demo mislays."""
    played = game(name)
    walk = play_random_game(played, 3, 3).positions
    phases = {position.phase: position for position in reversed(walk) if position.decider is not None}
    for phase, position in phases.items():
        world = World(played, position.names, seed=1, size=(640, 360), clock=lambda: 0.0)
        world.arrange(position)
        steps = mislaying_steps(world.table, position, random.Random(2))
        (piece,) = {step.piece for step in steps if isinstance(step, Lay)}
        for step in steps:
            world.perform(step)
        moves = meaning(position, seen(world.table), None, confirmed=False).moves
        assert piece in {move.piece for move in moves}, (phase, piece, world.table.where(piece))
