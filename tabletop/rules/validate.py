"""Checks of data from outside, which may contain anything.

Each reader takes a value and the name of its place, and returns the value or raises Illegal (``bad-position``) with a
short sentence that names the place.
"""

from __future__ import annotations

import re
from collections.abc import Container, Mapping, Sequence

from tabletop.messages import Message
from tabletop.rules.game import Illegal, Json
from tabletop.rules.value import Ids

MAX_NAME_LENGTH = 200
"""The longest name of a seat, in characters."""
MAX_LIST_ITEMS = 200
"""The most items that a list in a position can have."""
NOT_ALLOWED = Message("half characters and control characters are not allowed")
"""The explanation that follows the code from :func:`unfit`."""

_UNFIT = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_UNFIT_BUT_BREAKS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")


def unfit(data: Json, *, breaks: bool = False) -> str:
    """Return the code (``U+D800``) of a character in the data that no text may contain, empty if there is none.

    Keys count as well.  A lone surrogate, half a character, can come in through JSON but cannot be written to a file or
    a page; a control character can do anything to a terminal.  With ``breaks`` tabs and line breaks are allowed.
    """
    pattern, left = _UNFIT_BUT_BREAKS if breaks else _UNFIT, [data]
    while left:
        value = left.pop()
        if isinstance(value, str):
            character = pattern.search(value)
            if character is not None:
                return f"U+{ord(character[0]):04X}"
        elif isinstance(value, dict):
            left += [*value, *value.values()]
        elif isinstance(value, list | tuple):
            left += value
    return ""


def without_unfit(text: str) -> str:
    """Return an older stored text with U+FFFD for each character that no text may contain."""
    return _UNFIT.sub("\N{REPLACEMENT CHARACTER}", text)


def bad(what: str, **facts: Json) -> Illegal:
    """Return the refusal of a position; the facts fill the gaps of the sentence."""
    said = Message(what, **facts) if facts or "{" not in what else what
    return Illegal(
        "bad-position",
        Message("This position is impossible: {what}.", what=said),
        rule=Message("Components"),
        facts=facts,
    )


def must(holds: object, what: str, **facts: Json) -> None:
    """Refuse a position in which a required condition does not hold."""
    if not holds:
        raise bad(what, **facts)


def dealing(held: Sequence[int], hand: int) -> bool:
    """Return whether hands of that many pieces are being dealt: the first seats have one, and the last has none."""
    dealt = held.count(hand)
    return dealt < len(held) and [*held] == [hand] * dealt + [0] * (len(held) - dealt)


def show(value: Json) -> str:
    """Return a value as a sentence names it: shortened, and spelt as in JSON (``null``)."""
    if isinstance(value, str):
        return repr(value) if len(value) <= 40 else f"{value[:37]!r}..."
    if isinstance(value, int) and abs(value) >= 10**15:
        return Message("a huge number")
    if value is None:
        return "null"
    if isinstance(value, int | float):
        return str(value).lower()
    return Message("an object") if isinstance(value, dict) else Message("a list")


def member(data: Json, key: str, where: str) -> Json:
    """Return the value of a required key."""
    if key not in table(data, where):
        raise bad("{where} has no {key}", where=where, key=repr(key))
    return data[key]


def table(data: Json, where: str) -> Mapping[str, Json]:
    """Return the data, which must be an object."""
    if not isinstance(data, dict):
        raise bad("{where} must be an object, not {found}", where=where, found=show(data))
    return data


def items(data: Json, where: str) -> list[Json]:
    """Return the data, which must be a list and not too long."""
    if not isinstance(data, list):
        raise bad("{where} must be a list, not {found}", where=where, found=show(data))
    must(len(data) <= MAX_LIST_ITEMS, "{where} has {number} items; at most {most} are possible",
         where=where, number=len(data), most=MAX_LIST_ITEMS)  # fmt: skip
    return data


def text(data: Json, where: str) -> str:
    """Return the data, which must be a text that can be written to any file."""
    if not isinstance(data, str):
        raise bad("{where} must be a text, not {found}", where=where, found=show(data))
    if code := unfit(data):
        raise bad("{where} holds {code}: {not_allowed}", where=where, code=code, not_allowed=NOT_ALLOWED)
    return data


def seat_name(seat: int) -> Message:
    """Return what a seat is called in a sentence: people count from 1."""
    return Message("seat {number}", number=seat + 1)


def name(data: Json, where: str) -> str:
    """Return the name of a seat."""
    called = text(data, where)
    must(len(called) <= MAX_NAME_LENGTH, "{where} has {number} characters; at most {most} are possible",
         where=where, number=len(called), most=MAX_NAME_LENGTH)  # fmt: skip
    return called


def names(seats: list[Json]) -> tuple[str, ...]:
    """Return the names of the seats."""
    known = enumerate(map(seat_name, range(len(seats))))
    return tuple([name(member(seats[at], "name", seat), within("name", seat)) for at, seat in known])


def within(key: str, where: str) -> Message:
    """Return the name of a key's place: the key and the name of its object."""
    return Message("{key} of {where}", key=key, where=where)


def number(data: Json, where: str, allowed: range) -> int:
    """Return the data, which must be a whole number in the range."""
    if type(data) is not int or data not in allowed:
        raise bad("{where} must be a whole number from {least} to {most}, not {found}",
                  where=where, least=allowed[0], most=allowed[-1], found=show(data))  # fmt: skip
    return data


def one_of(data: Json, where: str, allowed: Container[str]) -> str:
    """Return the data, which must be one of the allowed words, such as a piece."""
    if not isinstance(data, str) or data not in allowed:
        raise bad("{where} names {found}, which is not allowed there", where=where, found=show(data))
    return data


def pieces(data: Json, where: str, allowed: Container[str]) -> Ids:
    """Return the pieces of a list, each of which must be allowed there."""
    return tuple([one_of(piece, where, allowed) for piece in items(data, where)])
