"""Which tags a game has, how large each is printed, and how it looks."""

from __future__ import annotations

from typing import NamedTuple

from tabletop.rules.game import Game
from tabletop.vision.tags.patterns import Pattern, pattern
from tabletop.vision.tags.payloads import MARKER, Tag, payload_of

TAG_MM = 20.0
"""The side of a piece's tag unless it was printed at another size."""
MARKER_MM = 40.0
"""The side of a table marker, whatever the size of the pieces' tags."""


class Entry(NamedTuple):
    """One tag of a game's set: the piece it is stuck on, or the table marker."""

    id: str
    """The piece's id as the rules write it (``R5a``), a marker's name without its prefix (``Q1``)."""
    payload: str
    kind: str
    """The piece's kind, or ``marker``."""
    size_mm: float
    """The side of the printed tag, quiet zone included."""


def markers(game: Game) -> list[str]:
    """Return the payloads (no set letter) of the markers on the game's largest table, in the order of its zones."""
    if game.table is None:
        return []
    return [zone.marker for zone in game.table.zones(max(game.seat_range))]


def entries(game: Game, set_letter: str = "", size_mm: float = TAG_MM) -> dict[str, Entry]:
    """Return every tag of a game's set by payload: its pieces, then the markers of its table.

    ``size_mm`` is the side of the pieces' tags; markers are always 40 mm.
    """
    tags = [
        Entry(piece.id, payload_of(game, piece.id, set_letter), piece.kind, size_mm) for piece in game.pieces.values()
    ]
    for marker in markers(game):
        name = marker.partition(":")[2]
        tags.append(Entry(name, Tag(MARKER, set_letter, name).payload, "marker", MARKER_MM))
    return {entry.payload: entry for entry in tags}


def patterns(game: Game, set_letter: str = "") -> dict[str, Pattern]:
    """Return the pattern of every tag of a game's set by payload, its table markers included."""
    return {payload: pattern(payload) for payload in entries(game, set_letter)}
