"""The physical table of Palazzo: its zones and the sizes of its pieces, as data.

Every zone is known by the 40 mm marker on its card; areas are millimetres in the marker's own frame (origin at its
centre, x to the right, y down as one reads it).  A palazzo grows away from its owner, so a seat's marker lies at the
near left corner of its area.
"""

from __future__ import annotations

from collections.abc import Sequence

from tabletop.messages import Message
from tabletop.rules.table import Size, Zone

SIZES = {
    "tile": Size(36, 28),
    "end": Size(36, 28),
    "money": Size(44, 62, tag_x=-9, tag_y=-18),
    "start": Size(44, 62, tag_x=-9, tag_y=-18),
    "architect": Size(24, 24),
}
"""Tags sit near the top left of a card, so that a fan of cards shows every one of them."""

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
        Zone("warehouse", "TT:WH", Message("Warehouse"), (24, -24, 264, 126), "spread"),
        *(
            Zone(f"quarry{n}", f"TT:Q{n}", Message("Quarry {number}", number=n), (24, -24, 194, 76), "spread")
            for n in range(1, 5)
        ),
        Zone("row", "TT:ROW", Message("Money row"), (24, -24, 274, 46), "spread"),
        Zone("discards", "TT:DIS", Message("Discards"), (24, -24, 94, 46), "pile"),
        Zone("end", "TT:END", Message("End tiles"), (24, -24, 114, 46), "spread"),
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
                "columns",
            ),
            Zone(
                f"bid{seat}",
                f"TT:BID{seat + 1}",
                Message("Bid of seat {number}", number=seat + 1),
                (24, -24, 174, 86),
                "spread",
            ),
        )
    ]
    return shared + own
