"""Words in the language of the page, with types; the names are those by which texts are found for translation.

A page is rendered many times a second for many phones, so within :func:`speaking` the catalogue is looked up once;
elsewhere the language is that of the request.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from gettext import NullTranslations, translation
from pathlib import Path

import flask_babel
from babel.messages.mofile import read_mo
from markupsafe import Markup

FOLDER = Path(__file__).parent / "translations"

_spoken: ContextVar[tuple[str, NullTranslations] | None] = ContextVar("spoken", default=None)


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Say everything inside in that language."""
    token = _spoken.set((language, _catalogue(language)))
    try:
        yield
    finally:
        _spoken.reset(token)


def spoken() -> str:
    """Return the language in which texts are said now."""
    now = _spoken.get()
    return now[0] if now else str(flask_babel.get_locale())


@cache
def _catalogue(language: str) -> NullTranslations:
    return translation("messages", FOLDER, [language], fallback=True)


def gettext(text: str, **facts: object) -> str:
    """Return the text in the language of the page, its ``%(name)s`` filled in."""
    now = _spoken.get()
    if now is None:
        return str(flask_babel.gettext(text, **facts))
    said = now[1].gettext(text)
    return said % facts if facts else said


def marked(text: str, **facts: object) -> Markup:
    """Return the text for a template, whatever fills its gaps escaped.

    As Jinja's own, which asks the template's context twice for every word of a page.
    """
    said = Markup(gettext(text))
    return said % facts if facts else said


def ngettext(one: str, many: str, num: int, **facts: object) -> str:
    """Return the text for one or for many, ``%(num)s`` and the other names filled in."""
    now = _spoken.get()
    if now is None:
        return str(flask_babel.ngettext(one, many, num, **facts))
    return now[1].ngettext(one, many, num) % {"num": num, **facts}


def retold(text: str, called: Mapping[str, str]) -> str:
    """Return a sentence that was made elsewhere, its gaps filled in English, in the language of the page.

    The catalogues know such sentences with their gaps numbered: “Lay {1} more money cards in the row.”  What fills a
    gap is retold as well; ``called`` are the names that people go by here.
    """
    known = called.get(text) or gettext(text)
    if known != text:
        return known
    for pattern, with_gaps in _with_gaps(spoken()):
        found = pattern.fullmatch(text)
        if found:
            return gettext(with_gaps).format("", *(retold(gap, called) for gap in found.groups()))
    return text


SENTENCES = re.compile(r"(?<=[.?])\s+(?=[A-ZÀ-Ý“])")
"""Where one sentence ends and the next begins."""


def retold_each(text: str) -> str:
    """Return sentences that were made elsewhere, each retold as :func:`retold` does, those that are known together."""
    rest, said = SENTENCES.split(text), []
    while rest:
        for count in range(len(rest), 0, -1):
            run = " ".join(rest[:count])
            told = retold(run, {})
            if told != run or count == 1:
                break
        said.append(told)
        rest = rest[count:]
    return " ".join(said)


@cache
def _with_gaps(language: str) -> list[tuple[re.Pattern[str], str]]:
    """Return the catalogue's sentences with numbered gaps, as patterns and as they stand there, the fullest first."""
    path = FOLDER / language / "LC_MESSAGES" / "messages.mo"
    if not path.exists():
        return []
    with path.open("rb") as file:
        texts = [message.id for message in read_mo(file) if isinstance(message.id, str) and "{1}" in message.id]
    texts.sort(key=len, reverse=True)
    return [(re.compile(re.sub(r"\\{\d\\}", "(.+?)", re.escape(text)), re.DOTALL), text) for text in texts]


def number(value: int) -> str:
    """Return a number as people write it: with a minus sign, not a hyphen."""
    return str(value).replace("-", "−")


def signed(change: int) -> str:
    """Return a change of points as it is written everywhere: with its sign, ±0 where there is none."""
    return f"+{change}" if change > 0 else number(change) if change else "±0"


def points(count: int) -> str:
    """Return what follows so many points, or a change by so many."""
    return ngettext("point", "points", abs(count))


def N_(text: str) -> str:  # noqa: N802 - the name by which a text is found
    """Mark a text for translation and return it as it is."""
    return text
