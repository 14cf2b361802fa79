"""Data from outside, in which anything may stand anywhere.

Each reader takes a value and the name of its place, and returns the value or raises Illegal (``bad-position``) with a
short sentence that names the place.
"""

from __future__ import annotations

import re
from collections.abc import Container, Mapping

from tabletop.rules.game import Illegal, Json
from tabletop.rules.value import Ids

LONGEST_NAME = 200
"""Characters of a seat's name."""
MOST = 200
"""More items than this no list of a position has."""
NOT_ALLOWED = "half characters and control characters are not allowed"
"""What is said of the code that :func:`unfit` returns."""

_UNFIT = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_UNFIT_BUT_BREAKS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")


def unfit(data: Json, *, breaks: bool = False) -> str:
    """Return the code (``U+D800``) of a character in the data that no text may hold, empty if there is none.

    Keys count as well.  Half a character (a lone surrogate, which JSON can smuggle in) can be written to no file and
    no page; a control character can do anything to a terminal.  With ``breaks`` tabs and line breaks may stand there.
    """
    pattern, left = _UNFIT_BUT_BREAKS if breaks else _UNFIT, [data]
    while left:
        value = left.pop()
        if isinstance(value, str):
            found = pattern.search(value)
            if found is not None:
                return f"U+{ord(found[0]):04X}"
        elif isinstance(value, dict):
            left += [*value, *value.values()]
        elif isinstance(value, list | tuple):
            left += value
    return ""


def without_unfit(text: str) -> str:
    """Return a text that was stored before with U+FFFD for each character that no text may hold."""
    return _UNFIT.sub("\N{REPLACEMENT CHARACTER}", text)


def bad(what: str, **facts: Json) -> Illegal:
    """Return the refusal of a position."""
    return Illegal("bad-position", f"This position cannot be: {what}.", "Components", facts)


def who(seat: int | None) -> str:
    """Return who decides, in words: a seat as people count, from 1, or nobody of them."""
    return "chance or nobody" if seat is None else f"seat {seat + 1}"


def show(value: Json) -> str:
    """Return a short picture of a value of any size for a sentence."""
    if isinstance(value, str):
        return repr(value) if len(value) <= 40 else f"{value[:37]!r}..."
    if isinstance(value, int) and abs(value) >= 10**15:
        return "a huge number"
    return str(value) if isinstance(value, int | float | None) else f"a {type(value).__name__}"


def member(data: Json, key: str, where: str) -> Json:
    """Return the value of a key that must be there."""
    if not isinstance(data, dict):
        raise bad(f"{where} must be an object, not {show(data)}")
    if key not in data:
        raise bad(f"{where} has no {key!r}")
    return data[key]


def table(data: Json, where: str) -> Mapping[str, Json]:
    """Return an object."""
    if not isinstance(data, dict):
        raise bad(f"{where} must be an object, not {show(data)}")
    return data


def items(data: Json, where: str) -> list[Json]:
    """Return the items of a list."""
    if not isinstance(data, list):
        raise bad(f"{where} must be a list, not {show(data)}")
    if len(data) > MOST:
        raise bad(f"{where} has {len(data)} items; at most {MOST} are possible")
    return data


def text(data: Json, where: str) -> str:
    """Return a text, which can be written to any file."""
    if not isinstance(data, str):
        raise bad(f"{where} must be a text, not {show(data)}")
    if code := unfit(data):
        raise bad(f"{where} holds {code}: {NOT_ALLOWED}")
    return data


def names(seats: list[Json]) -> tuple[str, ...]:
    """Return the names of the seats."""
    found = [
        text(member(seat, "name", f"seat {at + 1}"), f"the name of seat {at + 1}") for at, seat in enumerate(seats)
    ]
    for at, name in enumerate(found):
        if len(name) > LONGEST_NAME:
            raise bad(f"the name of seat {at + 1} has {len(name)} characters; at most {LONGEST_NAME} are possible")
    return tuple(found)


def number(data: Json, where: str, allowed: range) -> int:
    """Return a whole number of the range."""
    if type(data) is not int or data not in allowed:
        raise bad(f"{where} must be a whole number from {allowed[0]} to {allowed[-1]}, not {show(data)}")
    return data


def one_of(data: Json, where: str, allowed: Container[str]) -> str:
    """Return a piece, or any other word, that can stand there."""
    if not isinstance(data, str) or data not in allowed:
        raise bad(f"{where} names {show(data)}, which cannot stand there", where=where)
    return data


def pieces(data: Json, where: str, allowed: Container[str]) -> Ids:
    """Return the pieces of a list, each of which can lie there."""
    return tuple([one_of(piece, where, allowed) for piece in items(data, where)])
