"""Chance actions that the games share."""

from __future__ import annotations

from tabletop.rules.grammar import ActionValue
from tabletop.rules.phase import Why, why


class Reveal(ActionValue, form="reveal {piece}"):
    """Chance turns up a piece."""

    piece: str


class Deal(ActionValue, form="deal {seat:seat} {cards:pieces}"):
    """Chance deals a seat its cards, in any order."""

    seat: int
    cards: tuple[str, ...]

    def misdealt(self, due: int, hand: int) -> Why | None:
        """Return why a deal is wrong (wrong seat, wrong number of cards, a card named twice), or None."""
        if self.seat != due:
            return why("deal-seat", due=due + 1, seat=self.seat + 1)
        if len(self.cards) != hand:
            return why("deal-number", needed=hand, number=len(self.cards))
        twice = next((card for at, card in enumerate(self.cards) if card in self.cards[:at]), None)
        return why("deal-twice", piece=twice) if twice is not None else None
