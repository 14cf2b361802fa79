"""A palazzo as a value: structures on cells, with the building rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from tabletop.rules.layout import Cell
from tabletop.rules.piecepack.building.shape import ORIGIN, Fitting, Shape, drawn, grown, shrunk
from tabletop.rules.piecepack.components import ORDER, STRUCTURES, SUITING_TABLES

S = TypeVar("S")
T = TypeVar("T")

NO_PLACE = 255
"""The byte that stands for no structure."""
PLACE_BYTE: Mapping[str | None, bytes] = {None: b""} | {
    structure: bytes([place]) for place, structure in enumerate(STRUCTURES)
}
"""Structure → its byte in ``PiecepackPalazzo.standing``; empty for None."""


class PiecepackPalazzo:
    """Structures on the cells of a grid, a value.  Two palazzi that differ by a shift are equal.

    Attributes:
        shape: the taken cells relative to each other.
        corner: the cell that is column and row 0 of the shape.
        standing: for each cell of the shape the index of its structure in STRUCTURES.
    """

    __slots__ = ("_made", "corner", "shape", "standing")

    def __init__(self, cells: Mapping[str, Cell], diagonal: bool = False) -> None:
        """Lay the structures; ``diagonal`` is the option that lets diagonal ways lead out of a hole."""
        order = sorted((cell, ORDER[structure]) for structure, cell in cells.items())
        self.standing = bytes([place for _, place in order])
        self.shape, self.corner = drawn([cell for cell, _ in order], diagonal)
        self._made: tuple[object, object, Any] = (None, None, None)

    def _changed(self, standing: bytes, shape: Shape, corner: Cell) -> PiecepackPalazzo:
        new = object.__new__(PiecepackPalazzo)
        new.standing, new.shape, new.corner, new._made = standing, shape, corner, (None, None, None)
        return new

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, PiecepackPalazzo)
            and self.standing == other.standing
            and self.shape.cells == other.shape.cells
        )

    def __hash__(self) -> int:
        return hash((self.standing, self.shape.cells))

    def __repr__(self) -> str:
        return f"Palazzo({self.to_json()})"

    def __len__(self) -> int:
        return len(self.standing)

    def __iter__(self) -> Iterator[str]:
        """Yield the structures in the order of their cells: column by column from the left, each upward."""
        return iter([STRUCTURES[place] for place in self.standing])

    def __contains__(self, structure: str) -> bool:
        return ORDER.get(structure, NO_PLACE) in self.standing

    @property
    def cells(self) -> Mapping[str, Cell]:
        """The cell of each structure."""
        left, low = self.corner
        return {structure: (left + x, low + y) for structure, (x, y) in zip(self, self.shape.cells, strict=True)}

    def to_json(self) -> dict[str, list[int]]:
        """Return structure → [x, y], in the order of the structures."""
        cells = self.cells
        return {structure: [*cells[structure]] for structure in sorted(cells, key=ORDER.__getitem__)}

    # Other palazzi

    def put(self, structure: str, at: Cell) -> PiecepackPalazzo:
        """Return the palazzo with one more structure, on a cell for which ``fault`` returns None."""
        standing, (left, low) = self.standing, self.corner
        shape, (right, up), place = grown(self.shape, (at[0] - left, at[1] - low))
        standing = standing[:place] + PLACE_BYTE[structure] + standing[place:]
        return self._changed(standing, shape, (left + right, low + up))

    def without(self, structure: str) -> PiecepackPalazzo:
        """Return the palazzo with one structure fewer; it may be split or have a hole."""
        standing, (left, low) = self.standing, self.corner
        shape, (right, up), place = shrunk(self.shape, standing.index(ORDER[structure]))
        standing = standing[:place] + standing[place + 1 :]
        return self._changed(standing, shape, (left + right, low + up) if standing else ORIGIN)

    def exchanged(self, structure: str, other: str) -> PiecepackPalazzo:
        """Return the palazzo with ``other`` in the cell of a structure that it has."""
        standing = self.standing.replace(PLACE_BYTE[structure], PLACE_BYTE[other])
        return self._changed(standing, self.shape, self.corner)

    def once(self, make: Callable[[PiecepackPalazzo, S], T], of: S) -> T:
        """Return ``make(self, of)``, cached until it is called with another ``make`` or ``of``.

        It pays because a palazzo stays the same for many turns.
        """
        made = self._made
        if made[0] is not make or made[1] is not of:
            made = self._made = (make, of, make(self, of))
        found: T = made[2]
        return found

    # What may be built, exchanged and taken out

    def fitting(self, structure: str) -> Fitting:
        """Return where a structure suits all neighbours, in coordinates of the palazzo's shape."""
        return self.shape.fits[self.standing.translate(SUITING_TABLES[structure])]

    def fault(self, structure: str, at: Cell) -> str | None:
        """Return the key of the reason why the structure may not be built on the cell; None if it may."""
        if not self.standing:
            return None
        shape, cell = self.shape, (at[0] - self.corner[0], at[1] - self.corner[1])
        if cell in self.fitting(structure).sites:
            return None
        if cell in shape.cells:
            return "cell-taken"
        if cell not in shape.beside:
            return "no-shared-edge"
        suits = self.standing.translate(SUITING_TABLES[structure])
        if any(not suit and shape.beside[cell] >> place & 1 for place, suit in enumerate(suits)):
            return "clashing-neighbour"
        return grown(shape, cell).shape.broken

    def sites(self, structure: str) -> Sequence[Cell]:
        """List the cells on which the structure may be built; for an empty palazzo one cell stands for all."""
        left, low = self.corner
        return [(left + x, low + y) for x, y in self.fitting(structure).sites]

    def suits(self, structure: str, other: str) -> bool:
        """Return whether a structure suits all neighbours of another one whose cell it takes."""
        return bool(self.fitting(structure).swaps[self.standing.index(ORDER[other])])

    def bound(self, structure: str) -> str | None:
        """Return the key of the reason why a structure of the palazzo may not be taken out; None if it may."""
        place = self.standing.index(ORDER[structure])
        if self.shape.loose[place]:
            return None
        return "splits" if shrunk(self.shape, place).shape.broken == "splits" else "removal-hole"


def flaw(cells: Mapping[str, Cell], diagonal: bool = False) -> str | None:
    """Return the key of the building rule that structures on these cells break; None if they break none."""
    if len(set(cells.values())) < len(cells):
        return "cell-taken"
    if any(max(axis) - min(axis) >= len(cells) for axis in zip(*cells.values(), strict=True)):
        return "splits"
    palazzo = PiecepackPalazzo(cells, diagonal)
    if not all(palazzo.suits(structure, structure) for structure in palazzo):
        return "clashing-neighbour"
    return palazzo.shape.broken
