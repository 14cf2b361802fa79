"""The tracker for one game's table: which tags may lie there, how large they are, and where its zones begin."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from tabletop.rules import registry
from tabletop.rules.game import Game
from tabletop.vision.geometry.outlines import shape
from tabletop.vision.geometry.zones import arrange
from tabletop.vision.live.tracker import TableTracker
from tabletop.vision.recognise.recogniser import Recogniser
from tabletop.vision.tags import catalogue, patterns, payloads


def tracker_for(
    game: Game,
    seats: int,
    set_letter: str = "",
    tag_mm: float = catalogue.TAG_MM,
    awaited: Callable[[], Iterable[str]] = tuple,
) -> TableTracker:
    """Return a tracker that knows every tag of a game's table.

    ``set_letter`` tells apart two copies in one room, ``tag_mm`` is the printed side of the pieces' tags, ``awaited``
    tells the pieces that should lie open now or may be laid next.  Raises ValueError for a game that says nothing about
    its table.
    """
    table = game.table
    if table is None:
        raise ValueError(f"{game.title} says nothing about its table, so there is nothing to look for.")
    zones = table.zones(seats)
    entries = catalogue.entries(game, set_letter, tag_mm)
    return TableTracker(
        catalogue.patterns(game, set_letter),
        {payload: entry.size_mm for payload, entry in entries.items()},
        lambda sightings: arrange(sightings, zones, game),
        foreign_tags=lambda: Recogniser(_foreign(game), tag_mm),
        shapes={payload: shape(payload, game) for payload in entries},
        awaited=lambda: [payloads.payload_of(game, piece, set_letter) for piece in awaited()],
    )


def _foreign(game: Game) -> dict[str, patterns.Pattern]:
    """Return the tags of our other games: their pieces stray onto a table now and then."""
    return {
        payload: pattern
        for other in registry.games()[0]
        if other.tag != game.tag
        for payload, pattern in catalogue.patterns(other).items()
        if payloads.marker_of(payload) is None
    }
