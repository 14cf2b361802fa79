"""Playouts: how a game continues from a position if every seat follows its rules of thumb."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from tabletop.bots.strategy import Strategy
from tabletop.rules.game import Game, Position, SeatScore, lead, win_share

MAX_ACTIONS = 2000
"""The most actions of a playout, four times as many as the longest games have: rules of thumb may go round in circles,
such as two turrets that move to and fro."""


class Result(NamedTuple):
    """The result of a playout for one seat."""

    lead: float
    """Points ahead of the best other seat."""
    wins: float
    """Its share of the win, 0 … 1."""


class OutOfTime(Exception):
    """A playout that could not be finished in time."""


def play_out(
    game: Game,
    strategy: Strategy,
    position: Any,
    chance: random.Random,
    turns: int | None = None,
    until: float = math.inf,
    clock: Callable[[], float] = time.perf_counter,
) -> Position:
    """Return the position at the end of the game, or ``turns`` turns later when a seat decides, or after MAX_ACTIONS.

    Raises OutOfTime if the clock passes ``until`` first.
    """
    rng = random.Random(0)
    active = position.active
    for _ in range(MAX_ACTIONS):
        if clock() > until:
            raise OutOfTime
        if position.over:
            break
        if position.decider is None:
            position = position.following(game.draw(position, chance))
            continue
        if turns is not None and position.active != active:
            active, turns = position.active, turns - 1
            if turns <= 0:
                break
        position = position.following(strategy.act(position, rng))
    end: Position = position
    return end


def result(position: Position, seat: int, strategy: Strategy) -> Result:
    """Return the result for the seat; if the game is not over, what the strategy expects."""
    if position.over:
        return ended(position.score(), seat)
    points = strategy.expected(position)
    return Result(lead(points, seat), strategy.share(points, seat))


def ended(scores: Sequence[SeatScore], seat: int) -> Result:
    """Return the seat's result in a game with these final scores."""
    return Result(lead([score.points for score in scores], seat), win_share([score.rank for score in scores], seat))
