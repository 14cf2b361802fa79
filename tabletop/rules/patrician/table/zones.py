"""The physical table of Patrician: its makes, its zones and where their cards are laid, as data.

City cards take the place of the board: floors lie on them in columns, upward from the line at the foot of each site.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tabletop.messages import Message
from tabletop.rules.patrician.components import SITES, City, cities
from tabletop.rules.table import CardSpot, Size, Zone, ZoneShape

CARD_SIZE = Size(44, 62, tag_x=-9, tag_y=-18)
"""Tags sit near the top left of a card, so that a fan of cards shows every one of them."""
MAKES = {
    "printed": {"card": CARD_SIZE, "floor": Size(28, 22, tag_x=3.5)},
    "box": {"card": CARD_SIZE, "floor": Size(16, 16, tag=0, thick=9), "mason": Size(24, 24, round=True)},
}
"""Printed floors are flat, a bar in the owner's colour beside the tag; no tag holds on the wooden ones of the box, and
the mason names the city of a move with them.
"""

CALLED = {
    "printed": Message("cards and flat floors that you print: the camera reads both"),
    "box": Message("the cards of the box with tags, and its wooden floors: a button says where each one goes"),
}

EXTENT = (1000.0, 680.0)
CITY_X = (229, 347, 465, 583, 701)
SETTING = {
    **{f"TT:{city}": CardSpot(x, 196) for x, city in zip(CITY_X, ("BOL", "FIR", "ROM", "PIS", "SIE"), strict=True)},
    **{f"TT:{city}": CardSpot(x, 384) for x, city in zip(CITY_X, ("LUC", "MIL", "FER", "PAR", "VER"), strict=True)},
    "TT:PILE1": CardSpot(40, 566),
    "TT:PILE5": CardSpot(388, 566),
    "TT:PILE4": CardSpot(736, 566),
    "TT:PILE2": CardSpot(240, 114, 180, 180),
    "TT:PILE3": CardSpot(936, 114, 180, 180),
}
"""Where each marker's card is laid: the cities in the middle, seats 1, 5 and 4 along the near edge."""

FLOOR_STEP = 22
"""From floor to floor of a tower that lies flat, mm; its last one needs no room, as it goes on the empty site."""


def zones(seats: int) -> Sequence[Zone]:
    """Return the zones of a table with that many seats: a card for each city and for each seat, counted from 1."""
    return [zone for city in cities(seats) for zone in _city(city)] + [
        zone for seat in range(seats) for zone in _seat(seat)
    ]


def _city(city: City) -> Iterator[Zone]:
    marker, foot = f"TT:{city.id}", FLOOR_STEP * (city.capacity - 1) - 20
    title = Message("Market of {city}", city=city.title)
    yield Zone(f"market{city.id}", marker, title, (-24, 24, 24, 92), ZoneShape.SPACES)
    for site, left in zip(SITES, (28, 60), strict=True):
        title = Message("Site {site} of {city}", site=site, city=city.title)
        yield Zone(f"site{city.id}{site}", marker, title, (left, -24, left + 30, foot), ZoneShape.TOWER)
    title = Message("Tokens of {city}", city=city.title)
    yield Zone(f"tokens{city.id}", marker, title, (-24, 94, 24, 118), ZoneShape.STORE)


def _seat(seat: int) -> Iterator[Zone]:
    marker = f"TT:PILE{seat + 1}"
    title = Message("Pile of seat {number}", number=seat + 1)
    yield Zone(f"played{seat}", marker, title, (24, -24, 76, 48), ZoneShape.PILE)
    title = Message("Cards that seat {number} shows", number=seat + 1)
    yield Zone(f"show{seat}", marker, title, (78, -24, 200, 48), ZoneShape.SPREAD)
    title = Message("Floors and tokens of seat {number}", number=seat + 1)
    yield Zone(f"store{seat}", marker, title, (-24, 50, 200, 110), ZoneShape.STORE)
