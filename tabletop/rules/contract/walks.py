"""Random games, from the first position to the last."""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from tabletop.rules.contract.data_shape import ContractBroken
from tabletop.rules.game import Action, Game, Illegal, Json, Position

MAX_GAME_ACTIONS = 5000
"""The number of actions after which a random game counts as endless."""


class RandomGame(NamedTuple):
    """One random game: its positions, and the action after each but the last."""

    game: Game
    positions: Sequence[Position]
    actions: Sequence[Action]


def play_random_game(game: Game, seed: int, seats: int, options: Mapping[str, Json] | None = None) -> RandomGame:
    """Play one random game, chance drawn from the same generator.  Raises ContractBroken if it does not end."""
    rng = random.Random(seed)
    position = game.new([f"Seat {seat + 1}" for seat in range(seats)], dict(options or {}))
    positions: list[Position] = [position]
    actions: list[Action] = []
    while not position.over:
        if len(actions) == MAX_GAME_ACTIONS:
            raise ContractBroken(
                "the game ends", f"after {MAX_GAME_ACTIONS} actions it is in the phase {position.phase}"
            )
        action = _choose(position, rng)
        try:
            position = position.after(action)
        except Illegal as refusal:
            raise ContractBroken("listed actions work", f"{action} is refused: {refusal.message}") from refusal
        positions.append(position)
        actions.append(action)
    return RandomGame(game, positions, actions)


def trace(walk: RandomGame) -> str:
    """Return a hash of everything a walk showed, for comparing runs of two processes."""
    digest = hashlib.sha256()
    for position, action in zip(walk.positions, (*walk.actions, None), strict=True):
        listed = [] if position.decider is None else [walk.game.format(action) for action in position.legal]
        done = walk.game.format(action) if action is not None else ""
        digest.update(json.dumps([position.to_json(), listed, done]).encode())
    return digest.hexdigest()


def _choose(position: Position, rng: random.Random) -> Action:
    if position.decider is None:
        return position.game.draw(position, rng)
    actions = list(position.legal.thrifty())
    if not actions:
        raise ContractBroken("listed actions work", f"nothing is legal in the phase {position.phase}")
    return rng.choice(actions)
