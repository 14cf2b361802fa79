"""How many ways a game has to go on."""

from __future__ import annotations

from tabletop.rules.game import Position


def count_leaves(position: Position, depth: int) -> int:
    """Count the actions that can come ``depth`` deep, chance listed as one for each kind."""
    if depth == 1:
        return sum(1 for _ in position.legal)
    return sum(count_leaves(position.after(action), depth - 1) for action in position.legal)


def count_games(position: Position) -> int:
    """Count the ways in which the game can go on to its end, chance listed as one for each kind."""
    return 1 if position.over else sum(count_games(position.after(action)) for action in position.legal)
