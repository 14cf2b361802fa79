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


def payments(hand: Ids, null: int) -> list[tuple[int, Ids]]:
    """List every choice of coins of a hand with its value, copies once, the empty choice among them."""
    found: list[tuple[int, Ids]] = [(0, ())]
    for face, group in groupby(hand, FACE.__getitem__):
        value, copies = face or null, tuple(group)
        found += [
            (total + value * number, coins + copies[:number])
            for number in range(1, len(copies) + 1)
            for total, coins in found
        ]
    return found


def bare(paid: list[tuple[int, Ids]], needed: int, null: int) -> list[Ids]:
    """List the payments of at least ``needed`` ducats from which no coin could be taken back."""
    return [
        coins
        for total, coins in paid
        if total >= needed and all(total - (FACE[coin] or null) < needed for coin in coins)
    ]
