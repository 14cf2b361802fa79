"""The structures and coins of the piecepack as drawn and as people call them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from tabletop.messages import N_
from tabletop.rules.piecepack.components import COST, FACE, SUITS
from tabletop.web.i18n import gettext as _

NAMES: Mapping[str, str] = {
    "M": N_("observatory"), "S": N_("solarium"), "A": N_("fountain"), "C": N_("statue"),
}  # fmt: skip
"""Suit → the name of its structures."""
SIGNS: Mapping[str, str] = {"M": N_("moon"), "S": N_("sun"), "A": N_("arms"), "C": N_("crown")}
"""Suit → the name of its sign."""
SYMBOLS = {"M": "☾", "S": "☀", "A": "⚜", "C": "♛"}


class Token(NamedTuple):
    """A structure or coin as drawn."""

    shape: str
    suit: str
    symbol: str
    value: int
    word: str
    label: str
    cost: int


def token(piece: str, null: int = 0) -> Token:
    """Return a structure or coin as it is drawn and called; ``null`` is what a coin without a value pays."""
    suit, value = piece[1], FACE[piece]
    if piece[0] == "T":
        word = _(NAMES[suit])
        return Token("structure", SUITS[suit], SYMBOLS[suit], value, word, f"{word} {value}", COST[piece])
    word = _("coin")
    if not value and null:
        return Token("coin", SUITS[suit], "", value, word, _("coin 0, worth %(null)s", null=null), null)
    return Token("coin", SUITS[suit], "", value, word, f"{word} {value}", value)


def sign(piece: str) -> tuple[str, str]:
    """Return the suit of a structure or coin: as drawn, and in a word."""
    return SYMBOLS[piece[1]], _(SIGNS[piece[1]])
