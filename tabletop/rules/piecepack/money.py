"""Paying: which coins of a hand, with or without the die, buy a structure."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

from tabletop.rules.piecepack.components import FACE
from tabletop.rules.piecepack.state import Ids


def worth(coins: Iterable[str], null: int) -> int:
    """Return the value of coins in ducats; ``null`` is what a null coin is worth."""
    return sum(FACE[coin] or null for coin in coins)


def one_of_each(coins: Iterable[str]) -> list[str]:
    """Return the first coin of each value: coins of one value are copies."""
    return list({FACE[coin]: coin for coin in reversed(tuple(coins))}.values())[::-1]


MANY = 1_000
"""More ducats than there are."""


def payments(hand: Ids, null: int) -> list[tuple[int, int, Ids]]:
    """List every choice of coins of a hand, copies once, the empty choice among them.

    Each is the value of the coins, the value of the least of them (of none: MANY), and the coins.
    """
    found: list[tuple[int, int, Ids]] = [(0, MANY, ())]
    for face, group in groupby(hand, FACE.__getitem__):
        value, copies = face or null, tuple(group)
        found += [
            (total + value * number, least if least < value else value, coins + copies[:number])
            for number in range(1, len(copies) + 1)
            for total, least, coins in found
        ]
    return found
