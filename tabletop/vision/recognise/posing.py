"""Which of our tags a candidate is, and exactly how it lies: pose and identity refined together."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.vision.recognise.dictionary import Dictionary, Floats, Weighing, offsets
from tabletop.vision.recognise.sheet import FINE

Sharp: TypeAlias = NDArray[np.int16]

Scoring: TypeAlias = Callable[[Floats], Floats]
"""How well poses (n, 4) fit."""

CONVINCED = 0.45
"""A residual correlation that needs no second look."""
SOMEWHAT = 0.22
"""A place that looks less like our tags than this is not looked at twice."""
WIDEST = 30000
"""Most samples in a row of one remap; its maps have to stay short of 32767 px."""


class Guess(NamedTuple):
    """The best identity at a place.

    ``pose``: x, y in px of the sheet, radians clockwise (its own up), size as a part of what was assumed;
    ``which`` into the dictionary; ``score`` is the residual correlation, ``margin`` how far it leads the next
    identity; ``alike`` tells how much the place looks like any tag of ours.
    """

    pose: Floats
    which: int
    score: float
    margin: float
    alike: float


def sampled(sharp: Sharp, poses: Floats) -> Floats:
    """Return the grey levels at the samples of every pose (n, 4), (n, GRID * GRID)."""
    grid = offsets() * np.float32(FINE)
    size = poses[:, 3]
    cos, sin = np.cos(poses[:, 2]) * size, np.sin(poses[:, 2]) * size
    x = poses[:, :1] + cos[:, None] * grid[:, 0] - sin[:, None] * grid[:, 1]
    y = poses[:, 1:2] + sin[:, None] * grid[:, 0] + cos[:, None] * grid[:, 1]
    found = [
        cv2.remap(
            sharp,
            x[start : start + WIDEST],
            y[start : start + WIDEST],
            cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_REPLICATE,
        )
        for start in range(0, len(poses), WIDEST)
    ]
    return np.concatenate(found).astype(np.float32)


class Poser:
    """Refines candidates against one dictionary."""

    def __init__(self, dictionary: Dictionary) -> None:
        self.dictionary = dictionary
        self._means = dictionary.means()

    def alike(self, sharp: Sharp, poses: Floats) -> tuple[Floats, Floats]:
        """Return every pose moved to where it looks most like any of our tags, and how much it does."""
        for reach, turn in ((0.4, 1.5), (0.2, 0.8)):
            poses = _climb(poses, lambda tries: self._alike(sampled(sharp, tries)), (reach, reach, turn, 0))
        return poses, self._alike(sampled(sharp, poses))

    def guesses(self, sharp: Sharp, poses: Floats) -> list[Guess]:
        """Return the best identity of every candidate with its refined pose."""
        if not len(poses):
            return []
        which = self.dictionary.full.scores(sampled(sharp, poses)).reshape(len(poses), -1).argmax(axis=1)
        found = self.judged(sharp, self._fitted(sharp, poses, which), self.dictionary.full)
        # A first guess at a poor pose may be wrong: those that do not convince are looked for around it.
        poor = [row for row, guess in enumerate(found) if guess.score < CONVINCED and guess.alike > SOMEWHAT]
        if poor:
            tries = _around(poses[poor], (-0.4, 0, 0.4), (-1.5, 0, 1.5), (1.0,))
            scores = self.dictionary.full.scores(sampled(sharp, tries.reshape(-1, 4))).reshape(*tries.shape[:2], -1)
            best = scores.max(axis=2).argmax(axis=1)
            row = np.arange(len(poor))
            fitted = self._fitted(sharp, tries[row, best], scores[row, best].argmax(axis=1))
            for index, guess in zip(poor, self.judged(sharp, fitted, self.dictionary.full), strict=True):
                found[index] = max(found[index], guess, key=lambda one: one.score)
        return found

    def _fitted(self, sharp: Sharp, poses: Floats, which: NDArray[np.intp]) -> Floats:
        """Return the poses moved to where the pattern and quarter turn already found fit best."""

        def fits(tries: Floats) -> Floats:
            return self._fits(sampled(sharp, tries), np.repeat(which, len(tries) // len(which)))

        for reach, turn, size in ((0.25, 1.0, 0.015), (0.2, 0.8, 0.01), (0.12, 0.5, 0.008)):
            poses = _climb(poses, fits, (reach, reach, turn, size))
        return poses

    def judged(self, sharp: Sharp, poses: Floats, weighing: Weighing) -> list[Guess]:
        """Return the best identity at exactly these poses (their quarter turn is found)."""
        samples = sampled(sharp, poses)
        alike = self._alike(samples)
        return [
            _guess(pose, scores, float(like))
            for pose, scores, like in zip(poses, weighing.scores(samples), alike, strict=True)
        ]

    def covered(self, sharp: Sharp, pose: Floats) -> Guess:
        """Return the best identity at a pose when any one side or corner of the tag may be covered.

        Every identity is allowed the same choice of what to leave out, so that the margin stays honest.
        """
        tries = _around(pose[None], (-0.25, 0, 0.25), (-0.8, 0, 0.8), (1.0,))[0]
        samples = sampled(sharp, tries)
        every = np.array([weighing.scores(samples) for weighing in self.dictionary.covered])
        best = int(every.max(axis=(0, 2, 3)).argmax())
        scores = every[:, best].max(axis=0)
        return _guess(tries[best], scores, float(self._alike(samples[best : best + 1])[0]))

    def _fits(self, samples: Floats, which: NDArray[np.intp]) -> Floats:
        """Return the residual correlation of each row of samples with one row of the dictionary."""
        weighing = self.dictionary.full
        even = samples - samples.mean(axis=1, keepdims=True)
        total = (even * even).sum(axis=1)
        shared = np.empty((len(even), weighing.alike.shape[1]), np.float32)
        for turns in range(4):
            rows = which % 4 == turns
            shared[rows] = even[rows] @ weighing.alike[turns].T
        rest = np.maximum(total - (shared * shared).sum(axis=1), 1e-3 * total + 1e-6)
        found: Floats = np.einsum("ns,ns->n", even, weighing.rows[which]) / np.sqrt(rest)
        return found

    def _alike(self, samples: Floats) -> Floats:
        even = samples - samples.mean(axis=1, keepdims=True)
        length = np.linalg.norm(even, axis=1) + 1e-3
        found: Floats = (even @ self._means.T).max(axis=1) / length
        return found


def _climb(poses: Floats, score: Scoring, reach: tuple[float, float, float, float]) -> Floats:
    """Return each pose moved to the top of parabolas through its neighbours; reach in modules, degrees, size."""
    steps = np.array((reach[0] * FINE, reach[1] * FINE, np.radians(reach[2]), reach[3]), np.float32)
    axes = [axis for axis in range(4) if steps[axis] > 0]
    tries = np.repeat(poses[:, None], 1 + 2 * len(axes), axis=1)
    for number, axis in enumerate(axes):
        tries[:, 1 + 2 * number, axis] -= steps[axis]
        tries[:, 2 + 2 * number, axis] += steps[axis]
    scores = score(tries.reshape(-1, 4)).reshape(tries.shape[:2])
    moved = poses.copy()
    here = scores[:, 0]
    for number, axis in enumerate(axes):
        before, after = scores[:, 1 + 2 * number], scores[:, 2 + 2 * number]
        bend = before + after - 2 * here
        shift = np.where(bend < -1e-6, 0.5 * (before - after) / np.minimum(bend, -1e-6), np.sign(after - before))
        moved[:, axis] += np.clip(shift, -1, 1) * steps[axis]
    return moved


def _around(poses: Floats, moves: Sequence[float], turns: Sequence[float], sizes: Sequence[float]) -> Floats:
    """Return poses around each, (n, tries, 4); moves in modules, turns in degrees, sizes as factors."""
    steps = np.array(list(itertools.product(moves, moves, np.radians(turns), sizes)), dtype=np.float32)
    out = np.repeat(poses[:, None], len(steps), axis=1)
    out[..., :2] += steps[:, :2] * FINE
    out[..., 2] += steps[:, 2]
    out[..., 3] *= steps[:, 3]
    return out.astype(np.float32)


def _guess(pose: Floats, scores: Floats, alike: float) -> Guess:
    """Return the best of the scores (identities, 4) with its lead over the next identity."""
    each = scores.max(axis=1)
    index = int(each.argmax())
    best = float(each[index])
    each[index] = -1
    second = float(each.max()) if len(each) > 1 else 0.0
    turned = pose.copy()
    turned[2] += np.pi / 2 * int(scores[index].argmax())
    return Guess(turned, index, best, best - max(second, 0.0), alike)
