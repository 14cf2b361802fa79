"""A table as its players left it at the end of a game, to be photographed and scored."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from tabletop.bots.strategy import strategy_of
from tabletop.rules.game import Game, Position
from tabletop.simulator.world import World


def final_position(game: Game, names: Sequence[str], seed: int) -> Position:
    """Return the last position of a game between bots that follow their rules of thumb."""
    rng, strategy = random.Random(seed), strategy_of(game.name)
    position: Any = game.new(names)
    while not position.over:
        action = game.draw(position, rng) if position.decider is None else strategy.act(position, rng)
        position = position.after(action)
    end: Position = position
    return end


def laid_table(position: Position, harsh: int, seed: int = 1, make: str = "") -> World:
    """Return a table on which everything lies as in a position; the camera above it makes small pictures."""
    world = World(position.game, position.names, seed, harsh, (640, 360), make=make, clock=lambda: 0.0)
    world.arrange(position)
    return world
