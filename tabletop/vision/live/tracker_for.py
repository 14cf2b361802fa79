"""Makes the tracker for one game's table, with the game's tags, their sizes and the table's zones."""

from __future__ import annotations

from collections.abc import Callable

from tabletop.rules import registry
from tabletop.rules.game import Position
from tabletop.rules.layout import Anywhere, Layout
from tabletop.rules.table import ZoneShape
from tabletop.vision.detect.recognisers import recogniser_of
from tabletop.vision.geometry.outlines import shape
from tabletop.vision.geometry.zones import arrange, card_outlines, quiet_areas
from tabletop.vision.kit import Kit
from tabletop.vision.live.tracker import TableTracker
from tabletop.vision.tags import patterns

MIN_AWAITED_MM = 18.0
"""Least side, mm, of tags that are accepted more readily while the game waits for them: of 107723 places in stacked
pictures of tags of 14 mm, one was taken for an awaited tag."""


def tracker_for(kit: Kit, seats: int, position: Callable[[], Position] | None = None) -> TableTracker:
    """Return a tracker that knows every tag of the kit, on a table for that many seats.

    ``position`` returns the recorded position, which says where pieces should lie; None if nothing is recorded.  Raises
    ValueError for a game that does not describe its table.
    """
    table = kit.game.table
    if table is None:
        raise ValueError(f"{kit.game.title} says nothing about its table, so there is nothing to look for.")
    zones, payloads = table.zones(seats), {entry.id: entry.payload for entry in kit.pieces}
    known = {entry.id: entry.payload for entry in kit.pieces if entry.size_mm >= MIN_AWAITED_MM}

    def recorded() -> Layout:
        return Layout({}) if position is None else position().layout()

    def awaited() -> frozenset[str]:
        return frozenset() if position is None else awaited_pieces(position())

    gridded = any(zone.shape is ZoneShape.GRID for zone in zones)
    return TableTracker(
        kit.patterns,
        kit.sides,
        lambda sightings: arrange(sightings, zones, kit, lambda: recorded().zone_of()),
        foreign_tags=lambda: recogniser_of(_foreign(kit), kit.tag_mm),
        shapes={payload: shape(payload, kit) for payload in kit.entries},
        reach=kit.reach,
        quiet=lambda markers: quiet_areas(markers, zones, kit),
        awaited=lambda: [known[piece] for piece in awaited() if piece in known],
        joined=frozenset(entry.payload for entry in kit.pieces if gridded and entry.kind in kit.tile_kinds),
        cards=card_outlines(zones, kit),
        expected=lambda: [payloads[piece] for piece in recorded().open_pieces() if piece in payloads],
    )


def awaited_pieces(position: Position) -> frozenset[str]:
    """Return the pieces that should be seen now or may be laid next: those open or anywhere, and the decider's hand."""
    layout = position.layout()
    hand = layout.hand_zones(position.decider, len(position.names))
    sources = [zone for zone, arrangement in layout.items() if zone in hand or isinstance(arrangement, Anywhere)]
    return layout.open_pieces().union(*(layout.pieces(zone) for zone in sources))


def _foreign(kit: Kit) -> dict[str, patterns.Pattern]:
    """Return the patterns of our other games' tags, whose pieces stray onto a table now and then."""
    return {
        entry.payload: patterns.pattern(entry.payload)
        for other in registry.games()
        if other.tag != kit.game.tag
        for entry in Kit(other).pieces
    }
