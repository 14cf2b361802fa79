"""The physical table of Patrician: its zones and the size of its cards, as data.

Only the cards bear tags.  Floors stand on the game's own board, which needs no marker: where a floor goes is chosen
with the buttons or on the page.
"""

from __future__ import annotations

from collections.abc import Sequence

from tabletop.messages import Message
from tabletop.rules.patrician.components import cities
from tabletop.rules.table import Size, Zone

SIZES = {"card": Size(44, 62, tag_x=-9, tag_y=-18)}
"""Tags sit near the top left of a card, so that a fan of cards shows every one of them."""

CARD = (24, -24, 94, 46)
HAND = (24, -24, 174, 86)
"""The areas for one card or a pile, and for the three cards of a hand shown side by side, in mm."""


def zones(seats: int) -> Sequence[Zone]:
    """Return the zones of a table with that many seats; people count seats from 1."""
    market = [
        Zone(f"market{city.id}", f"TT:{city.id}", Message("Market of {city}", city=city.title), CARD, "spread")
        for city in cities(seats)
    ]
    own = [
        zone
        for seat in range(seats)
        for zone in (
            Zone(
                f"played{seat}", f"TT:PILE{seat + 1}", Message("Pile of seat {number}", number=seat + 1), CARD, "pile"
            ),
            Zone(
                f"hand{seat}", f"TT:HAND{seat + 1}", Message("Hand of seat {number}", number=seat + 1), HAND, "spread"
            ),
        )
    ]
    return market + own
