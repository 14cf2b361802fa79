"""What may be believed: the thresholds between an identity, a place that cannot be read, and nothing.

They were set on development seeds of the bench's tables; the campaign ``tests.campaigns.strangers`` tries them on
places that have no tag of ours.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import log
from statistics import median
from typing import Protocol, TypeVar

MIN_SCORE = 0.48
"""Least residual correlation of an identity in the worst light; foreign codes reach 0.62 at most."""
ALIKE_WEIGHT = 0.45
"""How much of the likeness to any tag of ours is asked for on top: in good light a tag of ours fits better."""
MIN_MARGIN = 0.22
"""Least lead over the next identity."""
MIN_SUM = 1.06
"""Least sum of score and lead: foreign codes that are high in one are low in the other.

Of 2 · 10⁵ places among such codes three reached 0.97 to 1.04.
"""
IMPRECISION_FRACTION = 0.1
"""What a tag of ours leaves over besides noise, because blur, light and pose are never quite what they are taken to be:
as a part of all that is seen of it, squared."""
MAX_LEFT_OVER, MAX_COVERED_LEFT_OVER, MAX_HALF_LEFT_OVER = 1.1, 1.2, 1.05
"""How strong what an identity leaves over may be, as a multiple of noise and imprecision together: for a whole tag, for
one of which a side or corner is hidden, and for one half.  Beyond that the sum has to be higher by the logarithm of the
excess.  A tag of ours scores low because of noise, a code that resembles it because some modules differ.  Seventeen
wrong names had 1.2 to 1.7; of our tags 97 in 100 have less than 1.05 in the whole and 1.2 in a part.  A coin of which a
part was hidden lost its name at 1.1 (1.8 left over, 0.39 ahead of all others)."""
MIN_AWAITED_MARGIN = 0.15
"""Least lead over the next identity of a piece that the game waits for, where several pictures show it together."""
MIN_AWAITED_SUM = 0.86
"""Least sum of both there: what is awaited is one in ten of all, and hardly any foreign code is like it."""
MIN_COVERED_SCORE = 0.72
"""Least residual correlation where a side or corner is left out of the comparison."""
MIN_COVERED_MARGIN = 0.26
"""Least lead over the next identity where a side or corner is left out of the comparison."""
MIN_COVERED_SUM = 1.15
"""Least sum of both there: one in a few thousand codes that begin like ours reaches 1.02.

Of 2 · 10⁵ places two foreign codes reached 1.08 and 1.12.
"""
MIN_HALVED_SCORE, MIN_HALVED_MARGIN, MIN_HALVED_SUM = 0.78, 0.26, 1.14
"""The same where one half is left out."""
MIN_COMPANY_TAGS = 8
"""The least number of our tags in a picture that shows how well tags come out in it."""
MIN_COMPANY_SUM = 0.85
"""Sum of score and lead from which on a place counts among them, and the least that is ever asked for.

In light in which tags of ours come out below 1.1, foreign codes reached 0.77.
"""
COMPANY_SUM_RATIO = 0.8
"""The sum that is asked for in their company, as a part of what is usual of them: what foreign codes reach
shrinks with the light as that of ours does, and is at most three quarters of it."""
MIN_SCORE_SHARE = 0.6
"""How much of that sum the score has to be."""
MIN_COMPANY_MARGIN = 0.18
"""Least lead over the next identity in that company."""
COVERED_SURCHARGE = 0.06
"""How much more is asked for in that company where a side or corner is left out of the comparison."""
MIN_EXPLAINED_SUM, MIN_EXPLAINED_COMPANY_SUM = 0.9, 0.84
"""Sum of score and lead, with most noise softened away, that is asked for where an identity leaves over as much as the
noise: alone, and in the company of tags of ours, among which foreign codes are few.

Of 2700 foreign codes on three renderers two reached 0.81 and one 0.78, all others stayed below 0.72.
"""
MIN_WHITENED_SUM, MIN_WHITENED_COMPANY_SUM = 0.74, 0.66
"""The same where errors were whitened.

Of 4200 foreign codes on three renderers one reached 0.64, all others stayed below 0.6; of 125,000 places of
``strangers`` three reached 0.6 to 0.62.
"""
MIN_WHITENED_MARGIN = 0.1
"""Least lead over the next identity there."""
MIN_SIZED_SUM = 0.45
"""Sum of score and lead below which a place is neither judged again at the usual size nor asked for evidence."""
UNEXPLAINED_WEIGHT = 0.8
"""How much more is asked for, times the logarithm of how many times as strong as the noise is what an identity leaves
over: of a foreign code every identity leaves something over."""
MIN_EXPLAINED_ALIKE = 0.18
"""Least likeness to any tag of ours there; tags of ours reach 0.2, a table seen at a wrong scale 0."""
MAX_PATCHINESS, MAX_LONE_PATCHINESS = 0.25, 0.2
"""How much more like a tag such a place may look without one side or corner than that part does by itself, among many
tags of ours and alone: three half-hidden codes that were taken for other tags had 0.31 to 0.51, a fourth, alone, 0.247;
a few tags of ours in the worst light have more than 0.21."""
MIN_COVERED_PATCHINESS = 0.1
"""How much more like a tag the rest of a place has to look than a side or corner over which something seems to lie: of
220 tags that are read without it 4 in 100 have less, a foreign code with nothing over it had 0.003.  Below that no
other code may be likelier."""
MIN_SMOOTHED_SUM = 0.5
"""Sum of score and lead below which softening noise away does not make one that is enough."""
MIN_EXPLAINED_MARGIN = 0.15
"""Least lead over the next identity there."""
MIN_ALIKE = 0.23
"""What looks less like any tag of ours than this may be print: a letter may look like one tag, never like all."""
MIN_UNLIKE_MARGIN = 0.25
"""Least lead there where less is asked for than usual: tags of ours that look so little like one lead by as much in the
worst light, the M on a tile's face led by 0.21."""
MAX_SIZE_DEVIATION = 0.06
"""By how much of its size what is believed for less than usual may differ from other tags: in the worst light of three
renderers tags of ours were off by 0.05 at most, letters on faces that look like one by 0.07 and more."""
MIN_SIZES = 3
"""With fewer tags beside it its size is compared with the one that was assumed."""
MIN_HALF_ALIKE = 0.24
"""From here on a tag may lie there with something over a part of it …"""
MIN_WEAK_ALIKE = 0.2
"""… and from here on in light that weakens all tags of ours; to look at more in good light takes a quarter longer."""
MIN_COVERED_RATIO = 0.5
"""The same as a share of how much the tags beside it look like one, if there are many: of covered tags of which no half
shows by itself, none had less than 0.59 of that, in light of any kind."""
MIN_TAG_ALIKE = 0.33
"""From here on a place that was not identified is reported as one."""
MIN_NEARLY_SCORE = 0.5
"""Residual correlation from which on a tag of ours seems to lie there, though which one is not sure yet."""
MIN_NEARLY_MARGIN = 0.08
"""Lead over the next identity from which on it does; of 2000 places of art and wood none had both."""
MIN_NEARLY_ALIKE = 0.2
"""Likeness to any tag of ours from which on it does: an edge alone may look like one tag, not like all."""


class Judged(Protocol):
    """An identity at a place, as comparison found it."""

    @property
    def which(self) -> int:
        """The number of its pattern."""

    @property
    def score(self) -> float:
        """The residual correlation of the best identity."""

    @property
    def margin(self) -> float:
        """How far it leads the next identity."""

    @property
    def alike(self) -> float:
        """How much the place looks like any tag of ours."""

    @property
    def unexplained(self) -> float:
        """How many times as strong as the noise there is what the identity leaves over."""


AnyJudged = TypeVar("AnyJudged", bound=Judged)


def sure(guess: Judged) -> bool:
    """Return whether an identity may be believed when the whole tag was compared."""
    return _leads(guess, MIN_MARGIN, MIN_SUM + _surcharge(guess))


def sure_of_awaited(guess: Judged) -> bool:
    """Return whether the identity of a piece that the game waits for may be believed, in several pictures together."""
    return _leads(guess, _least_margin(guess, MIN_AWAITED_MARGIN), MIN_AWAITED_SUM + _surcharge(guess))


def sure_though_covered(guess: Judged) -> bool:
    """Return whether an identity may be believed when one side or corner was left out of the comparison.

    What it leaves over is that of the part that was compared.
    """
    least = MIN_COVERED_SUM + _surcharge(guess, MAX_COVERED_LEFT_OVER)
    together = guess.score + guess.margin
    return guess.score >= MIN_COVERED_SCORE and guess.margin >= MIN_COVERED_MARGIN and together >= least


def sure_of_half(guess: Judged) -> bool:
    """Return whether an identity may be believed when one half was left out of the comparison.

    What it leaves over is that of the half that was compared.
    """
    least = MIN_HALVED_SUM + _surcharge(guess, MAX_HALF_LEFT_OVER)
    together = guess.score + guess.margin
    return guess.score >= MIN_HALVED_SCORE and guess.margin >= MIN_HALVED_MARGIN and together >= least


def asked(guesses: Iterable[Judged]) -> float:
    """Return the least sum of score and lead at which an identity may be believed in the company of these.

    In bad light tags of ours come out weaker, all of them alike: if many are seen, they show by how much.
    """
    likely = likely_ours(guesses)
    if len(likely) < MIN_COMPANY_TAGS:
        return MIN_SUM
    usual = median(guess.score + guess.margin for guess in likely)
    return min(MIN_SUM, max(MIN_COMPANY_SUM, COMPANY_SUM_RATIO * usual))


def in_company(guesses: Iterable[Judged]) -> bool:
    """Return whether many of these are tags of ours."""
    return len(likely_ours(guesses)) >= MIN_COMPANY_TAGS


def likely_ours(guesses: Iterable[AnyJudged]) -> list[AnyJudged]:
    """Return the guesses that are likely tags of ours, the best of each, because each lies there once."""
    best: dict[int, AnyJudged] = {}
    for guess in guesses:
        other = best.get(guess.which)
        if other is None or guess.score + guess.margin > other.score + other.margin:
            best[guess.which] = guess
    return [guess for guess in best.values() if guess.score + guess.margin >= MIN_COMPANY_SUM]


def usual_size(sizes: Sequence[float]) -> float:
    """Return how large the tags of a picture usually are; all sizes are parts of the one that was assumed."""
    return median(sizes) if len(sizes) >= MIN_SIZES else 1.0


def usual_likeness(guesses: Sequence[Judged]) -> float:
    """Return how much tags of ours usually look like one, 0 if they are too few to tell."""
    return median(guess.alike for guess in guesses) if len(guesses) >= MIN_COMPANY_TAGS else 0.0


def as_large(size: float, usual: float) -> bool:
    """Return whether a tag is as large as is usual in a picture."""
    return abs(size / usual - 1) <= MAX_SIZE_DEVIATION


def maybe_covered(guess: Judged, least: float, usual: float = 0.0) -> bool:
    """Return whether a tag may lie there with something over a part of it, where so much is ``asked``.

    ``usual``: how much the tags beside it look like one, 0 if they are too few to tell.
    """
    alike = MIN_WEAK_ALIKE if least < MIN_SUM else MIN_HALF_ALIKE
    return guess.alike > max(alike, MIN_COVERED_RATIO * usual) or nearly(guess)


def sure_in_company(guess: Judged, least: float, *, covered: bool = False) -> bool:
    """Return whether an identity that is nowhere else may be believed where ``least`` is asked.

    ``covered``: one side or corner was left out of the comparison, and what is left over is that of the rest.
    """
    if least >= MIN_SUM:
        return False
    least += COVERED_SURCHARGE + _surcharge(guess) if covered else _left_over(guess)
    margin = MIN_COMPANY_MARGIN if covered else _least_margin(guess, MIN_COMPANY_MARGIN)
    return guess.score >= MIN_SCORE_SHARE * least and guess.margin >= margin and guess.score + guess.margin >= least


def maybe_explained(guess: Judged) -> bool:
    """Return whether an identity is worth comparing with most noise softened away."""
    return guess.alike >= MIN_EXPLAINED_ALIKE and guess.score + guess.margin >= MIN_SMOOTHED_SUM


def sure_as_explained(guess: Judged, *, company: bool) -> bool:
    """Return whether an identity that is nowhere else may be believed because it explains all that is seen but noise.

    Score and lead are those with most noise softened away; ``company``: among many tags of ours.
    """
    return _explains(guess, MIN_EXPLAINED_COMPANY_SUM if company else MIN_EXPLAINED_SUM, MIN_EXPLAINED_MARGIN)


def sure_as_whitened(guess: Judged, *, company: bool) -> bool:
    """Return whether an identity may be believed for the same reason where score and lead are those of whitened errors.

    ``company``: among many tags of ours.
    """
    return _explains(guess, MIN_WHITENED_COMPANY_SUM if company else MIN_WHITENED_SUM, MIN_WHITENED_MARGIN)


def maybe_sized(guess: Judged) -> bool:
    """Return whether a place at which a tag seems larger or smaller than usual is worth looking at in the usual size.

    At a wrong size a tag hardly looks like one.
    """
    return guess.score + guess.margin >= MIN_SIZED_SUM


def _explains(guess: Judged, least: float, margin: float) -> bool:
    """Return whether score and lead are ``least`` together, more if much is left over, and the lead is ``margin``."""
    return guess.margin >= _least_margin(guess, margin) and guess.score + guess.margin >= least + _left_over(guess)


def nearly(guess: Judged) -> bool:
    """Return whether a tag of ours seems to lie there that may not be believed: it is reported and looked at again."""
    return guess.score >= MIN_NEARLY_SCORE and guess.margin >= MIN_NEARLY_MARGIN and guess.alike >= MIN_NEARLY_ALIKE


def certainty(margin: float) -> float:
    """Return how sure an identity with that lead is, 0…1: 0.5 at the threshold, 1 if nothing else comes near."""
    return min(1.0, max(0.0, 0.5 + (margin - MIN_MARGIN) / 0.5))


def _surcharge(guess: Judged, usual: float = MAX_LEFT_OVER) -> float:
    """Return how much more is required of an identity that leaves more unexplained than the usual maximum."""
    left = 1 - min(guess.score, 1.0) ** 2
    expected = left / max(guess.unexplained, 0.1) ** 2 + IMPRECISION_FRACTION
    return max(0.0, log(left / expected) / 2 - log(usual)) if left > 0 else 0.0


def _left_over(guess: Judged) -> float:
    """Return how much more is required of an identity that leaves more unexplained than the noise."""
    return UNEXPLAINED_WEIGHT * log(max(guess.unexplained, 1.0))


def _least_margin(guess: Judged, usual: float) -> float:
    """Return the least lead at a place at which less is asked for than usual."""
    return max(usual, MIN_UNLIKE_MARGIN) if guess.alike < MIN_ALIKE else usual


def _leads(guess: Judged, margin: float, together: float) -> bool:
    least = MIN_SCORE + ALIKE_WEIGHT * guess.alike
    return guess.score >= least and guess.margin >= margin and guess.score + guess.margin >= together
