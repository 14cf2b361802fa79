"""The referee's sentences in the language of the page, and the choice of that language."""

from __future__ import annotations

from collections.abc import Sequence

from flask import request

from tabletop.referee.state import Said
from tabletop.referee.words import SENTENCES
from tabletop.web.language import gettext as _

LANGUAGES = {"en": "English", "de": "Deutsch", "it": "Italiano"}
"""The languages of the pages, each by its own name."""


def sentence(said: Said, seats: Sequence[str], names: Sequence[str]) -> str:
    """Return what the referee said, with the seats called as their people said."""
    template = SENTENCES.get(said.code)
    if template is None:
        return said.text
    if said.code in ("waiting", "question"):
        return _(said.text)  # the game's own sentence about its table
    called = dict(zip(seats, names, strict=True))
    facts = {key: called.get(fact, fact) if key == "name" else fact for key, fact in said.facts.items()}
    return _(template).format(**facts)


def language() -> str:
    """Return the language of this request: as chosen on a page, else as the browser asks."""
    chosen = request.cookies.get("language", "")
    if chosen in LANGUAGES:
        return chosen
    return request.accept_languages.best_match(list(LANGUAGES)) or "en"


def theme() -> str:
    """Return the chosen theme, ``light`` or ``dark``; empty: as the system has it."""
    chosen = request.cookies.get("theme", "")
    return chosen if chosen in ("light", "dark") else ""
