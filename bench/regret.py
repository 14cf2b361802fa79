"""How many points the bots' decisions give away compared with the best action of a long reference search.

``python -m bench.regret --game palazzo`` lets each level decide in the positions of ``bench/positions/palazzo.jsonl``
with growing budgets and prints the mean regret, and the processor time that a decision took.  The reference plays every
action out to the end on the same thousand deals that fit what the seat knows; results that the file does not have yet
are computed and added to it.  ``--seconds 1`` lets the searching levels decide within a second of processor time,
instead of a number of playouts.  ``--make 50`` writes a new file of positions, one from each of 50 games.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from statistics import mean, stdev
from typing import Any, NamedTuple

from tabletop.bots.bot import Budget
from tabletop.bots.levels import find_bot
from tabletop.bots.playout import play_out, result
from tabletop.bots.search_bot import MAX_TRIED_ACTIONS
from tabletop.bots.seen import Seen
from tabletop.bots.shuffles import Shuffles
from tabletop.bots.strategy import strategy_of
from tabletop.bots.thrifty_bot import drawn
from tabletop.bots.tournament.workers import processes
from tabletop.rules import registry
from tabletop.rules.game import Action, Game, Position
from tabletop.rules.text.position_text import format_position, parse_position

STORED = Path(__file__).parent / "positions"
DEALS = 1_000
"""How often a reference plays each action out."""
UNLIMITED = ("random", "thrifty")
"""Levels that need no budget."""
SEARCHING = ("sound", "strong")
PLAYOUTS = (8, 32, 128, 512)


@dataclass(slots=True)
class Stored:
    """A position in which a seat decides, as text, and notation of an action → its reference value.

    That is by how many points the seat ends ahead of the best other seat, on average.
    """

    position: str
    worth: dict[str, float] = field(default_factory=dict)


class Lost(NamedTuple):
    """What a decision gave away, in points, and the processor time that it took, in seconds."""

    points: float
    seconds: float


def read(path: Path) -> list[Stored]:
    """Return the stored positions of a file."""
    return [Stored(**json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines()]


def write(path: Path, stored: Sequence[Stored]) -> None:
    """Write the stored positions, one per line."""
    lines = [json.dumps({"position": decision.position, "worth": decision.worth}) + "\n" for decision in stored]
    path.write_text("".join(lines), encoding="utf-8")


def decisions(game: Game, seed: int) -> Iterator[Position]:
    """Yield the positions with a choice from a game for two that is played by rules of thumb."""
    rng, strategy, position = random.Random(seed), strategy_of(game.name), game.new(["Ada", "Ben"])
    while not position.over:
        if position.decider is None:
            action = game.draw(position, rng)
        else:
            if len(list(position.legal.thrifty())) > 1:
                yield position
            action = strategy.act(position, rng)
        position = position.after(action)


def make(game: Game, count: int) -> list[Stored]:
    """Return a position of each of ``count`` games."""
    return [Stored(format_position(random.Random(seed).choice([*decisions(game, seed)]))) for seed in range(count)]


def reference(game: Game, position: Any, actions: Sequence[Action]) -> list[float]:
    """Return the value of each action to the deciding seat, in points, all on the same deals."""
    seat, strategy = position.decider, strategy_of(game.name).learned()
    totals = [0.0] * len(actions)
    for number in range(DEALS):
        deal = drawn(game, strategy, position.view(seat), Seen(), random.Random(f"reference {number}"))
        chance = Shuffles(f"reference {number}")
        for at, action in enumerate(actions):
            end = play_out(game, strategy, deal.after(action), chance.again())
            totals[at] += result(end, seat, strategy).lead
    return [total / DEALS for total in totals]


def likely(game: Game, position: Any, legal: Sequence[Action]) -> list[Action]:
    """Return the actions that the rules of thumb, guessed or learned, rank best."""
    strategy = strategy_of(game.name)
    best: dict[Action, None] = {}
    for player in (strategy, strategy.learned()):
        worth = player.weigh(position, legal)
        best |= dict.fromkeys(legal[at] for at in sorted(range(len(legal)), key=worth.__getitem__)[-MAX_TRIED_ACTIONS:])
    return [*best]


def budgets(seconds: float | None) -> dict[str, tuple[str, Budget]]:
    """Return name of a row → the level that decides, and its budget."""
    rows = {level: (level, Budget(playouts=1)) for level in UNLIMITED}
    for level in SEARCHING:
        if seconds is not None:
            rows[f"{level}, {seconds:g} s"] = level, Budget(seconds)
            continue
        rows |= {f"{level}, {count} playouts": (level, Budget(playouts=count)) for count in PLAYOUTS}
    return rows


def regrets(name: str, seconds: float | None, stored: Stored) -> tuple[Stored, dict[str, Lost]]:
    """Return the position with all known values of its actions, and bot → what it gives away there."""
    game = registry.game(name)
    position = parse_position(game, stored.position)
    seat, legal = position.decider, list(position.legal.thrifty())
    assert seat is not None
    chosen, took = {}, {}
    for bot, (level, budget) in budgets(seconds).items():
        asked = find_bot(name, level, time.process_time)
        begun = time.process_time()
        chosen[bot] = asked.choose(position.view(seat), Seen(), legal, budget, random.Random(1)).action
        took[bot] = time.process_time() - begun
    worth = dict(stored.worth)
    new = [
        action
        for action in dict.fromkeys([*likely(game, position, legal), *chosen.values()])
        if game.format(action) not in worth
    ]
    worth |= zip(map(game.format, new), reference(game, position, new) if new else (), strict=True)
    most = max(worth.values())
    lost = {bot: Lost(most - worth[game.format(action)], took[bot]) for bot, action in chosen.items()}
    return Stored(stored.position, worth), lost


def table(found: Sequence[dict[str, Lost]]) -> str:
    """Return the mean regrets as a table in Markdown."""
    lines = ["| bot | points given away | best action found | processor time |", "|---|---|---|---|"]
    for bot in found[0]:
        points, seconds = zip(*[losses[bot] for losses in found], strict=True)
        error = stdev(points) / len(points) ** 0.5
        best = f"{sum(lost == 0 for lost in points)} of {len(points)}"
        lines.append(f"| {bot} | {mean(points):.2f} ± {error:.2f} | {best} | {mean(seconds):.2f} s |")
    return "\n".join(lines)


def main() -> None:
    """Decide in every position and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", choices=registry.names(), default=registry.DEFAULT)
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--make", type=int, metavar="COUNT", help="write new positions first")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    asked = parser.parse_args()
    path = STORED / f"{asked.game}.jsonl"
    if asked.make:
        write(path, make(registry.game(asked.game), asked.make))
    stored, found = read(path), []
    with processes(asked.workers) as pool:
        for at, (known, lost) in enumerate(pool.map(partial(regrets, asked.game, asked.seconds), stored)):
            stored[at] = known
            found.append(lost)
            write(path, stored)
            print(f"position {at + 1} of {len(stored)}", file=sys.stderr, flush=True)
    print(table(found))


if __name__ == "__main__":
    main()
