"""Paying: which coins of a hand, with or without the die, buy a structure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import groupby
from operator import itemgetter
from typing import TypeAlias

from tabletop.messages import Message
from tabletop.rules.piecepack.actions import Purchase
from tabletop.rules.piecepack.components import COST, FACE, PRICES, with_one
from tabletop.rules.value import Ids, without_all


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
Way: TypeAlias = tuple[int, int, Chosen, bool]
"""The ducats in all, the ducats of the least valuable part, coin or die (MAX_DUCATS if there is none), the coins, and
whether the die is used."""
MAX_DUCATS = 1_000
"""More than all coins together are worth."""


def ways(hand: Values, die: int, most: int) -> list[Way]:
    """List every choice of coins by rising value, of like coins the first ones; then again, each with the die.

    Left out are choices of ``most`` ducats or more even without the least coin.
    """
    every: list[Way] = [(0, MAX_DUCATS, (), False)]
    for value, group in groupby(range(len(hand)), hand.__getitem__):
        copies = tuple(group)
        every += [
            (total + value * number, min(least, value), chosen + copies[:number], False)
            for number in range(1, len(copies) + 1)
            for total, least, chosen, _ in every
            if total + value * number - min(least, value) < most
        ]
    every.sort()
    return every + [(value + die, min(least, die), chosen, True) for value, least, chosen, _ in every if die]


Pick: TypeAlias = Callable[[Ids], Ids]
"""Takes the coins of a payment out of the hand."""
Payments: TypeAlias = Mapping[int, Sequence[tuple[Pick, bool]]]
"""How each price can be paid: with which coins, and whether with the die."""


@lru_cache(maxsize=1024)
def sufficient_payments(hand: Values, die: int) -> Payments:
    """Return the payments of each price or more."""
    payments = [(value, (picking(chosen), with_die)) for value, _, chosen, with_die in ways(hand, die, MAX_DUCATS)]
    return {price: [payment for value, payment in payments if price <= value] for price in PRICES}


@lru_cache(maxsize=4096)
def necessary_payments(hand: Values, die: int) -> Payments:
    """Return the payments of each price or more that would be less without any one coin or the die."""
    found = ways(hand, die, PRICES.stop)
    return {
        price: [
            (picking(chosen), with_die) for value, least, chosen, with_die in found if price <= value < price + least
        ]
        for price in PRICES
    }


@lru_cache(maxsize=4096)
def picking(chosen: Chosen) -> Pick:
    """Return a function that takes the coins of these places out of a hand."""
    if len(chosen) > 1:
        return itemgetter(*chosen)
    return itemgetter(slice(chosen[0], chosen[0] + 1) if chosen else slice(0))


class Purse:
    """What a seat pays with, a value: its coins, in their order, and its die.

    ``null`` is what a null coin is worth.
    """

    __slots__ = ("_listed", "coins", "die", "null")

    def __init__(self, coins: Ids, die: int, null: int) -> None:
        self.coins, self.die, self.null = coins, die, null
        self._listed: tuple[object, object, Sequence[Purchase]] = (None, None, ())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Purse) and (self.coins, self.die) == (other.coins, other.die)

    def __hash__(self) -> int:
        return hash((self.coins, self.die))

    def __repr__(self) -> str:
        return f"Purse({self.coins}, {self.die}, {self.null})"

    @property
    def reach(self) -> int:
        """All of it, in ducats."""
        return worth(self.coins, self.null) + self.die

    def paid(self, purchase: Purchase) -> int:
        """Return what the coins and the die of a purchase make together."""
        return worth(purchase.pay, self.null) + (self.die if purchase.die else 0)

    def with_coin(self, coin: str) -> Purse:
        """Return the purse with one more coin."""
        return Purse(with_one(self.coins, coin), self.die, self.null)

    def after(self, purchase: Purchase) -> Purse:
        """Return the purse without the coins of a purchase, its die one lower if that was used."""
        return Purse(without_all(self.coins, purchase.pay), self.die - purchase.die, self.null)

    def helpful(self, purchase: Purchase, short: int) -> list[Message]:
        """Return in words what to add from the purse to make a payment that is short enough."""
        rest = one_of_each(without_all(self.coins, purchase.pay))
        values = sorted({FACE[coin] or self.null for coin in rest})
        helps = [Message("a coin of {value}", value=value) for value in values if value >= short]
        return [*helps, Message("the die")] if not purchase.die and self.die >= short else helps

    def purchases(self, yard: Ids, payments: Callable[[Values, int], Payments]) -> Sequence[Purchase]:
        """List the purchases of each structure with each of its sufficient or necessary payments.

        They are kept until others are asked for: purse and yard stay the same for many turns.
        """
        listed = self._listed
        if listed[0] is not payments or listed[1] is not yard:
            coins, null = self.coins, self.null
            ways = payments(tuple([FACE[coin] or null for coin in coins]), self.die)
            every = [Purchase(structure, pick(coins), die) for structure in yard for pick, die in ways[COST[structure]]]
            listed = self._listed = (payments, yard, every)
        return listed[2]
