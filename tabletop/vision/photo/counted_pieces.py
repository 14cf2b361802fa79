"""The interface through which a game tells a reader of photographs about the pieces that count."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from tabletop.vision.geometry.columns import Placed


class CountedPieces(Protocol):
    """The pieces of a game that count at its end, and their arrangement."""

    @property
    def kind(self) -> str:
        """The kind of pieces that count."""

    @property
    def zones(self) -> tuple[str, ...]:
        """The zones in which a seat's pieces lie, each without the seat's number: neighbours on one card."""

    @property
    def directed(self) -> bool:
        """True if all pieces of a seat face the same way: pieces that face another way belong to another seat."""

    @property
    def apart(self) -> bool:
        """True if pieces lie side by side and show all of their faces; False if one may lie on another."""

    @property
    def everywhere(self) -> bool:
        """True if pieces in any zone count, not only in those of seats."""

    def places(self, tags: Sequence[Placed]) -> Sequence[Placed]:
        """Return the middles of pieces, given by their tags, in the same order."""

    def size(self, placed: Sequence[Placed]) -> tuple[float, float]:
        """Return height and width in mm of the pieces, given by their middles."""

    def sizes(self, placed: Sequence[Placed]) -> Sequence[tuple[float, float]]:
        """Return the possible heights and widths in mm of the pieces, given by their middles."""
