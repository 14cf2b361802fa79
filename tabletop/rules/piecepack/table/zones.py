"""The physical table of Palazzo for the piecepack: its makes, its zones and where their cards are laid, as data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tabletop.messages import Message
from tabletop.rules.table import CardSpot, Size, Zone, ZoneShape

TURRET = Size(21, 21, thick=1.0)
MAKES = {
    "printed": {"structure": Size(42, 42, tag_x=11, tag_y=-11), "coin": Size(28, 28, round=True), "turret": TURRET},
    "box": {
        "structure": Size(50.8, 50.8, tag_x=15.4, tag_y=-15.4, thick=6.4),
        "coin": Size(19, 19, tag=14, thick=3, round=True),
        "turret": TURRET,
    },
}
"""The tag of a structure sits in the upper right quarter of its face: the turret has room on any of the other three."""

CALLED = {
    "printed": Message("tiles, coins and turrets that you print"),
    "box": Message("a real piecepack of 2-inch tiles with tags, and printed turrets"),
}

EXTENT = (1150.0, 720.0)
SETTING = {
    "TT:PLOT1": CardSpot(32, 626),
    "TT:PLOT4": CardSpot(444, 626),
    "TT:PLOT2": CardSpot(400, 94, 180, 180),
    "TT:PLOT3": CardSpot(812, 94, 180, 180),
    "TT:YARD": CardSpot(876, 270),
    "TT:BANK": CardSpot(876, 420),
}
"""Where each marker's card is laid: seats 1 and 4 along the near edge, yard and bank at the right."""


def zones(seats: int) -> Sequence[Zone]:
    """Return the zones of a table with that many seats, counted from 1."""
    return [
        Zone("yard", "TT:YARD", Message("Yard"), (24, -24, 244, 36), ZoneShape.SPACES),
        Zone("stack", "TT:YARD", Message("Stack"), (-24, 38, 244, 100), ZoneShape.STORE),
        Zone("bank", "TT:BANK", Message("Bank"), (24, -24, 184, 26), ZoneShape.SPACES),
        Zone("discards", "TT:BANK", Message("Discards"), (188, -24, 244, 26), ZoneShape.HEAP),
        Zone("coins", "TT:BANK", Message("Face-down coins"), (-24, 30, 244, 100), ZoneShape.STORE),
        *(zone for seat in range(seats) for zone in _plot(seat)),
    ]


def _plot(seat: int) -> Iterator[Zone]:
    marker, number = f"TT:PLOT{seat + 1}", seat + 1
    title = Message("Palazzo of seat {number}", number=number)
    yield Zone(f"seat{seat}", marker, title, (24, -264, 384, -28), ZoneShape.GRID)
    title = Message("Reserve of seat {number}", number=number)
    yield Zone(f"reserve{seat}", marker, title, (24, -24, 240, 84), ZoneShape.SPREAD)
    title = Message("Payment of seat {number}", number=number)
    yield Zone(f"pay{seat}", marker, title, (244, -24, 384, 36), ZoneShape.SPREAD)
    title = Message("Die and turret of seat {number}", number=number)
    yield Zone(f"store{seat}", marker, title, (244, 40, 384, 84), ZoneShape.STORE)
