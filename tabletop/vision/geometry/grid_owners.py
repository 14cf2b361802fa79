"""Assigns tiles to grids: a grid may outgrow its area, even into that of another one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from math import hypot

from tabletop.vision.geometry.columns import Placed
from tabletop.vision.geometry.grid import touch

MIN_GROUP_TILES = 2
"""Least number of adjacent tiles of one grid that are that grid wherever they lie; a single one may have been moved
away."""
MAX_DISTANCE_SIDES = 1.5
"""Distance, in sides, beyond which no tiles share an edge."""


class TileOwners:
    """Assigns tiles that share edges to grids.

    ``zones``: the tiles in the area of each grid; ``loose``: those in no zone; ``side``: that of a tile, mm; ``homes``:
    the zone in which the record has each piece.
    """

    def __init__(
        self, zones: Mapping[str, Iterable[Placed]], loose: Iterable[Placed], side: float, homes: Mapping[str, str]
    ) -> None:
        lying = {zone: list(tiles) for zone, tiles in zones.items()}
        self._area = {tile.piece: zone for zone, tiles in lying.items() for tile in tiles}
        self._homes = {piece: zone for piece, zone in homes.items() if zone in lying}
        self._beside = _neighbours([tile for tiles in (*lying.values(), loose) for tile in tiles], side)
        self._groups = _connected(self._beside, self._beside)
        apart = [areas for group in self._groups if len(areas := self._areas(group)) == 1]
        self._apart = {zone for areas in apart for zone in areas}

    def zone_of_tiles(self) -> dict[str, str]:
        """Return tile → zone, without tiles that belong to no grid.

        Tiles connected by edges form a group.  If the record has tiles of a group in only one grid, the group is that
        grid's.  If the record has none of them, the group belongs to the grid in whose area it lies; if it lies in the
        areas of two, a grid that has other tiles apart from the group does not count.  If two grids touch, each keeps
        its own tiles; a new tile in no zone that touches both belongs to neither.
        """
        grids: dict[str, str] = {}
        for group in self._groups:
            owner = self._owner(group)
            grids |= dict.fromkeys(group, owner) if owner else self._divided(group)
        return grids

    def _areas(self, group: Iterable[str]) -> set[str]:
        return {self._area[piece] for piece in group if piece in self._area}

    def _owner(self, group: Sequence[str]) -> str:
        """Return the grid that a connected group of tiles belongs to, empty if there is none or it is ambiguous."""
        areas, known = self._areas(group), [self._homes[piece] for piece in group if piece in self._homes]
        if len(set(known)) == 1 and (len(known) >= MIN_GROUP_TILES or known[0] in areas):
            return known[0]
        if len(set(known)) > 1 or not areas:
            return ""
        meant = areas if len(areas) == 1 else areas - self._apart
        return next(iter(meant)) if len(meant) == 1 else ""

    def _divided(self, group: Sequence[str]) -> dict[str, str]:
        """Return tile → grid for a group in which two grids touch.

        Tiles that the record has in a grid and that are still connected stay with it, and new tiles belong to the one
        grid they touch.  All other tiles, including those that touch both, belong to the grid in whose area they lie.
        """
        grids: dict[str, str] = {}
        for home in {self._homes[piece] for piece in group if piece in self._homes}:
            own = [piece for piece in group if self._homes.get(piece) == home]
            for part in _connected(own, self._beside):
                grids |= dict.fromkeys(part if len(part) >= MIN_GROUP_TILES else (), home)
        self._grow(grids, [piece for piece in group if piece not in self._homes])
        grids = {piece: self._area[piece] for piece in group if piece in self._area} | grids
        self._grow(grids, group)
        return grids

    def _grow(self, found: dict[str, str], pieces: Iterable[str]) -> None:
        """Repeatedly add those of some tiles that share an edge with exactly one grid."""
        remaining = [piece for piece in pieces if piece not in found]
        while joined := {piece: grids for piece in remaining if len(grids := self._touched(piece, found)) == 1}:
            found |= {piece: grids.pop() for piece, grids in joined.items()}
            remaining = [piece for piece in remaining if piece not in found]

    def _touched(self, piece: str, found: Mapping[str, str]) -> set[str]:
        """Return the grids that a tile shares an edge with."""
        return {found[other] for other in self._beside[piece] if other in found}


def _neighbours(tiles: Sequence[Placed], side: float) -> dict[str, list[str]]:
    """Return tile → the tiles that share an edge with it."""
    beside: dict[str, list[str]] = {tile.piece: [] for tile in tiles}
    for one, other in combinations(tiles, 2):
        if hypot(one.x - other.x, one.y - other.y) < MAX_DISTANCE_SIDES * side and touch(one, other, side):
            beside[one.piece].append(other.piece)
            beside[other.piece].append(one.piece)
    return beside


def _connected(pieces: Iterable[str], beside: Mapping[str, Sequence[str]]) -> list[list[str]]:
    """Return pieces in groups that are connected by edges."""
    remaining = dict.fromkeys(pieces)
    groups: list[list[str]] = []
    while remaining:
        group = [next(iter(remaining))]
        del remaining[group[0]]
        for piece in group:
            more = [other for other in beside[piece] if other in remaining]
            group += more
            for other in more:
                del remaining[other]
        groups.append(group)
    return groups
