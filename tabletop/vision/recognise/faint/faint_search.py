"""Identifies faint tags, whose score and lead are too low, by slower comparisons that model errors in more detail.

Noise is softened away, or errors are whitened, or light, pose and blur are fitted together with each identity.  The
width of the blur is learnt from tags that are surely read.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from statistics import median

import numpy as np
from numpy.typing import NDArray

from tabletop.vision.frame import Floats
from tabletop.vision.geometry.plane import Array
from tabletop.vision.recognise.faint.blur import MAX_KNOWN_TAGS, MIN_KNOWN_TAGS, learnt_blurs
from tabletop.vision.recognise.faint.evidence import DENOISED_BLURS, DENOISED_NOISES, USUAL_BLURS, Evidence, Strength
from tabletop.vision.recognise.faint.evidence_thresholds import (
    CONTRADICTED_STANDING,
    MIN_DENOISED_MARGIN,
    MIN_EVIDENT_HALF,
    MIN_FOREIGN_ALIKE,
    MIN_LONE_STANDING,
    Beside,
    contradicted,
    evident,
    jointly_evident,
    least_evidence,
    log_odds,
    looks_foreign,
    lowest_standing,
    maybe_evident,
    standing,
    stands_out,
)
from tabletop.vision.recognise.patches import Patches, Rows
from tabletop.vision.recognise.pose_search import Guess, PoseSearch
from tabletop.vision.recognise.templates import offsets
from tabletop.vision.recognise.thresholds import (
    MAX_LONE_PATCHINESS,
    MAX_PATCHINESS,
    MIN_COMPANY_SUM,
    MIN_COVERED_PATCHINESS,
    MIN_FAINT_RATIO,
    MIN_SIZES,
    MIN_SUM,
    in_company,
    maybe_explained,
    sure_as_explained,
    sure_as_whitened,
    sure_in_company,
    usual_likeness,
    usual_size,
)

RIVAL_COUNT = 6
"""Number of the patterns with the best scores at a place that its identity has to lead first: six are compared as fast
as two, and all of them, which takes nine times as long, less often."""


class KnownTags:
    """Tags of ours in a picture, which show how large tags are in it and how widely it blurs them, if they are enough.

    If they are not sure, they may speak against an identity, but not for one.
    """

    def __init__(self, close: Patches, guesses: Sequence[Guess], patterns: Floats, *, are_sure: bool) -> None:
        self._close, self._guesses, self._patterns, self.are_sure = close, guesses, patterns, are_sure

    @cached_property
    def size(self) -> float:
        """Their usual size, as a fraction of the assumed one."""
        return usual_size([float(guess.pose[3]) for guess in self._guesses])

    @property
    def show_size(self) -> bool:
        """Whether they are enough to show how large tags are."""
        return len(self._guesses) >= MIN_SIZES

    @cached_property
    def unexplained(self) -> float:
        """The usual strength of what is unexplained of them, as a multiple of the noise; 1 if they are too few."""
        return median(guess.unexplained for guess in self._guesses) if len(self._guesses) >= MIN_KNOWN_TAGS else 1.0

    @cached_property
    def alike(self) -> float:
        """Their usual likeness to any tag of ours, 0 if they are too few to tell."""
        return usual_likeness(self._guesses)

    @cached_property
    def sample(self) -> Sequence[Guess]:
        """As many of them as are enough to learn from, none if they are too few."""
        if len(self._guesses) < MIN_KNOWN_TAGS:
            return ()
        return self._guesses[:: -(-len(self._guesses) // MAX_KNOWN_TAGS)]

    @cached_property
    def blurs(self) -> tuple[float, float] | None:
        """The two widths that enclose their blur, None if they are too few to tell."""
        if not self.sample:
            return None
        samples = self._close.softly(*_rows_and_poses(self.sample), offsets())[:, 0]
        return learnt_blurs(samples, self._patterns[[guess.identity for guess in self.sample]])


class FaintSearch:
    """Judges guesses that are not accepted by score and lead alone."""

    def __init__(self, search: PoseSearch) -> None:
        self._search, self._templates = search, search.templates

    @cached_property
    def evidence(self) -> Evidence:
        """The comparison of identities with any other code."""
        return Evidence(self._templates.whole, self._templates.several)

    @cached_property
    def denoised(self) -> Evidence:
        """The same where a camera took faint detail for noise."""
        return Evidence(self._templates.whole, self._templates.several, DENOISED_NOISES)

    def forget(self) -> None:
        """Free all evidence, which is computed again if a faint place is met."""
        for name in ("evidence", "denoised"):
            self.__dict__.pop(name, None)

    def known(self, close: Patches, guesses: Sequence[Guess], likely: Sequence[Guess] = ()) -> KnownTags:
        """Return the tags that show a picture's usual size and blur: ``guesses``, which are surely tags of ours.

        ``likely``: the guesses to use instead if those are too few.
        """
        are_sure = len(guesses) >= MIN_KNOWN_TAGS or len(likely) < MIN_KNOWN_TAGS
        return KnownTags(close, guesses if are_sure else likely, self._templates.whole, are_sure=are_sure)

    def accepted(
        self, close: Patches, guesses: Sequence[Guess], known: KnownTags, likely: Sequence[Guess], min_sum: float
    ) -> list[Guess]:
        """Return the guesses that are accepted if their identity is nowhere else.

        ``likely``: all that are likely tags of ours; ``min_sum``: the sum of score and lead that is asked for in their
        company.  Places that seem partly covered are refused, because a cover on another code would pass for noise.
        """
        guesses = [guess for guess in guesses if guess.alike >= MIN_FAINT_RATIO * known.alike]
        company = in_company(likely)
        patchiest = MAX_PATCHINESS if company else MAX_LONE_PATCHINESS
        worthwhile = [guess for guess in guesses if maybe_explained(guess) or maybe_evident(guess)]
        bare = [guess for guess in worthwhile if self._search.patchiness(close, guess) <= patchiest]
        faint = [guess for guess in bare if maybe_explained(guess)]
        found = [one for one in self.smoothed(close, faint) if sure_as_explained(one, company=company)]
        found += [one for one in self.whitened(close, faint) if sure_as_whitened(one, company=company)]
        if not company:
            found = self._likeliest(close, found, MIN_LONE_STANDING)
        rows = {one.row for one in found}
        rest = [guess for guess in bare if maybe_evident(guess) and guess.row not in rows]
        counted = rest and company and min_sum < MIN_SUM
        beside = Beside(known.unexplained, self._log_odds(close, guesses, known, likely) if counted else 0.0)
        rows |= {one.row for one in self._evident(close, rest, known, beside)}
        weaker = [guess for guess in guesses if guess.row in rows or sure_in_company(guess, min_sum)]
        return self.uncontradicted(close, weaker, known)

    def smoothed(self, close: Patches, guesses: Sequence[Guess]) -> list[Guess]:
        """Return guesses with score and lead after softening away most noise; the lead is negative if another leads."""
        if not guesses:
            return []
        samples = close.smoothly(*_rows_and_poses(guesses), offsets())[:, 0]
        scores = np.array([comparison.scores(samples) for comparison in self._templates.smooth])
        best = scores.max(axis=(2, 3)).argmax(axis=0)
        return _with_leads(guesses, scores[best, np.arange(len(guesses))].max(axis=1))

    def whitened(self, close: Patches, guesses: Sequence[Guess]) -> list[Guess]:
        """Return guesses with score and lead after errors are whitened; the lead is negative if another leads."""
        if not guesses:
            return []
        samples = close.softly(*_rows_and_poses(guesses), offsets())[:, 0]
        return _with_leads(guesses, self._templates.whitened.scores(samples).max(axis=1))

    def not_bare(self, close: Patches, guesses: Sequence[Guess]) -> list[Guess]:
        """Return the guesses that seem covered, and the others for which no other code is likelier.

        A side or corner was left out of the comparison for all of them.
        """
        bare = [guess for guess in guesses if self._search.patchiness(close, guess) < MIN_COVERED_PATCHINESS]
        refused = {id(guess) for guess in bare} - {id(guess) for guess in self._likeliest(close, bare)}
        return [guess for guess in guesses if id(guess) not in refused]

    def uncontradicted(self, close: Patches, guesses: Sequence[Guess], known: KnownTags) -> list[Guess]:
        """Return the guesses that stand out among our tags and are not contradicted by the blur of known tags."""
        if not guesses:
            return []
        beside = Beside(known.unexplained)
        judged = [
            (guess, standing(guess, strength, beside), strength.outstanding)
            for guess, strength in zip(guesses, self._strength(close, guesses, known.blurs), strict=True)
            if stands_out(strength.outstanding)
        ]
        if known.blurs is None or all(stands >= CONTRADICTED_STANDING for _, stands, _ in judged):
            return [guess for guess, _, _ in judged]
        strengths = zip(known.sample, self._strength(close, known.sample, known.blurs), strict=True)
        lowest = lowest_standing([standing(guess, strength, beside) for guess, strength in strengths])
        return [guess for guess, stands, outstanding in judged if not contradicted(stands, outstanding, lowest)]

    def _log_odds(self, close: Patches, guesses: Sequence[Guess], known: KnownTags, likely: Sequence[Guess]) -> float:
        """Return the log odds that a place shows a tag of ours, as ``likely`` ones do, rather than a foreign code.

        Places whose best name was read elsewhere are not among the guesses, so some foreign codes are not counted.
        """
        alike = MIN_FOREIGN_ALIKE * median(guess.alike for guess in likely)
        weak = [guess for guess in guesses if guess.score + guess.margin < MIN_COMPANY_SUM and guess.alike >= alike]
        strength = self._strength(close, weak, known.blurs if known.are_sure else None)
        return log_odds(len(likely), sum(map(looks_foreign, strength)))

    def _strength(
        self, close: Patches, guesses: Sequence[Guess], blurs: Sequence[float] | None = None
    ) -> list[Strength]:
        """Return the evidence for each guess; ``blurs``: the widths of the blur, if known."""
        if not guesses:
            return []
        samples = close.softly(*_rows_and_poses(guesses), offsets())[:, 0]
        return self.evidence.strength(samples, [guess.identity for guess in guesses], blurs or USUAL_BLURS)

    def _likeliest(self, close: Patches, guesses: Sequence[Guess], min_standing: float = -np.inf) -> list[Guess]:
        """Return the guesses for which no other code is likelier, with at least the standing ``min_standing``."""
        strengths = zip(guesses, self._strength(close, guesses), strict=True)
        return [
            guess
            for guess, strength in strengths
            if strength.lead >= 0 and standing(guess, strength, Beside()) >= min_standing
        ]

    def _evident(self, close: Patches, guesses: Sequence[Guess], known: KnownTags, beside: Beside) -> list[Guess]:
        """Return the guesses with strong enough evidence, in every half, for the usual or the known blurs."""
        if not guesses:
            return []
        samples, identities = (
            close.softly(*_rows_and_poses(guesses), offsets())[:, 0],
            np.array([guess.identity for guess in guesses]),
        )
        halves = np.array([half.fits(samples, identities) for half in self._templates.halves]).min(axis=0)
        rest, accepted = np.flatnonzero(halves >= MIN_EVIDENT_HALF), list[int]()
        margins = np.array([guess.margin for guess in guesses])
        comparisons = [(self.evidence, USUAL_BLURS, -np.inf)]
        if known.are_sure and known.blurs is not None:
            # The known blurs first: they explain most, and all our codes are compared with them later anyway.
            denoised = (self.denoised, DENOISED_BLURS, MIN_DENOISED_MARGIN)
            comparisons = [(self.evidence, known.blurs, -np.inf), *comparisons, denoised]
        for evidence, blurs, margin in comparisons:
            clear = rest[margins[rest] >= margin]
            if not len(clear):
                break
            ahead = clear[self._lead(evidence, samples[clear], identities[clear], blurs) >= least_evidence(beside)]
            computed = evidence.strength(samples[ahead], identities[ahead].tolist(), blurs)
            strengths = zip(ahead.tolist(), computed, strict=True)
            accepted += [
                number for number, strength in strengths if evident(guesses[number], strength, beside, halves[number])
            ]
            rest = np.setdiff1d(rest, accepted)
        if known.are_sure and known.blurs is not None and len(rest):
            models = ((self.evidence, known.blurs), (self.denoised, DENOISED_BLURS))
            faint = [guesses[number] for number in rest.tolist()]
            accepted += rest[self._jointly_evident(faint, samples[rest], halves[rest], models, beside)].tolist()
        return [guesses[number] for number in accepted]

    def _jointly_evident(
        self,
        guesses: Sequence[Guess],
        samples: Floats,
        halves: Floats,
        models: Sequence[tuple[Evidence, Sequence[float]]],
        beside: Beside,
    ) -> list[int]:
        """Return the numbers of the guesses for which several models of a camera, with blurs each, speak together."""
        identities = np.array([guess.identity for guess in guesses])
        limits = np.stack([self._lead(evidence, samples, identities, blurs) for evidence, blurs in models], axis=1)
        likely = [
            number
            for number, guess in enumerate(guesses)
            if jointly_evident(guess, limits[number].tolist(), beside, halves[number])
        ]
        strengths = [
            evidence.strength(samples[likely], identities[likely].tolist(), blurs) for evidence, blurs in models
        ]
        return [
            number
            for number, *by_model in zip(likely, *strengths, strict=True)
            if jointly_evident(guesses[number], [each.lead for each in by_model], beside, halves[number])
        ]

    def _lead(self, evidence: Evidence, samples: Floats, identities: NDArray[np.intp], blurs: Sequence[float]) -> Array:
        """Return how far identities lead those with the best scores for their samples (n, all), (n,).

        Most do not lead, and comparing all codes takes long.
        """
        rivals = np.argsort(-self._templates.full.scores(samples)[:, 0], axis=1)[:, :RIVAL_COUNT]
        return evidence.lead_among(samples, identities.tolist(), rivals.ravel().tolist(), blurs)


def _rows_and_poses(guesses: Sequence[Guess]) -> tuple[Rows, Floats]:
    """Return the rows of guesses and their poses, (n, 1, 4)."""
    return np.array([guess.row for guess in guesses]), np.array([guess.pose for guess in guesses])[:, None]


def _with_leads(guesses: Sequence[Guess], scores: Floats) -> list[Guess]:
    """Return guesses with their scores ``own_scores`` (n, identities) by another comparison, and their leads in it."""
    guesses_with_leads = []
    for guess, own_scores in zip(guesses, scores, strict=True):
        score = float(own_scores[guess.identity])
        own_scores[guess.identity] = 0
        guesses_with_leads.append(guess._replace(score=score, margin=score - max(float(own_scores.max()), 0.0)))
    return guesses_with_leads
