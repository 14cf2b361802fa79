"""What every plan of a zone says: where its pieces are laid."""

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
    """How the pieces of one zone lie to one another."""

    def leave(self, piece: str) -> Sequence[LaidAt]:
        """Forget a piece that was taken away; return what hands lay again because of it."""
