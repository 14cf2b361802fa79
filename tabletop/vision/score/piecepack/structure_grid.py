"""Structures by their tags: their size, their middles, and the cells of the grid on which they lie."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import hypot

import numpy as np

from tabletop.rules.piecepack.table.declaration import PiecepackTable
from tabletop.rules.table import Size
from tabletop.vision.geometry.columns import Placed
from tabletop.vision.geometry.grid import PlacedTiles, plot, touch
from tabletop.vision.geometry.marker_pose import MarkerPose

SLACK_MM = 4.0
"""Standard deviation of the distances of neighbours, mm, if people lay tiles as unevenly as they ever do."""
ALONE_WIDTHS = 1.5
"""Distance from its nearest neighbour, in widths, beyond which a structure stands alone."""
UNDECLARED_PENALTY = 0.25
"""How much better tags have to fit in the middle than in their declared place, as a fraction of ``SLACK_MM``: careless
laying may favour the middle."""
TILE_MM = 50.0
"""Assumed side of a piecepack's tile if nothing shows another."""


def ways_up(pictures: Sequence[Sequence[Placed]]) -> list[float]:
    """Return the angle of up in each picture, degrees, that gives common structures the same orientation in all.

    It is 0 for a picture without any in common.
    """
    angles = [{each.piece: each.angle for each in placed} for placed in pictures]
    ups: dict[int, float] = {}
    remaining = [*range(len(pictures))]
    while remaining:
        pairs = [(known, other) for known in ups for other in remaining] or [(remaining[0], remaining[0])]
        known, other = max(pairs, key=lambda pair: len(angles[pair[0]].keys() & angles[pair[1]].keys()))
        shared = angles[known].keys() & angles[other].keys()
        turns = np.radians([angles[other][piece] - angles[known][piece] for piece in shared])
        ups[other] = ups.get(known, 0.0) + float(np.degrees(np.angle(np.exp(1j * turns).sum()))) if shared else 0.0
        remaining.remove(other)
    return [ups[number] for number in range(len(pictures))]


def plotted(placed: Sequence[Placed], make: str, up: float) -> PlacedTiles:
    """Return the cells of structures, given by their tags; ``up``: the angle of the grid's up, degrees."""
    size = structure_size(placed, make)
    middles = middles_of(placed, size)
    return plot(middles, spacing(middles, [size.width]) or size.width, up)


def structure_size(tags: Sequence[Placed], make: str) -> Size:
    """Return the size of structures with the offset of their tags; if no make is given, of the make that fits best.

    With the right offset every structure is equally far from its nearest neighbour, however each is turned, and that
    distance is its width; structures that stand alone do not count.  Tags may also be in the middle of structures;
    without evidence the declared offset is assumed.
    """
    makes = declared_sizes(make)
    sizes = [*makes, *(size._replace(tag_x=0.0, tag_y=0.0) for size in makes)]
    if len(tags) < 2:
        return sizes[0]

    distances = {size: np.array(_nearest(middles_of(tags, size))) for size in sizes}
    adjacent = np.any([near < ALONE_WIDTHS * size.width for size, near in distances.items()], axis=0)
    if not adjacent.any():
        return sizes[0]

    def misfit(size: Size) -> float:
        near = distances[size][adjacent]
        undeclared = UNDECLARED_PENALTY if size not in makes else 0.0
        return float(near.std()) / SLACK_MM + abs(float(np.median(near)) / size.width - 1) + undeclared

    return min(sizes, key=misfit)


def declared_sizes(make: str) -> list[Size]:
    """Return the size of structures of a make, or of every make if none is given."""
    return [sizes["structure"] for name, sizes in PiecepackTable.makes.items() if make in ("", name)]


def middles_of(tags: Iterable[Placed], size: Size) -> list[Placed]:
    """Return the middles of structures, given by their tags."""
    poses = [(piece, MarkerPose(piece.x, piece.y, piece.angle)) for piece in tags]
    return [Placed(piece.piece, *pose.table(-size.tag_x, -size.tag_y), piece.angle) for piece, pose in poses]


def spacing(placed: Sequence[Placed], widths: Sequence[float]) -> float | None:
    """Return the usual distance to the nearest neighbour, mm, None if there are no neighbours.

    Neighbours are structures that would share an edge at one of the widths: between others one may lie face down.
    """
    touching = [
        [_distance_mm(piece, other) for other in placed if any(touch(piece, other, width) for width in widths)]
        for piece in placed
    ]
    near = [min(distances) for distances in touching if distances]
    return float(np.median(near)) if near else None


def _nearest(placed: Sequence[Placed]) -> list[float]:
    """Return the distance of each from the nearest other one, mm."""
    return [min(_distance_mm(piece, other) for other in placed if other is not piece) for piece in placed]


def _distance_mm(one: Placed, other: Placed) -> float:
    return hypot(one.x - other.x, one.y - other.y)
