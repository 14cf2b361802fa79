"""A palazzo as a value: structures on cells, and the building rules asked of it.

Everything that follows from the cells alone is worked out once, when first asked: a palazzo stays the same for many
turns.  Sets of structures are numbers, one bit each.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from functools import cached_property

from tabletop.rules.layout import Cell
from tabletop.rules.piecepack.components import ALL, BIT, MATCHING, ORDER

STEPS = ((0, 1), (1, 0), (0, -1), (-1, 0))
DIAGONALS = ((1, 1), (1, -1), (-1, -1), (-1, 1))
RING = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))
"""The eight cells around one, in order: each shares an edge with the next."""


class Palazzo:
    """Structures on the cells of a grid.  Two palazzi that differ by a shift are equal.

    ``ways`` are the steps by which an empty cell may reach the outside; a cell that cannot is a hole.
    """

    def __init__(self, cells: Mapping[str, Cell], ways: tuple[Cell, ...] = STEPS) -> None:
        self.cells = dict(cells)
        self.ways = ways

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Palazzo) and self._shape == other._shape

    def __hash__(self) -> int:
        return hash(self._shape)

    def __repr__(self) -> str:
        return f"Palazzo({self.to_json()})"

    def __len__(self) -> int:
        return len(self.cells)

    def __contains__(self, structure: str) -> bool:
        return structure in self.cells

    def to_json(self) -> dict[str, list[int]]:
        """Return structure → [x, y], in the order of the structures."""
        return {structure: list(self.cells[structure]) for structure in sorted(self.cells, key=ORDER.__getitem__)}

    def put(self, structure: str, cell: Cell) -> Palazzo:
        """Return the palazzo with one more structure."""
        return Palazzo({**self.cells, structure: cell}, self.ways)

    def without(self, structure: str) -> Palazzo:
        """Return the palazzo with one structure fewer; it may be split or have a hole."""
        return Palazzo({other: cell for other, cell in self.cells.items() if other != structure}, self.ways)

    # What may be built

    def fault(self, structure: str, cell: Cell) -> str | None:
        """Return why the structure may not be built on the cell, the key of a reason; None where it may."""
        if not self.cells:
            return None
        if cell in self._taken:
            return "cell-taken"
        matching = self._beside.get(cell)
        if matching is None:
            return "no-shared-edge"
        if not matching & BIT[structure]:
            return "clashing-neighbour"
        return self._break(cell)

    def sites(self, structure: str) -> list[Cell]:
        """List the cells on which the structure may be built; of an empty palazzo one stands for all."""
        if not self.cells:
            return [(0, 0)]
        bit = BIT[structure]
        return [cell for cell, matching in self._beside.items() if matching & bit and self._break(cell) is None]

    # What may be taken out

    @cached_property
    def bound(self) -> Mapping[str, str]:
        """The structures that may not be taken out, each with the key of the reason."""
        found = {}
        for structure, cell in self.cells.items():
            rest = [other for other in self._taken if other != cell]
            if not connected(rest):
                found[structure] = "splits"
            elif all(other in self._taken for other in around(cell, self.ways)):
                found[structure] = "removal-hole"
        return found

    @cached_property
    def suiting(self) -> Mapping[str, int]:
        """For each structure, what might stand in its place: the structures that suit all its neighbours."""
        return {structure: self._matching(cell) for structure, cell in self.cells.items()}

    @cached_property
    def rests(self) -> Mapping[str, Palazzo]:
        """For each structure, what is left of the palazzo without it."""
        return {structure: self.without(structure) for structure in self.cells}

    def flaw(self) -> str | None:
        """Return which building rule the palazzo as it stands breaks, the key of a reason; None where it is sound."""
        if len(self._taken) < len(self.cells):
            return "cell-taken"
        if any(not self._matching(cell) & BIT[structure] for structure, cell in self.cells.items()):
            return "clashing-neighbour"
        return self._broken

    # What follows from the cells

    @cached_property
    def _shape(self) -> frozenset[tuple[str, int, int]]:
        left = min((x for x, _ in self.cells.values()), default=0)
        low = min((y for _, y in self.cells.values()), default=0)
        return frozenset((structure, x - left, y - low) for structure, (x, y) in self.cells.items())

    @cached_property
    def _taken(self) -> Mapping[Cell, str]:
        return {cell: structure for structure, cell in self.cells.items()}

    def _matching(self, cell: Cell) -> int:
        """Return the structures that suit all neighbours of the cell."""
        taken, matching = self._taken, ALL
        for other in around(cell, STEPS):
            if other in taken:
                matching &= MATCHING[taken[other]]
        return matching

    @cached_property
    def _beside(self) -> Mapping[Cell, int]:
        """The free cells that share an edge with the palazzo, each with the structures that suit it."""
        taken = self._taken
        free = {other for cell in taken for other in around(cell, STEPS) if other not in taken}
        return {cell: self._matching(cell) for cell in sorted(free)}

    @cached_property
    def _broken(self) -> str | None:
        if not connected(self._taken):
            return "splits"
        return "makes-a-hole" if has_hole(self._taken, self.ways) else None

    @cached_property
    def _breaks(self) -> dict[Cell, str | None]:
        return {}

    def _break(self, cell: Cell) -> str | None:
        """Return what building on a free cell beside would break: one connected group without holes."""
        if cell not in self._breaks:
            self._breaks[cell] = self._work_out_break(cell)
        return self._breaks[cell]

    def _work_out_break(self, cell: Cell) -> str | None:
        taken = self._taken
        free = [other not in taken for other in around(cell, RING)]
        runs = sum(one and not next for one, next in zip(free, free[1:] + free[:1], strict=True))
        # Around a cell whose free neighbours are one run, every way past it leads through them as well.
        if runs == 1 and self._broken is None:
            return None
        if self._broken == "splits" and not connected((*taken, cell)):
            return "splits"
        return "makes-a-hole" if has_hole({*taken, cell}, self.ways) else None


def around(cell: Cell, ways: Iterable[Cell]) -> list[Cell]:
    """Return the cells that one step each leads to."""
    x, y = cell
    return [(x + right, y + up) for right, up in ways]


def connected(cells: Iterable[Cell]) -> bool:
    """Say whether the cells are one group by full edges; none are."""
    left = set(cells)
    if left:
        spread(left, left.pop(), STEPS)
    return not left


def has_hole(taken: Set[Cell] | Mapping[Cell, object], ways: tuple[Cell, ...]) -> bool:
    """Say whether an empty cell is cut off from the outside, which is reached by the given steps."""
    columns = [x for x, _ in taken]
    rows = [y for _, y in taken]
    left, low = min(columns) - 1, min(rows) - 1
    box = {(x, y) for x in range(left, max(columns) + 2) for y in range(low, max(rows) + 2)}
    empty = box.difference(taken)
    empty.remove((left, low))
    spread(empty, (left, low), ways)
    return bool(empty)


def spread(cells: set[Cell], start: Cell, ways: tuple[Cell, ...]) -> None:
    """Take out of the set every cell that the steps reach from the start."""
    reached = [start]
    while reached:
        for cell in around(reached.pop(), ways):
            if cell in cells:
                cells.remove(cell)
                reached.append(cell)
