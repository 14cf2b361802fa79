"""Typed functions for texts in the language of the page; the standard tools find texts by these function names.

A page is rendered many times a second for many phones, so within :func:`in_language` the catalogue is looked up once;
elsewhere the language is that of the request.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from gettext import NullTranslations, translation
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import flask_babel
from babel.numbers import format_decimal
from markupsafe import Markup

from tabletop.messages import Message, SeatRef, render

FOLDER = Path(__file__).parent / "translations"
GAMES = "tabletop.games"
"""The entry-point group of the games, and the beginning of the groups of their parts."""

_spoken: ContextVar[tuple[str, NullTranslations] | None] = ContextVar("spoken", default=None)


@contextmanager
def in_language(language: str) -> Iterator[None]:
    """Use this language for all texts inside the ``with`` block."""
    token = _spoken.set((language, catalogue(language)))
    try:
        yield
    finally:
        _spoken.reset(token)


def spoken_language() -> str:
    """Return the language that texts are in now."""
    now = _spoken.get()
    return now[0] if now else str(flask_babel.get_locale())


@cache
def catalogue(language: str) -> NullTranslations:
    """Return the texts of a language: those that the games bring, then the pages' own."""
    texts = translation("messages", FOLDER, [language], fallback=True)
    for folder in translated_games():
        brought = translation("messages", folder, [language], fallback=True)
        brought.add_fallback(texts)
        texts = brought
    return texts


def translated_games() -> list[Path]:
    """Return the ``translations`` folders in the packages of the installed games."""
    points = [
        point for group in entry_points().groups if group.startswith(GAMES) for point in entry_points(group=group)
    ]
    places = {name: None for point in points for name in (point.module.split(".")[0], point.module)}
    specs = [find_spec(name) for name in places if name != "tabletop"]
    packages = [Path(path) for spec in specs if spec is not None for path in spec.submodule_search_locations or ()]
    return [package / "translations" for package in packages if (package / "translations").is_dir()]


def _words() -> NullTranslations:
    now = _spoken.get()
    return now[1] if now else catalogue(spoken_language())


def gettext(text: str, **facts: object) -> str:
    """Return the text in the language of the page, its ``%(name)s`` filled in."""
    said = _words().gettext(text)
    return said % facts if facts else said


def escaped_text(text: str, **facts: object) -> Markup:
    """Return the text for a template, with the facts that fill its gaps escaped.

    Jinja's own function does the same but looks into the template's context twice for every text of a page.
    """
    said = Markup(gettext(text))
    return said % facts if facts else said


def ngettext(one: str, many: str, num: int, **facts: object) -> str:
    """Return the text for one or for many, ``%(num)s`` and the other names filled in."""
    return _words().ngettext(one, many, num) % {"num": num, **facts}


def say(text: str, show: Callable[[Any], Any] | None = None) -> str:
    """Return a message in the language of the page; ``show`` turns a fact, such as a seat or a piece, into words."""
    return render(text, _words(), show or plainly)


def plainly(fact: Any) -> Any:
    """Return a fact as people read it where no game has a word for it."""
    if isinstance(fact, SeatRef):
        return fact.name or say(Message("Seat {number}", number=fact + 1))
    if isinstance(fact, bool):
        return gettext("yes") if fact else gettext("no")
    if isinstance(fact, int):
        return number(fact)
    return str(format_decimal(fact, locale=spoken_language())) if isinstance(fact, float) else fact


def number(value: int) -> str:
    """Return a number as people write it: with a minus sign, not a hyphen."""
    return str(value).replace("-", "−")


def signed(change: int) -> str:
    """Return a change of points as it is written everywhere: with its sign, ±0 if nothing changes."""
    return f"+{change}" if change > 0 else number(change) if change else "±0"


def points(count: int) -> str:
    """Return “point” or “points”, as a number or a change of points needs it."""
    return ngettext("point", "points", abs(count))
