"""Guesses that comparison makes at a place, as input for thresholds."""

from __future__ import annotations

from typing import NamedTuple


class Guess(NamedTuple):
    score: float
    margin: float
    alike: float = 0.3
    unexplained: float = 1.0
    identity: int = 0


WEAK = Guess(0.66, 0.26)
"""A tag of ours as it scores in hard light."""
