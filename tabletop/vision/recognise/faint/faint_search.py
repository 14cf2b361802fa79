"""Identifies faint tags: places at which score and lead are too low, compared in slower ways that know more of errors.

Noise is softened away, or errors are whitened, or light, pose and blur are fitted together with each identity.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from tabletop.vision.frame import Floats
from tabletop.vision.recognise.faint.evidence import Evidence
from tabletop.vision.recognise.patches import Patches, Rows
from tabletop.vision.recognise.pose_search import Guess, PoseSearch
from tabletop.vision.recognise.templates import offsets
from tabletop.vision.recognise.thresholds import (
    MAX_PATCHINESS,
    MIN_EVIDENT_HALF,
    maybe_evident,
    maybe_explained,
    sure_as_explained,
    sure_as_whitened,
    sure_by_evidence,
)

RIVAL_COUNT = 2
"""How many of the patterns that score best at a place are compared with it first."""


class FaintSearch:
    """Judges guesses that are not believed by score and lead."""

    def __init__(self, search: PoseSearch) -> None:
        self._search, self._templates = search, search.templates

    @cached_property
    def evidence(self) -> Evidence:
        """How strongly samples speak for one identity rather than for any other code."""
        return Evidence(self._templates.whole, self._templates.several)

    def believed(self, close: Patches, guesses: Sequence[Guess], *, company: bool) -> list[Guess]:
        """Return the guesses that may be believed if their identity is nowhere else; ``company``: among many of ours.

        What lies over a part of another code would pass for noise.
        """
        faint = [guess for guess in guesses if maybe_explained(guess)]
        likely = [one for one in self.smoothed(close, faint) if sure_as_explained(one, company=company)]
        likely += [one for one in self.whitened(close, faint) if sure_as_whitened(one, company=company)]
        if not company:
            likely = self._uncontradicted(close, likely)
        rows = {one.row for one in likely}
        rest = [guess for guess in guesses if maybe_evident(guess) and guess.row not in rows]
        rows |= {one.row for one in self._evident(close, rest, company=company)}
        return [guess for guess in guesses if guess.row in rows and self._search.patchy(close, guess) <= MAX_PATCHINESS]

    def smoothed(self, close: Patches, guesses: Sequence[Guess]) -> list[Guess]:
        """Return guesses with score and lead as most noise is softened away; without a lead where another one leads."""
        if not guesses:
            return []
        samples = close.smoothly(*_where(guesses), offsets())[:, 0]
        every = np.array([weighing.scores(samples) for weighing in self._templates.smooth])
        best = every.max(axis=(2, 3)).argmax(axis=0)
        return _led(guesses, every[best, np.arange(len(guesses))].max(axis=1))

    def whitened(self, close: Patches, guesses: Sequence[Guess]) -> list[Guess]:
        """Return guesses with score and lead where errors are not alike nearby; without a lead where another leads."""
        if not guesses:
            return []
        samples = close.softly(*_where(guesses), offsets())[:, 0]
        return _led(guesses, self._templates.whitened.scores(samples).max(axis=1))

    def _uncontradicted(self, close: Patches, guesses: Sequence[Guess]) -> list[Guess]:
        """Return the guesses for whose places no other code is likelier."""
        if not guesses:
            return []
        samples = close.softly(*_where(guesses), offsets())[:, 0]
        told = self.evidence.told(samples, [guess.which for guess in guesses])
        return [guess for guess, strength in zip(guesses, told.tolist(), strict=True) if strength >= 0]

    def _evident(self, close: Patches, guesses: Sequence[Guess], *, company: bool) -> list[Guess]:
        """Return the guesses for which their places speak more strongly than for any other code, in every half."""
        if not guesses:
            return []
        samples = close.softly(*_where(guesses), offsets())[:, 0]
        halves = [self._weakest_half(some, guess.which) for guess, some in zip(guesses, samples, strict=True)]
        left = np.flatnonzero(np.array(halves) >= MIN_EVIDENT_HALF)
        which = np.array([guess.which for guess in guesses])
        # Most do not even lead those that score best beside them, and to compare all codes takes long.
        rivals = np.argsort(-self._templates.full.scores(samples)[:, 0], axis=1)[:, :RIVAL_COUNT].ravel()
        for among in (rivals.tolist(), None):
            if len(left):
                told = self.evidence.told(samples[left], which[left].tolist(), among)
                left = left[[sure_by_evidence(strength, company=company) for strength in told.tolist()]]
        return [guesses[at] for at in left.tolist()]

    def _weakest_half(self, samples: Floats, which: int) -> float:
        """Return the least residual correlation of an identity with any half of upright samples (all,)."""
        return min(float(half.scores(samples[None])[0, 0, which]) for half in self._templates.halves)


def _where(guesses: Sequence[Guess]) -> tuple[Rows, Floats]:
    """Return the rows of guesses and their poses, (n, 1, 4)."""
    return np.array([guess.row for guess in guesses]), np.array([guess.pose for guess in guesses])[:, None]


def _led(guesses: Sequence[Guess], told: Floats) -> list[Guess]:
    """Return guesses with their scores of another comparison (n, identities), and their leads in it."""
    done = []
    for guess, scores in zip(guesses, told, strict=True):
        score = float(scores[guess.which])
        scores[guess.which] = 0
        done.append(guess._replace(score=score, margin=score - max(float(scores.max()), 0.0)))
    return done
