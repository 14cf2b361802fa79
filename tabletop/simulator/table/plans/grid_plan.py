"""A grid of pieces edge to edge, pushed or turned as a whole to where there is room if it outgrows its area."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import product
from math import hypot
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tabletop.rules.layout import Cell, turned
from tabletop.rules.table import Size
from tabletop.simulator.table.plans.plan import LaidAt

Floats: TypeAlias = NDArray[np.float64]

STEPS_PER_SIDE = 3
"""How many places per side of a piece are tried in the search for room for a grid."""
MAX_DISTANCE_MM = 500.0
"""How far from its area room for a grid is searched for."""
MIN_GAP_SIDES = 0.5
"""The distance, in sides of a piece, that people keep between two grids, so that it is clear whose a piece is."""


class Obstacle(NamedTuple):
    """A rectangle in a zone's own frame, mm, that a grid should not cover, and how much it matters.

    ``is_piece`` marks a piece of another grid, from which people keep a distance.
    """

    left: float
    top: float
    right: float
    bottom: float
    weight: float = 1.0
    is_piece: bool = False


class _Placement(NamedTuple):
    """Where the cell (0, 0) of a grid lies in the zone's own frame, mm, and the grid's clockwise quarter turns."""

    x: float
    y: float
    quarters: int = 0

    def at(self, cell: Cell, side: float) -> tuple[float, float]:
        """Return the middle of a cell."""
        right, up = turned(cell, self.quarters)
        return self.x + right * side, self.y - up * side


class GridPlan:
    """Pieces edge to edge on cells; a grid that would leave its area is pushed or turned by a quarter as a whole.

    ``around`` returns the obstacles: what else lies on the table.
    """

    GAP = 0.3
    """The gap that people leave between edges, mm."""

    def __init__(self, width: float, height: float, around: Callable[[], Iterable[Obstacle]] = tuple) -> None:
        self.cells: dict[str, Cell] = {}
        self._area = (width, height)
        self._around = around
        self._side = 0.0
        self._lies = _Placement(0.0, 0.0)

    def put(self, piece: str, cell: Cell, size: Size) -> Sequence[LaidAt]:
        """Lay a piece on a cell; return the pieces that are laid, which are all if the grid has to be pushed."""
        self.cells.pop(piece, None)
        self._side = size.width + self.GAP
        first, before = not self.cells, self._lies
        self.cells[piece] = cell
        if first:
            self._lies = self._centred(0)
        if first or not self._fits(cell):
            self._lies = self._roomiest()
        return [self.place(cell) for cell in self.cells if cell == piece or self._lies != before]

    def leave(self, piece: str) -> Sequence[LaidAt]:
        """Forget a piece; the others stay where they are."""
        self.cells.pop(piece, None)
        return []

    def place(self, piece: str) -> LaidAt:
        """Return where a piece belongs in the zone's own frame."""
        return LaidAt(piece, *self._lies.at(self.cells[piece], self._side), 90.0 * self._lies.quarters)

    def _fits(self, cell: Cell) -> bool:
        """Return whether a cell lies in the area, and not on or beside a piece of another grid."""
        x, y = self._lies.at(cell, self._side)
        half, (width, height) = self._side / 2, self._area
        near = half + MIN_GAP_SIDES * self._side
        return (
            half <= x <= width - half
            and half <= y <= height - half
            and not any(
                obstacle.is_piece
                and obstacle.left - near < x < obstacle.right + near
                and obstacle.top - near < y < obstacle.bottom + near
                for obstacle in self._around()
            )
        )

    def _centred(self, quarters: int) -> _Placement:
        """Return the placement of a grid in the middle of its area.

        A grid that is too high for the area extends away from its owner: its near edge stays within the area.
        """
        across, up = zip(*(turned(cell, quarters) for cell in self.cells.values()), strict=True)
        width, height = self._area
        middle = height / 2 + (min(up) + max(up)) / 2 * self._side
        nearest = height - self._side / 2 + min(up) * self._side
        return _Placement(width / 2 - (min(across) + max(across)) / 2 * self._side, min(middle, nearest), quarters)

    def _roomiest(self) -> _Placement:
        """Return the placement with the least in the way: in the middle of the area, as it lies, or nearby."""
        around = [*self._around()]
        usual = [self._centred(self._lies.quarters), self._lies]
        for placement in usual:
            if not self._crowding(placement, np.zeros((1, 2)), around)[0]:
                return placement
        steps = np.arange(-MAX_DISTANCE_MM, MAX_DISTANCE_MM, self._side / STEPS_PER_SIDE)
        shifts = np.array(sorted(product(steps, steps), key=lambda shift: hypot(*shift)))
        placements: list[tuple[float, float, _Placement]] = []
        for quarters in (0, 1):
            middle = self._centred(quarters)
            crowding = self._crowding(middle, shifts, around)
            # Shifts are sorted, so the nearest of equally good places is found.
            x, y = shifts[best := int(crowding.argmin())].tolist()
            placements.append((float(crowding[best]), hypot(x, y), middle._replace(x=middle.x + x, y=middle.y + y)))
        return min(placements)[-1]

    def _crowding(self, placement: _Placement, shifts: Floats, around: Collection[Obstacle]) -> Floats:
        """Return for each shift (n, 2) of a placement the weighted area of obstacles that the grid covers, mm²."""
        xs, ys = zip(*(placement.at(cell, self._side) for cell in self.cells.values()), strict=True)
        half, (across, down) = self._side / 2, shifts.T
        left, right = min(xs) - half + across, max(xs) + half + across
        top, bottom = min(ys) - half + down, max(ys) + half + down
        crowding = np.zeros(len(shifts))
        for obstacle in around:
            near = MIN_GAP_SIDES * self._side * obstacle.is_piece
            wide = np.minimum(right, obstacle.right + near) - np.maximum(left, obstacle.left - near)
            high = np.minimum(bottom, obstacle.bottom + near) - np.maximum(top, obstacle.top - near)
            crowding += obstacle.weight * np.maximum(wide, 0) * np.maximum(high, 0)
        return np.round(crowding)
