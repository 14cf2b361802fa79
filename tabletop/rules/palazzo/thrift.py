"""Payments that a person would consider: those of which no part would do.

Cards can be taken back in three ways: a loose card, a certificate, or all of a group but the one card that fits the
currency.  In a thrifty payment each of these leaves too little, and so does taking back more.
"""

from __future__ import annotations

from tabletop.rules.palazzo.money import CERTIFICATE, GROUP, LETTERS, Cards, Loose, Stock, worth


def thrifty(stock: Stock, needed: int, locked: str | None = None, certificates_alone: bool = True) -> list[Cards]:
    """Return the payments worth at least ``needed`` from which no card could be taken back, like cards once."""
    if needed <= 0:
        return [()]
    found: list[Cards] = []
    letters = LETTERS if locked is None else (locked,)
    back = 1 if certificates_alone or locked else 3
    for groups in stock.group_choices(needed // GROUP + 1):
        missing = needed - GROUP * sum(groups.values())
        # Of a group the card of the right currency might stay; what is more than needed must be less than the rest.
        spare = GROUP - max(groups) if groups else GROUP
        if -missing >= spare:
            continue
        payments = _without_loose(stock.certificates, missing, spare, back)
        if missing > 0:
            for letter in letters:
                payments += _with_loose(stock.certificates, stock.loose(letter, groups), missing)
        if groups:
            grouped: Cards = sum(stock.group_cards(groups), ())
            payments = [tuple(sorted(cards + grouped)) for cards in payments]
        found += payments
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
    most = len(certificates)
    found: list[Cards] = []
    for threes in range(0, most + 1, 3):
        left = missing - worth(threes)
        if left <= 0:
            break
        enough = [cards for value, smallest, cards in loose if left <= value < left + smallest]
        found += [certificates[:threes] + cards for cards in enough] if threes else enough
        for single in range(1, min(2, most - threes) + 1):
            least = left - CERTIFICATE * single
            together = certificates[: threes + single]
            found += [together + cards for value, _, cards in loose if least <= value < least + CERTIFICATE]
    return found
