"""A plan of the table: where each zone card lies, and which zones are spoken of now."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterator
from typing import NamedTuple

from tabletop.referee.snapshot import Snapshot
from tabletop.rules.table import CardSpot, Table, Zone
from tabletop.rules.text.redaction import told
from tabletop.web.games.game_ui import GameUI, Names
from tabletop.web.i18n import say
from tabletop.web.views.prompts import alike

SIZES = (44, 36, 30, 24)
"""Heights of a plan's letters, mm of the table: the largest at which a zone has room for its words is taken."""
LETTER, LINE = 0.62, 1.08
"""How wide a letter is, on average, and how high a line, as parts of that height."""


class MapZone(NamedTuple):
    """A zone as a plan draws it, in mm of the table: its left top corner and size, its words, and whether it is meant.

    ``mark`` is ``from`` if a piece lies wrong there, ``to`` if one belongs there, else empty.
    """

    left: float
    top: float
    width: float
    height: float
    words: list[str]
    mark: str

    @property
    def middle(self) -> tuple[float, float]:
        """The zone's middle."""
        return self.left + self.width / 2, self.top + self.height / 2

    @property
    def size(self) -> int:
        """The height of its letters, mm."""
        return next((size for size in SIZES if self._fits(size)), SIZES[-1])

    @property
    def lines(self) -> list[str]:
        """Its words, as many to a line as it is wide."""
        return self._lines(self.size)

    @property
    def fits(self) -> bool:
        """True if its words can be written on it."""
        return self._fits(self.size)

    def _lines(self, size: int) -> list[str]:
        most = max(1, int((self.width + 4) / (LETTER * size)))
        return textwrap.wrap(" ".join(self.words), most, break_long_words=False)

    def _fits(self, size: int) -> bool:
        lines = self._lines(size)
        return max(map(len, lines)) * LETTER * size <= self.width + 4 and len(lines) * LINE * size <= self.height + 4


class TableMap(NamedTuple):
    """The plan: width and height in mm, its zones, and the way (x, y, x, y) of each piece that lies wrong.

    ``labels`` are (x, y, words) for cards whose zones are too small for words of their own.
    """

    width: float
    height: float
    zones: list[MapZone]
    ways: list[tuple[float, float, float, float]]
    labels: list[tuple[float, float, str]]


def table_map(snapshot: Snapshot, part: GameUI, names: Names) -> TableMap | None:
    """Return the plan of the table with what is to be moved now, None for a game without a table or without spots.

    Where a piece belongs that not everybody may know is not on it.
    """
    table = snapshot.position.game.table
    if table is None:
        return None
    known = told(snapshot.position, None) | alike(snapshot)
    moves = [(move.lies, move.belongs if move.piece in known else "") for move in snapshot.todo]
    lies, belongs = ({move[end] for move in moves} - {""} for end in (0, 1))
    found, cards = {}, dict[str, list[MapZone]]()
    for zone, spot in _laid(table, len(names)):
        mark = "from" if zone.name in lies else "to" if zone.name in belongs else ""
        found[zone.name] = MapZone(*_area(zone, spot), say(zone.title, part.shown(names)).split(), mark)
        cards.setdefault(zone.marker, []).append(found[zone.name])
    ways = [(*found[lies].middle, *found[to].middle) for lies, to in moves if lies in found and to in found]
    labels = [_label(card) for card in cards.values() if not any(zone.fits for zone in card)]
    return TableMap(*table.extent, list(found.values()), ways, labels) if found else None


def _label(card: list[MapZone]) -> tuple[float, float, str]:
    """Return the words that the titles of all zones of a card share, and the middle of the card."""
    shared = [word for word in card[0].words if all(word in zone.words for zone in card)]
    names = [word for word in shared if not word[0].islower()]
    words = shared if all(word.isdigit() for word in names) else names
    x = (min(zone.left for zone in card) + max(zone.left + zone.width for zone in card)) / 2
    y = (min(zone.top for zone in card) + max(zone.top + zone.height for zone in card)) / 2
    return x, y, " ".join(words)


def _laid(table: Table, seats: int) -> Iterator[tuple[Zone, CardSpot]]:
    """Iterate over the zones whose cards have a place on the table."""
    spots = table.setting(seats)
    return ((zone, spots[zone.marker]) for zone in table.zones(seats) if zone.marker in spots)


def _area(zone: Zone, spot: CardSpot) -> tuple[float, float, float, float]:
    """Return left, top, width and height of a zone on the table; cards are turned by quarters."""
    cos, sin = round(math.cos(math.radians(spot.turn))), round(math.sin(math.radians(spot.turn)))
    left, top, right, bottom = zone.area
    corners = [(spot.x + x * cos - y * sin, spot.y + x * sin + y * cos) for x, y in ((left, top), (right, bottom))]
    (x0, x1), (y0, y1) = (sorted(axis) for axis in zip(*corners, strict=True))
    return x0, y0, x1 - x0, y1 - y0
