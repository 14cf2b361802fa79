"""What is printed on each piece, and what people call it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import NamedTuple

from tabletop.messages import N_
from tabletop.rules.palazzo.components import ARCHITECT, END_TILES, START_CERTIFICATE, TILES
from tabletop.web.i18n import gettext as _
from tabletop.web.i18n import ngettext, spoken_language

MATERIALS: Mapping[str, str] = {"B": N_("brick"), "S": N_("sandstone"), "M": N_("marble")}
CURRENCIES: Mapping[str, str] = {
    "R": N_("red"),
    "N": N_("brown"),
    "G": N_("green"),
    "C": N_("certificate"),
}
STYLES = {"B": "brick", "S": "sandstone", "M": "marble", "R": "red", "N": "brown", "G": "green", "C": "certificate"}


class PieceFace(NamedTuple):
    """A piece as drawn: ``shape`` picks the drawing, ``style`` its colour and pattern, ``label`` says it aloud."""

    id: str
    shape: str
    style: str
    value: int
    label: str
    word: str
    windows: int = 0
    copy: str = ""


def face(piece: str) -> PieceFace:
    """Return the face of a tile, a money card, an end tile, the start certificate or the architect."""
    return _face(piece, spoken_language())


@cache
def _face(piece: str, _language: str) -> PieceFace:
    if piece in TILES:
        tile = TILES[piece]
        material = _(MATERIALS[tile.material])
        windows = ngettext("%(num)s window", "%(num)s windows", tile.windows)
        label = _("%(material)s, floor %(floor)s, %(windows)s", material=material, floor=tile.floor, windows=windows)
        return PieceFace(piece, "tile", STYLES[tile.material], tile.floor, label, material, tile.windows)
    if piece in END_TILES:
        return PieceFace(piece, "end", "end", 0, _("end tile"), _("end tile"))
    if piece == START_CERTIFICATE:
        return PieceFace(piece, "card", "start", 3, _("start certificate (3)"), _("start"))
    if piece == ARCHITECT:
        return PieceFace(piece, "architect", "architect", 0, _("architect"), _("architect"))
    currency = _(CURRENCIES[piece[0]])
    return PieceFace(piece, "card", STYLES[piece[0]], int(piece[1]), f"{currency} {piece[1]}", currency, copy=piece[2:])


def described(piece: str) -> str:
    """Return a tile in words without a comma, to be read out in a list; empty for any other piece."""
    if piece not in TILES:
        return ""
    tile = TILES[piece]
    return ngettext(
        "%(material)s %(floor)s with %(num)s window",
        "%(material)s %(floor)s with %(num)s windows",
        tile.windows,
        material=_(MATERIALS[tile.material]),
        floor=tile.floor,
    )


def by_currency(cards: list[str]) -> list[tuple[str, str, list[str]]]:
    """Return the cards as (style, word, cards of it), small values first; currencies without cards are left out."""
    order: Callable[[str], tuple[str, str]] = lambda card: (card[1], card)  # noqa: E731
    rows = ((letter, sorted((card for card in cards if card[0] == letter), key=order)) for letter in CURRENCIES)
    return [(STYLES[letter], _(CURRENCIES[letter]), row) for letter, row in rows if row]
