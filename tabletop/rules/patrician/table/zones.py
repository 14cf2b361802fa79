"""The physical table of Patrician: its zones and the size of its cards, as data.

Cards bear tags, and printed floors.  Where a wooden floor goes is chosen with the buttons or on the page.
"""

from __future__ import annotations

from collections.abc import Sequence

from tabletop.messages import Message
from tabletop.rules.patrician.components import cities
from tabletop.rules.table import CardSpot, Size, Zone, ZoneShape

CARD_SIZE = Size(44, 62, tag_x=-9, tag_y=-18)
"""Tags sit near the top left of a card, so that a fan of cards shows every one of them."""
MAKES = {
    "printed": {"card": CARD_SIZE, "floor": Size(28, 22, tag_x=3.5)},
    "box": {"card": CARD_SIZE, "floor": Size(16, 16, tag=0, thick=9), "mason": Size(24, 24)},
}
"""Printed floors are flat, a bar in the owner's colour beside the tag; no tag holds on the wooden ones of the box, and
the mason names the city of a move with them.
"""

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

CARD = (24, -24, 94, 46)
HAND = (24, -24, 174, 86)
"""The areas for one card or a pile, and for the three cards of a hand shown side by side, in mm."""


def zones(seats: int) -> Sequence[Zone]:
    """Return the zones of a table with that many seats; people count seats from 1."""
    market = [
        Zone(f"market{city.id}", f"TT:{city.id}", Message("Market of {city}", city=city.title), CARD, ZoneShape.SPREAD)
        for city in cities(seats)
    ]
    own = [
        zone
        for seat in range(seats)
        for zone in (
            Zone(
                f"played{seat}",
                f"TT:PILE{seat + 1}",
                Message("Pile of seat {number}", number=seat + 1),
                CARD,
                ZoneShape.PILE,
            ),
            Zone(
                f"hand{seat}",
                f"TT:HAND{seat + 1}",
                Message("Hand of seat {number}", number=seat + 1),
                HAND,
                ZoneShape.SPREAD,
            ),
        )
    ]
    return market + own
