"""Sets of cells as numbers, one bit per cell: neighbours, groups and holes are shifts and ands.

The grid stands in columns of HEIGHT cells: a step upward shifts by one, a step to the right by HEIGHT.  A set keeps
BORDER rows clear below and above and BORDER columns on its left, so that no step from its surroundings leaves the
grid and comes in again on the other side.
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
    """List those of the cells that are in a set."""
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
    # Four sides go round in a ring: it takes two gaps to part them.
    return opposite | any_gap & ~(up & right & down & left) | two_gaps


def walled(cells: Cells, diagonal: bool) -> Cells:
    """Return the cells with these on all four sides, ``diagonal``: and on all four corners."""
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
    """Return why the cells do not make a sound palazzo, the key of a reason: they are no one group, or enclose a hole.

    With ``diagonal`` a hole is only what no diagonal way leads out of either.
    """
    if group(taken & -taken, taken, beside) != taken:
        return "splits"
    # The free cells right round one group hang together, except for those in a hole.
    rim = around(taken) & ~taken
    return None if group(rim & -rim, rim, around if diagonal else beside) == rim else "makes-a-hole"


class Plan(NamedTuple):
    """What follows from the taken cells alone, whatever stands on them."""

    edge: Cells
    """The free cells that share an edge with a taken one."""
    open: Cells
    """Those that can be taken so that the cells stay one group without a hole."""
    loose: Cells
    """The taken cells that can be given up so that the others stay one group without a hole."""


def plan(taken: Cells, diagonal: bool) -> Plan:
    """Return the plan of the taken cells.

    In one group without a hole it is enough to look at the eight cells around one.  Where free ones touch it in
    several parts, taking it cuts one part off from the outside; where taken ones do, giving it up splits the group.
    """
    edge = beside(taken) & ~taken
    if broken(taken, diagonal):
        fitting = sum(cell for cell in each(edge) if not broken(taken | cell, diagonal))
        loose = sum(cell for cell in each(taken) if not broken(taken & ~cell, diagonal))
        return Plan(edge, fitting, loose)
    joints = parted(taken)
    # Taken cells that join close a diagonal way; cells that separate the free ones close a straight way.
    closing = joints if diagonal else parted(~taken)
    return Plan(edge, edge & ~closing, taken & ~joints & ~walled(taken, diagonal))
