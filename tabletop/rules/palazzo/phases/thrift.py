"""Payments that a person would consider: those without superfluous cards.

There are three ways to take cards back: a loose card, a certificate, or a whole group except the card that fits the
currency.  In a thrifty payment each of these leaves too little, and so does taking back more.
"""

from __future__ import annotations

from collections.abc import Sequence

from tabletop.rules.palazzo.components import CERTIFICATES
from tabletop.rules.palazzo.phases.payments import (
    CURRENCY_LETTERS,
    GROUP_VALUE,
    NO_CARDS,
    Cards,
    CountedHand,
    Loose,
    worth,
)

MIN_CERTIFICATES: Sequence[int] = [
    number for number in range(1, len(CERTIFICATES) + 1) for _ in range(worth(number - 1), worth(number))
]
"""The fewest certificates that make up a missing amount, indexed by that amount minus one."""


def thrifty(
    hand: Sequence[str], amounts: Sequence[int], locked: str | None = None, certificates_alone: bool = True
) -> list[list[Cards]]:
    """Return for each amount every sufficient payment without superfluous cards, interchangeable cards once."""
    stock, most = CountedHand(hand), max(amounts)
    certificates = stock.certificates
    alone = bool(certificates_alone or locked)
    of_amount: list[list[Cards]] = [[] for _ in amounts]
    for groups in stock.group_choices(most // GROUP_VALUE + 1):
        laid, spare, grouped = 0, GROUP_VALUE, NO_CARDS
        if groups:
            laid, grouped = GROUP_VALUE * sum(groups.values()), stock.grouped(CURRENCY_LETTERS, groups)
            # The card of the right currency might stay when a group is taken back; the excess must be less than what
            # that would save.
            spare = GROUP_VALUE - max(groups)
        loose = stock.loose(locked or CURRENCY_LETTERS, groups, most - laid) if laid < most else []
        for payments, needed in zip(of_amount, amounts, strict=True):
            missing = needed - laid
            if missing > 0:
                payments += _with_loose(certificates, loose, missing)
                if certificates:
                    payments += [cards + grouped for cards in _lone_certificates(certificates, missing, spare, alone)]
            elif -missing < spare:
                payments.append(grouped)
    return of_amount


def _lone_certificates(certificates: Cards, missing: int, spare: int, alone: bool) -> list[Cards]:
    """Return the thrifty payment by certificates, if there is one; in threes unless they may be laid ``alone``."""
    if missing > worth(len(certificates)):
        return []
    number = MIN_CERTIFICATES[missing - 1]
    if not alone:
        number += -number % 3
    fits = number <= len(certificates) and worth(number) - missing < spare
    return [certificates[:number]] if fits else []


def _with_loose(certificates: Cards, loose: list[Loose], missing: int) -> list[Cards]:
    """Return the thrifty payments with loose cards of one currency, with or without certificates.

    They have only as many certificates as the loose cards need, and exceed the amount by less than the smallest card,
    which could otherwise be taken back.
    """
    payments = []
    least = missing - worth(len(certificates))
    for value, smallest, cards in loose:
        if value >= missing:
            if value < missing + smallest:
                payments.append(cards)
        elif value >= least:
            number = MIN_CERTIFICATES[missing - value - 1]
            if value + worth(number) < missing + smallest:
                payments.append(certificates[:number] + cards)
    return payments
