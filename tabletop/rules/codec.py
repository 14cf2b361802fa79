"""Codecs for the values in a position's data: each one writes a value and reads it back.

Data comes from outside and may hold anything: reading checks every value, and a refusal names the value's place.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Sequence
from typing import Any, NamedTuple, TypeAlias

from tabletop.messages import Message
from tabletop.rules import validate
from tabletop.rules.game import Json
from tabletop.rules.validate import bad, member, must, within
from tabletop.rules.value import Ids


class PositionDraft:
    """A position that is being read: what is known of it so far, and where each of its pieces was found."""

    def __init__(self, seats: int, options: Any, phase: str, decider: int | None) -> None:
        self.seats, self.options, self.phase, self.decider = seats, options, phase, decider
        self.fields: dict[str, Any] = {"options": options, "phase": phase}
        """The state's fields read so far, by attribute."""
        self.told: dict[str, Any] = {}
        """Values in the data that are not attributes of the state, by key; a seat's field has one value per seat."""
        self._lying: dict[str, str] = {}

    def lay(self, piece: str, where: str) -> None:
        """Note where a piece lies.  Raises Illegal if it lies somewhere else as well."""
        elsewhere = self._lying.get(piece)
        must(elsewhere is not where, "{where} names {piece} twice", where=where, piece=piece)
        must(elsewhere is None, "{piece} is in two places: {one} and {other}", piece=piece, one=elsewhere, other=where)
        self._lying[piece] = where

    def complete(self, pieces: Iterable[str]) -> None:
        """Raise Illegal if one of these pieces lies nowhere."""
        missing = next((piece for piece in pieces if piece not in self._lying), None)
        if missing is not None:
            raise bad("{piece} is missing", piece=missing)


Reader: TypeAlias = Callable[[Json, str, PositionDraft], Any]
"""Reads a value from the data, given the name of its place and the draft so far.  Raises Illegal."""


class Codec(NamedTuple):
    """How a value is represented in the data."""

    read: Reader
    show: Callable[[Any], Json] | None = None
    """Turns a value into data; None if the data is the value itself."""


AS_IS = Codec(lambda data, _where, _draft: data)
"""Accepts any value, which is checked later."""
NAME = Codec(lambda data, where, _: validate.name(data, where))
SEAT = Codec(lambda data, where, draft: validate.number(data, where, range(draft.seats)))
"""A seat, counted from 0."""


def number(allowed: range) -> Codec:
    """Return the codec of a whole number of the range."""
    return Codec(lambda data, where, _: validate.number(data, where, allowed))


def word(allowed: Container[str]) -> Codec:
    """Return the codec of one of these words, such as the name of a piece that lies elsewhere."""
    return Codec(lambda data, where, _: validate.one_of(data, where, allowed))


def pieces(allowed: Container[str], order: Callable[[Iterable[str]], Iterable[str]] = tuple) -> Codec:
    """Return the codec of the pieces that lie in a place; they are put in order."""

    def read(data: Json, where: str, draft: PositionDraft) -> Ids:
        found = validate.pieces(data, where, allowed)
        for piece in found:
            draft.lay(piece, where)
        return tuple(order(found))

    return Codec(read, list)


def each(item: Codec, count: int | None = None) -> Codec:
    """Return the codec of a list of items, of exactly ``count`` of them if that is given."""

    def read(data: Json, where: str, draft: PositionDraft) -> tuple[Any, ...]:
        found = validate.items(data, where)
        must(count in (None, len(found)), "{where} must have {count} items, not {number}",
             where=where, count=count, number=len(found))  # fmt: skip
        places = [Message("item {number} of {where}", number=at, where=where) for at in range(1, len(found) + 1)]
        return tuple([item.read(value, place, draft) for value, place in zip(found, places, strict=True)])

    show = item.show
    return Codec(read, list if show is None else lambda value: [*map(show, value)])


def named(keys: Sequence[str], item: Codec) -> Codec:
    """Return the codec of an object with a value for each of these keys; the state has a tuple in their order."""

    def read(data: Json, where: str, draft: PositionDraft) -> tuple[Any, ...]:
        return tuple([item.read(member(data, key, where), within(key, where), draft) for key in keys])

    show = item.show or (lambda value: value)
    return Codec(read, lambda values: dict(zip(keys, map(show, values), strict=True)))


def optional(item: Codec) -> Codec:
    """Return the codec that writes None as null and anything else as ``item`` does."""
    show = item.show or (lambda value: value)
    return Codec(
        lambda data, where, draft: None if data is None else item.read(data, where, draft),
        lambda value: None if value is None else show(value),
    )
