"""The thresholds that decide whether a place shows an identified tag, a tag that cannot be read, or nothing.

They were set on development seeds of the bench's tables; the campaign ``tests.campaigns.strangers`` tests them on
places without a tag of ours.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import log
from statistics import median
from typing import Protocol, TypeVar

MIN_SCORE = 0.48
"""Least residual correlation of an identity in the worst light; foreign codes reach 0.62 at most."""
ALIKE_WEIGHT = 0.45
"""Fraction of the likeness to any tag of ours that is added to that minimum: in good light tags of ours fit better."""
MIN_MARGIN = 0.22
"""Least lead over the next identity."""
MIN_SUM = 1.06
"""Least sum of score and lead: foreign codes that are high in one are low in the other.

Of 2 · 10⁵ places among such codes three reached 0.97 to 1.04.
"""
IMPRECISION_FRACTION = 0.1
"""What a tag of ours leaves unexplained besides noise, because the assumed blur, light and pose are never exact: as a
fraction of its variance."""
MAX_LEFT_OVER, MAX_COVERED_LEFT_OVER, MAX_HALF_LEFT_OVER = 1.1, 1.2, 1.05
"""Highest strength of what an identity leaves unexplained, as a multiple of noise and imprecision together: for a whole
tag, for one with a side or corner hidden, and for one half.  Beyond it, the required sum rises by the logarithm of the
excess.  A tag of ours scores low because of noise, a code that resembles it because some modules differ.  Seventeen
wrong names had 1.2 to 1.7; of our tags 97 in 100 have less than 1.05 as a whole and 1.2 in a part.  A partly hidden
coin lost its name at 1.1 (1.8 unexplained, 0.39 ahead of all others)."""
MIN_AWAITED_MARGIN = 0.15
"""Least lead over the next identity of a piece that the game waits for, in the mean of several pictures."""
MIN_AWAITED_SUM = 0.86
"""Least sum of score and lead of such a piece: one tag in ten is awaited, and hardly any foreign code resembles one."""
MIN_COVERED_SCORE = 0.72
"""Least residual correlation if a side or corner is left out of the comparison."""
MIN_COVERED_MARGIN = 0.26
"""Least lead over the next identity if a side or corner is left out of the comparison."""
MIN_COVERED_SUM = 1.15
"""Least sum of both if a side or corner is left out: one in a few thousand codes that begin like ours reaches 1.02.

Of 2 · 10⁵ places two foreign codes reached 1.08 and 1.12.
"""
MIN_HALVED_SCORE, MIN_HALVED_MARGIN, MIN_HALVED_SUM = 0.78, 0.26, 1.14
"""The same three if one half is left out."""
MIN_COMPANY_TAGS = 8
"""Least number of our tags, called a company, that show how high tags score in a picture."""
MIN_COMPANY_SUM = 0.85
"""Least sum of score and lead of a place that counts as one of them, and the lowest sum ever required in a company.

In light in which tags of ours score below 1.1, foreign codes reached 0.77.
"""
COMPANY_SUM_RATIO = 0.8
"""The sum required in a company, as a fraction of its median: in bad light foreign codes score lower as well, and
reach at most three quarters of what ours do."""
MIN_SCORE_SHARE = 0.6
"""Least score, as a fraction of that required sum."""
MIN_COMPANY_MARGIN = 0.18
"""Least lead over the next identity in a company."""
COVERED_SURCHARGE = 0.06
"""How much higher the required sum in a company is if a side or corner is left out of the comparison."""
MIN_EXPLAINED_SUM, MIN_EXPLAINED_COMPANY_SUM = 0.9, 0.84
"""Least sum of score and lead, with most noise softened away, of an identity that leaves no more unexplained than the
noise: alone, and in a company, where foreign codes are few.

Of 2700 foreign codes on three renderers two reached 0.81 and one 0.78, all others stayed below 0.72.
"""
MIN_WHITENED_SUM, MIN_WHITENED_COMPANY_SUM = 0.74, 0.66
"""The same with whitened errors.

Of 4200 foreign codes on three renderers one reached 0.64, all others stayed below 0.6; of 125,000 places of
``strangers`` three reached 0.6 to 0.62.
"""
MIN_WHITENED_MARGIN = 0.1
"""Least lead over the next identity with whitened errors."""
MIN_SIZED_SUM = 0.45
"""Least sum of score and lead of a place that is judged again at the usual size."""
UNEXPLAINED_WEIGHT = 0.8
"""How much the required sum rises, times the logarithm of the unexplained strength as a multiple of the noise: every
identity leaves something of a foreign code unexplained."""
MIN_EXPLAINED_ALIKE = 0.18
"""Least likeness to any tag of ours of a place whose noise is softened away; tags of ours reach 0.2, a table seen at a
wrong scale 0."""
MAX_PATCHINESS, MAX_LONE_PATCHINESS = 0.25, 0.2
"""How much more a faint place may look like a tag without one side or corner than that part does by itself, in a
company and alone: three half-hidden codes that were taken for other tags had 0.31 to 0.51, a fourth, alone, 0.247; a
few tags of ours in the worst light have more than 0.21."""
MIN_COVERED_PATCHINESS = 0.1
"""How much more the rest of a place has to look like a tag than a side or corner that seems covered: 4 in 100 of 220
tags that are read without that part have less, a foreign code with nothing over it had 0.003.  Below that, the place is
accepted only if no other code is likelier."""
MIN_SMOOTHED_SUM = 0.5
"""Least sum of score and lead of a place for which softening noise away is tried."""
MIN_EXPLAINED_MARGIN = 0.15
"""Least lead over the next identity with most noise softened away."""
MIN_ALIKE = 0.23
"""Likeness to any tag of ours below which a place may be print: a letter may look like one tag, never like all."""
MIN_UNLIKE_MARGIN = 0.25
"""Least lead of such a place if less than usual is required: tags of ours with so little likeness lead by as much in
the worst light, the M on a tile's face led by 0.21."""
MAX_SIZE_DEVIATION = 0.06
"""Largest relative difference in size from other tags if less than usual is required: in the worst light of three
renderers tags of ours were off by 0.05 at most, letters on faces that look like one by 0.07 and more."""
MIN_SIZES = 3
"""Least number of other tags whose sizes count for that; with fewer, the assumed size counts."""
MIN_HALF_ALIKE = 0.24
"""Least likeness to any tag of ours of a place that may show a partly covered tag …"""
MIN_WEAK_ALIKE = 0.2
"""… and the same in light that weakens all tags of ours; examining more places in good light takes a quarter longer."""
MIN_COVERED_RATIO = 0.5
"""The same as a fraction of the usual likeness of other tags, if there are many: of covered tags with no half that
shows by itself, none had less than 0.59 of it, in any light."""
MIN_FAINT_RATIO = 0.45
"""Least likeness of a faint place to any tag of ours, as a fraction of the usual likeness of known tags: of 2,300 faint
tags of two renderers that were read, none had less than 0.47."""
MIN_CLEAR_SCORE, USUAL_SHARE = 0.93, 0.9
"""Least residual correlation of a clear tag, which shows by itself how much tags in that light look like ours, and the
usual likeness as a fraction of that of clear tags.  Of 271 tags that were partly covered or veiled by light, one had
0.49 of the likeness of the clear ones near it, all others 0.56 and more: 0.45 is required of them."""
MIN_TAG_ALIKE = 0.33
"""Least likeness to any tag of ours of a place that is reported as a tag that cannot be read."""
MIN_APART_SIDES = 0.6
"""Least distance, sides, of a partly covered tag from a tag that was read: a place between two tags looks like one."""
MIN_NEARLY_SCORE = 0.5
"""Least residual correlation of a place that seems to show a tag of ours, though it is not sure yet which."""
MIN_NEARLY_MARGIN = 0.08
"""Least lead over the next identity of such a place; of 2000 places of artwork and wood none had both."""
MIN_NEARLY_ALIKE = 0.2
"""Least likeness to any tag of ours of such a place: an edge alone may look like one tag, not like all."""


class Judged(Protocol):
    """An identity at a place, as found by comparison."""

    @property
    def identity(self) -> int:
        """The number of its pattern."""

    @property
    def score(self) -> float:
        """The residual correlation of the best identity."""

    @property
    def margin(self) -> float:
        """The lead over the next identity."""

    @property
    def alike(self) -> float:
        """How much the place looks like any tag of ours."""

    @property
    def unexplained(self) -> float:
        """The strength of what the identity leaves unexplained, as a multiple of the noise there."""


AnyJudged = TypeVar("AnyJudged", bound=Judged)


def sure(guess: Judged) -> bool:
    """Return whether an identity is accepted if the whole tag was compared."""
    # The surcharge takes the longest, and few guesses would be accepted without it.
    return _leads(guess, MIN_MARGIN, MIN_SUM) and _leads(guess, MIN_MARGIN, MIN_SUM + _surcharge(guess))


def is_clear(guess: Judged) -> bool:
    """Return whether a place shows a tag so clearly that neither its pose nor its identity can be improved."""
    return guess.score >= MIN_CLEAR_SCORE and sure(guess)


def sure_of_awaited(guess: Judged) -> bool:
    """Return whether the identity of a piece that the game waits for is accepted in the mean of several pictures."""
    return _leads(guess, _min_margin(guess, MIN_AWAITED_MARGIN), MIN_AWAITED_SUM + _surcharge(guess))


def sure_though_covered(guess: Judged) -> bool:
    """Return whether an identity is accepted if one side or corner was left out of the comparison.

    Its ``unexplained`` is that of the part that was compared.
    """
    min_sum = MIN_COVERED_SUM + _surcharge(guess, MAX_COVERED_LEFT_OVER)
    total = guess.score + guess.margin
    return guess.score >= MIN_COVERED_SCORE and guess.margin >= MIN_COVERED_MARGIN and total >= min_sum


def sure_of_half(guess: Judged) -> bool:
    """Return whether an identity is accepted if one half was left out of the comparison.

    Its ``unexplained`` is that of the half that was compared.
    """
    min_sum = MIN_HALVED_SUM + _surcharge(guess, MAX_HALF_LEFT_OVER)
    total = guess.score + guess.margin
    return guess.score >= MIN_HALVED_SCORE and guess.margin >= MIN_HALVED_MARGIN and total >= min_sum


def required_sum(guesses: Iterable[Judged]) -> float:
    """Return the least sum of score and lead that is required of an identity in the company of these.

    In bad light all tags of ours score lower alike: if many are visible, they show by how much.
    """
    likely = likely_ours(guesses)
    if len(likely) < MIN_COMPANY_TAGS:
        return MIN_SUM
    usual = median(guess.score + guess.margin for guess in likely)
    return min(MIN_SUM, max(MIN_COMPANY_SUM, COMPANY_SUM_RATIO * usual))


def in_company(guesses: Iterable[Judged]) -> bool:
    """Return whether at least ``MIN_COMPANY_TAGS`` of these are likely tags of ours."""
    return len(likely_ours(guesses)) >= MIN_COMPANY_TAGS


def likely_ours(guesses: Iterable[AnyJudged]) -> list[AnyJudged]:
    """Return the guesses that are likely tags of ours, only the best for each tag, because each exists once."""
    best: dict[int, AnyJudged] = {}
    for guess in guesses:
        other = best.get(guess.identity)
        if other is None or guess.score + guess.margin > other.score + other.margin:
            best[guess.identity] = guess
    return [guess for guess in best.values() if guess.score + guess.margin >= MIN_COMPANY_SUM]


def usual_size(sizes: Sequence[float]) -> float:
    """Return the median size of a picture's tags, 1 if they are too few; sizes are fractions of the assumed one."""
    return median(sizes) if len(sizes) >= MIN_SIZES else 1.0


def usual_likeness(guesses: Sequence[Judged]) -> float:
    """Return the median likeness of guesses to any tag of ours, 0 if they are too few to tell.

    Of fewer than ``MIN_COMPANY_TAGS``, only the clear ones count, of which one is enough.
    """
    if len(guesses) >= MIN_COMPANY_TAGS:
        return median(guess.alike for guess in guesses)
    clear = [guess.alike for guess in guesses if is_clear(guess)]
    return USUAL_SHARE * median(clear) if clear else 0.0


def is_usual_size(size: float, usual: float) -> bool:
    """Return whether a tag's size is about the usual one in a picture."""
    return abs(size / usual - 1) <= MAX_SIZE_DEVIATION


def maybe_covered(guess: Judged, required: float, usual: float = 0.0) -> bool:
    """Return whether a place may show a partly covered tag.

    ``required``: the ``required_sum`` in the picture; ``usual``: the usual likeness of its other tags, 0 if they are
    too few to tell.
    """
    alike = MIN_WEAK_ALIKE if required < MIN_SUM else MIN_HALF_ALIKE
    return guess.alike > max(alike, MIN_COVERED_RATIO * usual) or nearly_sure(guess)


def sure_in_company(guess: Judged, min_sum: float, *, covered: bool = False) -> bool:
    """Return whether an identity that is nowhere else is accepted in a company in which ``min_sum`` is required.

    ``covered``: one side or corner was left out of the comparison, and ``unexplained`` is that of the rest.
    """
    if min_sum >= MIN_SUM:
        return False
    min_sum += COVERED_SURCHARGE + _surcharge(guess) if covered else _unexplained_surcharge(guess)
    margin = MIN_COMPANY_MARGIN if covered else _min_margin(guess, MIN_COMPANY_MARGIN)
    return guess.score >= MIN_SCORE_SHARE * min_sum and guess.margin >= margin and guess.score + guess.margin >= min_sum


def maybe_explained(guess: Judged) -> bool:
    """Return whether an identity is worth comparing with most noise softened away."""
    return guess.alike >= MIN_EXPLAINED_ALIKE and guess.score + guess.margin >= MIN_SMOOTHED_SUM


def sure_as_explained(guess: Judged, *, company: bool) -> bool:
    """Return whether an identity that is nowhere else is accepted because it explains everything except noise.

    Score and lead are those with most noise softened away; ``company``: among many tags of ours.
    """
    return _explains(guess, MIN_EXPLAINED_COMPANY_SUM if company else MIN_EXPLAINED_SUM, MIN_EXPLAINED_MARGIN)


def sure_as_whitened(guess: Judged, *, company: bool) -> bool:
    """Return whether an identity is accepted because it explains everything except noise, with whitened errors.

    Score and lead are those with whitened errors; ``company``: among many tags of ours.
    """
    return _explains(guess, MIN_WHITENED_COMPANY_SUM if company else MIN_WHITENED_SUM, MIN_WHITENED_MARGIN)


def maybe_sized(guess: Judged) -> bool:
    """Return whether a place where a tag seems larger or smaller than usual is worth judging again at the usual size.

    At a wrong size a tag hardly looks like one.
    """
    return guess.score + guess.margin >= MIN_SIZED_SUM


def _explains(guess: Judged, min_sum: float, min_margin: float) -> bool:
    """Return whether the lead reaches ``min_margin``, and the sum ``min_sum``, more if much is unexplained."""
    return guess.margin >= _min_margin(
        guess, min_margin
    ) and guess.score + guess.margin >= min_sum + _unexplained_surcharge(guess)


def nearly_sure(guess: Judged) -> bool:
    """Return whether a place seems to show a tag of ours though no identity is accepted: it is reported and retried."""
    return guess.score >= MIN_NEARLY_SCORE and guess.margin >= MIN_NEARLY_MARGIN and guess.alike >= MIN_NEARLY_ALIKE


def certainty(margin: float) -> float:
    """Return how sure an identity with that lead is, 0…1: 0.5 at the threshold, 1 if nothing else comes near."""
    return min(1.0, max(0.0, 0.5 + (margin - MIN_MARGIN) / 0.5))


def _surcharge(guess: Judged, usual: float = MAX_LEFT_OVER) -> float:
    """Return how much more is required of an identity that leaves more unexplained than the usual maximum."""
    rest = 1 - min(guess.score, 1.0) ** 2
    expected = rest / max(guess.unexplained, 0.1) ** 2 + IMPRECISION_FRACTION
    return max(0.0, log(rest / expected) / 2 - log(usual)) if rest > 0 else 0.0


def _unexplained_surcharge(guess: Judged) -> float:
    """Return how much more is required of an identity that leaves more unexplained than the noise."""
    return UNEXPLAINED_WEIGHT * log(max(guess.unexplained, 1.0))


def _min_margin(guess: Judged, usual: float) -> float:
    """Return the least lead at a place that hardly looks like a tag, or else the ``usual`` one."""
    return max(usual, MIN_UNLIKE_MARGIN) if guess.alike < MIN_ALIKE else usual


def _leads(guess: Judged, min_margin: float, min_sum: float) -> bool:
    min_score = MIN_SCORE + ALIKE_WEIGHT * guess.alike
    return guess.score >= min_score and guess.margin >= min_margin and guess.score + guess.margin >= min_sum
