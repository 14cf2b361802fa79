"""The referee's sentences in the language of the page, and the choice of that language."""

from __future__ import annotations

from collections.abc import Sequence

from flask import Flask, request
from flask_babel import Babel

from tabletop.referee.snapshot import Said
from tabletop.web.games.game_ui import AnyUI
from tabletop.web.i18n import escaped_text, gettext, ngettext, say

LANGUAGES = {"en": "English", "de": "Deutsch", "it": "Italiano"}
"""The languages of the pages, each by its own name."""


def translate_templates(app: Flask) -> None:
    """Make the templates of an application use the language of each request, and no lines for tags that stand alone."""
    Babel(app, locale_selector=language)
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.jinja_env.install_gettext_callables(gettext, ngettext, newstyle=True)  # type: ignore[attr-defined]
    app.jinja_env.globals.update(_=escaped_text, say=say)


def sentence(said: Said, ui: AnyUI, names: Sequence[str]) -> str:
    """Return what the referee said, with the names that people gave their seats."""
    return say(said.text, ui.shown(names))


def language() -> str:
    """Return the language of this request: as chosen on a page, else as the browser asks."""
    chosen = request.cookies.get("language", "")
    if chosen in LANGUAGES:
        return chosen
    return request.accept_languages.best_match(list(LANGUAGES)) or "en"


def theme() -> str:
    """Return the chosen theme, ``light`` or ``dark``, or empty for that of the system."""
    chosen = request.cookies.get("theme", "")
    return chosen if chosen in ("light", "dark") else ""
