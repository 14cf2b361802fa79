"""What a bot is, and the bots there are for each game."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol, TypeAlias

from tabletop.bots.random_bot import RandomPlayer
from tabletop.rules.game import Action, View
from tabletop.rules.registry import Layer


class Player(Protocol):
    """Decides for one seat."""

    def choose(self, view: View, legal: Sequence[Action], rng: random.Random) -> Action:
        """Return one of the legal actions (never empty), knowing only the seat's own view.

        The same view, list and generator state always give the same choice.
        """


Bots: TypeAlias = Mapping[str, Callable[[], Player]]
"""Bots by name."""

BOTS = Layer("tabletop.games.bots", "tabletop.bots.{game}", "BOTS")
EVERYWHERE: Bots = {"random": RandomPlayer}
"""The bots that play any game."""


def bots_of(game: str) -> Bots:
    """Return the bots that play the game of that name, the random one first."""
    return {**EVERYWHERE, **(BOTS.part(game) or {})}


def find_player(game: str, name: str) -> Player:
    """Return a new bot of that name for a game.  Raises ValueError naming those there are."""
    there = bots_of(game)
    if name not in there:
        raise ValueError(f"There is no player “{name}”: choose {' or '.join(there)}.")
    return there[name]()
