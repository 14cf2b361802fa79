"""Payments that a person would consider: those of which no part would do.

Cards can be taken back in three ways: a loose card, a certificate, or all of a group but the one card that fits the
currency.  In a thrifty payment each of these leaves too little.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from tabletop.rules.palazzo.money import CERTIFICATE, GROUP, LETTERS, Cards, Payment, Stock, worth

_Copies: TypeAlias = Sequence[tuple[int, Cards]]


def thrifty(stock: Stock, needed: int, locked: str | None = None, certificates_alone: bool = True) -> list[Cards]:
    """Return the payments worth at least ``needed`` from which no card could be taken back, like cards once."""
    if needed <= 0:
        return [()]
    found: list[Cards] = []
    letters = LETTERS if locked is None else (locked,)
    back = 1 if certificates_alone or locked else 3
    for groups in stock.group_choices(needed // GROUP + 1):
        # Of a group the card of the right currency might stay; what is more than needed must be less than the rest.
        spare = GROUP - max(groups) if groups else GROUP
        missing = needed - GROUP * sum(groups.values())
        if -missing >= spare:
            continue
        payments = _neutral(stock.certificates, missing, spare, back)
        if missing > 0:
            for letter in letters:
                payments += _with_loose(stock.certificates, stock.loose(letter, groups), missing, spare)
        if groups:
            grouped: Cards = sum(stock.group_cards(groups), ())
            payments = [tuple(sorted(cards + grouped)) for cards in payments]
        found += payments
    return found


def _neutral(certificates: Cards, missing: int, spare: int, back: int) -> list[Cards]:
    """Return the payment by certificates alone, if there is a thrifty one; they are taken back ``back`` at a time."""
    if missing <= 0:
        return [()]
    for number in range(back, len(certificates) + 1, back):
        over = worth(number) - missing
        if over >= 0:
            return [certificates[:number]] if over < min(spare, worth(number) - worth(number - back)) else []
    return []


def _with_loose(certificates: Cards, copies: _Copies, missing: int, spare: int) -> list[Cards]:
    """Return the thrifty payments with loose cards of one currency, certificates among them or not."""
    most = len(certificates)
    total = sum([face * len(cards) for face, cards in copies])
    found: list[Cards] = []
    for threes in range(0, most + 1, 3):
        left = missing - worth(threes)
        loose = CERTIFICATE * min(2, most - threes)
        if left <= 0:
            break
        if left > total + loose:
            continue
        enough, short = _least(copies, left, total, loose)
        if threes:
            # Of three certificates one might be taken back: the two others are worth 4.
            limit = min(spare, GROUP - 2 * CERTIFICATE)
            found += [certificates[:threes] + cards for over, cards in enough if over < limit]
        else:
            found += [cards for over, cards in enough if over < spare]
        found += [certificates[: threes + (lacking + 1) // CERTIFICATE] + cards for lacking, cards in short if cards]
    return found


def _least(copies: _Copies, needed: int, total: int, loose: int) -> tuple[list[Payment], list[Payment]]:
    """Return the choices of cards that reach ``needed`` and of which no part does, and those that nearly do.

    The first come with how much they are over, the second with how much they lack: not more than ``loose``, which
    loose certificates make up.  ``total`` is what all the copies are worth.  Larger cards are chosen first: the card
    that reaches the sum is the smallest, so without it, or a larger one, it is too little.
    """
    below = total + loose
    enough: list[Payment] = []
    begun: list[Payment] = [(needed, ())]
    for face, cards in reversed(copies):
        most = len(cards)
        all_ = face * most
        below -= all_
        enough += [(-lacks % face, cards[: -(-lacks // face)] + chosen) for lacks, chosen in begun if lacks <= all_]
        begun = [
            (lacks - face * number, cards[:number] + chosen)
            for lacks, chosen in begun
            for number in range(most + 1)
            if 0 < lacks - face * number <= below
        ]
    return enough, begun
