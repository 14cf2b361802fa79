"""What the actions of all games share: those of chance, and how data becomes an action.

Keys, types and names of pieces are checked here, and nothing that needs a position.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from typing import Any, NamedTuple, TypeVar

from tabletop.rules.game import Illegal, Json

MOST = 100
"""More pieces than this no list of an action has."""

A = TypeVar("A")
Data = Mapping[str, Json]


class Reveal(NamedTuple):
    """Chance turns up a piece."""

    piece: str
    do: str = "reveal"

    def to_json(self) -> dict[str, Any]:
        """Return the protocol's form."""
        return {"do": "reveal", "piece": self.piece}


class Deal(NamedTuple):
    """Chance deals a seat its cards, in any order."""

    seat: int
    cards: tuple[str, ...]
    do: str = "deal"

    def to_json(self) -> dict[str, Any]:
        """Return the protocol's form."""
        return {"do": "deal", "seat": self.seat, "cards": list(self.cards)}


def bad(message: str) -> Illegal:
    """Return the refusal of a malformed action."""
    return Illegal("bad-request", message)


def read(data: Json, readers: Mapping[str, Callable[[Data], A]]) -> A:
    """Return the action of the kind that the data names, as its reader understands it.

    Raises Illegal: ``unknown-action``, and whatever the reader raises (``bad-request``, ``unknown-piece``).
    """
    if not isinstance(data, dict):
        raise bad("An action must be an object.")
    kind = data.get("do")
    if not isinstance(kind, str):
        raise bad("An action needs the key do.")
    if kind not in readers:
        raise Illegal("unknown-action", f"There is no action {kind[:20]!r} in this game.", "A turn", {"do": kind[:20]})
    return readers[kind](data)


def value(data: Data, key: str) -> Json:
    """Return what stands under a key that must be there."""
    if key not in data:
        raise bad(f"The action needs the key {key}.")
    return data[key]


def known(found: Json, key: str, pieces: Container[str]) -> str:
    """Return a piece of the game."""
    if not isinstance(found, str):
        raise bad(f"{key} must be the name of a piece.")
    if found not in pieces:
        name = found if len(found) <= 20 else found[:17] + "..."
        raise Illegal("unknown-piece", f"There is no piece {name!r} in this game.", "Components", {"piece": name})
    return found


def many(data: Data, key: str, pieces: Container[str]) -> list[str]:
    """Return the pieces of the list under a key."""
    found = value(data, key)
    if not isinstance(found, list) or len(found) > MOST:
        raise bad(f"{key} must be a list of at most {MOST} pieces.")
    return [known(one, key, pieces) for one in found]


def seat(data: Data) -> int:
    """Return the seat that an action names."""
    found = value(data, "seat")
    if type(found) is not int or not 0 <= found < 1_000_000:
        raise bad("seat must be the number of a seat, counted from 0.")
    return found
