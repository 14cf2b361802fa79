"""Where pieces lie: a Layout maps each zone to its pieces in their arrangement.

``position.layout()`` says where they should be, vision says where they are; both use this type, so that one comparison
serves every game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

Cell: TypeAlias = tuple[int, int]
"""A cell of a grid: x to the right, y upward as the seat sees it; only differences between cells matter."""


@dataclass(frozen=True, slots=True)
class Spread:
    """Pieces side by side in any order, all faces visible."""

    pieces: frozenset[str]


@dataclass(frozen=True, slots=True)
class Columns:
    """Columns of pieces, each bottom up; the columns in any order."""

    columns: frozenset[tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Pile:
    """A pile, bottom up: only the last piece must be seen, the others may be."""

    pieces: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Heap:
    """Pieces on top of each other in no order: none of them has to be seen."""

    pieces: frozenset[str]


@dataclass(frozen=True, slots=True)
class Tower:
    """One column of interchangeable pieces: the shared name of each (``black``), bottom up."""

    floors: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Grid:
    """Pieces on cells, and pieces upon some of them (``(upper, lower)``); only their relative places matter.

    ``askew`` are pieces that are seen in the grid's zone but lie on none of its cells.
    """

    cells: frozenset[tuple[str, Cell]]
    upon: frozenset[tuple[str, str]] = frozenset()
    askew: frozenset[str] = frozenset()

    def laid_on(self, other: Grid) -> Grid:
        """Return this grid moved and turned by quarter turns so that it agrees with the other in the most pieces.

        If several ways agree equally well, the smallest turn wins; a grid that shares no piece with the other stays.
        """
        there = dict(other.cells)
        agree: Counter[tuple[int, int, int]] = Counter()
        for piece, cell in self.cells:
            for quarters in range(4) if piece in there else ():
                x, y = turned(cell, quarters)
                agree[quarters, there[piece][0] - x, there[piece][1] - y] += 1
        if not agree:
            return self
        quarters, right, up = min(agree, key=lambda way: (-agree[way], way))
        moved = ((piece, turned(cell, quarters)) for piece, cell in self.cells)
        return Grid(frozenset((piece, (x + right, y + up)) for piece, (x, y) in moved), self.upon, self.askew)


@dataclass(frozen=True, slots=True)
class Hidden:
    """Pieces that the camera cannot see: in a hand, in a stack, in the box."""

    pieces: frozenset[str]


@dataclass(frozen=True, slots=True)
class Anywhere:
    """Pieces on their way: they may lie anywhere or be in a hand; the layout does not say where."""

    pieces: frozenset[str]


Arrangement: TypeAlias = Spread | Columns | Pile | Heap | Tower | Grid | Hidden | Anywhere


def pieces_of(arrangement: Arrangement) -> frozenset[str]:
    """Return the pieces of an arrangement; interchangeable pieces have no names to return."""
    match arrangement:
        case Columns(columns):
            return frozenset(piece for column in columns for piece in column)
        case Grid(cells, upon, askew):
            return askew.union(piece for piece, _ in (*cells, *upon))
        case Tower():
            return frozenset()
        case _:
            return frozenset(arrangement.pieces)


def turned(cell: Cell, quarters: int) -> Cell:
    """Return where a cell of a grid ends up after that many clockwise quarter turns."""
    x, y = cell
    for _ in range(quarters):
        x, y = y, -x
    return x, y


def zone_kind(zone: str) -> str:
    """Return the kind of a zone: its name without the number of a seat, a quarry or a city."""
    return zone.rstrip("0123456789")


def owner(zone: str, zones: Collection[str], seats: int) -> int | None:
    """Return the seat that a zone belongs to: its number, if there is one such zone for each seat and no more.

    For example, ``seat0`` and ``hand0`` belong to seats, ``quarry1`` and ``stack1`` do not.
    """
    kind = zone_kind(zone)
    own = [f"{kind}{seat}" for seat in range(seats)]
    if zone not in own or f"{kind}{seats}" in zones or not all(one in zones for one in own):
        return None
    return own.index(zone)


class Layout(Mapping[str, Arrangement]):
    """Zone name → arrangement, a value.  Every piece of the game is in exactly one zone."""

    __slots__ = ("_zones",)

    def __init__(self, zones: Mapping[str, Arrangement]) -> None:
        self._zones = dict(zones)

    def __getitem__(self, zone: str) -> Arrangement:
        return self._zones[zone]

    def __iter__(self) -> Iterator[str]:
        return iter(self._zones)

    def __len__(self) -> int:
        return len(self._zones)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Layout) and self._zones == other._zones

    def __hash__(self) -> int:
        return hash(frozenset(self._zones.items()))

    def __repr__(self) -> str:
        return f"Layout({self._zones!r})"

    @property
    def hidden(self) -> frozenset[str]:
        """The zones that the camera cannot see: hands, stacks, the box."""
        return frozenset(zone for zone, there in self._zones.items() if isinstance(there, Hidden))

    def hand_zones(self, seat: int | None, seats: int) -> frozenset[str]:
        """Return the hidden zones that belong to one of that many seats: its hand; none if ``seat`` is None."""
        return frozenset(zone for zone in self.hidden if seat is not None and owner(zone, self, seats) == seat)

    def pieces(self, zone: str) -> frozenset[str]:
        """Return the pieces in a zone; none if the zone does not exist."""
        arrangement = self._zones.get(zone)
        return pieces_of(arrangement) if arrangement is not None else frozenset()

    def open_pieces(self) -> frozenset[str]:
        """Return the pieces that should be seen, among them only the top piece of a pile and no piece of a heap."""
        seen: set[str] = set()
        for zone, arrangement in self._zones.items():
            match arrangement:
                case Pile(pile):
                    seen.update(pile[-1:])
                case Heap() | Hidden() | Anywhere():
                    pass
                case _:
                    seen |= self.pieces(zone)
        return frozenset(seen)

    def floors(self, zone: str) -> tuple[str, ...]:
        """Return the floors of a tower, the lowest first; none if the zone is not a tower."""
        there = self._zones.get(zone)
        return there.floors if isinstance(there, Tower) else ()

    @property
    def upon(self) -> frozenset[tuple[str, str]]:
        """The pieces of grids that lie upon others: (upper, lower)."""
        grids = (there for there in self._zones.values() if isinstance(there, Grid))
        return frozenset(pair for grid in grids for pair in grid.upon)

    def zone_of(self) -> dict[str, str]:
        """Return piece → zone for every piece."""
        return {piece: zone for zone, arrangement in self._zones.items() for piece in pieces_of(arrangement)}

    def to_json(self) -> dict[str, object]:
        """Return the layout as plain lists, sorted, zone by zone; a grid as piece → cell.

        A piece upon another one of a grid is mapped to that one, a piece that lies askew to an empty cell.
        """
        return {zone: _plain(arrangement) for zone, arrangement in self._zones.items()}


def _plain(arrangement: Arrangement) -> object:
    match arrangement:
        case Columns(columns):
            return [list(column) for column in sorted(columns)]
        case Pile(pieces):
            return list(pieces)
        case Tower(floors):
            return list(floors)
        case Grid(cells, upon, askew):
            placed = {piece: list(cell) for piece, cell in sorted(cells)}
            return placed | dict(sorted(upon)) | {piece: [] for piece in sorted(askew)}
        case _:
            return sorted(arrangement.pieces)
