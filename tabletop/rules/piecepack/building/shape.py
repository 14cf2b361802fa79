"""The shape of a palazzo: the cells that it takes, whatever stands on them, and all that follows from these cells.

The same few shapes come up again and again, so each is a value that is computed once, and so are its successors.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from tabletop.rules.layout import Cell
from tabletop.rules.piecepack.building.grid import among, broken, grid, plan

Cells: TypeAlias = tuple[Cell, ...]
"""Cells in their order: column by column from the left, each upward."""
Suits: TypeAlias = bytes
"""For each cell of a shape, 1 if the structure there shares suit or value with a given structure, else 0."""
Places: TypeAlias = int
"""A set of cells of a shape as a bit mask: bit n stands for the cell of index n."""

ORIGIN = (0, 0)


class Shape:
    """Cells relative to each other: the leftmost column is 0, and so is the lowest row.

    Attributes:
        cells: the taken cells.
        diagonal: the option that lets diagonal ways lead out of a hole.
        beside: for each cell that is taken or shares an edge with a taken one, the taken cells beside it.
        sites: the free cells that can be taken so that all are one group without a hole; if nothing is taken, one
            cell that stands for all.
        loose: for each cell whether it can be given up so that the others are one group without a hole.
        fits: where a structure fits, by the cells whose structures it suits.
    """

    __slots__ = ("beside", "cells", "diagonal", "fits", "loose", "sites")

    def __init__(self, cells: Cells, diagonal: bool) -> None:
        self.cells, self.diagonal = cells, diagonal
        beside = dict.fromkeys(cells or [ORIGIN], 0)
        for place, (x, y) in enumerate(cells):
            for cell in ((x - 1, y), (x, y - 1), (x, y + 1), (x + 1, y)):
                beside[cell] = beside.get(cell, 0) | 1 << place
        self.beside: Mapping[Cell, Places] = beside
        planned = plan(grid(cells), diagonal)
        self.sites = among(planned.open, sorted(beside)) if cells else [ORIGIN]
        loose = {*among(planned.loose, cells)}
        self.loose = bytes([cell in loose for cell in cells])
        self.fits = Fits(self)

    @property
    def broken(self) -> str | None:
        """The key of the reason why the cells are not one group without a hole; None if they are."""
        return broken(grid(self.cells), self.diagonal)


class Fitting(NamedTuple):
    """Where on a shape a structure suits all its neighbours."""

    sites: Sequence[Cell]
    """The free cells on which it does."""
    swaps: bytes
    """For each taken cell, whether the structure would fit there instead of the one that stands there."""


class Fits(dict[Suits, Fitting]):
    """Where a structure fits on a shape, by the cells whose structures it suits; computed when first asked for."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self._shape = shape

    def __missing__(self, suits: Suits) -> Fitting:
        cells, beside, clashing = self._shape.cells, self._shape.beside, 0
        for place, suit in enumerate(suits):
            if not suit:
                clashing |= 1 << place
        fitting = self[suits] = Fitting(
            [cell for cell in self._shape.sites if not beside[cell] & clashing],
            bytes([not beside[cell] & clashing for cell in cells]),
        )
        return fitting


class Change(NamedTuple):
    """A shape after one cell was added or removed."""

    shape: Shape
    corner: Cell
    """The cell of the old shape that is column and row 0 of the new one."""
    place: int
    """The index of the cell that was added or removed."""


@lru_cache(maxsize=2048)
def shaped(cells: Cells, diagonal: bool) -> Shape:
    """Return the shape of these cells."""
    return Shape(cells, diagonal)


@lru_cache(maxsize=8192)
def grown(shape: Shape, cell: Cell) -> Change:
    """Return the shape with one more cell."""
    cells = sorted((*shape.cells, cell))
    return Change(*drawn(cells, shape.diagonal), cells.index(cell))


@lru_cache(maxsize=8192)
def shrunk(shape: Shape, place: int) -> Change:
    """Return the shape with one cell fewer; it may be split or have a hole."""
    return Change(*drawn(shape.cells[:place] + shape.cells[place + 1 :], shape.diagonal), place)


def drawn(cells: Sequence[Cell], diagonal: bool) -> tuple[Shape, Cell]:
    """Return the shape of cells, which must be sorted, and the cell that is its column and row 0."""
    left = cells[0][0] if cells else 0
    low = min([y for _, y in cells], default=0)
    return shaped(tuple([(x - left, y - low) for x, y in cells]), diagonal), (left, low)
