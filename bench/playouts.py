"""The speed of the rules in random games, one row per game and way of listing, for comparison with other engines.

``PLAYERS`` maps a row's name to a function that plays one random game with the given generator and returns
``(decisions, sum of the numbers of legal actions)``.  A decision is a seat's: the legal actions are listed in the
way that the row names, one is chosen and done.  Chance is drawn in between, and its time is included.

Run alone (``python -m bench.playouts``) it prints microseconds per decision.
"""

from __future__ import annotations

import importlib
import random
import time
from collections.abc import Callable

Play = Callable[[random.Random], tuple[int, int]]

SEATS = 3


def player(module: str, thrifty: bool) -> Play:
    """Return the function that plays one random game of the module's GAME."""
    game = importlib.import_module(module).GAME
    names = [f"P{seat}" for seat in range(SEATS)]

    def play(rng: random.Random) -> tuple[int, int]:
        position = game.new(names)
        decisions = offered = 0
        while True:
            if position.decider is None:
                if position.over:
                    return decisions, offered
                position = position.after(game.draw(position, rng))
                continue
            legal = list(position.legal.thrifty() if thrifty else position.legal)
            offered += len(legal)
            decisions += 1
            position = position.after(rng.choice(legal))

    return play


PLAYERS: dict[str, Play] = {
    "palazzo thrifty": player("tabletop.rules.palazzo", thrifty=True),
    "palazzo complete": player("tabletop.rules.palazzo", thrifty=False),
    "patrician thrifty": player("tabletop.rules.patrician", thrifty=True),
    "patrician complete": player("tabletop.rules.patrician", thrifty=False),
    "piecepack thrifty": player("tabletop.rules.piecepack", thrifty=True),
    "piecepack complete": player("tabletop.rules.piecepack", thrifty=False),
}


def main() -> None:
    """Print the rows of this project alone."""
    for row, play in PLAYERS.items():
        rng = random.Random(2024)
        begin, decisions, offered, games = time.process_time(), 0, 0, 0
        while (spent := time.process_time() - begin) < 1:
            done, choices = play(rng)
            decisions, offered, games = decisions + done, offered + choices, games + 1
        print(
            f"{row:24} {spent / decisions * 1e6:8.1f} us a decision  {offered / decisions:6.1f} choices  "
            f"{decisions / games:6.1f} decisions a game"
        )


if __name__ == "__main__":
    main()
