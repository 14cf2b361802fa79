"""Make the golden records: ``python -m tests.rules.golden.make``.

Seeded games, played with various preferences, are searched for exceptions that no record shows yet; as few of them as
show these exceptions are added, as complete games in text.  The counts of ``counts.json`` are made again as well.  Run
it when an exception is added; existing records are not changed.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from tabletop.rules import registry
from tabletop.rules.game import Action, Position
from tabletop.rules.text import record, record_text, recorder
from tabletop.rules.text.replay import first_position, replay
from tests.rules.golden.counting import count_games, count_leaves
from tests.rules.golden.exceptions import EXCEPTIONS
from tests.rules.golden.starts import STARTS, TREES

HERE = Path(__file__).parent
MOST = 20_000
"""Largest count that is stored: higher ones take too long to be recounted in every test run."""
LAST = 14
"""Number of positions before the end of a game of Patrician at which its tree is still small."""
LIKINGS: Mapping[str, Sequence[Mapping[str, float]]] = {
    "palazzo": (
        {},
        {"build": 30, "auction": 30, "pass": 5},
        {"build": 30, "auction": 30, "bid": 0.3, "pass": 30, "buy": 0.001},
        {"money": 10, "buy": 5},
        {"rebuild": 20, "build": 10, "buy": 10, "bid": 5},
        {"money": 3, "build": 8, "buy": 0.0001, "bid": 3},
    ),
    "patrician": ({}, {"move": 3}, {"skip": 5}),
    "piecepack": (
        {},
        {"coin": 5},
        {"coin": 30, "turret": 0.05, "reserve": 0.05},
        {"reserve": 20, "purchase": 10},
        {"purchase": 20, "build": 20, "turret": 0.1},
    ),
}
OPTIONS: Mapping[str, Sequence[Mapping[str, Any]]] = {
    "palazzo": (
        {},
        {"price_basis": "start_of_turn", "min_price": 1},
        {"stacks": "unknown", "certificates_alone": False, "handout_discard": False, "first_seat": 1, "architect": 3},
    ),
    "patrician": ({}, {"move_may_empty_site": False, "first_seat": 1}, {"open_heads": True}),
    "piecepack": (
        {},
        {"exchange_same_cell": False, "holes": "enclosed_8", "yard_refill": "immediate"},
        {"coin_null": 0, "reserve_only_if_unplaceable": True, "final_action_includes_ender": False, "first_seat": 1},
    ),
}


def play(name: str, seed: int) -> tuple[Position, list[Action]]:
    """Play one game with options, seats and preferences that follow from the seed; return its start and its actions."""
    game = registry.game(name)
    likings = LIKINGS[name][seed % len(LIKINGS[name])]
    options = OPTIONS[name][seed // 5 % len(OPTIONS[name])]
    seats = game.seat_range[seed // 2 % len(game.seat_range)]
    first = game.new(["Ada", "Ben", "Cyd", "Dan", "Eve"][:seats], options)
    return first, finish(first, likings, seed)


def finish(first: Position, likings: Mapping[str, float], seed: int, length: int | None = None) -> list[Action]:
    """Play on to the end, or ``length`` actions, choosing first a kind of action by weight, then one of it."""
    rng, position = random.Random(seed), first
    actions: list[Action] = []
    while not position.over and len(actions) != length:
        if position.decider is None:
            action = position.game.draw(position, rng)
        else:
            kinds: dict[str, list[Action]] = {}
            for one in position.legal.thrifty():
                kinds.setdefault(one.do, []).append(one)
            (kind,) = rng.choices(list(kinds), [likings.get(do, 1) for do in kinds])
            action = rng.choice(kinds[kind])
        actions.append(action)
        position = position.after(action)
    return actions


def shown(name: str, one: record.Record) -> set[str]:
    """Return the exceptions that a record shows.  Raises RecordError if it does not replay."""
    before, found = first_position(one), set()
    for step in replay(one):
        for exception, shows in EXCEPTIONS[name].items():
            if exception not in found and shows(before, step.action, step.position):
                found.add(exception)
        before = step.position
    return found


def games(name: str, seeds: range) -> Iterator[tuple[str, record.Record]]:
    """Yield games with their titles: first from prepared positions, then from seeds."""
    for title, (start, length) in STARTS[name].items():
        position = start()
        yield title, recorder.make(position, finish(position, {}, 0, length))
    for seed in seeds:
        first, actions = play(name, seed)
        yield f"seed-{seed}", recorder.make(first, actions)


def cover(name: str, seeds: range) -> tuple[dict[str, record.Record], set[str]]:
    """Return a few more games for exceptions that no record shows yet, and the exceptions that no game shows."""
    kept = [record_text.parse_record(file.read_text(encoding="utf-8")) for file in HERE.glob(f"{name}-*.txt")]
    wanted = set(EXCEPTIONS[name]).difference(*(shown(name, one) for one in kept))
    missing, chosen = set(wanted), {}
    found: list[tuple[str, record.Record, set[str]]] = []
    for title, one in games(name, seeds if wanted else range(0)):
        shows = shown(name, one)
        found.append((title, one, shows))
        missing -= shows
        if not missing:
            break
    left = wanted - missing
    while left:
        title, one, shows = max(found, key=lambda game: (len(game[2] & left), -len(game[1].lines)))
        chosen[title] = one
        left -= shows
    return chosen, missing


def positions(title: str) -> list[Position]:
    """Return the positions of a golden record in order."""
    one = record_text.parse_record((HERE / f"{title}.txt").read_text(encoding="utf-8"))
    return [first_position(one), *(step.position for step in replay(one))]


def counts(name: str) -> list[list[Any]]:
    """Return rows of record, place in it, depth, and the number of action sequences of that depth from there.

    They do not depend on the order in which actions are listed.
    """
    rows: list[list[Any]] = []
    for file in sorted(HERE.glob(f"{name}-seed-*.txt")):
        every = positions(file.stem)
        for share in (0.1, 0.3, 0.5, 0.7, 0.97):
            place = int(len(every) * share)
            depth = next((d for d in (1, 2) if count_leaves(every[place], d) > 300), 3)
            rows.append([file.stem, place, depth, count_leaves(every[place], depth)])
    return [row for row in rows if row[-1] <= MOST]


def trees(name: str) -> list[list[Any]]:
    """Return rows of start or record, place in it, and the number of games that can follow."""
    rows: list[list[Any]] = [[title, 0, count_games(start())] for title, start in TREES.get(name, {}).items()]
    if name == "patrician":
        for file in sorted(HERE.glob(f"{name}-seed-*.txt")):
            every = positions(file.stem)
            rows.append([file.stem, len(every) - LAST, count_games(every[-LAST])])
    return rows


def main() -> None:
    """Write records and counts; print the exceptions that no game shows."""
    for name in EXCEPTIONS:
        chosen, missing = cover(name, range(int(sys.argv[1]) if len(sys.argv) > 1 else 400))
        for title, one in chosen.items():
            (HERE / f"{name}-{title}.txt").write_text(record_text.format_record(one), encoding="utf-8")
        print(name, len(chosen), "records; shown by none:", ", ".join(sorted(missing)) or "nothing")
    write_counts()


def write_counts() -> None:
    """Write the counts of the existing golden records, from places in them, and of complete small trees."""
    for file, count in (("counts.json", counts), ("trees.json", trees)):
        table = {
            name: ",\n".join(f"    {json.dumps(row)}" for row in rows) for name in EXCEPTIONS if (rows := count(name))
        }
        text = ",\n".join(f'  "{name}": [\n{rows}\n  ]' for name, rows in table.items())
        (HERE / file).write_text(f"{{\n{text}\n}}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
