"""The gain from learning: rules of thumb with learned weights against guessed ones, without any search.

``python -m bench.learned --game palazzo --pairs 100`` plays pairs of games for two, on equal chance and with the seats
exchanged, and prints the learned weights' share of wins (ties split) with its 95 % interval over pairs.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from statistics import mean, stdev

from tabletop.bots.bot import NORMAL_95
from tabletop.bots.playout import ended
from tabletop.bots.strategy import strategy_of
from tabletop.bots.training import play
from tabletop.rules import registry


def interval(values: Sequence[float]) -> tuple[float, float]:
    """Return the mean and the half width of its 95 % interval."""
    return mean(values), NORMAL_95 * stdev(values) / len(values) ** 0.5


def main() -> None:
    """Play pairs of games and print the results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", choices=registry.names(), default=registry.DEFAULT)
    parser.add_argument("--pairs", type=int, default=100)
    asked = parser.parse_args()
    name, pairs = asked.game, asked.pairs
    game, guessed = registry.game(name), strategy_of(name)
    learned, shares, leads = guessed.learned(), [], []
    for number in range(pairs):
        orders = [(learned, guessed), (guessed, learned)]
        ends = [ended(play(game, order, f"measure {number}")[-1].score(), seat) for seat, order in enumerate(orders)]
        shares.append(sum(end.wins for end in ends) / 2)
        leads.append(sum(end.lead for end in ends) / 2)
    (share, half), (lead, about) = interval(shares), interval(leads)
    print(f"{name}, {2 * pairs} games: {share:.1%} ± {half:.1%} of the wins, {lead:+.1f} ± {about:.1f} points")


if __name__ == "__main__":
    main()
