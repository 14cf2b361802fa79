"""Facts for a game's templates besides what every page has: each game declares its own names on top of these."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, NotRequired, TypedDict


@dataclass(frozen=True, slots=True)
class DealForm:
    """The form in which a seat ticks the cards that it was dealt by hand.

    ``most`` cards are dealt; ``rows`` are (style, word, cards): all that this game could deal, because a list of what
    is left would reveal the hands of others.  ``photo`` and ``send`` are texts of buttons if the usual ones do not fit.
    """

    title: str
    hint: str
    rows: Sequence[tuple[str, str, Sequence[str]]]
    most: int
    photo: str = ""
    send: str = ""


class CarrierWords(NamedTuple):
    """Words about pieces that stand on others and may lack a tag: where they stand, one of them, and that none does."""

    question: str
    title: str
    none: str


class BoardFacts(TypedDict):
    """What everybody sees of any game.

    ``draw`` is the template that draws pieces, seats and table.  ``standing`` are the points of each seat that all may
    know, None for points that may reveal a secret; ``unknown`` says what may be added to them, and ``parts`` what they
    are made of.
    """

    draw: str
    called: NotRequired[Callable[[str], str]]
    standing: NotRequired[Sequence[int | None]]
    unknown: NotRequired[Sequence[str]]
    parts: NotRequired[Sequence[Sequence[Sequence[Any]]]]


class HandFacts(TypedDict):
    """What one seat sees of its hand: each game has words of its own for it."""


class SeatFacts(TypedDict, total=False):
    """What one seat of any game may do or say: cards that it is dealt, and what it may report as turned up."""

    dealt: DealForm | None
    tell: list[str]
