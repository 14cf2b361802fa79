"""How strongly a place has to speak for an identity, or may speak against one that score and lead accept.

These thresholds were set on tables of the bench's renderers and of foreign codes; docs/reading-thresholds.md tells on
which.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log
from statistics import quantiles
from typing import NamedTuple

from tabletop.vision.recognise.faint.evidence import Strength
from tabletop.vision.recognise.thresholds import Judged, maybe_sized

USUAL_EVIDENCE, MIN_STANDING, OUTSTANDING_WEIGHT = 14.0, 35.0, 4.0
"""How many times likelier an identity has to make what is seen than any other code does (natural logarithm), and the
least sum of that and of how far the identity stands out, a deviation of which counts as much.

Of 2800 places of foreign codes on two renderers on which both were chosen one missed both by 2, all others one of them
by more; but for the second four would have got a name, but for the first three, though nothing was unexplained.
"""
MIN_EVIDENCE, STANDING_EASE = 11.0, 0.5
"""The least logarithm for an identity for which that sum is higher, and how much less is enough for each more of it: of
5959 places in hard light and of small tags that were not the tag that was likeliest there, one had 10 and a sum of 35,
one 13 and 31, and one 16 and 26."""
EVIDENT_LEFT_OVER_WEIGHT, STANDING_LEFT_OVER_WEIGHT = 12.0, 100.0
"""How much more is asked for of each, times the logarithm of how many times as much as of tags that are surely ours is
left over: of a foreign code every identity leaves something over."""
MIN_OUTSTANDING = 3.2
"""By how many deviations an identity that is accepted for less than usual has to be likelier than our tags are on
average: grain of wood beside a card had 0.5 to 3 where tags were 8 mm large, and two foreign codes among tags that
hardly show anything 0.9 and 2.9; of tags of ours 99 in 100 have more."""
CONTRADICTED_STANDING = -5.0
"""The sum below which the picture's own blur contradicts an identity that is accepted for score and lead beside tags
that show the blur: foreign codes had -97 to 3 and five 17 to 28, of tags of ours 97 in 100 have more than 2."""
CONTRADICTED_DISTANCE, CLEARLY_OUTSTANDING = 50.0, 6.0
"""How far that sum may be below what nine in ten sure tags have, if an identity stands out by this many deviations: in
tags so small that camera pixels are larger than modules, more errs than noise and blur."""
MIN_LONE_STANDING = 26.0
"""The least of that sum for an identity that is accepted for less than usual at a single place: a code with one
character changed had 22, of tags of ours in hard light 19 in 20 have more than 21."""
MIN_EVIDENT_ALIKE = 0.15
"""Likeness to any tag of ours below which evidence is not asked for."""
MIN_EVIDENT_HALF, USUAL_HALF, HALF_WEIGHT = 0.08, 0.2, 200.0
"""Least residual correlation of the identity with each half of such a place, below what more is asked for, and how many
times as much as is missing: a foreign code may be like a tag of ours in one half, and if something lies over the other
nothing speaks against it.  A half-hidden one reached 0.12, of tags of ours 19 in 20 have more than 0.21."""

MIN_FOREIGN_ALIKE, MAX_FOREIGN_LEAD, MAX_FOREIGN_OUTSTANDING = 0.95, -5.0, 4.0
"""A place shows a foreign code if it looks as much like a tag as this part of what is usual of ours, and the identity
that scores best there leads any other code by less and stands out by less: a third to two thirds of foreign codes in
hard light do, and on tables with sixty tags of ours up to two places, or up to four if the tags are 10 mm large."""
MIN_EASED_ODDS, MAX_ODDS = 2.0, 4.12
"""The log odds above which less is enough, and the highest that count: none higher were measured.

With 25 tags of ours and 35 foreign codes they were at most 1.4, with 60 tags of ours 2.3 to 4.1.
"""
EVIDENCE_ODDS_EASE, STANDING_ODDS_EASE = 3.0, 10.0
"""How much less of the lead and of the sum is enough for each unit above."""
MIN_EASED_OUTSTANDING, MIN_EASED_SUM = 5.0, 0.6
"""By how many deviations an identity has to stand out for that, and the least sum of score and lead: it may still be
another tag of ours, or grain of wood.  Of 25 tags of 10 mm for which another one was likeliest, none stood out by more
than 4.1; of 26 places without a code that stood out by as much and led by more than -10, one had 0.82 and led by
nothing, all others less than 0.56."""


class Beside(NamedTuple):
    """What the tags of ours beside a place tell.

    ``unexplained``: how many times as strong as the noise is what is usually left over of them; ``log_odds``: the
    logarithm of how many times as many places show tags of ours as show foreign codes.
    """

    unexplained: float = 1.0
    log_odds: float = 0.0

    @property
    def favour(self) -> float:
        """By how much the log odds exceed those from which on less is enough."""
        return max(min(self.log_odds, MAX_ODDS) - MIN_EASED_ODDS, 0.0)


def maybe_evident(guess: Judged) -> bool:
    """Return whether it is worth asking how strongly a place speaks for an identity rather than for any other code."""
    return guess.alike >= MIN_EVIDENT_ALIKE and maybe_sized(guess)


def evident(guess: Judged, strength: Strength, beside: Beside, half: float) -> bool:
    """Return whether a place speaks strongly enough for an identity that is nowhere else.

    ``half``: the least residual correlation of the identity with any half of the place.
    """
    eased = strength.outstanding >= MIN_EASED_OUTSTANDING and guess.score + guess.margin >= MIN_EASED_SUM
    ease = beside.favour if eased else 0.0
    more = HALF_WEIGHT * max(USUAL_HALF - half, 0.0)
    beyond = standing(guess, strength, beside) - MIN_STANDING - more + STANDING_ODDS_EASE * ease
    least = max(USUAL_EVIDENCE - STANDING_EASE * beyond, MIN_EVIDENCE) - EVIDENCE_ODDS_EASE * ease
    least += EVIDENT_LEFT_OVER_WEIGHT * _excess(guess, beside.unexplained) + more
    return beyond >= 0 and strength.lead >= least


def least_evidence(beside: Beside) -> float:
    """Return the least logarithm by which an identity leads any other code, however far it stands out."""
    return MIN_EVIDENCE - EVIDENCE_ODDS_EASE * beside.favour


def stands_out(outstanding: float) -> bool:
    """Return whether an identity that is accepted for less than usual is by far likelier than our tags are on average.

    ``outstanding``: by how many deviations it is.
    """
    return outstanding >= MIN_OUTSTANDING


def contradicted(stands: float, outstanding: float, lowest: float) -> bool:
    """Return whether a place speaks against an identity that is accepted for its score and lead.

    ``stands``: its standing; ``outstanding`` as above; ``lowest``: the standing that tags have that are surely ours.
    """
    least = CONTRADICTED_STANDING
    if outstanding >= CLEARLY_OUTSTANDING:
        least = min(least, lowest - CONTRADICTED_DISTANCE)
    return stands < least


def lowest_standing(standings: Sequence[float]) -> float:
    """Return the standing that nine in ten of some tags have."""
    lowest, *_ = quantiles(standings, n=10, method="inclusive")
    return lowest


def standing(guess: Judged, strength: Strength, beside: Beside) -> float:
    """Return how strongly a place speaks for an identity and how far this stands out, less what is left over."""
    left = STANDING_LEFT_OVER_WEIGHT * _excess(guess, beside.unexplained)
    return strength.lead + OUTSTANDING_WEIGHT * strength.outstanding - left


def looks_foreign(strength: Strength) -> bool:
    """Return whether a place that looks like a tag shows a foreign code; ``strength``: of what scores best there."""
    return strength.lead < MAX_FOREIGN_LEAD and strength.outstanding < MAX_FOREIGN_OUTSTANDING


def log_odds(ours: int, foreign: int) -> float:
    """Return the logarithm of how many times as many places show our tags as show foreign codes, one added to each."""
    return log((ours + 1) / (foreign + 1))


def _excess(guess: Judged, usual: float) -> float:
    """Return the logarithm of how many times as much as usual is left over, 0 if it is less."""
    return log(max(guess.unexplained / max(usual, 1.0), 1.0))
