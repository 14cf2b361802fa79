"""Paying: which coins of a hand, with or without the die, buy a structure."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple

from tabletop.rules.piecepack.components import FACE
from tabletop.rules.piecepack.state import Ids


def worth(coins: Iterable[str], null: int) -> int:
    """Return the value of coins in ducats; ``null`` is what a null coin is worth."""
    return sum(FACE[coin] or null for coin in coins)


@lru_cache(maxsize=1024)
def one_of_each(coins: Ids) -> Ids:
    """Return the first coin of each value: coins of one value are copies."""
    return tuple({FACE[coin]: coin for coin in reversed(coins)}.values())[::-1]


class Payment(NamedTuple):
    """A choice of the coins of a hand."""

    value: int
    least: int
    """The value of the least of the coins; of none: MANY."""
    coins: Ids


MANY = 1_000
"""More ducats than there are."""


@lru_cache(maxsize=1024)
def payments(hand: Ids, null: int) -> tuple[Payment, ...]:
    """List every choice of coins of a hand by rising value, copies once, the empty choice among them."""
    found = [Payment(0, MANY, ())]
    for face, group in groupby(hand, FACE.__getitem__):
        value, copies = face or null, tuple(group)
        found += [
            Payment(total + value * number, min(least, value), coins + copies[:number])
            for number in range(1, len(copies) + 1)
            for total, least, coins in found
        ]
    return tuple(sorted(found))
