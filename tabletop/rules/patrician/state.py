"""The state of one game of Patrician as plain values, with the few derived values that every rule needs."""

from __future__ import annotations

from collections.abc import Mapping

from tabletop.rules.patrician.components import CITIES, CITY_OF, City
from tabletop.rules.patrician.edition import Edition, Face
from tabletop.rules.patrician.options import Options
from tabletop.rules.patrician.phases.towers import Tower, full
from tabletop.rules.value import Ids, Value

SEATLESS_PHASES = frozenset({"deal", "setup", "reveal", "over"})
"""The phases in which no seat decides."""


class State(Value):
    """All pieces on the table and in hands, and the turn; a value that is never changed, only copied with changes.

    Hands and deck are sorted sets: the state knows no shuffled order.  Which cities are scored and who has which token
    is not stored, because it follows from the towers.

    Attributes:
        names: one for each seat.
        hands: the cards of each seat.
        played: the pile of each seat, the first card played first.
        supply: the floors each seat has left.
        towers: site A and B of each city in the order of the setup, each the owners of its floors from the ground up.
        market: the card beside each city; None if there is none.
        active: the seat whose turn it is.
        card: the card that is being played out, from ``floor`` to ``take``; else empty.
        left: the floors still to be placed for it.
        space: the city whose market space is filled next, while chance turns a card up; else -1.
    """

    # These three have default values because they implement abstract properties of Position.
    names: tuple[str, ...] = ()
    phase: str = "deal"
    active: int = 0
    options: Options
    edition: Edition
    hands: tuple[Ids, ...]
    played: tuple[Ids, ...]
    supply: tuple[int, ...]
    towers: tuple[Tower, ...]
    market: tuple[str | None, ...]
    deck: Ids
    card: str = ""
    left: int = 0
    space: int = -1

    @property
    def seats(self) -> int:
        """How many seats play."""
        return len(self.names)

    @property
    def cities(self) -> tuple[City, ...]:
        """The cities played with."""
        return CITIES[: len(self.market)]

    @property
    def faces(self) -> Mapping[str, Face]:
        """What each card shows."""
        return self.edition.faces

    @property
    def built(self) -> int:
        """The number of the city just built in, even if no floor could be placed."""
        return CITY_OF[self.card]

    @property
    def decider(self) -> int | None:
        """The seat that decides: the active one; None for chance, and when the game is over."""
        return None if self.phase in SEATLESS_PHASES else self.active

    @property
    def due(self) -> int:
        """The seat that is dealt its cards next, in ``deal``."""
        return self.hands.index(())

    def room(self, city: int) -> int:
        """Return how many floors a city, by number, still takes."""
        return CITIES[city].capacity - len(self.towers[2 * city]) - len(self.towers[2 * city + 1])

    def full(self, city: int) -> bool:
        """Return whether a city, by number, has all its floors."""
        return full(CITIES[city], self.towers[2 * city], self.towers[2 * city + 1])

    def scored(self, city: int) -> bool:
        """Return whether a city, by number, is scored: when it is full, and when the game is over."""
        return self.phase == "over" or self.full(city)
