"""What a seat or chance does: one small value a kind.  Cards and tiles are sorted: their order means nothing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain, repeat
from typing import Any, NamedTuple, TypeAlias

from tabletop.rules.actions import Deal, Reveal


class Money(NamedTuple):
    """The active seat has money cards turned up."""

    do: str = "money"

    def to_json(self) -> dict[str, Any]:
        """Return the protocol's form."""
        return {"do": "money"}


class Take(NamedTuple):
    """A seat takes a money card from the row."""

    card: str
    do: str = "take"

    def to_json(self) -> dict[str, Any]:
        """Return the protocol's form."""
        return {"do": "take", "card": self.card}


class Build(NamedTuple):
    """The active seat has two tiles turned up, then buys or auctions."""

    do: str = "build"

    def to_json(self) -> dict[str, Any]:
        """Return the protocol's form."""
        return {"do": "build"}


class Rebuild(NamedTuple):
    """The active seat pays a card to ``lift`` a tile, to ``insert`` or to ``scrap`` one that stands alone.

    ``onto`` is any tile of the palazzo that is inserted into; None for the other kinds.
    """

    kind: str
    tile: str
    onto: str | None
    pay: str
    do: str = "rebuild"

    def to_json(self) -> dict[str, Any]:
        """Return the protocol's form."""
        onto = {"onto": self.onto} if self.kind == "insert" else {}
        return {"do": "rebuild", "kind": self.kind, "tile": self.tile, **onto, "pay": self.pay}


class Buy(NamedTuple):
    """The active seat buys one or two tiles from the warehouse."""

    tiles: tuple[str, ...]
    pay: tuple[str, ...]
    do: str = "buy"

    def to_json(self) -> dict[str, Any]:
        """Return the protocol's form."""
        return {"do": "buy", "tiles": list(self.tiles), "pay": list(self.pay)}


class Auction(NamedTuple):
    """The active seat moves the architect on; the tiles there are offered."""

    do: str = "auction"

    def to_json(self) -> dict[str, Any]:
        """Return the protocol's form."""
        return {"do": "auction"}


class Bid(NamedTuple):
    """A seat adds cards to what it has laid."""

    cards: tuple[str, ...]
    do: str = "bid"

    def to_json(self) -> dict[str, Any]:
        """Return the protocol's form."""
        return {"do": "bid", "cards": list(self.cards)}


class Pass(NamedTuple):
    """A seat takes its laid cards back and is out of the auction."""

    do: str = "pass"

    def to_json(self) -> dict[str, Any]:
        """Return the protocol's form."""
        return {"do": "pass"}


class Claim(NamedTuple):
    """A seat takes one tile of a hand-out."""

    tile: str
    do: str = "claim"

    def to_json(self) -> dict[str, Any]:
        """Return the protocol's form."""
        return {"do": "claim", "tile": self.tile}


class Place(NamedTuple):
    """A seat builds a tile on the palazzo whose top tile is ``onto``, or as a new palazzo (None)."""

    tile: str
    onto: str | None
    do: str = "place"

    def to_json(self) -> dict[str, Any]:
        """Return the protocol's form."""
        return {"do": "place", "tile": self.tile, "onto": self.onto}


class Scrap(NamedTuple):
    """A seat discards a tile to the box instead of building it."""

    tile: str
    do: str = "scrap"

    def to_json(self) -> dict[str, Any]:
        """Return the protocol's form."""
        return {"do": "scrap", "tile": self.tile}


PalazzoAction: TypeAlias = (
    Reveal | Deal | Money | Take | Build | Rebuild | Buy | Auction | Bid | Pass | Claim | Place | Scrap
)


def buys(choices: Iterable[tuple[str, ...]], payments: Sequence[Iterable[tuple[str, ...]]]) -> Iterable[Buy]:
    """Return each choice of tiles with each of the payments for one tile, for two ….

    A rich hand makes thousands: they are made by the tuple's own constructor, which is quicker than the class's.
    """
    fields = [zip(repeat(tiles), payments[len(tiles) - 1], repeat("buy")) for tiles in choices]
    return map(tuple.__new__, repeat(Buy), chain.from_iterable(fields))


def rebuilds(moves: Iterable[tuple[str, str, str | None]], cards: Iterable[str]) -> Iterable[Rebuild]:
    """Return each move (kind, tile, onto) paid with each of the cards, made in the same way."""
    fields = [(kind, tile, onto, card, "rebuild") for kind, tile, onto in moves for card in cards]
    return map(tuple.__new__, repeat(Rebuild), fields)


def bids(payments: Iterable[tuple[str, ...]]) -> Iterable[Bid]:
    """Return the bid of each of these sets of cards, made in the same way."""
    return map(tuple.__new__, repeat(Bid), zip(payments, repeat("bid")))
