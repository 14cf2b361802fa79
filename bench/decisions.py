"""The time and memory of decisions at a table: the strong bot in its process, asked as a table asks it.

``python -m bench.decisions --game palazzo --seconds 1`` lets it play a game for two against a thrifty bot and prints
the longest decision, how often a simpler bot stood in, and the memory of its process.
"""

from __future__ import annotations

import argparse
import random
import time
from statistics import median

from tabletop.bots.bot import Budget
from tabletop.bots.levels import LEVELS, find_bot
from tabletop.bots.seen import Watcher
from tabletop.bots.thinking.bot_process import BotProcess
from tabletop.hardware.diagnostics.linux import memory_mb
from tabletop.rules import registry
from tabletop.rules.game import Position


def main() -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", choices=registry.names(), default=registry.DEFAULT)
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--decisions", type=int, default=100)
    asked = parser.parse_args()
    measure(asked.game, Budget(asked.seconds), asked.decisions)


def measure(name: str, budget: Budget, wanted: int) -> None:
    """Print what ``wanted`` decisions took."""
    game, process, rng = registry.game(name), BotProcess(name), random.Random(1)
    took: list[float] = []
    playouts: list[int] = []
    stood_in, most = 0, 0.0
    watcher = Watcher(0)
    positions: list[Position] = [game.new(["Ada", "Ben"])]
    while len(took) < wanted and not (position := positions[-1]).over:
        legal = list(position.legal.thrifty())
        if position.decider is None:
            action = game.draw(position, rng)
        elif position.decider == 0:
            seen, begun = watcher.watch(positions), time.perf_counter()
            decision = process.bot(LEVELS[-1]).choose(position.view(0), seen, legal, budget, rng)
            action = decision.action
            if len(legal) > 1:
                took.append(time.perf_counter() - begun)
                playouts.append(decision.playouts)
                stood_in += bool(decision.notice)
                most = max(most, memory_mb("VmHWM", file=f"proc/{process.pid}/status"))
        else:
            seen = Watcher(1).watch(positions)
            action = find_bot(name, "thrifty").choose(position.view(1), seen, legal, budget, rng).action
        positions.append(position.after(action))
    process.close()
    print(
        f"{name}, {len(took)} decisions: median {median(took):.2f} s, longest {max(took):.2f} s, "
        f"{stood_in} stood in for, median {median(playouts):.0f} playouts, {most:.0f} MB"
    )


if __name__ == "__main__":
    main()
