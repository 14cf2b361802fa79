"""Facts for Palazzo's templates besides what every page has."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from tabletop.rules.game import Illegal
from tabletop.web.games.choice import Choice
from tabletop.web.games.game_facts import BoardFacts, HandFacts, SeatFacts
from tabletop.web.games.palazzo.faces import PieceFace
from tabletop.web.games.palazzo.prospects import Prospect

Payments = Sequence[tuple[int, tuple[str, ...]]]
"""Payments as (amount, cards)."""


@dataclass(frozen=True, slots=True)
class Bidder:
    """A seat in an auction: what it bids with which cards, whether it is out, and whether it leads."""

    number: int
    name: str
    bid: int
    cards: Sequence[str]
    out: bool
    leads: bool


@dataclass(frozen=True, slots=True)
class AuctionView:
    """The tiles that are auctioned, the highest bid, who made it, and every seat."""

    tiles: Sequence[str]
    highest: int
    leader: str
    seats: Sequence[Bidder]


@dataclass(frozen=True, slots=True)
class BuiltPalazzo:
    """A palazzo from the ground up, and its points."""

    tiles: Sequence[str]
    points: int


@dataclass(frozen=True, slots=True)
class PalazzoSeat:
    """What everybody sees of a seat; ``cards`` is how many it holds."""

    number: int
    name: str
    cards: int
    palazzi: Sequence[BuiltPalazzo]
    points: int
    rank: int


class PalazzoBoard(BoardFacts):
    """The market, the stacks and what was turned up.

    ``goal`` is the quarry to which the architect goes next; from ``handout_next`` tiles on, those there are handed out.
    ``end_tile_drawn`` says that an end tile was just turned up, ``runs_out`` that the money deck runs out now.
    """

    face: Callable[[str], PieceFace]
    picture: Callable[[str], Markup]
    tower: Callable[..., Markup]
    reckoning: Callable[[Sequence[str]], str]
    quarries: Sequence[Sequence[str]]
    architect: int
    goal: int | None
    handout_next: int
    warehouse: Sequence[str]
    price: int
    stacks: Mapping[str, int]
    ends: int
    end_tile_drawn: bool
    deck: int
    discards: int
    row: Sequence[str]
    drawn: Sequence[str]
    runs_out: bool
    pending: Sequence[str]
    auction: AuctionView | None
    handout: Sequence[str]
    seats: Sequence[PalazzoSeat]


class PalazzoHand(HandFacts):
    """A seat's cards; ``field`` is the action's name for the tapped cards, None if none can be tapped."""

    hand: Sequence[str]
    purse: Callable[..., Markup]
    field: str | None


class PalazzoChoices(PalazzoHand, SeatFacts, total=False):
    """A seat's hand, what it may do, and what that would bring; each phase fills its own fields."""

    money_refusal: Illegal | None
    most: int
    moves: Sequence[Choice]
    cheapest: Payments
    closed: Sequence[Choice]
    offers: Payments | Mapping[int, Payments]
    next: int | None
    may_buy: bool
    handed_out: bool
    auctioned: Prospect
    reach: int
    needed: int
    useless: frozenset[str]
    currency: str
    brought: Mapping[str, str]
    claims: Sequence[tuple[str, int, Prospect]]
    places: Sequence[tuple[str, Sequence[Choice], Choice]]
