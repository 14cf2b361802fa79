"""Payments that a person would consider: those of which no part would do."""

from __future__ import annotations

from collections.abc import Sequence

from tabletop.rules.palazzo.money import Cards, payments, read


def thrifty(
    hand: Sequence[str], needed: int, locked: str | None = None, certificates_alone: bool = True
) -> list[Cards]:
    """Return the payments worth at least ``needed`` from which no card could be taken back, like cards once."""
    return [
        cards
        for value, cards in payments(hand, locked, certificates_alone)
        if value >= needed and not _spares(cards, needed, locked, certificates_alone)
    ]


def _spares(cards: Cards, needed: int, locked: str | None, certificates_alone: bool) -> bool:
    for at in range(len(cards)):
        reading = read(cards[:at] + cards[at + 1 :])
        if reading is None or reading.value < needed:
            continue
        if reading.currency and locked and reading.currency != locked:
            continue
        if certificates_alone or locked or reading.currency or not reading.certificates:
            return True
    return False
