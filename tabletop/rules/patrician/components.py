"""What is in the box of Patrician: ten cities, 55 cards, tokens and five colours of floors.

The number of cards is printed in the rules; the floors a city takes are printed for Roma and Siena and follow for
the rest (cities with as many cards take as many floors).  What each card shows is data of an edition.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from tabletop.rules.game import Piece


class City(NamedTuple):
    """One city: its id, its name, how many cards it has, how many floors it takes, and its two tokens."""

    id: str
    title: str
    cards: int
    capacity: int
    tokens: tuple[int, int]
    """The points for the taller and the shorter tower."""

    @property
    def doubles(self) -> int:
        """How many of its cards show two crests, since its crests are as many as its floors."""
        return self.capacity - self.cards


CITIES = (
    City("BOL", "Bologna", 7, 9, (9, 6)),
    City("FIR", "Firenze", 7, 9, (9, 6)),
    City("ROM", "Roma", 7, 9, (9, 6)),
    City("LUC", "Lucca", 5, 7, (7, 4)),
    City("SIE", "Siena", 5, 7, (7, 4)),
    City("MIL", "Milano", 5, 7, (7, 4)),
    City("FER", "Ferrara", 4, 5, (5, 2)),
    City("PAR", "Parma", 4, 5, (5, 2)),
    City("VER", "Verona", 4, 5, (5, 2)),
    City("PIS", "Pistoia", 7, 9, (9, 6)),
)
"""All cities in the order of the setup; Pistoia comes last because only five seats play with it."""

CITY_NUMBER = {city.id: number for number, city in enumerate(CITIES)}
"""City id → its index in CITIES."""

CARDS = tuple(f"{city.id}{number}" for city in CITIES for number in range(1, city.cards + 1))
CITY_OF = {card: CITY_NUMBER[card[:3]] for card in CARDS}
"""Card → the index of its city in CITIES."""

SITES = ("A", "B")
SITE_ZONES = tuple(f"site{city.id}{site}" for city in CITIES for site in SITES)
"""The zones in which towers stand, in the order of a position's towers: the two sites of each city together."""
HEADS = ("red", "woman", "beard")
HEAD_SET = 3
HEAD_SET_POINTS = 6
HAND_SIZE = 3
"""How many start cards each seat is dealt, and how many cards a hand has until deck and market run out."""

SEATS = range(2, 6)
COLOURS = ("black", "white", "red", "yellow", "blue")
"""The colour of each seat, seat 0 first."""
FLOOR_SUPPLY = {2: 39, 3: 29, 4: 21, 5: 21}
"""Seats → the floors each of them begins with."""

FLOOR_LETTERS = ("K", "W", "R", "Y", "B")
"""The first letters of the ids of printed floors, in the order of COLOURS."""
MASON = "MASON"
"""The piece that marks the city of a move if floors have no tags."""
PIECES = {
    **{card: Piece(card, "card") for card in CARDS},
    **{
        floor: Piece(floor, "floor", colour)
        for seat, (letter, colour) in enumerate(zip(FLOOR_LETTERS, COLOURS, strict=True))
        for number in range(FLOOR_SUPPLY[max(seat + 1, min(SEATS))])
        for floor in (f"{letter}{number + 1:02}",)
    },
    MASON: Piece(MASON, "mason"),
}
"""All pieces that may have a tag: the cards, the most floors that each colour can begin with, and the mason."""


@cache
def cities(seats: int) -> tuple[City, ...]:
    """Return the cities that a game of that many seats plays with: Pistoia only with five."""
    return CITIES if seats == max(SEATS) else CITIES[:-1]


@cache
def cards(seats: int) -> tuple[str, ...]:
    """Return the cards that a game of that many seats plays with: all 55 with five, else 48."""
    return tuple(card for card in CARDS if CITY_OF[card] < len(cities(seats)))
