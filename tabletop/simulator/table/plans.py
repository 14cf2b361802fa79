"""Where pieces lie that are laid to one another: on the cells of a grid, in a tower from its foot."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import median
from typing import NamedTuple, Protocol

from tabletop.rules.layout import Cell
from tabletop.rules.table import Size
from tabletop.vision.geometry.grid import ASKEW


class LaidAt(NamedTuple):
    """Where a piece is laid in a zone's own frame, mm and degrees; ``lift`` is the height of what it lies on."""

    piece: str
    x: float
    y: float
    turn: float = 0.0
    lift: float = 0.0


class ZonePlan(Protocol):
    """How the pieces of one zone lie to one another."""

    def leave(self, piece: str) -> Sequence[LaidAt]:
        """Forget a piece that was taken away; return what hands lay again because of it."""


class GridPlan:
    """Pieces edge to edge on cells; a grid that would leave its area is pushed back as a whole, as far as it fits."""

    GAP = 0.3
    """What people leave between edges, mm."""

    def __init__(self, width: float, height: float) -> None:
        self.cells: dict[str, Cell] = {}
        self._area = (width, height)
        self._side = 0.0
        self._origin = (0.0, 0.0)

    def put(self, piece: str, cell: Cell, size: Size) -> Sequence[LaidAt]:
        """Lay a piece on a cell; return what is laid, the whole grid if it has to be pushed."""
        self.cells.pop(piece, None)
        self._side = size.width + self.GAP
        first, before = not self.cells, self._origin
        self.cells[piece] = cell
        if first or not self._fits(cell):
            self._centre()
        return [self._at(one) for one in self.cells if one == piece or self._origin != before]

    def leave(self, piece: str) -> Sequence[LaidAt]:
        """Forget a piece; the others stay where they are."""
        self.cells.pop(piece, None)
        return []

    def seen(self, spots: Mapping[str, tuple[float, float]]) -> tuple[dict[str, Cell], frozenset[str]]:
        """Return on which cells pieces lie, each pushed so far across and down (mm), and those that lie on none.

        A grid that was pushed as a whole lies as before.
        """
        pushes = {piece: (x / self._side, -y / self._side) for piece, (x, y) in spots.items() if piece in self.cells}
        if not pushes:
            return {}, frozenset()
        across, up = (median(push[axis] for push in pushes.values()) for axis in (0, 1))
        cells, askew = {}, set()
        for piece, (right, away) in pushes.items():
            step = round(right - across), round(away - up)
            if max(abs(right - across - step[0]), abs(away - up - step[1])) > ASKEW:
                askew.add(piece)
            else:
                cells[piece] = (self.cells[piece][0] + step[0], self.cells[piece][1] + step[1])
        return cells, frozenset(askew)

    def place(self, piece: str) -> tuple[float, float]:
        """Return where the middle of a piece belongs in the zone's own frame, mm."""
        x, y = self.cells[piece]
        return self._origin[0] + x * self._side, self._origin[1] - y * self._side

    def _at(self, piece: str) -> LaidAt:
        return LaidAt(piece, *self.place(piece))

    def _fits(self, cell: Cell) -> bool:
        x, y = self._origin[0] + cell[0] * self._side, self._origin[1] - cell[1] * self._side
        half, (width, height) = self._side / 2, self._area
        return half <= x <= width - half and half <= y <= height - half

    def _centre(self) -> None:
        across, up = zip(*self.cells.values(), strict=True)
        width, height = self._area
        middle = height / 2 + (min(up) + max(up)) / 2 * self._side
        # What is too high for the area is pushed away from its owner: the near edge stays within.
        nearest = height - self._side / 2 + min(up) * self._side
        self._origin = (width / 2 - (min(across) + max(across)) / 2 * self._side, min(middle, nearest))


class TowerPlan:
    """Pieces in one strip from the line at its foot: flat ones behind one another, standing ones on one another."""

    def __init__(self, width: float, height: float) -> None:
        self.levels: dict[str, int] = {}
        self._foot = (width / 2, height)

    def put(self, piece: str, size: Size) -> Sequence[LaidAt]:
        """Lay a piece on top; return what is laid."""
        level = max(self.levels.values(), default=-1) + 1
        self.levels[piece] = level
        x, y = self._foot
        if size.tag:
            return [LaidAt(piece, x, y - (level + 0.5) * size.height)]
        return [LaidAt(piece, x, y - size.height / 2, lift=level * size.thick)]

    def leave(self, piece: str) -> Sequence[LaidAt]:
        """Forget a piece; nobody closes the gap that it leaves."""
        self.levels.pop(piece, None)
        return []
