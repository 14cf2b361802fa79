"""The interface of the plans of zones, and the places that they return."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol


class LaidAt(NamedTuple):
    """Where a piece is laid in a zone's own frame, mm and degrees; ``lift`` is the height of what it lies on."""

    piece: str
    x: float
    y: float
    turn: float = 0.0
    lift: float = 0.0


class ZonePlan(Protocol):
    """A plan of how the pieces of one zone are arranged."""

    def leave(self, piece: str) -> Sequence[LaidAt]:
        """Remove a piece that was taken away; return the pieces that hands lay again because of it."""
