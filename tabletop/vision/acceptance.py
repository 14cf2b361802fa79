"""What may be believed: the thresholds between an identity, a place that cannot be read, and nothing.

They were set on development seeds of the bench's tables; the campaign ``tests.campaigns.strangers`` holds them against
places that bear no tag of ours.
"""

from __future__ import annotations

from typing import Protocol

LEAST_SCORE = 0.33
"""Least residual correlation of an identity; art, wood, hands and photographs stay below 0.25."""
LEAST_MARGIN = 0.15
"""Least lead over the next identity."""
LEAST_RATIO = 0.8
"""Least residual correlation as a part of how much the place looks like any tag of ours.

Both suffer alike from blur, noise and light: our own come out near 1.1, codes from elsewhere far below.
"""
COVERED_SCORE = 0.42
"""Least residual correlation where a side or corner is left out of the comparison."""
COVERED_MARGIN = 0.2
"""Least lead over the next identity where a side or corner is left out of the comparison."""
HALF_ALIKE = 0.24
"""From here on a tag may lie there with something over a part of it."""
TAG_LIKE = 0.33
"""From here on a place that was not identified is reported as one."""


class Judged(Protocol):
    """An identity at a place, as comparison found it."""

    @property
    def score(self) -> float:
        """The residual correlation of the best identity."""

    @property
    def margin(self) -> float:
        """How far it leads the next identity."""

    @property
    def alike(self) -> float:
        """How much the place looks like any tag of ours."""


def sure(guess: Judged) -> bool:
    """Tell whether an identity may be believed when the whole tag was compared."""
    return guess.score >= max(LEAST_SCORE, LEAST_RATIO * guess.alike) and guess.margin >= LEAST_MARGIN


def sure_though_covered(guess: Judged) -> bool:
    """Tell whether an identity may be believed when one side or corner was left out of the comparison."""
    return guess.score >= COVERED_SCORE and guess.margin >= COVERED_MARGIN


def certainty(margin: float) -> float:
    """Return how sure an identity with that lead is, 0…1: 0.5 at the threshold, 1 where nothing else comes near."""
    return min(1.0, max(0.0, 0.5 + (margin - LEAST_MARGIN) / 0.5))
