"""Pieces, palazzi and hands as markup, drawn once for each language because they never change.

A page shows a hundred pieces and is rendered for every seat after every event; this is most of its cost.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache

from flask import current_app
from markupsafe import Markup

from tabletop.web.games.palazzo.choices import currency_sum, groups
from tabletop.web.games.palazzo.faces import by_currency, face
from tabletop.web.i18n import spoken_language


def picture(piece: str) -> Markup:
    """Return the drawing of a tile, a money card, an end tile or the start certificate."""
    return _picture(piece, spoken_language())


def tower(tiles: Sequence[str], points: int | None = None) -> Markup:
    """Return the drawing of a palazzo, its ground floor first, with its points if they are given."""
    return _tower(tuple(tiles), points, spoken_language())


def purse(hand: Sequence[str], field: str, form: str = "", useless: frozenset[str] = frozenset()) -> Markup:
    """Return the drawing of a hand of money by currency, with its sums and groups of three.

    With a ``field`` its cards can be ticked in the form under that name (only one, unless it ends in ``[]``).
    ``useless`` cards are dimmed; they can still be ticked, and the page then says why they do not help.
    """
    return _purse(tuple(hand), field, form, useless, spoken_language())


@cache
def _picture(piece: str, _language: str) -> Markup:
    return _drawn("piece", face(piece))


@lru_cache(maxsize=2000)
def _tower(tiles: tuple[str, ...], points: int | None, _language: str) -> Markup:
    return _drawn("tower", tiles, points, picture)


@lru_cache(maxsize=500)
def _purse(hand: tuple[str, ...], field: str, form: str, useless: frozenset[str], _language: str) -> Markup:
    rows = [(style, word, cards, currency_sum(cards)) for style, word, cards in by_currency(list(hand))]
    return _drawn("purse", rows, groups(hand), field, form, useless, picture)


def _drawn(macro: str, *facts: object) -> Markup:
    module = current_app.jinja_env.get_template("games/palazzo/pictures.html").module
    return Markup(str(getattr(module, macro)(*facts)).strip())
