"""How much a thinking bot slows a table down: the time from a press to its light without and with a thinking bot.

``python -m bench.thinking --game palazzo --rounds 3`` presses the buttons of a whole table with a camera, in turn
without a bot and beside the strong one, which thinks all the time in its process, as at a real table.
"""

from __future__ import annotations

import argparse
import random
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

from tabletop.bots.bot import Budget
from tabletop.bots.levels import LEVELS
from tabletop.bots.seen import Watcher
from tabletop.bots.thinking.bot_process import BotProcess
from tabletop.hardware.panel import panel_file
from tabletop.hardware.panel.pin_factories import mock_factory
from tabletop.rules import registry
from tabletop.rules.game import Game, Position
from tabletop.runtime.bench.reactions import PressedPanel, presses

BUDGET = Budget(seconds=1.0, thorough=True)
"""The bot's budget for each decision, which it uses up."""


def main() -> None:
    """Print what each round took, and the medians of all presses."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", choices=registry.names(), default=registry.DEFAULT)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=15.0, help="of presses in each round, with and without a bot")
    asked = parser.parse_args()
    game = registry.game(asked.game)
    alone: list[float] = []
    beside: list[float] = []
    for _ in range(asked.rounds):
        alone += pressed(game, asked.seconds)
        with thinking(game) as decided:
            beside += pressed(game, asked.seconds)
        print(f"the bot answered {sum(map(bool, decided))} of {len(decided)} questions in time", flush=True)
    for what, took in (("nobody thinks", alone), ("a bot thinks", beside)):
        print(
            f"{what}: {len(took)} presses, light after {1000 * median(took):.1f} ms, at worst {1000 * max(took):.1f} ms"
        )


def pressed(game: Game, seconds: float) -> list[float]:
    """Return the seconds that lights took to answer presses at a table."""
    with tempfile.TemporaryDirectory() as folder:
        return presses(game, Path(folder), lambda: PressedPanel(panel_file.load(), mock_factory()), seconds)


@contextmanager
def thinking(game: Game) -> Iterator[list[int]]:
    """Let the strong bot think about a first turn again and again; provide the playouts of each time, 0 if late."""
    rng, positions = random.Random(1), [_opening(game)]
    seat, decided, done = positions[-1].decider, list[int](), threading.Event()
    assert seat is not None
    legal, view, seen = list(positions[-1].legal.thrifty()), positions[-1].view(seat), Watcher(seat).watch(positions)
    process = BotProcess(game.name)

    def think() -> None:
        while not done.is_set():
            decided.append(process.bot(LEVELS[-1]).choose(view, seen, legal, BUDGET, rng).playouts)

    thread = threading.Thread(target=think)
    thread.start()
    try:
        yield decided
    finally:
        done.set()
        thread.join()
        process.close()


def _opening(game: Game) -> Position:
    """Return the first position of a game for two in which a seat has a choice."""
    rng, position = random.Random(1), game.new(["Ada", "Ben"])
    while position.decider is None or len([*position.legal.thrifty()]) < 2:
        legal = list(position.legal.thrifty()) if position.decider is not None else []
        position = position.after(legal[0] if legal else game.draw(position, rng))
    return position


if __name__ == "__main__":
    main()
