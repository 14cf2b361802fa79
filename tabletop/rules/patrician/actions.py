"""The actions of Patrician: values with a JSON form and a short notation, both of which round-trip.

There are few of them, so all that need no choice of cards are made once, here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, TypeAlias

from tabletop.rules.actions import Deal, Reveal
from tabletop.rules.patrician.components import CARDS, CITIES, SITES


class Play(NamedTuple):
    """The active seat plays a card of its hand."""

    card: str
    do: str = "play"

    def to_json(self) -> dict[str, Any]:
        """Return the protocol's form."""
        return {"do": self.do, "card": self.card}


class Floor(NamedTuple):
    """The active seat places one floor in the played card's city."""

    site: str
    do: str = "floor"

    def to_json(self) -> dict[str, Any]:
        """Return the protocol's form."""
        return {"do": self.do, "site": self.site}


class Move(NamedTuple):
    """The active seat moves the top floor of a site to the city's other site."""

    city: str
    site: str
    do: str = "move"

    def to_json(self) -> dict[str, Any]:
        """Return the protocol's form: the site it comes from is ``from``."""
        return {"do": self.do, "city": self.city, "from": self.site}


class Skip(NamedTuple):
    """The active seat does without the move."""

    do: str = "skip"

    def to_json(self) -> dict[str, Any]:
        """Return the protocol's form."""
        return {"do": self.do}


class Take(NamedTuple):
    """The active seat takes a market card."""

    card: str
    do: str = "take"

    def to_json(self) -> dict[str, Any]:
        """Return the protocol's form."""
        return {"do": self.do, "card": self.card}


PatricianAction: TypeAlias = Deal | Reveal | Play | Floor | Move | Skip | Take

REVEAL: Mapping[str, Reveal] = {card: Reveal(card) for card in CARDS}
PLAY: Mapping[str, Play] = {card: Play(card) for card in CARDS}
TAKE: Mapping[str, Take] = {card: Take(card) for card in CARDS}
FLOOR = tuple(Floor(site) for site in SITES)
MOVE = tuple(Move(city.id, site) for city in CITIES for site in SITES)
"""In the order of the towers: site A and B of each city."""
SKIP = Skip()
