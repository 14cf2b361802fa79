"""The numbers in the rules of thumb of Patrician."""

from __future__ import annotations

from typing import NamedTuple


class Weights(NamedTuple):
    """Each number of the rules of thumb; those here were guessed, not learned.

    Attributes:
        sharpness: how much one more floor favours a seat in a tower that is nearly finished.
        ease: how much less it does for each floor that the city still takes.
        top: what the topmost floor counts beside one more.
        head_1: what a single head is worth; ``head_2`` what two equal ones are.
        rival: how much the best other seat's worth counts against the seat's own.
        hand: how much the worth of the card that can be taken afterwards counts.
        any_city: what the choice of any market card is worth; ``move`` what a move is.
    """

    sharpness: float = 2.0
    ease: float = 0.4
    top: float = 0.4
    head_1: float = 1.2
    head_2: float = 3.2
    rival: float = 1.0
    hand: float = 0.5
    any_city: float = 0.5
    move: float = 1.0
