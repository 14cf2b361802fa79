"""The weights of the rules of thumb for Palazzo for the piecepack."""

from __future__ import annotations

from typing import NamedTuple


class Weights(NamedTuple):
    """The weights of the rules of thumb; the defaults were guessed, not learned.

    Attributes:
        ducat: what a ducat is worth, in points.
        die: the worth of a ducat of the die relative to a coin's.
        again: what one more action is worth.
        rival: the weight of the best other seat's points against the seat's own.
        reserve: the share of its worth that a structure keeps in the reserve.
        action: what the turret or the reserve must gain, because a coin could be taken instead.
        site: what each free cell is worth on which a structure of the yard would fit.
    """

    ducat: float = 0.7
    die: float = 0.5
    again: float = 2.0
    rival: float = 0.5
    reserve: float = 0.4
    action: float = 2.5
    site: float = 0.05
