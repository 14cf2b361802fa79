"""The entry that describes one tag, and the markers of a game's table."""

from __future__ import annotations

from typing import NamedTuple

from tabletop.rules.game import Game

TAG_MM = 20.0
"""The side of a piece's tag unless it was printed at another size."""
MARKER_MM = 40.0
"""The side of a table marker, whatever the size of the pieces' tags."""


class Entry(NamedTuple):
    """One tag of a game's set: the piece it is stuck on, or the table marker."""

    id: str
    """The piece's id as in the rules (``R5a``), or a marker's name without its prefix (``Q1``)."""
    payload: str
    kind: str
    """The piece's kind, or ``marker``."""
    size_mm: float
    """The side of the printed tag, quiet zone included."""


def markers(game: Game) -> list[str]:
    """Return the payloads (no set letter) of the markers on the game's largest table, in the order of its zones."""
    if game.table is None:
        return []
    return [*dict.fromkeys(zone.marker for zone in game.table.zones(max(game.seat_range)))]
