"""The physical table of Palazzo: its zones and the sizes of its pieces, as data.

Every zone is known by the 40 mm marker on its card; areas are millimetres in the marker's own frame (origin at its
centre, x to the right, y down as one reads it).  A palazzo grows away from its owner, so a seat's marker lies at the
near left corner of its area.
"""

from __future__ import annotations

from collections.abc import Sequence

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
    "warehouse": "The first tile turned up goes to the warehouse, and what is there leaves it only when it is bought.",
    "quarry": "The second tile goes to the quarry that lies its windows clockwise of the architect's, and stays there.",
    "row": "Money that is turned up lies in the row until somebody takes it.",
    "discards": "What was paid is discarded.",
    "end": "An end tile is laid aside.",
    "seat": "A tile stays where it was built; moving one is a rebuilding and costs a card.",
    "bid": "Cards that were laid stay laid until the auction is over.",
    "hand": "Who passes takes the cards back; a hand is not laid open.",
    "deck": "When a card is needed and the deck is empty, the discards are shuffled into a new deck.",
    "stack": "Tiles are turned up only by whoever chose to build.",
    "box": "A discarded tile, and what a hand-out leaves, goes to the box.",
}
"""Zone, without its number → the rule by which pieces belong there."""


def zones(seats: int) -> Sequence[Zone]:
    """Return the zones of a table with that many seats; people count seats and quarries from 1."""
    shared = [
        Zone("warehouse", "TT:WH", "Warehouse", (24, -24, 264, 126), "spread"),
        *(Zone(f"quarry{n}", f"TT:Q{n}", f"Quarry {n}", (24, -24, 194, 76), "spread") for n in range(1, 5)),
        Zone("row", "TT:ROW", "Money row", (24, -24, 274, 46), "spread"),
        Zone("discards", "TT:DIS", "Discards", (24, -24, 94, 46), "pile"),
        Zone("end", "TT:END", "End tiles", (24, -24, 114, 46), "spread"),
    ]
    own = [
        zone
        for seat in range(seats)
        for zone in (
            Zone(f"seat{seat}", f"TT:SEAT{seat + 1}", f"Seat {seat + 1}", (24, -150, 364, 24), "columns"),
            Zone(f"bid{seat}", f"TT:BID{seat + 1}", f"Bid of seat {seat + 1}", (24, -24, 174, 86), "spread"),
        )
    ]
    return shared + own
