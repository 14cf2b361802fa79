"""A plan of the table: where each zone card lies, and from which zone to which pieces have to be moved now."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterator
from typing import NamedTuple

from tabletop.referee.snapshot import Snapshot
from tabletop.rules.secrecy import known_pieces
from tabletop.rules.table import CardSpot, Table, Zone
from tabletop.web.games.game_ui import AnyUI, Names
from tabletop.web.i18n import say
from tabletop.web.views.prompts import shared_names

LETTER_SIZES_MM = (36, 30, 24)
"""Heights of letters on the plan, in mm of the table: a zone gets the largest at which its words fit."""
MIN_LETTER_MM = 18
"""The height of letters on a card that has no room for larger ones."""
MARKER_AREA_MM = (-24.0, -24.0, 24.0, 24.0)
"""The part of a card that its marker takes, with the margin around it."""
LETTER_WIDTH, LINE_HEIGHT = 0.6, 1.08
"""The average width of a letter, and the height of a line, as parts of the height of letters."""
MAX_LINES = 3


class MapZone(NamedTuple):
    """A zone or a card as a plan draws it, in mm of the table: left top corner, size, words and mark.

    ``mark`` is ``from`` if a piece lies wrong there, ``to`` if one belongs there, ``full`` if nothing is wrong anywhere
    and pieces that everybody may know lie there, else empty; ``largest`` is the maximum height of its letters, in mm.
    """

    left: float
    top: float
    width: float
    height: float
    words: list[str]
    mark: str = ""
    largest: int = LETTER_SIZES_MM[0]

    @property
    def middle(self) -> tuple[float, float]:
        """The zone's middle."""
        return self.left + self.width / 2, self.top + self.height / 2

    @property
    def size(self) -> int:
        """The height of its letters, mm."""
        return next((size for size in LETTER_SIZES_MM if size <= self.largest and self._fits(size)), MIN_LETTER_MM)

    @property
    def lines(self) -> list[str]:
        """Its words in lines, wrapped to its width."""
        return self._lines(self.size)

    @property
    def fits(self) -> bool:
        """True if its words fit on it in the smallest of the usual letters."""
        return self._fits(LETTER_SIZES_MM[-1])

    @property
    def has_room(self) -> bool:
        """True if its words fit on it in letters of its ``size``."""
        return self._fits(self.size)

    @property
    def words_area(self) -> tuple[float, float, float, float]:
        """Left, top, width and height of its words, estimated from the average letter."""
        lines = self.lines
        wide, high = max(map(len, lines)) * LETTER_WIDTH * self.size, len(lines) * LINE_HEIGHT * self.size
        return self.middle[0] - wide / 2, self.middle[1] - high / 2, wide, high

    def _lines(self, size: int) -> list[str]:
        most = max(1, int(self.width / (LETTER_WIDTH * size)))
        return textwrap.wrap(" ".join(self.words), most, break_long_words=False)

    def _fits(self, size: int) -> bool:
        lines = self._lines(size)
        wide, high = max(map(len, lines)) * LETTER_WIDTH * size, len(lines) * LINE_HEIGHT * size
        return len(lines) <= MAX_LINES and wide <= self.width and high <= self.height


class TableMap(NamedTuple):
    """The plan: width and height in mm, its cards and zones, and the way (x, y, x, y) of each piece that lies wrong.

    ``tags`` are the middles of the cards' markers, ``written`` the areas with words on them: every zone that has room
    for its own, and, if none of a card's zones has, the card or its part beside the marker.
    """

    width: float
    height: float
    cards: list[MapZone]
    zones: list[MapZone]
    tags: list[tuple[float, float]]
    written: list[MapZone]
    ways: list[tuple[float, float, float, float]]


def table_map(snapshot: Snapshot, ui: AnyUI, names: Names) -> TableMap | None:
    """Return the plan of the table with what is to be moved now, None for a game without a table or without spots.

    It does not show where a piece belongs if not everybody may know that.
    """
    table = snapshot.position.game.table
    if table is None:
        return None
    known = known_pieces(snapshot.position, None) | shared_names(snapshot)
    moves = [(move.lies, move.belongs if move.piece in known else "") for move in snapshot.todo]
    lies, belongs = ({move[end] for move in moves} - {""} for end in (0, 1))
    layout = snapshot.position.layout()
    full = {zone for zone in layout if not moves and not known.isdisjoint(layout.pieces(zone))}
    found, cards = {}, dict[CardSpot, list[MapZone]]()
    for zone, spot in _laid(table, len(names)):
        marks = (("from", lies), ("to", belongs), ("full", full))
        mark = next((name for name, marked in marks if zone.name in marked), "")
        found[zone.name] = MapZone(*_area(zone.area, spot), say(zone.title, ui.shown(names)).split(), mark)
        cards.setdefault(spot, []).append(found[zone.name])
    if not found:
        return None
    whole = {spot: _card(spot, zones) for spot, zones in cards.items()}
    unnamed = [
        _beside_marker(whole[spot], spot) for spot, zones in cards.items() if not any(zone.fits for zone in zones)
    ]
    return TableMap(
        *table.extent,
        list(whole.values()),
        list(found.values()),
        [(spot.x, spot.y) for spot in whole],
        [*(zone for zone in found.values() if zone.fits), *_alike(unnamed)],
        [(*found[lies].middle, *found[to].middle) for lies, to in moves if lies in found and to in found],
    )


def _alike(cards: list[MapZone]) -> list[MapZone]:
    """Return the cards, all with letters of the smallest size that one of them needs."""
    return [card._replace(largest=min(other.size for other in cards)) for card in cards]


def _card(spot: CardSpot, zones: list[MapZone]) -> MapZone:
    """Return a whole card: its marker and its zones, with the words that the titles of all of these share."""
    areas = [*((zone.left, zone.top, zone.width, zone.height) for zone in zones), _area(MARKER_AREA_MM, spot)]
    left, top = (min(area[side] for area in areas) for side in (0, 1))
    width, height = (max(area[side] + area[side + 2] for area in areas) - (left, top)[side] for side in (0, 1))
    shared = [word for word in zones[0].words if all(word in zone.words for zone in zones)]
    names = [word for word in shared if not word[0].islower()]
    words = " ".join(shared if all(word.isdigit() for word in names) else names)
    return MapZone(left, top, width, height, [words[:1].upper() + words[1:]])


def _beside_marker(card: MapZone, spot: CardSpot) -> MapZone:
    """Return the card, or the part of it with the most room for its words if they would run over its marker."""
    left, top, width, height = _area(MARKER_AREA_MM, spot)
    x, y, wide, high = card.words_area
    if x >= left + width or x + wide <= left or y >= top + height or y + high <= top:
        return card
    right, bottom = card.left + card.width, card.top + card.height
    parts = [
        card._replace(left=left + width, width=right - left - width),
        card._replace(width=left - card.left),
        card._replace(top=top + height, height=bottom - top - height),
        card._replace(height=top - card.top),
    ]
    return max(parts, key=lambda part: (part.has_room, part.size, part.width * part.height))


def _laid(table: Table, seats: int) -> Iterator[tuple[Zone, CardSpot]]:
    """Iterate over the zones whose cards have a place on the table."""
    spots = table.setting(seats)
    return ((zone, spots[zone.marker]) for zone in table.zones(seats) if zone.marker in spots)


def _area(area: tuple[float, float, float, float], spot: CardSpot) -> tuple[float, float, float, float]:
    """Return left, top, width and height on the table of an area of a card; cards are turned in steps of 90°."""
    cos, sin = round(math.cos(math.radians(spot.turn))), round(math.sin(math.radians(spot.turn)))
    left, top, right, bottom = area
    corners = [(spot.x + x * cos - y * sin, spot.y + x * sin + y * cos) for x, y in ((left, top), (right, bottom))]
    (x0, x1), (y0, y1) = (sorted(axis) for axis in zip(*corners, strict=True))
    return x0, y0, x1 - x0, y1 - y0
