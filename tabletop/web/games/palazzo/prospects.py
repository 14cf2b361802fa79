"""What building a tile earns: now, and once the palazzo has three floors."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from tabletop.rules.palazzo.components import TILES
from tabletop.rules.palazzo.phases.palazzi import Column, goes_on, has_floor, insert, points
from tabletop.rules.palazzo.state import State
from tabletop.web.i18n import gettext as _
from tabletop.web.i18n import points as word_for_points
from tabletop.web.i18n import signed

MIN_SCORING_FLOORS = 3
"""The smallest number of floors with which a palazzo scores its windows."""


class Prospect(NamedTuple):
    """By how much points change: ``now``, and at least by how much once every palazzo that grew has three floors.

    ``later`` is None if all of them have three floors already, or if no tiles are left that could complete them.
    ``rebuilt`` is true if one of them cannot grow on top any more: its further floors come by rebuilding.
    """

    now: int
    later: int | None = None
    rebuilt: bool = False

    @property
    def order(self) -> tuple[int, int, bool]:
        """A sort key; the better prospect has the greater one."""
        return self.now, self.now if self.later is None else self.later, not self.rebuilt

    @property
    def said_now(self) -> str:
        """What it brings now, if something else comes later."""
        return _("%(points)s now", points=signed(self.now))

    @property
    def said_later(self) -> str:
        """What it brings once there are three floors; empty if that is not known."""
        if self.later is None:
            return ""
        if self.rebuilt:
            return _("%(points)s or more with three floors, after rebuilding", points=signed(self.later))
        return _("%(points)s or more with three floors", points=signed(self.later))

    @property
    def in_words(self) -> str:
        """What it brings, in words, with “points” unless it distinguishes now from later."""
        return str(self) if self.said_later else f"{self} {word_for_points(self.now)}"

    def __str__(self) -> str:
        return f"{self.said_now}, {self.said_later}" if self.said_later else signed(self.now)


def to_come(state: State) -> tuple[str, ...]:
    """Return the tiles that anybody may still get: face down, in the warehouse, on the quarries, or not built yet."""
    left = itertools.chain(*state.unseen, state.warehouse, *state.quarries, state.pending)
    return tuple(tile for tile in left if tile in TILES)


def best(palazzi: tuple[Column, ...], tiles: tuple[str, ...], pool: Iterable[str]) -> Prospect:
    """Return what the tiles bring if they are built where they score most together, now and then later."""
    was = sum(map(points, palazzi))
    ways = [(sum(map(points, way)) - was, way) for way in _ways(palazzi, tiles)]
    most = max(now for now, _way in ways)
    left = tuple(tile for tile in pool if tile not in tiles)
    return max((_prospect(palazzi, way, left) for now, way in ways if now == most), key=lambda prospect: prospect.order)


def on(palazzi: tuple[Column, ...], column: Column, tile: str, pool: Iterable[str]) -> Prospect:
    """Return what a tile brings if it is built on top of ``column``, or begins a new palazzo if that is empty."""
    left = tuple(other for other in pool if other != tile)
    return _prospect(palazzi, _grown(frozenset(palazzi), column, tile), left)


def _ways(palazzi: Iterable[Column], tiles: tuple[str, ...]) -> set[frozenset[Column]]:
    """Return every way in which the palazzi may look once all of the tiles are built."""
    ways = {(frozenset(palazzi), frozenset(tiles))}
    for _tile in tiles:
        ways = {
            (_grown(way, column, tile), rest - {tile})
            for way, rest in ways
            for tile in rest
            for column in (*way, ())
            if not column or goes_on(column, tile)
        }
    return {way for way, _rest in ways}


def _grown(palazzi: frozenset[Column], column: Column, tile: str) -> frozenset[Column]:
    return palazzi - {column} | {(*column, tile)}


def _prospect(palazzi: tuple[Column, ...], way: frozenset[Column], pool: tuple[str, ...]) -> Prospect:
    """Return what one way of building brings."""
    was = sum(map(points, palazzi))
    now = sum(map(points, way)) - was
    low = [column for column in way.difference(palazzi) if len(column) < MIN_SCORING_FLOORS]
    later, rebuilt = now, False
    for column in low:
        completed = list(_completed(column, pool, on_top=True))
        if not completed:
            completed, rebuilt = list(_completed(column, pool, on_top=False)), True
        if not completed:
            return Prospect(now)
        later += min(map(points, completed)) - points(column)
    return Prospect(now, later if low else None, rebuilt)


def _completed(column: Column, pool: tuple[str, ...], *, on_top: bool) -> Iterator[Column]:
    """Iterate over the ways to complete a palazzo to three floors; of like tiles only that with the fewest windows."""
    least: dict[tuple[int, str], str] = {}
    for tile in sorted(pool, key=lambda piece: TILES[piece].windows):
        if goes_on(column, tile) if on_top else not has_floor(column, tile):
            least.setdefault((TILES[tile].floor, TILES[tile].material), tile)
    for more in itertools.combinations(least.values(), MIN_SCORING_FLOORS - len(column)):
        if len({TILES[tile].floor for tile in more}) == len(more):
            grown = column
            for tile in more:
                grown = insert(grown, tile)
            yield grown
