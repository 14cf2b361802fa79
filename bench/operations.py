"""The time of single operations of the rules, compared with a decision of python-chess if that is installed.

``python -m bench.operations`` prints microseconds and, from the same run, the ratio to a decision of python-chess: list
the legal moves, choose one, do it (and undo it for the next round, a few per cent more), in random games.  Every
operation is timed on many positions of seeded games, in rounds that alternate with the other operations, and the
quickest time of each call counts, so that a busy machine affects all rows alike.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from tabletop.rules.game import Action, Position
from tabletop.rules.palazzo import GAME
from tabletop.rules.palazzo.actions import Buy
from tabletop.rules.palazzo.phases.payments import payments

Call = Callable[[], Any]

ROUNDS = 15
CALLS = 150
"""How many calls of each operation are timed in each round."""
RICH = 10
"""The number of cards of a rich hand."""


def play(seeds: range) -> Iterator[tuple[Position, Action]]:
    """Yield positions in which a seat decides, with the action that was done, from seeded random games."""
    for seed in seeds:
        rng, position = random.Random(seed), GAME.new(["Ada", "Ben", "Cyd"])
        while not position.over:
            if position.decider is None:
                position = position.after(GAME.draw(position, rng))
                continue
            action = rng.choice(list(position.legal.thrifty()))
            yield position, action
            position = position.after(action)


def too_little(played: Sequence[tuple[Any, Action]]) -> Iterator[tuple[Any, Action]]:
    """Yield purchases with one card too few, each with its position; the refusal names a sufficient payment."""
    for position, action in played:
        if isinstance(action, Buy) and action.pay:
            less = Buy(action.tiles, action.pay[1:])
            refusal = position.refusal(less)
            if refusal is not None and refusal.nearest is not None:
                yield position, less


def operations() -> dict[str, list[Call]]:
    """Return the calls of each operation."""
    played: list[tuple[Any, Action]] = list(play(range(12)))
    sample = random.Random(1).sample(played, CALLS)
    strange = [action for _, action in random.Random(2).sample(played, CALLS)]
    refused = [
        (position, action)
        for (position, _), action in zip(sample, strange, strict=True)
        if position.refusal(action) is not None
    ]
    short = [*too_little(played)][:CALLS]
    hands = [position.hands[seat] for position, _ in played for seat in range(3)]
    rich = [hand for hand in hands if len(hand) == RICH][:CALLS]
    return {
        "after": [partial(position.after, action) for position, action in sample],
        "view of one seat": [partial(position.view, 0) for position, _ in sample],
        "refusal": [partial(position.refusal, action) for position, action in refused],
        "refusal too-little": [partial(position.refusal, action) for position, action in short],
        "payments of 10 cards": [partial(payments, hand) for hand in rich],
    }


def chess_decisions() -> list[Call]:
    """Return decisions of python-chess on positions of random games; none if it is not installed."""
    try:
        import chess  # type: ignore[import-not-found,unused-ignore]
    except ImportError:
        return []

    def decide(board: Any, rng: random.Random) -> None:
        board.push(rng.choice(list(board.legal_moves)))
        board.pop()

    boards = []
    for seed in range(CALLS):
        rng, board = random.Random(seed), chess.Board()
        for _ in range(rng.randrange(150)):
            if not any(board.legal_moves):
                break
            board.push(rng.choice(list(board.legal_moves)))
        if any(board.legal_moves):
            boards.append(board)
    return [partial(decide, board, random.Random(9)) for board in boards]


def measure(rows: dict[str, list[Call]]) -> dict[str, float]:
    """Return row → the mean over its calls of their quickest times, in microseconds."""
    best = {name: [float("inf")] * len(calls) for name, calls in rows.items()}
    for _ in range(ROUNDS):
        for name, calls in rows.items():
            for at, call in enumerate(calls):
                begin = time.perf_counter()
                call()
                best[name][at] = min(best[name][at], time.perf_counter() - begin)
    return {name: sum(times) / len(times) * 1e6 for name, times in best.items() if times}


def main() -> None:
    """Print one line per operation."""
    costs = measure({"python-chess decision": chess_decisions(), **operations()})
    unit = costs.get("python-chess decision")
    for name, cost in costs.items():
        print(f"{name:24} {cost:8.1f} us" + (f"  {cost / unit:6.2f} x" if unit else ""))


if __name__ == "__main__":
    main()
