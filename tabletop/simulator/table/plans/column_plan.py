"""Columns of tiles, side by side and one behind another: the lane of each, and where its foot lies."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from tabletop.rules.table import Size
from tabletop.simulator.errors import NoSuchPiece, TableFull
from tabletop.simulator.table.plans.plan import LaidAt


class Gaps(NamedTuple):
    """Free space between columns, mm: between those side by side, and between those one behind another."""

    aside: float
    behind: float


GAPS = (Gaps(5.5, 22.0), Gaps(5.5, 18.5), Gaps(1.7, 18.5))
"""The gaps that people leave, from the usual ones to the least if room is scarce: columns one behind another and nearer
than 18.5 mm would count as one; columns side by side are pushed together and straightened last."""
STEP_GAP_MM = 0.8
"""The gap between pieces within a column."""
LANE_EDGE_MM = 2.0
"""Free space at the left of the first lane."""
NEAR_EDGE_MM = 3.0
"""Free space before the first column of a lane."""


@dataclass(slots=True)
class Column:
    """A column: its tiles, bottom first; its lane, counted from the left; its foot's distance from the near edge."""

    tiles: list[str]
    lane: int = -1
    foot: float = 0.0
    lean: float = 0.0
    moved: bool = field(default=True)

    def top(self, step: float, gap: float) -> float:
        """Return where the next column behind this one may begin."""
        return self.foot + len(self.tiles) * step + gap

    def move(self, lane: int, foot: float) -> None:
        """Give it another place, or leave it in its own."""
        self.moved = self.moved or (self.lane, self.foot) != (lane, foot)
        self.lane, self.foot = lane, foot


class ColumnPlan:
    """The columns of one zone, all of pieces of one size."""

    def __init__(self, zone: str, width: float, height: float) -> None:
        self.columns: list[Column] = []
        self._zone, self._width, self._height = zone, width, height
        self._size = Size(1, 1)
        self._aside = GAPS[0].aside
        self._laid: set[str] = set()

    def put(
        self, piece: str, onto: str | None, at: int | None, size: Size, lean: Callable[[], float]
    ) -> Sequence[LaidAt]:
        """Lay a piece onto the column that has ``onto``, or begin a new column; return the pieces that are laid.

        Raises NoSuchPiece, TableFull.
        """
        self._size = size
        if onto is None:
            self.columns.append(Column([piece], lean=lean()))
        else:
            column = next((column for column in self.columns if onto in column.tiles), None)
            if column is None:
                raise NoSuchPiece(onto, f"is in no column of “{self._zone}”")
            column.tiles.insert(len(column.tiles) if at is None else at, piece)
        self._make_room(piece)
        return self._new()

    def leave(self, piece: str) -> Sequence[LaidAt]:
        """Take a piece out of its column; return those above it, which close the gap."""
        self._laid.discard(piece)
        for column in self.columns:
            if piece in column.tiles:
                level = column.tiles.index(piece)
                column.tiles.remove(piece)
                if not column.tiles:
                    self.columns.remove(column)
                return [self._at(column, above) for above in range(level, len(column.tiles))]
        return []

    def _make_room(self, piece: str) -> None:
        """Find a place for every column; columns once pushed together stay so.

        Raises TableFull, naming the piece, which is not kept.
        """
        possible = [gaps for gaps in GAPS if gaps.aside <= self._aside]
        room = self._size, self._width, self._height
        chosen = next((gaps for gaps in possible if place_columns(self.columns, *room, gaps)), None)
        if chosen is None:
            self.leave(piece)
            raise TableFull(self._zone, piece)
        if chosen.aside < self._aside:
            self._aside = chosen.aside
            for column in self.columns:
                column.lean, column.moved = 0.0, True

    def _new(self) -> Sequence[LaidAt]:
        """Return the pieces whose place changed: columns that moved, and in others all from the first new piece on."""
        laid: list[LaidAt] = []
        for column in self.columns:
            levels = range(len(column.tiles))
            first = 0 if column.moved else next((n for n in levels if column.tiles[n] not in self._laid), None)
            if first is not None:
                laid += [self._at(column, level) for level in levels[first:]]
            column.moved = False
        self._laid.update(place.piece for place in laid)
        return laid

    def _at(self, column: Column, level: int) -> LaidAt:
        lean, size = math.radians(column.lean), self._size
        up = size.height / 2 + level * (size.height + STEP_GAP_MM)
        x = size.width / 2 + LANE_EDGE_MM + column.lane * (size.width + self._aside) + up * math.sin(lean)
        return LaidAt(column.tiles[level], x, self._height - column.foot - up * math.cos(lean), column.lean)


def place_columns(columns: Sequence[Column], size: Size, width: float, height: float, gaps: Gaps = GAPS[0]) -> bool:
    """Give every column a lane and a foot so that none overlap; return False if there is no room.

    Columns that can stay do; a column that outgrew its place moves; if that is not enough, all are laid again.  Columns
    whose place changed are marked ``moved``.  Without room, none changes its place.
    """
    step = size.height + STEP_GAP_MM
    lanes, gap = int((width - size.width) // (size.width + gaps.aside)) + 1, gaps.behind
    stay = [column for column in columns if column.lane >= 0 and _fits(column, columns, step, height, gap)]
    seeking = [column for column in columns if column not in stay]
    for staying, moving in ((stay, seeking), ([], sorted(columns, key=lambda column: -len(column.tiles)))):
        free = [
            max((c.top(step, gap) for c in staying if c.lane == lane), default=NEAR_EDGE_MM) for lane in range(lanes)
        ]
        if (places := _places(moving, free, step, height, gap)) is not None:
            for column, (lane, foot) in zip(moving, places, strict=True):
                column.move(lane, foot)
            return True
    return False


def _places(
    columns: Sequence[Column], free: Sequence[float], step: float, height: float, gap: float
) -> list[tuple[int, float]] | None:
    """Return each column's lane and foot, in the lane with the most room left; None if one does not fit even there.

    ``free``: how far from the near edge each lane is free, mm.
    """
    feet, places = list(free), []
    for column in columns:
        lane = min(range(len(feet)), key=lambda n: (feet[n], n))
        if feet[lane] + len(column.tiles) * step > height + 4:
            return None
        places.append((lane, feet[lane]))
        feet[lane] += len(column.tiles) * step + gap
    return places


def _fits(column: Column, columns: Sequence[Column], step: float, height: float, gap: float) -> bool:
    ahead = [c.foot for c in columns if c is not column and c.lane == column.lane and c.foot > column.foot]
    return column.top(step, gap) <= min(ahead, default=height + 4 + gap)
