"""Positions of every phase, found by playing games with a seed."""

from __future__ import annotations

import random
from functools import cache

from tabletop.rules.game import Position
from tabletop.rules.palazzo import GAME

NAMES = ("Anna", "Bruno", "Chiara")


def play(seed: int, names: tuple[str, ...] = NAMES) -> list[Position]:
    """Return every position of one game played by the dice."""
    rng = random.Random(seed)
    found = [GAME.new(names)]
    while not found[-1].over:
        position = found[-1]
        if position.decider is None:
            action = position.game.draw(position, rng)
        else:
            choices = list(position.legal.thrifty())
            wanted = [one for one in choices if one.do in ("build", "buy", "bid", "place", "auction", "take", "claim")]
            action = rng.choice(wanted if wanted and rng.random() < 0.8 else choices)
        found.append(position.after(action))
    return found


@cache
def phases(seed: int = 4) -> dict[str, Position]:
    """Return one position of each phase, the latest of the game that there is, and the final one."""
    found: dict[str, Position] = {}
    game = play(seed)
    for position in game:
        found[position.phase] = position
        facts = position.to_json()
        if position.phase == "bid" and sum(map(len, facts["auction"]["laid"].values())) > 2:
            found["high-bid"] = position
    return found
