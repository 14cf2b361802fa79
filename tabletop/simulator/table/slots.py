"""The slots for pieces in a zone, in the order in which people use them, as pure geometry.

All coordinates are in a zone's *seat frame*: the zone's area turned so that its pieces are upright, origin at the
area's upper left corner, x right, y down, mm.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tabletop.rules.table import Size, Zone, ZoneShape
from tabletop.simulator.table.pose import PiecePose

FAN_STEP_MM = (28.0, 30.0)
"""The steps to the right and down between cards of a fan: each sticker stays free with 5 mm to spare."""
TILE_GAP_MM = 4.0
"""The gap between tiles that lie side by side."""
CARD_GAP_MM = 6.0
"""The gap beside a card that lies among tiles."""
MIN_ROWS_RATIO = 2.5
"""A zone has several rows if it is higher than this many times the room for a card."""
MIN_INSET_MM = 7.0
"""How far inside its zone a sticker's centre must be."""


@dataclass(frozen=True, slots=True)
class ZoneArea:
    """A zone's area on the table: its width and height in the seat frame, and the pose of that frame's origin."""

    zone: Zone
    origin: PiecePose
    width: float
    height: float

    def pose(self, x: float, y: float, turn: float = 0.0) -> PiecePose:
        """Return the pose on the table of a point of the seat frame."""
        return PiecePose(*self.origin.out(x, y), self.origin.angle + turn)


def field_of(zone: Zone, marker: PiecePose, faces: float) -> ZoneArea:
    """Return the area of a zone, given its marker's pose and the turn at which people read the card.

    People align pieces with their zone card.
    """
    left, top, right, bottom = zone.area
    quarters = round((faces - marker.angle) / 90) % 4
    corner = [(left, top), (right, top), (right, bottom), (left, bottom)][quarters]
    x, y = marker.out(*corner)
    width, height = right - left, bottom - top
    if quarters % 2:
        width, height = height, width
    return ZoneArea(zone, PiecePose(x, y, marker.angle + 90 * quarters), width, height)


def is_card(size: Size) -> bool:
    """Return whether a piece is a card: higher than wide, and thin."""
    return size.height > size.width and size.thick < 1


def is_fan(area: ZoneArea, size: Size, own: bool) -> bool:
    """Return whether people fan out pieces of this size there: cards, in a zone of their own (``own``)."""
    return own and is_card(size) and area.zone.shape is ZoneShape.SPREAD


def card_room(sizes: Mapping[str, Size]) -> float:
    """Return the room that a card among tiles needs, mm; 0 if all pieces of a game are cards, or none."""
    cards = [size.width for size in sizes.values() if is_card(size)]
    return max(cards) + CARD_GAP_MM if cards and len(cards) < len(sizes) else 0.0


def has_rows(area: ZoneArea, room: float, own: bool) -> bool:
    """Return whether tiles lie in rows in a zone that belongs to no seat, with any card to their right."""
    return not own and area.zone.shape is ZoneShape.SPREAD and area.height > MIN_ROWS_RATIO * room


def slots(area: ZoneArea, size: Size, reserved: float = 0.0, fan: bool = False) -> Iterator[tuple[float, float]]:
    """Yield centres for pieces of a size, the best first; ``reserved`` mm at the right are used last."""
    if is_card(size):
        yield from _fan(area, size) if fan else _cards(area, size)
        return
    yield from _grid(area, size, reserved)
    yield from _anywhere(area, size)


def _fan(area: ZoneArea, size: Size) -> Iterator[tuple[float, float]]:
    """Yield rows of cards that overlap to the right and downwards, every sticker free."""
    y = size.height / 2
    while y + size.tag_y <= area.height - MIN_INSET_MM:
        x = size.width / 2
        while x + size.tag_x <= area.width - MIN_INSET_MM:
            yield x, y
            x += FAN_STEP_MM[0]
        y += FAN_STEP_MM[1]


def _cards(area: ZoneArea, size: Size) -> Iterator[tuple[float, float]]:
    """Yield cards side by side."""
    x = size.width / 2 + 2
    while x + size.tag_x <= area.width - MIN_INSET_MM:
        yield x, area.height / 2
        x += size.width + TILE_GAP_MM


def _grid(area: ZoneArea, size: Size, reserved: float) -> Iterator[tuple[float, float]]:
    """Yield tiles in rows and columns; a low zone gets one more row by letting tiles stick out of it."""
    rows = max(1, math.floor((area.height + TILE_GAP_MM) / (size.height + TILE_GAP_MM)))
    if area.height < 80 and area.zone.shape is ZoneShape.SPREAD:
        rows += 1
    columns = max(1, math.floor((area.width - reserved + TILE_GAP_MM) / (size.width + TILE_GAP_MM)))
    low, high = size.height / 2 + 1, area.height - size.height / 2 - 1
    if rows * size.height > area.height:
        low, high = MIN_INSET_MM, area.height - MIN_INSET_MM
    for row in range(rows):
        y = low + (high - low) * row / max(1, rows - 1) if rows > 2 else low + row * (size.height + TILE_GAP_MM)
        for column in range(columns):
            yield size.width / 2 + 2 + column * (size.width + TILE_GAP_MM), y


def _anywhere(area: ZoneArea, size: Size) -> Iterator[tuple[float, float]]:
    """Yield every place at which the sticker lies inside, as a last resort on a crowded table."""
    for y in range(int(MIN_INSET_MM), int(area.height - MIN_INSET_MM), 5):
        for x in range(int(size.width / 2), int(area.width - MIN_INSET_MM), 5):
            yield float(x), float(y)
