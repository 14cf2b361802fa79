"""The numbers in the rules of thumb of Palazzo for the piecepack."""

from __future__ import annotations

from typing import NamedTuple


class Weights(NamedTuple):
    """Each number of the rules of thumb; those here were guessed, not learned.

    Attributes:
        ducat: what a ducat is worth, in points.
        die: what a ducat that the die pays is worth beside a coin's.
        again: what one more action is worth.
        rival: how much the best other seat's points count against the seat's own.
        reserve: how much of its worth a structure keeps in the reserve.
        action: what the turret or the reserve must gain, for a coin could be taken instead.
        site: what each free cell is worth on which a structure of the yard would fit.
    """

    ducat: float = 0.7
    die: float = 0.5
    again: float = 2.0
    rival: float = 0.5
    reserve: float = 0.4
    action: float = 2.5
    site: float = 0.05
