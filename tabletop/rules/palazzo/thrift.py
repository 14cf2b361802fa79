"""Payments that a person would consider: those of which no part would do.

Cards can be taken back in three ways: a loose card, a certificate, or all of a group but the one card that fits the
currency.  In a thrifty payment each of these leaves too little, and so does taking back more.
"""

from __future__ import annotations

from collections.abc import Sequence

from tabletop.rules.palazzo.money import CERTIFICATE, GROUP, LETTERS, Cards, Loose, Stock, worth

NOTHING: Cards = ()


def thrifty(
    hand: Sequence[str], amounts: Sequence[int], locked: str | None = None, certificates_alone: bool = True
) -> list[list[Cards]]:
    """Return for each amount the payments worth it from which no card could be taken back, like cards once."""
    stock, most = Stock(hand), max(amounts, default=0)
    found: list[list[Cards]] = [[] for _ in amounts]
    back = 1 if certificates_alone or locked else 3
    for groups in stock.group_choices(most // GROUP + 1):
        laid, spare, grouped = 0, GROUP, NOTHING
        if groups:
            laid, grouped = GROUP * sum(groups.values()), stock.group_cards(groups)
            # Of a group the card of the right currency might stay; what is too much must be less than the rest.
            spare = GROUP - max(groups)
        loose = stock.loose(locked or LETTERS, groups, most - laid) if laid < most else []
        for payments, needed in zip(found, amounts, strict=True):
            missing = needed - laid
            if -missing < spare:
                rests = _without_loose(stock.certificates, missing, spare, back)
                rests += _with_loose(stock.certificates, loose, missing)
                payments += [tuple(sorted(cards + grouped)) for cards in rests] if groups else rests
    return found


def _without_loose(certificates: Cards, missing: int, spare: int, back: int) -> list[Cards]:
    """Return the payment by certificates alone, if there is a thrifty one; they are taken back ``back`` at a time."""
    if missing <= 0:
        return [()]
    for number in range(back, len(certificates) + 1, back):
        over = worth(number) - missing
        if over >= 0:
            return [certificates[:number]] if over < min(spare, worth(number) - worth(number - back)) else []
    return []


def _with_loose(certificates: Cards, loose: list[Loose], missing: int) -> list[Cards]:
    """Return the thrifty payments with loose cards of one currency, certificates among them or not.

    Without its smallest card each is too little.  That is a loose certificate where there is one; three certificates,
    or a group, are worth more than any single card, so nothing of them could be taken back either.
    """
    if missing <= 0:
        return []
    found = [cards for value, smallest, cards in loose if missing <= value < missing + smallest]
    for number in range(1, len(certificates) + 1):
        together, left = certificates[:number], missing - worth(number)
        if number % 3 == 0:
            found += [together + cards for value, smallest, cards in loose if left <= value < left + smallest]
        else:
            found += [together + cards for value, _, cards in loose if left <= value < left + CERTIFICATE]
    return found
