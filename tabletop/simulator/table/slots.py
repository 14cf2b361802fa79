"""Where on a zone the next piece goes: slots in the order in which people use them, as pure geometry.

Everything here is in a zone's *seat frame*: the zone's area turned so that its pieces stand upright, origin at the
area's upper left corner, x right, y down, mm.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from tabletop.rules.table import Size, Zone
from tabletop.simulator.camera.projection import PiecePose
from tabletop.simulator.table.zone_layout import facing

FAN = (28.0, 30.0)
"""Step of a fan of cards, right and down: each card's sticker stays free with 5 mm to spare."""
APART = 4.0
"""Free space between tiles that lie side by side."""
INSIDE = 7.0
"""How far inside its zone a sticker's centre must lie."""


@dataclass(frozen=True, slots=True)
class ZoneArea:
    """A zone's area on the table: its width and height in the seat frame, and where that frame's origin lies."""

    zone: Zone
    origin: PiecePose
    width: float
    height: float

    def pose(self, x: float, y: float, turn: float = 0.0) -> PiecePose:
        """Return where on the table a point of the seat frame lies, turned with it."""
        return PiecePose(*self.origin.out(x, y), self.origin.angle + turn)


def field_of(zone: Zone, marker: PiecePose) -> ZoneArea:
    """Return the area of a zone whose marker lies there.  People straighten pieces to their zone card."""
    left, top, right, bottom = zone.area
    quarters = round((facing(zone.name) - marker.angle) / 90) % 4
    corner = [(left, top), (right, top), (right, bottom), (left, bottom)][quarters]
    x, y = marker.out(*corner)
    width, height = right - left, bottom - top
    if quarters % 2:
        width, height = height, width
    return ZoneArea(zone, PiecePose(x, y, marker.angle + 90 * quarters), width, height)


def slots(area: ZoneArea, size: Size, reserved: float = 0.0) -> Iterator[tuple[float, float]]:
    """Yield centres for pieces of a size, best first; ``reserved`` mm at the right are left free at first."""
    if size.height > size.width:
        yield from _fan(area, size) if area.zone.name.startswith("bid") else _cards(area, size)
        return
    yield from _grid(area, size, reserved)
    yield from _anywhere(area, size)


def _fan(area: ZoneArea, size: Size) -> Iterator[tuple[float, float]]:
    """Yield rows of cards that overlap to the right and downwards, every sticker free."""
    y = size.height / 2
    while y + size.tag_y <= area.height - INSIDE:
        x = size.width / 2
        while x + size.tag_x <= area.width - INSIDE:
            yield x, y
            x += FAN[0]
        y += FAN[1]


def _cards(area: ZoneArea, size: Size) -> Iterator[tuple[float, float]]:
    """Yield cards side by side."""
    x = size.width / 2 + 2
    while x + size.tag_x <= area.width - INSIDE:
        yield x, area.height / 2
        x += size.width + APART


def _grid(area: ZoneArea, size: Size, reserved: float) -> Iterator[tuple[float, float]]:
    """Yield tiles in rows and columns; a low zone gets one more row by letting tiles stick out of it."""
    rows = max(1, math.floor((area.height + APART) / (size.height + APART)))
    if area.height < 80 and area.zone.shape == "spread":
        rows += 1
    columns = max(1, math.floor((area.width - reserved + APART) / (size.width + APART)))
    low, high = size.height / 2 + 1, area.height - size.height / 2 - 1
    if rows * size.height > area.height:
        low, high = INSIDE, area.height - INSIDE
    for row in range(rows):
        y = low + (high - low) * row / max(1, rows - 1) if rows > 2 else low + row * (size.height + APART)
        for column in range(columns):
            yield size.width / 2 + 2 + column * (size.width + APART), y


def _anywhere(area: ZoneArea, size: Size) -> Iterator[tuple[float, float]]:
    """Yield every place at which the sticker lies inside: the last resort of a crowded table."""
    for y in range(int(INSIDE), int(area.height - INSIDE), 5):
        for x in range(int(size.width / 2), int(area.width - INSIDE), 5):
            yield float(x), float(y)


TILE_STEP = 28.8
"""From tile to tile within a column."""
FLAT_GAP = 22.0
"""Free space between palazzi that stand behind one another: no tile's normal gap."""
LANE = 41.5
"""From column to column side by side."""


@dataclass(slots=True)
class Column:
    """A column as it lies: its tiles, bottom first; its lane, counted from the left; its foot's height."""

    tiles: list[str]
    lane: int = -1
    foot: float = 0.0
    lean: float = 0.0
    moved: bool = field(default=True)

    @property
    def top(self) -> float:
        """Where the next column behind it may begin."""
        return self.foot + len(self.tiles) * TILE_STEP + FLAT_GAP


def house(columns: Sequence[Column], width: float, height: float) -> bool:
    """Give every column a lane and a foot so that none overlap; return False where there is no room.

    Those that can stay do; a column that outgrew its place moves; when nothing else helps all are laid again.  The
    ones whose place changed are marked ``moved``.
    """
    lanes = int((width - 36) // LANE) + 1
    stay = [column for column in columns if column.lane >= 0 and _fits(column, columns, height)]
    seeking = [column for column in columns if column not in stay]
    if all(_find(column, stay, lanes, height) for column in seeking):
        return True
    housed: list[Column] = []
    return all(_find(c, housed, lanes, height) for c in sorted(columns, key=lambda c: -len(c.tiles)))


def _find(column: Column, housed: list[Column], lanes: int, height: float) -> bool:
    """Find the lane with the most room behind what stands there, for the column to grow."""
    used = [max((c.top for c in housed if c.lane == lane), default=3.0) for lane in range(lanes)]
    lane = min(range(lanes), key=lambda n: (used[n], n))
    if used[lane] + len(column.tiles) * TILE_STEP > height + 4:
        return False
    if (column.lane, column.foot) != (lane, used[lane]):
        column.lane, column.foot, column.moved = lane, used[lane], True
    housed.append(column)
    return True


def _fits(column: Column, columns: Sequence[Column], height: float) -> bool:
    ahead = [c.foot for c in columns if c is not column and c.lane == column.lane and c.foot > column.foot]
    return column.top <= min(ahead, default=height + 4 + FLAT_GAP)
