"""The actions of Patrician: one small class per kind, with its notation.

There are few of them, so all except deals are made once.
"""

from __future__ import annotations

from collections.abc import Mapping

from tabletop.rules.chance_actions import Deal, Reveal
from tabletop.rules.grammar import ActionValue, Grammar
from tabletop.rules.patrician.components import CARDS, CITIES, CITY_NUMBER, SITES


class Play(ActionValue, form="play {card}"):
    """The active seat plays a card of its hand."""

    card: str


class Floor(ActionValue, form="floor {site:site}"):
    """The active seat places one floor in the played card's city."""

    site: str


class Move(ActionValue, form="move {city:city} from {site:site}", keys={"site": "from"}):
    """The active seat moves the top floor of a site to the city's other site."""

    city: str
    site: str


class Skip(ActionValue, form="skip"):
    """The active seat does without the move."""


class Take(ActionValue, form="take {card}"):
    """The active seat takes a market card."""

    card: str


GRAMMAR = Grammar([Deal, Reveal, Play, Floor, Move, Skip, Take], CARDS, words={"city": CITY_NUMBER, "site": SITES})

REVEAL: Mapping[str, Reveal] = {card: Reveal(card) for card in CARDS}
PLAY: Mapping[str, Play] = {card: Play(card) for card in CARDS}
TAKE: Mapping[str, Take] = {card: Take(card) for card in CARDS}
FLOOR = tuple(Floor(site) for site in SITES)
MOVE = tuple(Move(city.id, site) for city in CITIES for site in SITES)
"""All moves, in the order of the towers: site A and B of each city."""
SKIP = Skip()
