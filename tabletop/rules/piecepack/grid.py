"""A palazzo as a value: structures on cells, and the building rules asked of it.

Everything that follows from the cells alone is worked out once, when first asked: a palazzo stays the same for many
turns.  Sets of structures are numbers, one bit each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from functools import cached_property
from typing import Any, TypeVar

from tabletop.rules.layout import Cell
from tabletop.rules.piecepack.components import ALL, BIT, MATCHING, ORDER

STEPS = ((0, 1), (1, 0), (0, -1), (-1, 0))
RING = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))
"""The eight cells around one, in order: each shares an edge with the next."""
EIGHT = RING
"""The steps of the option that lets diagonal ways lead out."""
ORIGIN = ((0, 0),)
WAYS = {STEPS: 0b01010101, EIGHT: 0b11111111}
"""The cells around that must all be taken for the one between them to be a hole, one bit each in the order of RING."""


def _parts(ring: int, corners: bool) -> int:
    """Count the parts in which the taken cells of a ring touch the cell between them.

    With ``corners`` parts that touch by a corner are one.
    """
    taken = [bool(ring >> place & 1) for place in range(8)]
    if corners:
        # What keeps parts asunder is a run of free cells that shares an edge with the cell between.
        taken = [taken[place] or (place % 2 == 1 and taken[place - 1] and taken[(place + 1) % 8]) for place in range(8)]
    else:
        # A corner alone touches nothing: it must share an edge with a taken side.
        taken = [taken[place] and (place % 2 == 0 or taken[place - 1] or taken[(place + 1) % 8]) for place in range(8)]
    return sum(taken[place] and not taken[place - 1] for place in range(8))


PARTS = tuple(_parts(ring, corners=False) for ring in range(256))
LOOSE_PARTS = tuple(_parts(ring, corners=True) for ring in range(256))
"""For each ring, in how many parts it touches the cell between: parts that share edges, or corners as well."""


T = TypeVar("T")


class Palazzo:
    """Structures on the cells of a grid.  Two palazzi that differ by a shift are equal.

    ``ways`` are the steps by which an empty cell may reach the outside; a cell that cannot is a hole.  ``sound`` says
    that the palazzo is known to be one group without holes.
    """

    def __init__(self, cells: Mapping[str, Cell], ways: tuple[Cell, ...] = STEPS, sound: bool = False) -> None:
        self.cells = cells
        self.ways = ways
        self.sound = sound
        self._lists: dict[tuple[object, str], Any] = {}

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
        """Return the palazzo with one more structure, on a cell where ``fault`` finds nothing against it."""
        return Palazzo({**self.cells, structure: cell}, self.ways, sound=True)

    def without(self, structure: str) -> Palazzo:
        """Return the palazzo with one structure fewer; it may be split or have a hole."""
        cells = {other: cell for other, cell in self.cells.items() if other != structure}
        return Palazzo(cells, self.ways, sound=structure not in self.bound)

    def once(self, make: Callable[[Palazzo, str], T], structure: str) -> T:
        """Return what ``make`` makes of the palazzo and a structure, worked out when first asked."""
        key = (make, structure)
        found: T | None = self._lists.get(key)
        if found is None:
            found = self._lists[key] = make(self, structure)
        return found

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

    def sites(self, structure: str) -> Sequence[Cell]:
        """List the cells on which the structure may be built; of an empty palazzo one stands for all."""
        if not self.cells:
            return ORIGIN
        bit = BIT[structure]
        return [cell for cell in sorted(self._beside) if self._beside[cell] & bit and not self._break(cell)]

    # What may be taken out

    @cached_property
    def bound(self) -> Mapping[str, str]:
        """The structures that may not be taken out, each with the key of the reason."""
        found = {}
        for structure, cell in self.cells.items():
            ring = self._ring(cell)
            if PARTS[ring] > 1:
                found[structure] = "splits"
            elif ring & WAYS[self.ways] == WAYS[self.ways]:
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
        return {cell: self._matching(cell) for cell in free}

    @cached_property
    def _broken(self) -> str | None:
        if self.sound or not self.cells:
            return None
        if not connected(self._taken):
            return "splits"
        return "makes-a-hole" if has_hole(self._taken, self.ways) else None

    def _break(self, cell: Cell) -> str | None:
        """Return what building on a free cell beside would break: one connected group without holes.

        Of a palazzo that is sound the cells around decide: where what stands there is in several parts, the palazzo
        joins them by another way, and the two ways enclose something.
        """
        if not self._broken:
            parts = PARTS if self.ways == EIGHT else LOOSE_PARTS
            return "makes-a-hole" if parts[self._ring(cell)] > 1 else None
        if self._broken == "splits" and not connected((*self._taken, cell)):
            return "splits"
        return "makes-a-hole" if has_hole({*self._taken, cell}, self.ways) else None

    def _ring(self, cell: Cell) -> int:
        """Return which of the eight cells around are taken, one bit each."""
        taken, bit, ring = self._taken, 1, 0
        x, y = cell
        for right, up in RING:
            if (x + right, y + up) in taken:
                ring += bit
            bit *= 2
        return ring


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
