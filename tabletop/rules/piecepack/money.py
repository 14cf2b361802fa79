"""Paying: which coins of a hand, with or without the die, buy a structure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple, TypeAlias

from tabletop.rules.piecepack.actions import Purchase
from tabletop.rules.piecepack.components import COST, FACE, Ids


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


class Purse:
    """What a seat pays with, a value: its coins, in their order, and its die.

    ``null`` is what a null coin is worth.  What the purse buys is worked out when first asked: it stays the same for
    many turns.
    """

    __slots__ = ("_bought", "_values", "coins", "die", "null", "reach")

    def __init__(self, coins: Ids, die: int, null: int) -> None:
        self.coins, self.die, self.null = coins, die, null
        self._values = values = tuple([FACE[coin] or null for coin in coins])
        self.reach = sum(values) + die
        """All of it, in ducats."""
        self._bought: dict[str, Sequence[Purchase]] = {}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Purse) and (self.coins, self.die) == (other.coins, other.die)

    def __hash__(self) -> int:
        return hash((self.coins, self.die))

    def __repr__(self) -> str:
        return f"Purse({self.coins}, {self.die}, {self.null})"

    def paid(self, purchase: Purchase) -> int:
        """Return what the coins and the die of a purchase make together."""
        return worth(purchase.pay, self.null) + (self.die if purchase.die else 0)

    def after(self, purchase: Purchase) -> Purse:
        """Return the purse without the coins of a purchase, its die one lower if that was used."""
        pay = purchase.pay
        return Purse(tuple([coin for coin in self.coins if coin not in pay]), self.die - purchase.die, self.null)

    def purchases(self, yard: Ids) -> list[Purchase]:
        """List the purchases of each structure with what it costs or more."""
        return [purchase for structure in yard for purchase in self._made(structure, sufficient)]

    def thrifty(self, yard: Ids) -> list[Purchase]:
        """List the purchases of each structure that would not pay enough without any one coin or the die."""
        found: list[Purchase] = []
        bought = self._bought
        for structure in yard:
            ways = bought.get(structure)
            if ways is None:
                ways = bought[structure] = self._made(structure, necessary)
            found += ways
        return found

    def _made(self, structure: str, payments: Callable[[int, Values, int], Sequence[Payment]]) -> Sequence[Purchase]:
        needed, coins = COST[structure], self.coins
        if needed > self.reach:
            return ()
        return [
            Purchase(structure, tuple([coins[at] for at in chosen]), with_die)
            for chosen, with_die in payments(needed, self._values, self.die)
        ]
