"""The actions of chance that the games share."""

from __future__ import annotations

from tabletop.rules.grammar import ActionValue


class Reveal(ActionValue, form="reveal {piece}"):
    """Chance turns up a piece."""

    piece: str


class Deal(ActionValue, form="deal {seat:seat} {cards:pieces}"):
    """Chance deals a seat its cards, in any order."""

    seat: int
    cards: tuple[str, ...]
