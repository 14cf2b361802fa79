"""What a player made of code is, and the list of those there are."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from tabletop.bots.palazzo.thrifty import ThriftyPlayer
from tabletop.bots.random_bot import RandomPlayer
from tabletop.rules.game import Action, View


class Player(Protocol):
    """Somebody who decides for one seat."""

    def choose(self, view: View, legal: Sequence[Action], rng: random.Random) -> Action:
        """Return one of the legal actions (never empty), knowing only the seat's own view.

        The same view, list and generator state always give the same choice.
        """


PLAYERS: Mapping[str, Callable[[], Player]] = {"random": RandomPlayer, "thrifty": ThriftyPlayer}
"""The players by name."""


def find_player(name: str) -> Player:
    """Return a new player of that name.  Raises ValueError naming those there are."""
    if name not in PLAYERS:
        raise ValueError(f"There is no player “{name}”: choose {' or '.join(PLAYERS)}.")
    return PLAYERS[name]()
