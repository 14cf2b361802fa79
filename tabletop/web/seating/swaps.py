"""Seats that change places in the next game, once both of their people have asked for it."""

from __future__ import annotations

Swap = tuple[int, int]
"""Who asks, and who is asked: two seats."""


class Swaps:
    """What is asked for, and what was agreed; not safe from several threads by itself."""

    def __init__(self) -> None:
        self.asked: frozenset[Swap] = frozenset()
        self._order: dict[int, int] = {}

    def ask(self, seat: int, other: int, *, agreed: bool) -> None:
        """Ask for two seats to change places; they will if it is ``agreed`` or the other seat asked before."""
        if not agreed and (other, seat) not in self.asked:
            self.asked |= {(seat, other)}
            return
        self.asked -= {(seat, other), (other, seat)}
        self._order[seat], self._order[other] = self._order.get(other, other), self._order.get(seat, seat)

    def order(self, seats: int) -> list[int]:
        """Return which of the seats of the last game sits at each place of the next."""
        return [self._order.get(seat, seat) for seat in range(seats)]
