"""Finds the cells that tiles lie on: the grid is derived from the tiles themselves, oriented as its zone is read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tabletop.rules.layout import Cell
from tabletop.vision.geometry.columns import Placed

NEIGHBOUR_RANGE = (0.7, 1.35)
"""Range of distances of neighbours, in cells: nearer tiles overlap, more distant ones are not adjacent."""
MAX_ASIDE = 0.4
"""Largest sideways offset of a neighbour, in cells: half a cell off, it would be beside two tiles."""
MAX_CELL_OFFSET = 0.3
"""Largest offset of a tile from its cell, in cells: beyond it, it is ambiguous which cell is meant."""
MAX_SIDE_DEVIATION = 0.25
"""Largest relative difference of real tiles' side from the declared one: nobody measures them."""

Spots: TypeAlias = NDArray[np.float64]


class PlacedTiles(NamedTuple):
    """The cell of each tile, x right and y up as its zone is read, and ``askew``, the tiles that lie on no cell."""

    cells: frozenset[tuple[str, Cell]]
    askew: frozenset[str] = frozenset()


def plot(placed: Iterable[Placed], side: float, up: float) -> PlacedTiles:
    """Return the cells of tiles that form a grid; ``placed``: their middles, with angles in any quarter turn.

    ``side``: the declared side of a tile, mm; ``up``: the angle of the zone's up, degrees.  Groups of tiles that do not
    touch the largest one must fit its grid; otherwise their tiles are askew.
    """
    tiles = sorted(placed)
    if not tiles:
        return PlacedTiles(frozenset())
    spots = _in_grid_axes(tiles, up)
    spots = spots / _neighbour_distance(spots, side)
    cells: dict[int, Cell] = {}
    askew: set[int] = set()
    base: Spots | None = None
    for group in sorted(_groups(spots), key=len, reverse=True):
        aligned, offset = _on_their_cells(spots, group)
        askew |= group.keys() - aligned.keys()
        base = offset if base is None else base
        shift = offset - base
        if np.abs(shift - np.round(shift)).max() > MAX_CELL_OFFSET:
            askew |= aligned.keys()
            continue
        right, away = (round(float(each)) for each in shift)
        cells |= {index: (x + right, y + away) for index, (x, y) in aligned.items()}
    return PlacedTiles(
        frozenset((tiles[index].piece, cell) for index, cell in cells.items()),
        frozenset(tiles[index].piece for index in askew),
    )


def touch(one: Placed, other: Placed, side: float) -> bool:
    """Return whether two tiles of that side, mm, share an edge; the result does not depend on their order."""
    apart = (other.angle - one.angle + 45) % 90 - 45
    turn = np.radians(one.angle + apart / 2)
    dx, dy = (other.x - one.x) / side, (other.y - one.y) / side
    return _step(dx * np.cos(turn) + dy * np.sin(turn), dy * np.cos(turn) - dx * np.sin(turn)) is not None


def _in_grid_axes(tiles: Sequence[Placed], up: float) -> Spots:
    """Return the middles of tiles in the axes of their common grid, mm (n, 2): x right, y up."""
    quarter = np.radians([4 * (tile.angle - up) for tile in tiles])
    lean = up + float(np.degrees(np.arctan2(np.sin(quarter).sum(), np.cos(quarter).sum()))) / 4
    cos, sin = np.cos(np.radians(lean)), np.sin(np.radians(lean))
    return np.array([(tile.x * cos + tile.y * sin, tile.x * sin - tile.y * cos) for tile in tiles])


def _neighbour_distance(spots: Spots, side: float) -> float:
    """Return the usual distance of neighbours, mm, limited to near the declared side."""
    apart = (spots[None] - spots[:, None]) / side
    along, aside = np.abs(apart).max(axis=2), np.abs(apart).min(axis=2)
    near = (along >= NEIGHBOUR_RANGE[0]) & (along <= NEIGHBOUR_RANGE[1]) & (aside <= MAX_ASIDE)
    usual = float(np.median(along[near])) if near.any() else 1.0
    return side * min(max(usual, 1 - MAX_SIDE_DEVIATION), 1 + MAX_SIDE_DEVIATION)


def _groups(spots: Spots) -> list[dict[int, Cell]]:
    """Return the connected groups of tiles, each as tile → cell, relative to its first tile."""
    groups: list[dict[int, Cell]] = []
    remaining = dict.fromkeys(range(len(spots)))
    while remaining:
        start = next(iter(remaining))
        cells: dict[int, Cell] = {start: (0, 0)}
        frontier = [start]
        while frontier:
            tile = frontier.pop(0)
            for other, (across, along) in enumerate((spots - spots[tile]).tolist()):
                step = _step(across, along)
                if step is not None and other not in cells:
                    cells[other] = (cells[tile][0] + step[0], cells[tile][1] + step[1])
                    frontier.append(other)
        groups.append(cells)
        remaining = {index: None for index in remaining if index not in cells}
    return groups


def _step(across: float, along: float) -> Cell | None:
    """Return the step to a neighbour that lies this many cells away, None if it is not a neighbour."""
    for step, off, cell in ((across, along, (1, 0)), (along, across, (0, 1))):
        if NEIGHBOUR_RANGE[0] <= abs(step) <= NEIGHBOUR_RANGE[1] and abs(off) <= MAX_ASIDE:
            sign = 1 if step > 0 else -1
            return cell[0] * sign, cell[1] * sign
    return None


def _on_their_cells(spots: Spots, group: dict[int, Cell]) -> tuple[dict[int, Cell], Spots]:
    """Return those tiles of a group that lie on their cells, and the place of its cell (0, 0), in cells."""
    aligned = dict(group)
    while True:
        off = np.array([spots[index] - cell for index, cell in aligned.items()])
        offset = np.median(off, axis=0)
        far = np.abs(off - offset).max(axis=1)
        if far.max() <= MAX_CELL_OFFSET:
            return aligned, offset
        del aligned[[*aligned][int(far.argmax())]]
