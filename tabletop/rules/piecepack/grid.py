"""A palazzo as a value: structures on cells, and the building rules asked of it.

Everything that follows from the cells alone is worked out once, when first asked: a palazzo stays the same for many
turns.  Sets of structures are numbers, one bit each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from functools import cached_property
from typing import Any, TypeAlias, TypeVar

from tabletop.rules.layout import Cell
from tabletop.rules.piecepack.components import ALL, BIT, MATCHING, ORDER

STEPS = ((0, 1), (1, 0), (0, -1), (-1, 0))
EIGHT = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))
"""The steps of the option that lets diagonal ways lead out.  In this order each shares an edge with the next."""
ORIGIN = ((0, 0),)
SIDES, AROUND = 0b01010101, 0b11111111
"""The cells around one that share an edge with it, and all of them: one bit each, in the order of EIGHT."""

Place: TypeAlias = int
"""A cell as one number, so that a step is a sum."""
COLUMN = 1 << 32
"""What a step to the right adds to a place; a step upward adds 1."""
MIDDLE = 1 << 31


def place(cell: Cell) -> Place:
    """Return the cell as one number."""
    return cell[0] * COLUMN + cell[1]


def cell(place: Place) -> Cell:
    """Return the cell that the number stands for."""
    x, y = divmod(place + MIDDLE, COLUMN)
    return x, y - MIDDLE


UP, RIGHT = place((0, 1)), place((1, 0))


def _parts(ring: int, corners: bool) -> int:
    """Count the parts in which the taken cells of a ring touch the cell between them.

    With ``corners`` parts that touch by a corner are one.
    """
    taken = [bool(ring >> at & 1) for at in range(8)]
    if corners:
        # What keeps parts asunder is a run of free cells that shares an edge with the cell between.
        taken = [taken[at] or (at % 2 == 1 and taken[at - 1] and taken[(at + 1) % 8]) for at in range(8)]
    else:
        # A corner alone touches nothing: it must share an edge with a taken side.
        taken = [taken[at] and (at % 2 == 0 or taken[at - 1] or taken[(at + 1) % 8]) for at in range(8)]
    return sum(taken[at] and not taken[at - 1] for at in range(8))


PARTS = tuple(_parts(ring, corners=False) for ring in range(256))
LOOSE_PARTS = tuple(_parts(ring, corners=True) for ring in range(256))
"""For each ring, in how many parts it touches the cell between: parts that share edges, or corners as well."""


T = TypeVar("T")


class Palazzo:
    """Structures on the cells of a grid, a value.  Two palazzi that differ by a shift are equal.

    ``ways`` are the steps by which an empty cell may reach the outside; a cell that cannot is a hole.
    """

    def __init__(self, cells: Mapping[str, Cell], ways: tuple[Cell, ...] = STEPS) -> None:
        self.ways = ways
        self._sound = False
        self._places = {structure: place(at) for structure, at in cells.items()}
        self._taken = {at: structure for structure, at in self._places.items()}
        free = {other for at in self._taken for other in beside(at) if other not in self._taken}
        self._free = {at: self._matching(at) for at in free}
        self._lists: dict[tuple[object, str], Any] = {}

    def _next(self, places: dict[str, Place], taken: dict[Place, str], free: dict[Place, int], sound: bool) -> Palazzo:
        new = object.__new__(Palazzo)
        new.ways, new._places, new._taken, new._free, new._sound = self.ways, places, taken, free, sound
        new._lists = {}
        return new

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Palazzo) and self._shape == other._shape

    def __hash__(self) -> int:
        return hash(self._shape)

    def __repr__(self) -> str:
        return f"Palazzo({self.to_json()})"

    def __len__(self) -> int:
        return len(self._places)

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __contains__(self, structure: object) -> bool:
        return structure in self._places

    @cached_property
    def cells(self) -> Mapping[str, Cell]:
        """The cell of each structure."""
        return {structure: cell(at) for structure, at in self._places.items()}

    def to_json(self) -> dict[str, list[int]]:
        """Return structure → [x, y], in the order of the structures."""
        return {structure: list(self.cells[structure]) for structure in sorted(self.cells, key=ORDER.__getitem__)}

    def put(self, structure: str, at: Cell) -> Palazzo:
        """Return the palazzo with one more structure, on a cell where ``fault`` finds nothing against it."""
        here, matching = place(at), MATCHING[structure]
        taken, free = {**self._taken, here: structure}, self._free.copy()
        free.pop(here, None)
        for other in beside(here):
            if other not in taken:
                free[other] = free.get(other, ALL) & matching
        return self._next({**self._places, structure: here}, taken, free, sound=True)

    def without(self, structure: str) -> Palazzo:
        """Return the palazzo with one structure fewer; it may be split or have a hole."""
        sound = structure not in self.bound
        places, taken, free = self._places.copy(), self._taken.copy(), self._free.copy()
        here = places.pop(structure)
        del taken[here]
        rest = self._next(places, taken, free, sound)
        for other in (here, *beside(here)):
            if other not in taken:
                free.pop(other, None)
                if any(side in taken for side in beside(other)):
                    free[other] = rest._matching(other)
        return rest

    def once(self, make: Callable[[Palazzo, str], T], structure: str) -> T:
        """Return what ``make`` makes of the palazzo and a structure, worked out when first asked."""
        key = (make, structure)
        found: T | None = self._lists.get(key)
        if found is None:
            found = self._lists[key] = make(self, structure)
        return found

    # What may be built

    def fault(self, structure: str, at: Cell) -> str | None:
        """Return why the structure may not be built on the cell, the key of a reason; None where it may."""
        here = place(at)
        if not self._places:
            return None
        if here in self._taken:
            return "cell-taken"
        matching = self._free.get(here)
        if matching is None:
            return "no-shared-edge"
        if not matching & BIT[structure]:
            return "clashing-neighbour"
        return self._break(here)

    def sites(self, structure: str) -> Sequence[Cell]:
        """List the cells on which the structure may be built; of an empty palazzo one stands for all."""
        if not self._places:
            return ORIGIN
        bit = BIT[structure]
        suiting = [at for at, matching in self._free.items() if matching & bit]
        return [cell(at) for at in sorted(suiting) if self._break(at) is None]

    # What may be taken out

    @cached_property
    def bound(self) -> Mapping[str, str]:
        """The structures that may not be taken out, each with the key of the reason."""
        found = {}
        walls = AROUND if self.ways == EIGHT else SIDES
        for structure, at in self._places.items():
            ring = self._ring(at)
            if PARTS[ring] > 1:
                found[structure] = "splits"
            elif ring & walls == walls:
                found[structure] = "removal-hole"
        return found

    @cached_property
    def suiting(self) -> Mapping[str, int]:
        """For each structure, what might stand in its place: the structures that suit all its neighbours."""
        return {structure: self._matching(at) for structure, at in sorted(self._places.items())}

    @cached_property
    def rests(self) -> Mapping[str, Palazzo]:
        """For each structure, what is left of the palazzo without it."""
        return {structure: self.without(structure) for structure in sorted(self._places)}

    def flaw(self) -> str | None:
        """Return which building rule the palazzo as it stands breaks, the key of a reason; None where it is sound."""
        if len(self._taken) < len(self._places):
            return "cell-taken"
        if any(not self._matching(at) & BIT[structure] for structure, at in self._places.items()):
            return "clashing-neighbour"
        return self._broken

    # What follows from the cells

    @cached_property
    def _shape(self) -> frozenset[tuple[str, int, int]]:
        left = min((x for x, _ in self.cells.values()), default=0)
        low = min((y for _, y in self.cells.values()), default=0)
        return frozenset((structure, x - left, y - low) for structure, (x, y) in self.cells.items())

    def _matching(self, at: Place) -> int:
        """Return the structures that suit all neighbours of the cell."""
        taken, matching = self._taken, ALL
        for other in (at + UP, at + RIGHT, at - UP, at - RIGHT):
            if other in taken:
                matching &= MATCHING[taken[other]]
        return matching

    @cached_property
    def _broken(self) -> str | None:
        if self._sound or not self._taken:
            return None
        cells = set(self.cells.values())
        if not connected(cells):
            return "splits"
        return "makes-a-hole" if has_hole(cells, self.ways) else None

    def _break(self, at: Place) -> str | None:
        """Return what building on a free cell beside would break: one connected group without holes.

        Of a palazzo that is sound the cells around decide: where what stands there is in several parts, the palazzo
        joins them by another way, and the two ways enclose something.
        """
        if not self._broken:
            parts = PARTS if self.ways == EIGHT else LOOSE_PARTS
            return "makes-a-hole" if parts[self._ring(at)] > 1 else None
        cells = {*self.cells.values(), cell(at)}
        if self._broken == "splits" and not connected(cells):
            return "splits"
        return "makes-a-hole" if has_hole(cells, self.ways) else None

    def _ring(self, at: Place) -> int:
        """Return which of the eight cells around are taken, one bit each in the order of EIGHT."""
        taken, left, right = self._taken, at - RIGHT, at + RIGHT
        return (
            (at + UP in taken)
            + (right + UP in taken) * 2
            + (right in taken) * 4
            + (right - UP in taken) * 8
            + (at - UP in taken) * 16
            + (left - UP in taken) * 32
            + (left in taken) * 64
            + (left + UP in taken) * 128
        )


def beside(at: Place) -> tuple[Place, Place, Place, Place]:
    """Return the places that share an edge with one."""
    return at + UP, at + RIGHT, at - UP, at - RIGHT


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


def has_hole(taken: Set[Cell], ways: tuple[Cell, ...]) -> bool:
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
