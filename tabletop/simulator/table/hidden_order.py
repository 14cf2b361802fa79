"""What comes next: the order of the stacks and the deck, which nobody at the table knows and the rules do not hold."""

from __future__ import annotations

import random
from collections.abc import Collection, Sequence

from tabletop.simulator.table.simulated_table import SimulatedTable

STACKS = ("stack1", "stack2", "stack3")
DECK = "deck"


class HiddenOrder:
    """Shuffled stacks and a shuffled deck.

    A piece that is put back (an undone reveal) comes again first, as it would on a table: the order stays while the
    pieces come and go.
    """

    def __init__(self, table: SimulatedTable, seed: int) -> None:
        self._table = table
        self._rng = random.Random(f"stock {seed}")
        self._order: dict[str, list[str]] = {}

    def shuffle(self, place: str, pieces: Collection[str]) -> None:
        """Put the pieces into a hidden place in a new order."""
        order = sorted(pieces)
        self._rng.shuffle(order)
        self._order[place] = order
        for piece in order:
            self._table.take(piece, place)

    def reshuffle(self, pieces: Collection[str]) -> None:
        """Decide the order in which the discards will come as the new deck; hands have yet to carry them there."""
        if set(self._order.get(DECK, ())) != set(pieces):
            order = sorted(pieces)
            self._rng.shuffle(order)
            self._order[DECK] = order

    def coming(self, place: str) -> Sequence[str]:
        """Return what lies in a hidden place, the next one first."""
        return [piece for piece in self._order.get(place, ()) if self._table.where(piece) == place]

    def next_tile(self, wanted: Collection[str]) -> str | None:
        """Return the first ``wanted`` tile of the stacks in order, None if there is none."""
        return next((piece for stack in STACKS for piece in self.coming(stack) if piece in wanted), None)

    def next_card(self, discards: Collection[str], but: Collection[str] = ()) -> str | None:
        """Return the first card of the deck ``but`` some, of the reshuffled discards where it is empty.

        None where neither holds one, or where the discards would have to be reshuffled and some are to be left out.
        """
        deck = self.coming(DECK)
        if not deck and not but and discards:
            self.reshuffle(discards)
            deck = self._order[DECK]
        return next((card for card in deck if card not in but), None)
