"""Merges several pictures of one seat, which may overlap but must not contradict each other."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from tabletop.rules.layout import Cell

Column: TypeAlias = tuple[str, ...]


class MergedColumns(NamedTuple):
    """Columns that the pictures agree on, and the groups of tiles about which they contradict each other."""

    columns: tuple[Column, ...]
    contradicting: tuple[tuple[str, ...], ...]


class MergedCells(NamedTuple):
    """Pieces on the cells of one grid, pieces that pictures show on different cells, and unconnected ones.

    Unconnected pieces are in no picture that shares a piece with the first one.
    """

    cells: Mapping[str, Cell]
    contradicting: tuple[str, ...]
    unconnected: tuple[str, ...]


def columns(pictures: Iterable[Collection[Column]]) -> MergedColumns:
    """Return the merged columns of several pictures.

    A picture may miss tiles; a tile that another one shows in between joins their neighbours.  Pictures contradict each
    other if they show tiles in different orders, or if neighbours in one picture stand apart in another.
    """
    shown = [sorted(picture) for picture in pictures]
    merged, contradicting = [], []
    for group in _groups(itertools.chain.from_iterable(shown)):
        parts = [[column for column in picture if group.issuperset(column)] for picture in shown]
        column = _ordered(itertools.chain.from_iterable(parts))
        if column is None or any(_stands_apart(column, part) for part in parts):
            contradicting.append(tuple(sorted(group)))
        else:
            merged.append(column)
    return MergedColumns(tuple(sorted(merged)), tuple(sorted(contradicting)))


def cells(pictures: Sequence[Mapping[str, Cell]]) -> MergedCells:
    """Return the merged grids of several pictures, shifted onto the cells of the largest."""
    remaining = sorted(pictures, key=len, reverse=True)
    cells_of_all = dict(remaining.pop(0)) if remaining else {}
    contradicting: set[str] = set()
    unconnected: set[str] = set()
    while remaining:
        # The picture that shares most pieces with the merged grid is next.
        closest = max(remaining, key=lambda picture: len(cells_of_all.keys() & picture.keys()))
        remaining.remove(closest)
        shared = sorted(cells_of_all.keys() & closest.keys())
        if not shared:
            unconnected |= closest.keys()
            continue
        shift = _difference(cells_of_all[shared[0]], closest[shared[0]])
        moved = {piece: (cell[0] + shift[0], cell[1] + shift[1]) for piece, cell in closest.items()}
        contradicting |= {piece for piece in shared if moved[piece] != cells_of_all[piece]}
        cells_of_all |= moved
    return MergedCells(
        {piece: cell for piece, cell in cells_of_all.items() if piece not in contradicting},
        tuple(sorted(contradicting)),
        tuple(sorted(unconnected)),
    )


def _groups(shown: Iterable[Column]) -> Iterator[set[str]]:
    """Iterate over sets of tiles that are connected by columns with common tiles."""
    groups: list[set[str]] = []
    for column in shown:
        touching = [group for group in groups if not group.isdisjoint(column)]
        groups = [group for group in groups if group.isdisjoint(column)]
        groups.append(set(column).union(*touching))
    yield from groups


def _ordered(parts: Iterable[Column]) -> Column | None:
    """Return the only order that all parts of a column allow, None if there is none or more than one."""
    below: dict[str, set[str]] = {}
    for part in parts:
        for tile in part:
            below.setdefault(tile, set())
        for lower, upper in itertools.pairwise(part):
            below[upper].add(lower)
    column: list[str] = []
    while below:
        free = [tile for tile, lower in below.items() if lower.isdisjoint(below)]
        if len(free) != 1:
            return None
        column.append(free[0])
        del below[free[0]]
    return tuple(column)


def _stands_apart(column: Column, part: Sequence[Column]) -> bool:
    """Return whether a picture shows two neighbours of a column in different columns."""
    column_of = {tile: number for number, column in enumerate(part) for tile in column}
    return any(
        lower in column_of and upper in column_of and column_of[lower] != column_of[upper]
        for lower, upper in itertools.pairwise(column)
    )


def _difference(one: Cell, other: Cell) -> Cell:
    return one[0] - other[0], one[1] - other[1]
