"""Thresholds for the evidence that accepts an identity, or refuses one that score and lead would accept.

They were set on tables of the bench's renderers and of foreign codes, which docs/reading-thresholds.md lists.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log
from statistics import quantiles
from typing import NamedTuple

from tabletop.vision.recognise.faint.evidence import Strength
from tabletop.vision.recognise.thresholds import Judged

USUAL_EVIDENCE, MIN_STANDING, OUTSTANDING_WEIGHT = 14.0, 35.0, 4.0
"""The lead (see ``Strength``) usually required of an identity, the least standing, and the weight of ``outstanding`` in
it: standing is the lead plus the weighted ``outstanding``, less a penalty for what is unexplained.

Of 2800 places of foreign codes on two renderers, on which both limits were chosen, one missed both by 2, all others one
of them by more; without the second, four would have got a name, without the first three, though nothing was
unexplained.
"""
MIN_EVIDENCE, STANDING_EASE = 11.0, 0.5
"""The least lead of an identity with a higher standing, and how much the required lead falls for each unit of standing
above the least: of 5959 places in hard light and of small tags, where the likeliest tag was not the right one, one had
a lead of 10 and a standing of 35, one 13 and 31, and one 16 and 26."""
EVIDENT_LEFT_OVER_WEIGHT, STANDING_LEFT_OVER_WEIGHT = 12.0, 100.0
"""How much the required lead rises and the standing falls, times the logarithm of what is unexplained relative to tags
that are surely ours: every identity leaves something of a foreign code unexplained."""
MIN_OUTSTANDING = 3.2
"""Least ``outstanding`` of an identity for which less than usual is required: wood grain beside a card had 0.5 to 3
with tags of 8 mm, and two foreign codes among tags that hardly show anything 0.9 and 2.9; of tags of ours 99 in 100
have more."""
CONTRADICTED_STANDING = -5.0
"""Standing below which the picture's own blur contradicts an identity that is accepted for score and lead in a picture
whose tags show the blur: foreign codes had -97 to 3 and five 17 to 28, of tags of ours 97 in 100 have more than 2."""
CONTRADICTED_DISTANCE, CLEARLY_OUTSTANDING = 50.0, 6.0
"""How far the standing may be below that of nine in ten sure tags if ``outstanding`` is at least the second number: for
tags so small that camera pixels are larger than modules, there are more errors than noise and blur."""
MIN_LONE_STANDING = 26.0
"""Least standing of an identity for which less than usual is required at a single place: a code with one character
changed had 22, of tags of ours in hard light 19 in 20 have more than 21."""
MIN_EVIDENT_ALIKE, MIN_EVIDENT_SUM = 0.15, 0.36
"""Least likeness to any tag of ours, and least sum of score and lead, of a place that is examined for evidence."""
MIN_EVIDENT_HALF, USUAL_HALF, HALF_WEIGHT = 0.08, 0.2, 200.0
"""Least residual correlation of the identity with each half of such a place, the correlation below which more is
required, and how much more for each unit missing: a foreign code may resemble a tag of ours in one half, and if the
other is covered nothing speaks against it.  A half-hidden one reached 0.12, of tags of ours 19 in 20 have more than
0.21."""

MIN_FOREIGN_ALIKE, MAX_FOREIGN_LEAD, MAX_FOREIGN_OUTSTANDING = 0.95, -5.0, 4.0
"""A place shows a foreign code if its likeness to a tag is at least this fraction of the usual one of ours, and the
lead and ``outstanding`` of the identity that scores best there are lower than these: so it is for a third to two thirds
of foreign codes in hard light, and on tables with sixty tags of ours for up to two places, or up to four if the tags
are 10 mm large."""
MIN_EASED_ODDS, MAX_ODDS = 2.0, 4.12
"""The log odds above which less is required, and the highest that count: none higher were measured.

With 25 tags of ours and 35 foreign codes they were at most 1.4, with 60 tags of ours 2.3 to 4.1.
"""
EVIDENCE_ODDS_EASE, STANDING_ODDS_EASE = 3.0, 10.0
"""How much the required lead and standing fall for each unit of log odds above that."""
MIN_EASED_OUTSTANDING, MIN_EASED_SUM = 5.0, 0.6
"""Least ``outstanding`` and least sum of score and lead of an identity that profits from this: it may still be another
tag of ours, or wood grain.  Of 25 tags of 10 mm for which another one was likeliest, none stood out by more than 4.1;
of 26 places without a code that stood out by as much and led by more than -10, one had 0.82 and a lead of 0, all others
less than 0.56."""
MIN_DENOISED_MARGIN = 0.15
"""Least lead in the score of an identity for which evidence speaks only with the blur and noise of denoised print: with
so much blur, another tag of ours or wood grain may come out ahead.  Of 14 that were accepted without this limit in hard
light, 12 were right and led by 0.17 or more, and two were wrong and led by 0.01 and 0.09."""

MIN_JOINT_EVIDENCE, JOINT_LEFT_OVER_WEIGHT, JOINT_ODDS_EASE = 32.0, 40.0, 4.0
"""Least sum of the leads of an identity that leads any other code both with the known blurs and as denoised print, how
much it rises, times the logarithm of what is unexplained relative to tags that are surely ours, and how much it falls
for each unit of log odds: of 2,900 foreign codes on two renderers, a fifth of them with one character changed, one
missed the limit by 7, all others by 9 or more; of the wrong names on 34 tables of ours, none came nearer than 12."""


class Beside(NamedTuple):
    """What the other tags of ours in a picture say about it.

    ``unexplained``: the usual strength of what is unexplained of them, as a multiple of the noise; ``log_odds``: the
    logarithm of the ratio of places with tags of ours to places with foreign codes.
    """

    unexplained: float = 1.0
    log_odds: float = 0.0

    @property
    def favour(self) -> float:
        """By how much the log odds exceed ``MIN_EASED_ODDS``, 0 if they do not."""
        return max(min(self.log_odds, MAX_ODDS) - MIN_EASED_ODDS, 0.0)


def maybe_evident(guess: Judged) -> bool:
    """Return whether computing the evidence for an identity is worthwhile."""
    return guess.alike >= MIN_EVIDENT_ALIKE and guess.score + guess.margin >= MIN_EVIDENT_SUM


def evident(guess: Judged, strength: Strength, beside: Beside, half: float) -> bool:
    """Return whether the evidence is strong enough for an identity that is nowhere else.

    ``half``: the least residual correlation of the identity with any half of the place.
    """
    eased = strength.outstanding >= MIN_EASED_OUTSTANDING and guess.score + guess.margin >= MIN_EASED_SUM
    ease = beside.favour if eased else 0.0
    beyond = standing(guess, strength, beside) - MIN_STANDING - _half_surcharge(half) + STANDING_ODDS_EASE * ease
    min_lead = max(USUAL_EVIDENCE - STANDING_EASE * beyond, MIN_EVIDENCE) - EVIDENCE_ODDS_EASE * ease
    min_lead += EVIDENT_LEFT_OVER_WEIGHT * _excess(guess, beside.unexplained) + _half_surcharge(half)
    return beyond >= 0 and strength.lead >= min_lead


def jointly_evident(guess: Judged, leads: Sequence[float], beside: Beside, half: float = USUAL_HALF) -> bool:
    """Return whether the leads of an identity by two models of a camera are high enough together; ``half`` as above."""
    min_sum = MIN_JOINT_EVIDENCE - JOINT_ODDS_EASE * beside.favour + _half_surcharge(half)
    return min(leads) > 0 and sum(leads) >= min_sum + JOINT_LEFT_OVER_WEIGHT * _excess(guess, beside.unexplained)


def least_evidence(beside: Beside) -> float:
    """Return the least lead that is ever required of an identity, however far it stands out."""
    return MIN_EVIDENCE - EVIDENCE_ODDS_EASE * beside.favour


def stands_out(outstanding: float) -> bool:
    """Return whether an identity for which less than usual is required is far likelier than our tags on average."""
    return outstanding >= MIN_OUTSTANDING


def contradicted(stands: float, outstanding: float, lowest: float) -> bool:
    """Return whether a place speaks against an identity that is accepted for its score and lead.

    ``stands``: its standing; ``lowest``: the ``lowest_standing`` of tags that are surely ours.
    """
    min_standing = CONTRADICTED_STANDING
    if outstanding >= CLEARLY_OUTSTANDING:
        min_standing = min(min_standing, lowest - CONTRADICTED_DISTANCE)
    return stands < min_standing


def lowest_standing(standings: Sequence[float]) -> float:
    """Return the standing that nine in ten of some tags reach."""
    lowest, *_ = quantiles(standings, n=10, method="inclusive")
    return lowest


def standing(guess: Judged, strength: Strength, beside: Beside) -> float:
    """Return the lead of an identity plus how far it stands out, less a penalty for what is unexplained."""
    left = STANDING_LEFT_OVER_WEIGHT * _excess(guess, beside.unexplained)
    return strength.lead + OUTSTANDING_WEIGHT * strength.outstanding - left


def looks_foreign(strength: Strength) -> bool:
    """Return whether a place that looks like a tag shows a foreign code.

    ``strength``: that of the identity with the best score there.
    """
    return strength.lead < MAX_FOREIGN_LEAD and strength.outstanding < MAX_FOREIGN_OUTSTANDING


def log_odds(ours: int, foreign: int) -> float:
    """Return the logarithm of the ratio of places with our tags to places with foreign codes, one added to each."""
    return log((ours + 1) / (foreign + 1))


def _half_surcharge(half: float) -> float:
    """Return how much more is required of an identity that a half of the place hardly resembles."""
    return HALF_WEIGHT * max(USUAL_HALF - half, 0.0)


def _excess(guess: Judged, usual: float) -> float:
    """Return the logarithm of what is unexplained relative to the usual, 0 if it is less."""
    return log(max(guess.unexplained / max(usual, 1.0), 1.0))
