"""A tower of pieces in one strip, from its foot."""

from __future__ import annotations

from collections.abc import Sequence

from tabletop.rules.table import Size
from tabletop.simulator.table.plans.plan import LaidAt


class TowerPlan:
    """Pieces in one strip from the line at its foot: tagged, flat ones one behind another, others stacked."""

    def __init__(self, width: float, height: float) -> None:
        self.levels: dict[str, int] = {}
        self._foot = (width / 2, height)

    def put(self, piece: str, size: Size) -> Sequence[LaidAt]:
        """Lay a piece on top; return where it is laid."""
        level = max(self.levels.values(), default=-1) + 1
        self.levels[piece] = level
        x, y = self._foot
        if size.tag:
            return [LaidAt(piece, x, y - (level + 0.5) * size.height)]
        return [LaidAt(piece, x, y - size.height / 2, lift=level * size.thick)]

    def leave(self, piece: str) -> Sequence[LaidAt]:
        """Remove a piece; the gap that it leaves is not closed."""
        self.levels.pop(piece, None)
        return []
