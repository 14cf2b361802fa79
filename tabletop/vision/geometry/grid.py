"""Which cells tiles lie on: a grid found from the tiles themselves, turned the way its zone is read."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from tabletop.rules.layout import Cell
from tabletop.vision.geometry.columns import Placed

NEXT = (0.7, 1.35)
"""Distance of neighbours in cells: nearer they overlap, farther the tile is not beside it."""
MOST_ASIDE = 0.4
"""How far off the line, in cells, a neighbour may lie: at half a cell it would be beside two."""


def cells(placed: Iterable[Placed], side: float, up: float) -> frozenset[tuple[str, Cell]]:
    """Return the cell of each tile that hangs together with others, x right and y up as the zone is read.

    ``side`` is that of a tile in mm, ``up`` the angle of the zone's up in degrees.  Tiles may be turned by quarters.
    Groups that do not touch keep the distance they have, in whole cells.
    """
    tiles = sorted(placed)
    if not tiles:
        return frozenset()
    quarter = np.radians([4 * (tile.angle - up) for tile in tiles])
    lean = up + float(np.degrees(np.arctan2(np.sin(quarter).sum(), np.cos(quarter).sum()))) / 4
    cos, sin = np.cos(np.radians(lean)), np.sin(np.radians(lean))
    spots = np.array([(tile.x * cos + tile.y * sin, tile.x * sin - tile.y * cos) for tile in tiles]) / side
    found: dict[int, Cell] = {}
    for start in range(len(tiles)):
        if start in found:
            continue
        offset = spots[start] - spots[0]
        found[start] = (round(float(offset[0])), round(float(offset[1])))
        front = [start]
        while front:
            here = front.pop()
            for other, step in _neighbours(spots, here):
                if other not in found:
                    found[other] = (found[here][0] + step[0], found[here][1] + step[1])
                    front.append(other)
    return frozenset((tiles[index].piece, cell) for index, cell in found.items())


def _neighbours(spots: np.ndarray[tuple[int, int], np.dtype[np.float64]], here: int) -> list[tuple[int, Cell]]:
    """Return the tiles that share an edge with one, each with the step to it."""
    found = []
    for other, (across, along) in enumerate(spots - spots[here]):
        for step, off, axis in ((across, along, 0), (along, across, 1)):
            if NEXT[0] <= abs(step) <= NEXT[1] and abs(off) <= MOST_ASIDE:
                sign = 1 if step > 0 else -1
                found.append((other, (sign, 0) if axis == 0 else (0, sign)))
    return found
