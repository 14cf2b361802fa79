"""The physical table of Palazzo: its zones and the sizes of its pieces, as data.

Every zone is known by the 40 mm marker on its card; areas are millimetres in the marker's own frame (origin at its
centre, x to the right, y down as one reads it).  A palazzo grows away from its owner, so a seat's marker lies at the
near left corner of its area.
"""

from __future__ import annotations

from collections.abc import Sequence

from tabletop.messages import Message
from tabletop.rules.table import CardSpot, Size, Zone, ZoneShape

SIZES = {
    "tile": Size(36, 28, thick=2.4),
    "end": Size(36, 28, thick=2.4),
    "money": Size(44, 62, tag_x=-9, tag_y=-18),
    "start": Size(44, 62, tag_x=-9, tag_y=-18),
    "architect": Size(24, 24, thick=18.0),
}
"""Tags sit near the top left of a card, so that a fan of cards shows every one of them."""
MAKES = {"printed": SIZES, "box": SIZES}
"""The proxies are as large as the pieces of the box."""

EXTENT = (1150.0, 680.0)
SETTING = {
    # Seats 1 and 4 sit along the bottom, 2 and 3 along the top and turned about: clockwise 1, 2, 3, 4.
    "TT:SEAT1": CardSpot(52, 642),
    "TT:SEAT4": CardSpot(620, 642),
    "TT:SEAT3": CardSpot(1098, 38, 180, 180),
    "TT:SEAT2": CardSpot(530, 38, 180, 180),
    # Bids lie at the right hand of their seat, their long side away from it.
    "TT:BID1": CardSpot(470, 640, -90),
    "TT:BID4": CardSpot(1038, 640, -90),
    "TT:BID3": CardSpot(680, 40, 90, 180),
    "TT:BID2": CardSpot(112, 40, 90, 180),
    "TT:Q1": CardSpot(52, 256),
    "TT:Q4": CardSpot(52, 372),
    "TT:WH": CardSpot(300, 289),
    "TT:Q2": CardSpot(618, 256),
    "TT:Q3": CardSpot(618, 372),
    "TT:ROW": CardSpot(860, 288),
    "TT:DIS": CardSpot(860, 382),
    "TT:END": CardSpot(1000, 382),
}
"""Where each marker's card is laid."""

REASONS = {
    "warehouse": Message("The first tile turned up goes to the warehouse; tiles leave it only when they are bought."),
    "quarry": Message(
        "The second tile goes to the quarry found by counting its windows clockwise from the architect, and stays "
        "there."
    ),
    "row": Message("Money that was turned up lies in the row until somebody takes it."),
    "discards": Message("Cards that were paid are discarded."),
    "end": Message("An end tile is set aside."),
    "seat": Message("A tile stays where it was built; moving one is rebuilding and costs a card."),
    "bid": Message("Cards that were bid stay there until the auction is over."),
    "hand": Message("If you pass, you take your cards back; a hand is not shown."),
    "deck": Message("When a card is needed and the deck is empty, the discards are shuffled into a new deck."),
    "stack": Message("Tiles are turned up only by the seat that chose to build."),
    "box": Message("A discarded tile, and what a hand-out leaves, goes to the box."),
}
"""Zone, without its number → the rule by which pieces belong there."""


def zones(seats: int) -> Sequence[Zone]:
    """Return the zones of a table with that many seats; people count seats and quarries from 1."""
    shared = [
        Zone("warehouse", "TT:WH", Message("Warehouse"), (24, -24, 264, 126), ZoneShape.SPACES),
        *(
            Zone(f"quarry{n}", f"TT:Q{n}", Message("Quarry {number}", number=n), (24, -24, 194, 76), ZoneShape.SPREAD)
            for n in range(1, 5)
        ),
        Zone("row", "TT:ROW", Message("Money row"), (24, -24, 274, 46), ZoneShape.SPACES),
        Zone("discards", "TT:DIS", Message("Discards"), (24, -24, 94, 46), ZoneShape.PILE),
        Zone("end", "TT:END", Message("End tiles"), (24, -24, 114, 46), ZoneShape.SPREAD),
    ]
    own = [
        zone
        for seat in range(seats)
        for zone in (
            Zone(
                f"seat{seat}",
                f"TT:SEAT{seat + 1}",
                Message("Seat {number}", number=seat + 1),
                (24, -150, 364, 24),
                ZoneShape.COLUMNS,
            ),
            Zone(
                f"bid{seat}",
                f"TT:BID{seat + 1}",
                Message("Bid of seat {number}", number=seat + 1),
                (24, -24, 174, 86),
                ZoneShape.SPREAD,
            ),
        )
    ]
    return shared + own
