"""Payments: which coins of a hand, with or without the die, pay for a structure."""

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
    """Return the first coin of each value, because coins of one value are interchangeable."""
    return tuple({FACE[coin]: coin for coin in reversed(coins)}.values())[::-1]


Values: TypeAlias = tuple[int, ...]
"""The worth of each coin of a hand; coins of one value are side by side."""
Chosen: TypeAlias = tuple[int, ...]
"""The indices in the hand of the coins that are taken."""
Way: TypeAlias = tuple[int, int, Chosen, bool]
"""A payment: its total in ducats, the ducats of its least valuable coin or die (MAX_DUCATS if it has none), its coins,
and whether the die is used."""
MAX_DUCATS = 1_000
"""More ducats than all coins together are worth."""


def ways(hand: Values, die: int, most: int) -> list[Way]:
    """List every choice of coins by rising value, the first coins of each value; then each of them with the die.

    Choices that are worth ``most`` ducats or more even without their least coin are left out.
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
"""Returns the coins of a hand that are paid."""
Payments: TypeAlias = Mapping[int, Sequence[tuple[Pick, bool]]]
"""Price → the ways to pay it: with which coins, and whether with the die."""


@lru_cache(maxsize=1024)
def sufficient_payments(hand: Values, die: int) -> Payments:
    """Return every payment that suffices for each price."""
    payments = [(value, (picking(chosen), with_die)) for value, _, chosen, with_die in ways(hand, die, MAX_DUCATS)]
    return {price: [payment for value, payment in payments if price <= value] for price in PRICES}


@lru_cache(maxsize=4096)
def necessary_payments(hand: Values, die: int) -> Payments:
    """Return every payment for each price that would no longer suffice without any one coin or the die."""
    found = ways(hand, die, PRICES.stop)
    return {
        price: [
            (picking(chosen), with_die) for value, least, chosen, with_die in found if price <= value < price + least
        ]
        for price in PRICES
    }


@lru_cache(maxsize=4096)
def picking(chosen: Chosen) -> Pick:
    """Return a function that returns the coins at these indices of a hand."""
    if len(chosen) > 1:
        return itemgetter(*chosen)
    return itemgetter(slice(chosen[0], chosen[0] + 1) if chosen else slice(0))


class Purse:
    """A seat's means of payment, a value: its coins, sorted, and its die.

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
        """The worth of all coins and the die, in ducats."""
        return worth(self.coins, self.null) + self.die

    def paid(self, purchase: Purchase) -> int:
        """Return the worth in ducats of the coins and the die of a purchase."""
        return worth(purchase.pay, self.null) + (self.die if purchase.die else 0)

    def with_coin(self, coin: str) -> Purse:
        """Return the purse with one more coin."""
        return Purse(with_one(self.coins, coin), self.die, self.null)

    def after(self, purchase: Purchase) -> Purse:
        """Return the purse without the coins of a purchase, its die one lower if that was used."""
        return Purse(without_all(self.coins, purchase.pay), self.die - purchase.die, self.null)

    def helpful(self, purchase: Purchase, short: int) -> list[Message]:
        """Return, in words, each coin of the purse that would make up what is short, and the die if it would."""
        rest = one_of_each(without_all(self.coins, purchase.pay))
        values = sorted({FACE[coin] or self.null for coin in rest})
        helps = [Message("a coin of {value}", value=value) for value in values if value >= short]
        return [*helps, Message("the die")] if not purchase.die and self.die >= short else helps

    def purchases(self, yard: Ids, payments: Callable[[Values, int], Payments]) -> Sequence[Purchase]:
        """List the purchases of each structure with each of its sufficient or necessary payments.

        The last listing is cached, because purse and yard stay the same for many turns.
        """
        listed = self._listed
        if listed[0] is not payments or listed[1] is not yard:
            coins, null = self.coins, self.null
            ways = payments(tuple([FACE[coin] or null for coin in coins]), self.die)
            every = [Purchase(structure, pick(coins), die) for structure in yard for pick, die in ways[COST[structure]]]
            listed = self._listed = (payments, yard, every)
        return listed[2]
