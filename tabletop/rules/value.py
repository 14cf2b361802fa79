"""A state as a value, and helpers that return changed copies of its sets and rows for the next state.

All three games follow this: a state is never changed, only copied with changes; a set of pieces is a tuple in a fixed
order; a row has one item for each seat, city or quarry.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeAlias, TypeVar

Ids: TypeAlias = tuple[str, ...]
"""Pieces by id."""

T = TypeVar("T")


def without(ids: Ids, piece: str) -> Ids:
    """Return the ids without that piece, which must be among them."""
    row = [*ids]
    row.remove(piece)
    return tuple(row)


def without_all(ids: Ids, pieces: Ids) -> Ids:
    """Return the ids without those pieces."""
    gone = {*pieces}
    return tuple([piece for piece in ids if piece not in gone])


def replaced(row: tuple[T, ...], place: int, item: T) -> tuple[T, ...]:
    """Return the row with another item in that place."""
    items = [*row]
    items[place] = item
    return tuple(items)


class Value:
    """A state whose fields are its instance dictionary: made as a whole, copied with changes, its fields never set."""

    _usual: ClassVar[Mapping[str, object]] = {}

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls._usual = {**cls._usual, **{name: vars(cls)[name] for name in cls.__annotations__ if name in vars(cls)}}

    if not TYPE_CHECKING:

        def __setattr__(self, name, value):
            """Refuse: a position is a value."""
            raise AttributeError(f"a position is a value: {name} cannot be set")

    def change(self, **fields: object) -> Self:
        """Return a copy with other values in the named fields."""
        new = object.__new__(type(self))
        _fill(new, self.__dict__ | fields)
        return new

    @classmethod
    def of(cls, draft: dict[str, Any]) -> Self:
        """Return the state with these fields, which must be complete; the state takes over the dictionary."""
        new = object.__new__(cls)
        _fill(new, draft)
        return new

    @classmethod
    def make(cls, **fields: object) -> Self:
        """Return the state with these fields; the others have the class's default values."""
        return cls.of({**cls._usual, **fields})

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self.__dict__ == other.__dict__

    def __hash__(self) -> int:
        return hash(frozenset(self.__dict__.items()))


_fill = Value.__dict__["__dict__"].__set__
"""Sets the fields of a new state: the only way past ``__setattr__``."""
