"""Words in the language of the page, with types; the names are those by which texts are found for translation."""

from __future__ import annotations

import flask_babel


def gettext(text: str, **facts: object) -> str:
    """Return the text in the language of the page, its ``%(name)s`` filled in."""
    return str(flask_babel.gettext(text, **facts))


def ngettext(one: str, many: str, num: int, **facts: object) -> str:
    """Return the text for one or for many, ``%(num)s`` and the other names filled in."""
    return str(flask_babel.ngettext(one, many, num, **facts))


def N_(text: str) -> str:  # noqa: N802 - the name by which a text is found
    """Mark a text for translation and return it as it is."""
    return text
