"""Facts for the pages about photographs: the one that asks for them, and those that show what was understood."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypedDict

from tabletop.web.games.game_facts import DealForm
from tabletop.web.games.game_ui import Names
from tabletop.web.views.photo_queue import Photo


class TakeFacts(TypedDict):
    """Facts for the page that asks for a photograph.

    ``trouble`` is what was wrong with the one before.  A final table is of one of the ``games`` (name → title), and may
    be added to the photograph ``before``; ``seat`` is the one whose page led here.
    """

    page: str
    purpose: str
    trouble: str
    games: Mapping[str, str]
    chosen: str
    before: str
    seat: int | None


class WaitFacts(TypedDict):
    """Facts for the page that waits: how many other photographs are read first."""

    page: str
    ahead: int


class UnderstoodFacts(TypedDict):
    """Facts for every page that shows what was understood.

    ``doubts`` are (picture, sentence); ``refused`` is why what was confirmed does not count.
    """

    page: str
    photo: Photo
    base: str
    on: int
    names: Names
    doubts: Sequence[tuple[int, str]]
    refused: str
    refused_rule: str


class CardsFacts(TypedDict):
    """Facts for the page of dealt cards: what can be ticked, what was read, and whether the seat is due."""

    dealt: DealForm | None
    ticked: Sequence[str]
    due: bool
