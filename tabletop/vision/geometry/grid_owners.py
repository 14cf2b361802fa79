"""Whose the tiles of grids are: a grid may outgrow its area, even into that of another one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from math import hypot

from tabletop.vision.geometry.columns import Placed
from tabletop.vision.geometry.grid import touch

MIN_GROUP_TILES = 2
"""This many adjacent tiles of one grid are that grid wherever they lie; a single tile may have been carried off."""
MAX_DISTANCE_SIDES = 1.5
"""Farther away, in sides, no tile shares an edge."""


class TileOwners:
    """Works out to which grid tiles that share edges belong.

    ``zones`` are the tiles in the area of each grid, ``loose`` those in no zone, by piece; ``side`` is that of a tile,
    mm.  ``homes`` says in which zone the record has a piece.
    """

    def __init__(
        self, zones: Mapping[str, Iterable[Placed]], loose: Iterable[Placed], side: float, homes: Mapping[str, str]
    ) -> None:
        lying = {zone: list(tiles) for zone, tiles in zones.items()}
        self._area = {tile.piece: zone for zone, tiles in lying.items() for tile in tiles}
        self._homes = {piece: zone for piece, zone in homes.items() if zone in lying}
        self._beside = _neighbours([tile for tiles in (*lying.values(), loose) for tile in tiles], side)
        self._groups = _joined(self._beside, self._beside)
        apart = [areas for group in self._groups if len(areas := self._areas(group)) == 1]
        self._apart = {zone for areas in apart for zone in areas}

    def zone_of_tiles(self) -> dict[str, str]:
        """Return tile → zone, without those that belong to no grid.

        Tiles that share edges belong together.  Those of one grid alone, as the record has them, are that grid's; where
        it knows none of them, or they lie in the areas of two, the grid whose own tiles lie apart from them is not
        meant.  Of two grids that touch, each keeps its own; a new tile in no zone that touches both is of neither.
        """
        grids: dict[str, str] = {}
        for group in self._groups:
            owner = self._owner(group)
            grids |= dict.fromkeys(group, owner) if owner else self._divided(group)
        return grids

    def _areas(self, group: Iterable[str]) -> set[str]:
        return {self._area[piece] for piece in group if piece in self._area}

    def _owner(self, group: Sequence[str]) -> str:
        """Return the grid that a connected group of tiles belongs to; empty if it is none, or could be two."""
        areas, known = self._areas(group), [self._homes[piece] for piece in group if piece in self._homes]
        if len(set(known)) == 1 and (len(known) >= MIN_GROUP_TILES or known[0] in areas):
            return known[0]
        if len(set(known)) > 1 or not areas:
            return ""
        meant = areas if len(areas) == 1 else areas - self._apart
        return next(iter(meant)) if len(meant) == 1 else ""

    def _divided(self, group: Sequence[str]) -> dict[str, str]:
        """Return tile → grid where two grids touch: what stood together does, and what is new is of the one it touches.

        All else is of the grid in whose area it lies, and so is what touches both.
        """
        grids: dict[str, str] = {}
        for home in {self._homes[piece] for piece in group if piece in self._homes}:
            own = [piece for piece in group if self._homes.get(piece) == home]
            for some in _joined(own, self._beside):
                grids |= dict.fromkeys(some if len(some) >= MIN_GROUP_TILES else (), home)
        self._grow(grids, [piece for piece in group if piece not in self._homes])
        grids = {piece: self._area[piece] for piece in group if piece in self._area} | grids
        self._grow(grids, group)
        return grids

    def _grow(self, found: dict[str, str], pieces: Iterable[str]) -> None:
        """Add those of some tiles that share an edge with one grid alone, one after the other."""
        left = [piece for piece in pieces if piece not in found]
        while joined := {piece: there for piece in left if len(there := self._touched(piece, found)) == 1}:
            found |= {piece: there.pop() for piece, there in joined.items()}
            left = [piece for piece in left if piece not in found]

    def _touched(self, piece: str, found: Mapping[str, str]) -> set[str]:
        """Return the grids that a tile shares an edge with."""
        return {found[other] for other in self._beside[piece] if other in found}


def _neighbours(tiles: Sequence[Placed], side: float) -> dict[str, list[str]]:
    """Return tile → those that share an edge with it."""
    beside: dict[str, list[str]] = {tile.piece: [] for tile in tiles}
    for one, other in combinations(tiles, 2):
        if hypot(one.x - other.x, one.y - other.y) < MAX_DISTANCE_SIDES * side and touch(one, other, side):
            beside[one.piece].append(other.piece)
            beside[other.piece].append(one.piece)
    return beside


def _joined(pieces: Iterable[str], beside: Mapping[str, Sequence[str]]) -> list[list[str]]:
    """Return pieces in groups that hang together by edges."""
    left = dict.fromkeys(pieces)
    groups: list[list[str]] = []
    while left:
        group = [next(iter(left))]
        del left[group[0]]
        for piece in group:
            more = [other for other in beside[piece] if other in left]
            group += more
            for other in more:
                del left[other]
        groups.append(group)
    return groups
