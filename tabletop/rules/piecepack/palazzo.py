"""A palazzo as a value: structures on cells, and the building rules asked of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, TypeVar

from tabletop.rules.layout import Cell
from tabletop.rules.piecepack.components import MATCHING, ORDER
from tabletop.rules.piecepack.grid import BORDER, HEIGHT, Cells, beside, broken, each, plan

INNER = range(BORDER + 1, HEIGHT - BORDER - 1)
"""The columns and the rows of the grid in which structures stand."""
ROOM = range(BORDER, HEIGHT - BORDER)
"""Those in which one may be built: structures and the cells beside them."""
ORIGIN = (0, 0)

T = TypeVar("T")


class Palazzo:
    """Structures on the cells of a grid, a value.  Two palazzi that differ by a shift are equal.

    ``diagonal`` is the option that lets diagonal ways lead out of a hole.
    """

    __slots__ = ("_clashes", "_corner", "_lists", "_places", "_plan", "_taken", "diagonal")

    def __init__(self, cells: Mapping[str, Cell], diagonal: bool = False) -> None:
        columns = [x for x, _ in cells.values()] or [0]
        rows = [y for _, y in cells.values()] or [0]
        # In the middle of the grid, so that it can grow for long before it reaches the border.
        left = (min(columns) + max(columns) - HEIGHT) // 2 + 1
        low = (min(rows) + max(rows) - HEIGHT) // 2 + 1
        self.diagonal = diagonal
        self._corner = (left, low)
        self._places = {one: 1 << (x - left) * HEIGHT + y - low for one, (x, y) in sorted(cells.items())}
        self._taken = sum(self._places.values())
        self._plan = plan(self._taken, diagonal)
        self._lists: dict[tuple[object, str], Any] = {}
        self._clashes: dict[str, Cells] = {}

    def _changed(self, places: dict[str, Cells], taken: Cells) -> Palazzo:
        new = object.__new__(Palazzo)
        new.diagonal, new._corner, new._places, new._taken = self.diagonal, self._corner, places, taken
        new._plan = self._plan if taken == self._taken else plan(taken, self.diagonal)
        new._clashes, new._lists = {}, {}
        return new

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Palazzo) and self._shape() == other._shape()

    def __hash__(self) -> int:
        return hash(self._shape())

    def __repr__(self) -> str:
        return f"Palazzo({self.to_json()})"

    def __len__(self) -> int:
        return len(self._places)

    def __iter__(self) -> Iterator[str]:
        """Yield the structures, sorted."""
        return iter(self._places)

    def __contains__(self, structure: object) -> bool:
        return structure in self._places

    @property
    def cells(self) -> Mapping[str, Cell]:
        """The cell of each structure."""
        return {structure: cell_of(place, self._corner) for structure, place in self._places.items()}

    def to_json(self) -> dict[str, list[int]]:
        """Return structure → [x, y], in the order of the structures."""
        places = self._places
        return {
            structure: [*cell_of(places[structure], self._corner)]
            for structure in sorted(places, key=ORDER.__getitem__)
        }

    # Other palazzi

    def put(self, structure: str, at: Cell) -> Palazzo:
        """Return the palazzo with one more structure, on a cell where ``fault`` finds nothing against it."""
        place = self._place(at, INNER) if self._places else 0
        if not place:
            return Palazzo({**self.cells, structure: at}, self.diagonal)
        return self._changed(_sorted(self._places, structure, place), self._taken | place)

    def without(self, structure: str) -> Palazzo:
        """Return the palazzo with one structure fewer; it may be split or have a hole."""
        places = self._places.copy()
        return self._changed(places, self._taken ^ places.pop(structure))

    def exchanged(self, structure: str, other: str) -> Palazzo:
        """Return the palazzo with another structure in the cell of one that it holds."""
        places = self._places.copy()
        return self._changed(_sorted(places, other, places.pop(structure)), self._taken)

    def once(self, make: Callable[[Palazzo, str], T], structure: str = "") -> T:
        """Return what ``make`` makes of the palazzo and a structure, worked out when first asked.

        A palazzo stays the same for many turns.
        """
        key = (make, structure)
        found: T | None = self._lists.get(key)
        if found is None:
            found = self._lists[key] = make(self, structure)
        return found

    # What may be built, exchanged and taken out

    def fault(self, structure: str, at: Cell) -> str | None:
        """Return why the structure may not be built on the cell, the key of a reason; None where it may."""
        if not self._places:
            return None
        place, planned = self._place(at), self._plan
        if place & self._taken:
            return "cell-taken"
        if not place & planned.edge:
            return "no-shared-edge"
        if place & self._clashing(structure):
            return "clashing-neighbour"
        return None if place & planned.open else broken(self._taken | place, self.diagonal)

    def sites(self, structure: str) -> Sequence[Cell]:
        """List the cells on which the structure may be built; of an empty palazzo one stands for all."""
        if not self._places:
            return (ORIGIN,)
        return cells_of(self._plan.open & ~self._clashing(structure), self._corner)

    def suits(self, structure: str, other: str) -> bool:
        """Say whether a structure suits all neighbours in the place of another one."""
        return not self._places[other] & self._clashing(structure)

    def swaps(self, structure: str) -> list[str]:
        """List the structures in whose place another one suits all neighbours."""
        clashing = self._clashing(structure)
        return [other for other, place in self._places.items() if not place & clashing]

    def bound(self, structure: str) -> str | None:
        """Return why a structure of the palazzo may not be taken out, the key of a reason; None where it may."""
        place = self._places[structure]
        if place & self._plan.loose:
            return None
        return "splits" if broken(self._taken ^ place, self.diagonal) == "splits" else "removal-hole"

    @property
    def loose(self) -> list[str]:
        """List the structures that may be taken out."""
        loose = self._plan.loose
        return [structure for structure, place in self._places.items() if place & loose]

    def broken(self) -> str | None:
        """Return why the palazzo is not one group without a hole, the key of a reason; None where it is."""
        return broken(self._taken, self.diagonal)

    # Parts

    def _clashing(self, structure: str) -> Cells:
        """Return the cells with a neighbour that shares neither the structure's suit nor its value.

        Worked out when first asked: listing, refusing and acting ask in turn.
        """
        clashing = self._clashes.get(structure)
        if clashing is None:
            matching, others = MATCHING[structure], 0
            for other, place in self._places.items():
                if other not in matching:
                    others |= place
            clashing = self._clashes[structure] = beside(others)
        return clashing

    def _place(self, at: Cell, room: range = ROOM) -> Cells:
        """Return the cell on the grid; none where the grid has no room for it."""
        x, y = at[0] - self._corner[0], at[1] - self._corner[1]
        return 1 << x * HEIGHT + y if x in room and y in room else 0

    def _shape(self) -> frozenset[tuple[str, int, int]]:
        cells = self.cells
        left = min((x for x, _ in cells.values()), default=0)
        low = min((y for _, y in cells.values()), default=0)
        return frozenset((structure, x - left, y - low) for structure, (x, y) in cells.items())


def _sorted(places: Mapping[str, Cells], structure: str, place: Cells) -> dict[str, Cells]:
    """Return the places with one more structure, by their structures' names."""
    return dict(sorted([*places.items(), (structure, place)]))


def cell_of(place: Cells, corner: Cell) -> Cell:
    """Return the cell for its place on a grid whose first cell is the corner."""
    column, row = divmod(place.bit_length() - 1, HEIGHT)
    return corner[0] + column, corner[1] + row


@lru_cache(maxsize=4096)
def cells_of(places: Cells, corner: Cell) -> Sequence[Cell]:
    """Return the cells for their places on a grid whose first cell is the corner."""
    return tuple([cell_of(place, corner) for place in each(places)])


def flaw(cells: Mapping[str, Cell], diagonal: bool = False) -> str | None:
    """Return which building rule structures on these cells break, the key of a reason; None where they break none."""
    if len(set(cells.values())) < len(cells):
        return "cell-taken"
    if any(max(axis) - min(axis) >= len(cells) for axis in zip(*cells.values(), strict=True)):
        return "splits"
    palazzo = Palazzo(cells, diagonal)
    if any(structure not in palazzo.swaps(structure) for structure in palazzo):
        return "clashing-neighbour"
    return palazzo.broken()
