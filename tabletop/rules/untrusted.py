"""Data from outside, in which anything may stand anywhere.

Each reader takes a value and the name of its place, and returns the value or raises Illegal (``bad-position``) with a
short sentence that names the place.
"""

from __future__ import annotations

from collections.abc import Container, Mapping

from tabletop.rules.game import Illegal, Json
from tabletop.rules.value import Ids

LONGEST_NAME = 200
"""Characters of a seat's name."""
MOST = 200
"""More items than this no list of a position has."""


def bad(what: str, **facts: Json) -> Illegal:
    """Return the refusal of a position."""
    return Illegal("bad-position", f"This position cannot be: {what}.", "Components", facts)


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
    if not writable(data):
        raise bad(f"{where} holds half a character")
    return data


def writable(data: str) -> bool:
    """Tell whether a text has no lone surrogate, as JSON may smuggle in: such a one is no character of any file."""
    return data.isascii() or not any("\ud800" <= character <= "\udfff" for character in data)


def names(seats: list[Json]) -> tuple[str, ...]:
    """Return the names of the seats."""
    found = [text(member(seat, "name", f"seat {at}"), f"the name of seat {at}") for at, seat in enumerate(seats)]
    for at, name in enumerate(found):
        if len(name) > LONGEST_NAME:
            raise bad(f"the name of seat {at} has {len(name)} characters; at most {LONGEST_NAME} are possible")
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
