"""Whole games of every game with a table are understood if no picture is misread, at any pace of the people."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tabletop.bots.bot import Budget
from tabletop.bots.levels import find_bot
from tabletop.bots.seen import Seen
from tabletop.hardware.panel.buttons import Kind, Press
from tabletop.match import store
from tabletop.referee.referee import Referee
from tabletop.rules import registry
from tabletop.rules.game import Action, Game, Position
from tabletop.simulator.play.playground import Playground
from tabletop.simulator.play.tournament import NAMES
from tabletop.simulator.table.fingers import Clock
from tabletop.simulator.table.hands import Push
from tabletop.simulator.world import World
from tabletop.vision.scene import Scene
from tests.simulator.ground import TINY
from tests.simulator.perfect_eye import seen


class PerfectLoop:
    """Shows a referee the true layout of a simulated table whenever no hand is over it."""

    settled = True

    def __init__(self, world: World, referee: Referee, clock: Clock) -> None:
        self._world, self._referee, self._clock = world, referee, clock
        self._number = 0

    def turn(self) -> bool:
        table = self._world.table
        if table.hands:
            return False
        self._number += 1
        self._referee.see(Scene(self._clock.now, self._number, seen(table)))
        return True


@contextmanager
def perfect(game: Game, seats: int, folder: Path, seed: int, make: str, hasty: bool) -> Iterator[Playground]:
    """Yield a playground at which no picture is misread."""
    clock = Clock()
    journal, match = store.start(folder, game, NAMES[:seats], 0.0)
    referee = Referee(match, journal, clock)
    world = World(game, NAMES[:seats], seed, size=TINY, make=make, clock=clock)

    def push(step: Push) -> None:
        referee.press(Press(step.button, Kind.PRESS, clock.now))

    loop: Any = PerfectLoop(world, referee, clock)
    yield Playground(world, referee, loop, push, clock, hasty)
    journal.close()


def bots(game: Game, seed: int) -> Any:
    bot, rng = find_bot(game.name, "random"), random.Random(seed)

    def choose(position: Position) -> Action:
        assert position.decider is not None
        legal, budget = list(position.legal.thrifty()), Budget(playouts=1)
        return bot.choose(position.view(position.decider), Seen(), legal, budget, rng).action

    return choose


PLAYED = [
    pytest.param(game, make, seats, hasty, id=f"{game.name}-{make}-{seats}-{'hasty' if hasty else 'calm'}")
    for game in registry.games()
    if game.table is not None
    for number, make in enumerate(game.table.makes)
    for seats, hasty in ((min(game.seat_range), False), (max(game.seat_range), True))
    if hasty or not number
]


@pytest.mark.parametrize(("game", "make", "seats", "hasty"), PLAYED)
def test_every_act_is_understood_and_nothing_is_asked(
    game: Game, make: str, seats: int, hasty: bool, tmp_path: Path
) -> None:
    """In whole games with any make and number of seats, no action is misread or missed and no question is asked."""
    with perfect(game, seats, tmp_path, 7, make, hasty) as playground:
        tally = playground.play(bots(game, 7))
    assert (tally.wrong, tally.missed, tally.questions) == (0, 0, 0), (tally.problems, tally.asked)
    assert playground.referee.match.position.over
