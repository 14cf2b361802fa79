"""Refines the pose of a tag whose identity is known, by least squares over all px that show it.

One softened sample per module shows which tag it is; all px, unfiltered, show its pose better.  Parts of the tag that
fit much worse than the others are covered by something and do not count.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from tabletop.vision.frame import Floats
from tabletop.vision.geometry.plane import Array
from tabletop.vision.recognise.fit.shift import homogeneous, lit, seen
from tabletop.vision.tags.patterns import TAG_MODULES

SAMPLES_PER_SIDE = 36
"""Samples along a side: three for two modules, within the edges of a tag with its quiet zone."""
REACH_MODULES = 24.0
"""Side, modules, of the square that the samples cover."""
PATCH_SAMPLES = 6
"""Samples along a side of the smallest part that is judged covered or not, called a patch in this module."""
BLUR_WIDTHS = (0.55, 1.0, 1.4)
"""Widths (modules) of the blur of tags in an unfiltered picture, one for each of the widths used for identification."""
WIDER_FACTOR = 1.1
"""Ratio of the wider blur that is fitted as well to the assumed one."""
WIDTH_ROUNDS = 3
"""How often the blur's width is estimated before a skew is accepted: a wrong width doubles the skew."""
SKEW_PARTS = 11
"""Number of components in the model of a skewed pattern's samples."""
WIDTH_STEP, MIN_BLUR, MAX_BLUR = 0.05, 0.25, 1.6
"""The step between estimated widths of the blur, and the least and the largest of them, modules."""
LEAK_PENALTY = 40.0
"""How much less light from beside a tag is trusted than noise, per fraction of it that leaks into a sample."""
MIN_COVERED_RATIO = 6.0
"""A patch with this many times the median patch's mean squared error is covered; wholly visible ones reach 5."""
HALF_WEIGHT_RATIO = 2.25
"""Once something is covered, a patch with this many times the median error has half the weight."""
COVER_ROUNDS = 3
"""Iterations of reweighting patches if some are covered."""
MAX_KEPT_SUMS = 128
"""Number of tags, each with one blur, whose precomputed sums are cached: 0.1 MB each."""
MAX_LEARNT_TAGS = 4
"""Number of tags whose sums are computed at a time: those of more exceed a core's cache."""


class PoseRefiner:
    """Estimates how far tags with these whole patterns (n, 25, 25) are from their assumed poses."""

    def __init__(self, patterns: Floats) -> None:
        self._patterns = patterns.astype(np.float64)
        self._kept: dict[tuple[int, int], tuple[Floats, Floats]] = {}

    @cached_property
    def offsets(self) -> Floats:
        """Positions of the samples, (3, samples): modules from the tag's middle, x right, y down, and ones."""
        return homogeneous(_line())

    def shifts(self, samples: Floats, tags: Sequence[tuple[int, int]]) -> Floats:
        """Return how far samples (n, s) lie off patterns: x, y in modules, radians, fraction of the size, (n, 4).

        ``tags``: each sample's pattern and blur, as numbers.  The size is fitted only for the sake of the others: it is
        off by some thousandths if the blur is not the assumed one.
        """
        self.learn(tags)
        sums = [self._sums(*tag) for tag in tags]
        first = np.array([solved @ one for (_, solved), one in zip(sums, samples, strict=True)])
        found = _uncovered(samples, [parts for parts, _ in sums], first, [BLUR_WIDTHS[blur] for _, blur in tags])
        shifts: Floats = (found[:, 1:5] / np.maximum(found[:, :1], 1e-3)).astype(np.float32, copy=False)
        return shifts

    def skews(self, samples: Floats, which: NDArray[np.intp], blurs: NDArray[np.intp]) -> Floats:
        """Return the skew of patterns in samples (n, s): stretch across and shear, as fractions, (n, 2).

        ``which``, ``blurs``: the pattern and the blur of each.
        """
        widths = np.array(BLUR_WIDTHS)[blurs]
        for _ in range(WIDTH_ROUNDS):
            found = np.empty((len(samples), SKEW_PARTS))
            for width in sorted(set(widths.tolist())):
                some = np.flatnonzero(widths == width)
                parts = self._parts(which[some], width, skewed=True)
                weighed = parts * _counts(width)
                solved = np.linalg.solve(weighed @ parts.transpose(0, 2, 1), weighed @ samples[some, :, None])[..., 0]
                columns = [*parts.astype(np.float32).transpose(0, 2, 1)]
                found[some] = _uncovered(samples[some], columns, solved.astype(np.float32), [width] * len(some))
            wider = 1 + (WIDER_FACTOR - 1) * found[:, 5] / np.maximum(found[:, 0], 1e-3)
            widths = np.clip(np.round(widths * wider / WIDTH_STEP) * WIDTH_STEP, MIN_BLUR, MAX_BLUR)
        skews: Floats = (found[:, -2:] / np.maximum(found[:, :1], 1e-3)).astype(np.float32)
        return skews

    def learn(self, tags: Collection[tuple[int, int]]) -> None:
        """Precompute the sums for patterns, each with its blur; doing all at once takes half as long.

        Beyond ``MAX_KEPT_SUMS`` the oldest sums are discarded.
        """
        for blur, width in enumerate(BLUR_WIDTHS):
            new = sorted({which for which, own in tags if own == blur and (which, blur) not in self._kept})
            for first in range(0, len(new), MAX_LEARNT_TAGS):
                some = new[first : first + MAX_LEARNT_TAGS]
                for which, sums in zip(some, self._worked_out(some, width), strict=True):
                    if len(self._kept) >= MAX_KEPT_SUMS:
                        del self._kept[next(iter(self._kept))]
                    self._kept[which, blur] = sums

    def _sums(self, which: int, blur: int) -> tuple[Floats, Floats]:
        """Return the precomputed sums of a pattern with a blur."""
        self.learn([(which, blur)])
        return self._kept[which, blur]

    def _worked_out(self, which: Sequence[int], width: float) -> list[tuple[Floats, Floats]]:
        """Return each pattern's components (s, parts), and the weights that give the strength of each, (parts, s)."""
        parts = self._parts(np.array(which), width)
        weighed = parts * _counts(width)
        # Solving the equations for each tag's samples would take ten times as long.
        solved = (np.linalg.inv(weighed @ parts.transpose(0, 2, 1)) @ weighed).astype(np.float32)
        made = np.ascontiguousarray(parts.transpose(0, 2, 1), dtype=np.float32)
        return [(one.copy(), other.copy()) for one, other in zip(made, solved, strict=True)]

    def _parts(self, which: NDArray[np.intp], width: float, *, skewed: bool = False) -> Array:
        """Return the components of which patterns' samples are modelled as a sum, (n, parts, s).

        They are the pattern, its changes with shift, turn, size and blur, and ramps of light.  ``skewed``: add its
        changes with stretch and shear.
        """
        patterns = self._patterns[which]
        x, y, _ = self.offsets.astype(np.float64)
        light, across, down = seen(patterns, width, _line())
        blurred = lit(patterns, width * WIDER_FACTOR, _line()) - light
        turn, growth = x * down - y * across, x * across + y * down
        ramps = [np.broadcast_to(each, light.shape) for each in (np.ones_like(x), x, y)]
        skews = [x * across - y * down, y * across + x * down] if skewed else []
        return np.stack([light, across, down, turn, growth, blurred, *ramps, *skews], axis=1)


def _uncovered(samples: Floats, parts: Sequence[Floats], found: Floats, widths: Sequence[float]) -> Floats:
    """Return the strength of each component in samples (n, s), fitted again without covered patches.

    ``parts``: the components; ``found``: the strengths fitted to all samples.
    """
    rest = samples - np.array([each @ strengths for each, strengths in zip(parts, found, strict=True)])
    covered = _worse(rest, widths).max(axis=(1, 2)) > MIN_COVERED_RATIO
    again = found.copy()
    for at in np.flatnonzero(covered).tolist():
        again[at] = _weighed(samples[at], parts[at], found[at], widths[at])
    return again


def _weighed(samples: Floats, parts: Floats, found: Floats, width: float) -> Floats:
    """Return the strength of each component in samples (s,), fitted again with less weight on bad patches."""
    for _ in range(COVER_ROUNDS):
        (worse,) = _worse((samples - parts @ found)[None], [width])
        left = 1 / (1 + (worse / HALF_WEIGHT_RATIO) ** 2)
        left = np.repeat(np.repeat(left, PATCH_SAMPLES, axis=0), PATCH_SAMPLES, axis=1)
        weighed = parts.T * (_counts(width) * left.ravel())
        found = np.linalg.solve(weighed @ parts, weighed @ samples)
    return found


@lru_cache(maxsize=64)
def _counts(width: float) -> Floats:
    """Return the weight of each sample: the more light from beside the tag leaks in, the lower."""
    own = lit(np.zeros((1, TAG_MODULES, TAG_MODULES)), width, _line())[0]
    counts: Floats = (1 / (1 + (LEAK_PENALTY * own) ** 2)).astype(np.float32)
    return counts


def _worse(rest: Floats, widths: Sequence[float]) -> Floats:
    """Return each patch's mean squared residual relative to the median patch's, (n, side, side).

    ``rest`` (n, s): the residuals.
    """
    counts, share = (np.array([of(width) for width in widths]) for of in (_counts, _share))
    mean = _by_patch(counts * rest * rest) * share
    usual = np.sort(mean.reshape(len(rest), -1), axis=1)[:, mean[0].size // 2]
    worse: Floats = mean / (usual + np.float32(1e-6))[:, None, None]
    return worse


@lru_cache(maxsize=64)
def _share(width: float) -> Floats:
    """Return the factor that turns each patch's sum into a mean; the mean stays small if hardly any sample counts."""
    share: Floats = (1 / (_by_patch(_counts(width)[None])[0] + 0.02 * PATCH_SAMPLES * PATCH_SAMPLES)).astype(np.float32)
    return share


def _by_patch(samples: Floats) -> Floats:
    """Return the sums of samples (n, s) over each patch, (n, side, side)."""
    many = SAMPLES_PER_SIDE // PATCH_SAMPLES
    sums: Floats = samples.reshape(-1, PATCH_SAMPLES).sum(axis=1).reshape(-1, many, PATCH_SAMPLES, many).sum(axis=2)
    return sums


def _line() -> Array:
    """Return the positions of a row of samples, modules from its middle."""
    return (np.arange(SAMPLES_PER_SIDE) - (SAMPLES_PER_SIDE - 1) / 2) * REACH_MODULES / SAMPLES_PER_SIDE
