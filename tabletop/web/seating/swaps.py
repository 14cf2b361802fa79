"""People who change places for the next game, once both have asked for it."""

from __future__ import annotations

from collections.abc import Mapping

Swap = tuple[int, int]
"""The seat that asks, and the seat that is asked."""


class Swaps:
    """The swaps that are asked for, and those that were agreed; only one thread at a time may ask."""

    def __init__(self) -> None:
        self.asked: frozenset[Swap] = frozenset()
        self._places: Mapping[int, int] = {}
        """Seat of the last game → place in the next one, of everybody who moves."""

    def ask(self, seat: int, other: int, *, agreed: bool) -> None:
        """Ask for two seats to change places; they will if it is ``agreed`` or the other seat asked before."""
        if not agreed and (other, seat) not in self.asked:
            self.asked |= {(seat, other)}
            return
        self.asked -= {(seat, other), (other, seat)}
        mine, theirs = self._places.get(seat, seat), self._places.get(other, other)
        self._places = {**self._places, seat: theirs, other: mine}

    def order(self, seats: int) -> list[int]:
        """Return, for each place of the next game, the seat of the last game whose player sits there."""
        return sorted(range(seats), key=lambda seat: self._places.get(seat, seat))
