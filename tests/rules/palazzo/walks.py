"""Random games, every position of them."""

from __future__ import annotations

import random
from collections.abc import Iterator

from tabletop.rules.game import Action, Json
from tabletop.rules.palazzo import GAME
from tabletop.rules.palazzo.position import PalazzoPosition

OPTIONS: dict[str, list[Json]] = {
    "price_basis": ["start_of_buy", "start_of_turn"],
    "min_price": [0, 1],
    "certificates_alone": [True, False],
    "handout_discard": [True, False],
    "tiebreak_groups": [True, False],
    "stacks": ["synthetic", "unknown"],
    "architect": [1, 2, 3, 4],
}


def start(seed: int) -> tuple[PalazzoPosition, random.Random]:
    """Return a first position with the seed's seats and options, and the random generator to continue with."""
    rng = random.Random(seed)
    options: dict[str, Json] = {name: rng.choice(values) for name, values in OPTIONS.items()}
    seats = rng.choice([2, 3, 4])
    options["first_seat"] = rng.randrange(seats)
    return GAME.new(list("ABCD")[:seats], options), rng


def step(position: PalazzoPosition, rng: random.Random) -> Action:
    """Return a random next action: of chance, or of a random kind that is legal."""
    if position.decider is None:
        return GAME.draw(position, rng)
    legal = list(position.legal.thrifty() if rng.random() < 0.5 else position.legal)
    kind = rng.choice(sorted({action.do for action in legal}))
    return rng.choice([action for action in legal if action.do == kind])


def moves(seed: int) -> Iterator[tuple[PalazzoPosition, Action]]:
    """Iterate over (position, action) of one random game."""
    position, rng = start(seed)
    while not position.over:
        action = step(position, rng)
        yield position, action
        position = position.after(action)


def walk(seed: int) -> Iterator[PalazzoPosition]:
    """Iterate over every position of one random game, the last too."""
    position, rng = start(seed)
    while not position.over:
        yield position
        position = position.after(step(position, rng))
    yield position
