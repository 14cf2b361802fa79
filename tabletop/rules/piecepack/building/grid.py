"""Sets of cells as numbers, one bit per cell: neighbours, groups and holes are shifts and ands.

The grid is stored in columns of HEIGHT cells: a step upward shifts by one, a step to the right by HEIGHT.  A set keeps
BORDER rows clear below and above and BORDER columns on its left, so that no step from its surroundings wraps around
to the other side of the grid.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple, TypeAlias

from tabletop.rules.layout import Cell

Cells: TypeAlias = int
"""A set of cells, or a single one."""

HEIGHT = 32
BORDER = 2


def grid(cells: Iterable[Cell]) -> Cells:
    """Return the set of cells given by column and row, each counted from 0."""
    taken = 0
    for x, y in cells:
        taken |= 1 << (x + BORDER) * HEIGHT + y + BORDER
    return taken


def among(cells: Cells, order: Iterable[Cell]) -> list[Cell]:
    """List those cells of ``order`` that are in a set, in that order."""
    return [(x, y) for x, y in order if cells >> (x + BORDER) * HEIGHT + y + BORDER & 1]


def each(cells: Cells) -> Iterator[Cells]:
    """Yield the cells one by one, column by column from the left, each upward."""
    while cells:
        cell = cells & -cells
        yield cell
        cells ^= cell


def beside(cells: Cells) -> Cells:
    """Return the cells that share an edge with one of these."""
    return cells << 1 | cells >> 1 | cells << HEIGHT | cells >> HEIGHT


def around(cells: Cells) -> Cells:
    """Return these cells and all that share an edge or a corner with one of them."""
    columns = cells << 1 | cells | cells >> 1
    return columns << HEIGHT | columns | columns >> HEIGHT


def parted(cells: Cells) -> Cells:
    """Return the cells whose sides touch these in several separate parts.

    Two neighbouring sides are one part if the corner between them is taken as well.
    """
    up, down, right, left = cells >> 1, cells << 1, cells >> HEIGHT, cells << HEIGHT
    gaps = (
        up & right & ~(right >> 1),
        right & down & ~(right << 1),
        down & left & ~(left << 1),
        left & up & ~(left >> 1),
    )
    first, second, third, fourth = gaps
    any_gap = first | second | third | fourth
    two_gaps = first & second | third & fourth | (first | second) & (third | fourth)
    opposite = up & down & ~(left | right) | left & right & ~(up | down)
    # If all four sides are taken they form a ring, which only two gaps can part.
    return opposite | any_gap & ~(up & right & down & left) | two_gaps


def walled(cells: Cells, diagonal: bool) -> Cells:
    """Return the cells that have these on all four sides and, if ``diagonal``, on all four corners."""
    sides = cells << 1 & cells >> 1 & cells << HEIGHT & cells >> HEIGHT
    if not diagonal:
        return sides
    columns = cells << 1 & cells >> 1
    return sides & columns << HEIGHT & columns >> HEIGHT


def group(start: Cells, cells: Cells, step: Callable[[Cells], Cells]) -> Cells:
    """Return the cells that can be reached step by step from the start, which is one of them or empty."""
    reached = start
    while (wider := (reached | step(reached)) & cells) != reached:
        reached = wider
    return reached


def broken(taken: Cells, diagonal: bool) -> str | None:
    """Return the key of the reason why the cells are not a sound palazzo: they are split, or enclose a hole.

    With ``diagonal`` it is a hole only if no diagonal way leads out of it either.
    """
    if group(taken & -taken, taken, beside) != taken:
        return "splits"
    # The free cells around one group are connected, except for those in a hole.
    rim = around(taken) & ~taken
    return None if group(rim & -rim, rim, around if diagonal else beside) == rim else "makes-a-hole"


class Plan(NamedTuple):
    """What follows from the set of taken cells alone, whatever stands on them."""

    edge: Cells
    """The free cells that share an edge with a taken one."""
    open: Cells
    """The cells of ``edge`` that can be taken so that the taken cells stay one group without a hole."""
    loose: Cells
    """The taken cells that can be given up so that the others stay one group without a hole."""


def plan(taken: Cells, diagonal: bool) -> Plan:
    """Return the plan of the taken cells.

    In one group without a hole it is enough to look at the eight cells around each cell.  If free ones touch it in
    several parts, taking it cuts one part off from the outside; if taken ones do, giving it up splits the group.
    """
    edge = beside(taken) & ~taken
    if broken(taken, diagonal):
        fitting = sum(cell for cell in each(edge) if not broken(taken | cell, diagonal))
        loose = sum(cell for cell in each(taken) if not broken(taken & ~cell, diagonal))
        return Plan(edge, fitting, loose)
    joints = parted(taken)
    # A cell that joins taken cells closes a diagonal way; one that separates free cells closes a straight way.
    closing = joints if diagonal else parted(~taken)
    return Plan(edge, edge & ~closing, taken & ~joints & ~walled(taken, diagonal))
