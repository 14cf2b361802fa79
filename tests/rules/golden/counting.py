"""Counts of the ways in which a game can go on."""

from __future__ import annotations

from tabletop.rules.game import Position


def count_leaves(position: Position, depth: int) -> int:
    """Return the number of sequences of ``depth`` actions; of chance, one outcome of each kind is counted."""
    if depth == 1:
        return sum(1 for _ in position.legal)
    return sum(count_leaves(position.after(action), depth - 1) for action in position.legal)


def count_games(position: Position) -> int:
    """Return the number of ways in which the game can go on to its end, with one outcome of chance of each kind."""
    return 1 if position.over else sum(count_games(position.after(action)) for action in position.legal)
