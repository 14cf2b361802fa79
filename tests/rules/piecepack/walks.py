"""Random games, for tests that must hold in every position that can occur."""

from __future__ import annotations

import random
from collections.abc import Iterator

from tabletop.rules.game import Action, Json
from tabletop.rules.piecepack import GAME
from tabletop.rules.piecepack.position import PiecepackPosition

OPTIONS: list[dict[str, Json]] = [
    {},
    {"coin_null": 0, "yard_refill": "immediate"},
    {"exchange_same_cell": False, "holes": "enclosed_8"},
    {"reserve_only_if_unplaceable": True, "final_action_includes_ender": False, "first_seat": 1},
    {"exchange_same_cell": False, "yard_refill": "immediate", "reserve_only_if_unplaceable": True},
]


def walk(
    seed: int, options: dict[str, Json] | None = None, seats: int | None = None
) -> Iterator[tuple[PiecepackPosition, Action | None]]:
    """Yield the positions of one random game with the action that follows; the last with None.

    Purchases and building are chosen more often than at random, so that palazzi grow.
    """
    rng = random.Random(seed)
    position = GAME.new(["Ada", "Ben", "Cyd", "Dan"][: seats or 2 + seed % 3], options)
    while not position.over:
        if position.decider is None:
            action = GAME.draw(position, rng)
        else:
            actions = list(position.legal.thrifty())
            wanted = [one for one in actions if one.do in ("purchase", "build", "reserve")]
            action = rng.choice(wanted if wanted and rng.random() < 0.5 else actions)
        yield position, action
        position = position.after(action)
    yield position, None


def positions(seed: int, options: dict[str, Json] | None = None, seats: int | None = None) -> list[PiecepackPosition]:
    return [position for position, _ in walk(seed, options, seats)]
