"""The actions of Palazzo: one small class per kind, with its notation.

Cards and tiles are sorted, because their order means nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain, repeat

from tabletop.rules.chance_actions import Deal, Reveal
from tabletop.rules.grammar import ActionValue, Grammar
from tabletop.rules.palazzo.components import PIECES


class Money(ActionValue, form="money"):
    """The active seat has money cards turned up."""


class Take(ActionValue, form="take {card}"):
    """A seat takes a money card from the row."""

    card: str


class Build(ActionValue, form="build"):
    """The active seat has two tiles turned up, then buys or auctions."""


class Rebuild(
    ActionValue,
    form=[
        "rebuild {kind=lift} {tile} pay {pay}",
        "rebuild {kind=insert} {tile} onto {onto} pay {pay}",
        "rebuild {kind=scrap} {tile} pay {pay}",
    ],
):
    """The active seat pays a card to ``lift`` a tile, to ``insert`` or to ``scrap`` one that stands alone.

    ``onto`` is any tile of the palazzo that is inserted into; None for the other kinds.
    """

    kind: str
    tile: str
    onto: str | None
    pay: str


class Buy(ActionValue, form="buy {tiles:some} pay {pay:pieces}"):
    """The active seat buys one or two tiles from the warehouse."""

    tiles: tuple[str, ...]
    pay: tuple[str, ...]


class Auction(ActionValue, form="auction"):
    """The active seat moves the architect on; the tiles there are offered."""


class Bid(ActionValue, form="bid {cards:pieces}"):
    """A seat adds cards to those that it has laid in this auction."""

    cards: tuple[str, ...]


class Pass(ActionValue, form="pass"):
    """A seat takes its laid cards back and is out of the auction."""


class Claim(ActionValue, form="claim {tile}"):
    """A seat takes one tile of a hand-out."""

    tile: str


class Place(ActionValue, form="place {tile} [onto {onto:piece?}]"):
    """A seat builds a tile on the palazzo whose top tile is ``onto``, or as a new palazzo (None)."""

    tile: str
    onto: str | None


class Scrap(ActionValue, form="scrap {tile}"):
    """A seat discards a tile to the box instead of building it."""

    tile: str


GRAMMAR = Grammar([Reveal, Deal, Money, Take, Build, Rebuild, Buy, Auction, Bid, Pass, Claim, Place, Scrap], PIECES)


def make_buys(choices: Iterable[tuple[str, ...]], payments: Sequence[Iterable[tuple[str, ...]]]) -> Iterable[Buy]:
    """Return each choice of tiles with each payment for that number of tiles (``payments[0]`` are those for one tile).

    A rich hand makes thousands, so they are made by the tuple's own constructor, which is quicker than the class's.
    """
    fields = [zip(repeat(tiles), payments[len(tiles) - 1], repeat("buy")) for tiles in choices]
    return map(tuple.__new__, repeat(Buy), chain.from_iterable(fields))


def make_rebuilds(moves: Iterable[tuple[str, str, str | None]], cards: Iterable[str]) -> Iterable[Rebuild]:
    """Return each move (kind, tile, onto) paid with each of the cards, made as in :func:`make_buys`."""
    fields = [(kind, tile, onto, card, "rebuild") for kind, tile, onto in moves for card in cards]
    return map(tuple.__new__, repeat(Rebuild), fields)


def make_bids(payments: Iterable[tuple[str, ...]]) -> Iterable[Bid]:
    """Return a bid for each of these sets of cards, made as in :func:`make_buys`."""
    return map(tuple.__new__, repeat(Bid), zip(payments, repeat("bid")))
