"""The weights of the rules of thumb for Patrician."""

from __future__ import annotations

from typing import NamedTuple


class Weights(NamedTuple):
    """The weights of the rules of thumb; the defaults were guessed, not learned.

    Attributes:
        sharpness: how much one more floor favours a seat in a tower that is nearly finished.
        ease: how much weaker that is for each floor that the city still takes.
        top: what owning the topmost floor is worth, in floors.
        head_1: what a single head is worth; ``head_2`` what two equal ones are worth.
        rival: the weight of the best other seat's worth against the seat's own.
        hand: the weight of the card that can be taken afterwards.
        any_city: what the free choice of a market card is worth; ``move`` what a move is worth.
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
