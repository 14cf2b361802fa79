"""Learning the weights and the outlook of a game's strategy from games that it plays against itself.

The weights: in each round they are pushed a little in random directions; each push plays against its opposite, on
equal chance and in both seatings, and the weights move towards the side that ended ahead.  This is an evolution
strategy with antithetic sampling (Salimans et al., “Evolution Strategies as a Scalable Alternative to Reinforcement
Learning”, 2017) whose games the two pushes play between them.

The outlook: what each feature of a seat is worth at the end, by least squares over the turns of such games.

The games are played through ``run``, which is called like the built-in ``map``, its default; through an executor they
are played in several processes, or on several machines, with the same results.
"""

from __future__ import annotations

import json
import math
import random
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice
from typing import Any

from tabletop.bots.playout import MAX_ACTIONS
from tabletop.bots.shuffles import Shuffles
from tabletop.bots.strategy import Outlook, Strategy
from tabletop.rules import registry
from tabletop.rules.game import Game, Position

PUSH_SHARE = 0.15
"""How far each weight is pushed, as a share of its scale."""
STEP_SHARE = 0.15
"""How far each weight moves in a round in which all pairs agree, as a share of its scale."""
MIN_SCALE = 0.5
"""The scale of a weight is its absolute value, but at least this."""
CLEAR_WIN_POINTS = 15.0
"""The lead, in points, with which a game is clearly won: a larger one counts little more."""
DIRECTION_MEMORY = 0.9
"""The share of the direction of earlier rounds that each round keeps."""


def learn_weights(
    game: Game, strategy: Strategy, seed: int, pairs: int, run: Callable[..., Iterator[Any]] = map
) -> Iterator[Strategy]:
    """Yield better and better strategies without end, one per round of that many pairs of games between two seats.

    Each has a mean of the weights so far, the newest rounds counting most, which is less noisy than the newest ones.
    """
    rng = random.Random(seed)
    now = [float(value) for value in strategy.weights]
    scales = [max(abs(value), MIN_SCALE) for value in now]
    moving, smooth = [0.0] * len(now), now
    while True:
        pushes, matches, seeds = [], [], []
        for _ in range(pairs):
            push = [rng.gauss(0, 1) for _ in now]
            sides = [
                strategy.with_weights(
                    [v + sign * PUSH_SHARE * s * p for v, s, p in zip(now, scales, push, strict=True)]
                )
                for sign in (1, -1)
            ]
            pushes.append(push)
            matches.append(sides)
            seeds.append(f"{seed} {rng.random()}")
        gradient = [0.0] * len(now)
        for push, ahead in zip(pushes, run(partial(compare, game.name), matches, seeds), strict=True):
            gradient = [before + ahead * p for before, p in zip(gradient, push, strict=True)]
        moving = [
            DIRECTION_MEMORY * m + (1 - DIRECTION_MEMORY) * g / math.sqrt(pairs)
            for m, g in zip(moving, gradient, strict=True)
        ]
        now = [v + STEP_SHARE * s * m for v, s, m in zip(now, scales, moving, strict=True)]
        smooth = [DIRECTION_MEMORY * one + (1 - DIRECTION_MEMORY) * new for one, new in zip(smooth, now, strict=True)]
        yield strategy.with_weights(smooth)


def compare(game: str, sides: Sequence[Strategy], seed: str) -> float:
    """Return how far the first side ends ahead of the second, -1 … 1, over both seatings on equal chance."""
    rules, total = registry.game(game), 0.0
    for first in (0, 1):
        points = [score.points for score in play(rules, [sides[first], sides[1 - first]], seed)[-1].score()]
        total += math.tanh((points[first] - points[1 - first]) / CLEAR_WIN_POINTS) / 2
    return total


def play(game: Game, players: Sequence[Strategy], seed: str) -> Sequence[Position]:
    """Return the positions of a game between strategies, one per seat: where each turn began, and the end, or where the
    game stood after MAX_ACTIONS."""
    chance, rng = Shuffles(seed), random.Random(seed)
    position: Any = game.new([str(number) for number in range(1, len(players) + 1)])
    turns: list[Position] = []
    for _ in range(MAX_ACTIONS):
        if position.over:
            break
        seat = position.decider
        if seat is None:
            position = position.following(game.draw(position, chance))
            continue
        if not turns or turns[-1].active != position.active:
            turns.append(position)
        position = position.following(players[seat].act(position, rng))
    return [*turns, position]


def learn_outlook(
    game: Game, strategy: Strategy, seed: int, games: int, run: Callable[..., Iterator[Any]] = map
) -> Strategy:
    """Return the strategy with an outlook learned from that many two-seat games that it plays against itself."""
    import numpy as np

    rows, ends = [], []
    seeds = [f"outlook {seed} {number}" for number in range(games)]
    for turns, lead in run(partial(observe, game.name), [strategy] * games, seeds):
        rows += turns
        ends += [lead] * len(turns)
    value, _, _, _ = np.linalg.lstsq(np.array(rows, dtype=float), np.array(ends, dtype=float), rcond=None)
    scatter = float(np.std(np.array(ends) - np.array(rows, dtype=float) @ value))
    return type(strategy)(
        strategy.weights, Outlook(tuple(round(float(number), 4) for number in value), round(scatter, 2))
    )


def observe(game: str, strategy: Strategy, seed: str) -> tuple[list[list[float]], int]:
    """Return how the first seat's features differ from the second's at each turn of a game, and its final lead."""
    *turns, end = play(registry.game(game), [strategy] * 2, seed)
    first, second = end.score()
    features = [(strategy.features(position, 0), strategy.features(position, 1)) for position in turns]
    return (
        [[one - two for one, two in zip(own, other, strict=True)] for own, other in features],
        first.points - second.points,
    )


def train(
    game: Game, strategy: Strategy, seed: int, *, rounds: int, pairs: int, games: int, tell: Callable[[int], None],
    run: Callable[..., Iterator[Any]] = map,
) -> str:  # fmt: skip
    """Return the text of the file that ``Strategy.learned`` reads; ``tell`` is called with the number of finished
    rounds."""
    learned = strategy
    for number, found in enumerate(islice(learn_weights(game, strategy, seed, pairs, run), rounds), 1):
        learned = found
        tell(number)
    rounded = learned.with_weights([round(float(weight), 4) for weight in learned.weights])
    outlook = learn_outlook(game, rounded, seed, games, run).outlook
    data = {
        "made by": f"tabletop train --game {game.name} --seed {seed} --rounds {rounds} --pairs {pairs} --games {games}",
        "weights": rounded.weights._asdict(),
        "value": outlook.value,
        "scatter": outlook.scatter,
    }
    return json.dumps(data, indent=2) + "\n"
