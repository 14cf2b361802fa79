"""Paying: which coins of a hand, with or without the die, buy a structure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple, TypeAlias

from tabletop.rules.piecepack.components import FACE
from tabletop.rules.piecepack.state import Ids


def worth(coins: Iterable[str], null: int) -> int:
    """Return the value of coins in ducats; ``null`` is what a null coin is worth."""
    return sum([FACE[coin] or null for coin in coins])


def one_of_each(coins: Ids) -> Ids:
    """Return the first coin of each value: coins of one value are copies."""
    return tuple({FACE[coin]: coin for coin in reversed(coins)}.values())[::-1]


Values: TypeAlias = tuple[int, ...]
"""What each coin of a hand is worth; like coins lie side by side."""
Chosen: TypeAlias = tuple[int, ...]
"""The places in the hand of the coins that are taken."""
Payment: TypeAlias = tuple[Chosen, bool]
"""The coins, and whether the die goes along."""


class Choice(NamedTuple):
    """Some of the coins of a hand."""

    value: int
    least: int
    """The value of the least of them; of none: MANY."""
    chosen: Chosen


MANY = 1_000
"""More ducats than there are."""


@lru_cache(maxsize=1024)
def choices(hand: Values) -> Sequence[Choice]:
    """List every choice of coins of a hand by rising value, of like coins the first ones, no coins among them."""
    found = [Choice(0, MANY, ())]
    for value, group in groupby(range(len(hand)), hand.__getitem__):
        copies = tuple(group)
        found += [
            Choice(total + value * number, min(least, value), chosen + copies[:number])
            for number in range(1, len(copies) + 1)
            for total, least, chosen in found
        ]
    return tuple(sorted(found))


@lru_cache(maxsize=4096)
def sufficient(needed: int, hand: Values, die: int) -> Sequence[Payment]:
    """List the payments of so many ducats or more, those without the die first."""
    found = [(chosen, False) for value, _, chosen in choices(hand) if value >= needed]
    if die:
        found += [(chosen, True) for value, _, chosen in choices(hand) if value >= needed - die]
    return tuple(found)


@lru_cache(maxsize=4096)
def necessary(needed: int, hand: Values, die: int) -> Sequence[Payment]:
    """List the payments of so many ducats or more that would be less without any one coin or the die."""
    rest = needed - die
    found = [(chosen, False) for value, least, chosen in choices(hand) if needed <= value < needed + least]
    found += [(chosen, True) for value, least, chosen in choices(hand) if rest <= value < min(needed, rest + least)]
    return tuple(found)
