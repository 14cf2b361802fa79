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
from tabletop.vision.recognise.fit.shift import homogeneous, rendered, rendered_with_slopes
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
        self._cache: dict[tuple[int, int], tuple[Floats, Floats]] = {}

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
        first_strengths = np.array([solved @ one for (_, solved), one in zip(sums, samples, strict=True)])
        strengths = _refit_uncovered(
            samples, [parts for parts, _ in sums], first_strengths, [BLUR_WIDTHS[blur] for _, blur in tags]
        )
        shifts: Floats = (strengths[:, 1:5] / np.maximum(strengths[:, :1], 1e-3)).astype(np.float32, copy=False)
        return shifts

    def skews(self, samples: Floats, identities: NDArray[np.intp], blurs: NDArray[np.intp]) -> Floats:
        """Return the skew of patterns in samples (n, s): stretch across and shear, as fractions, (n, 2).

        ``identities``, ``blurs``: the pattern and the blur of each.
        """
        widths, strengths = np.array(BLUR_WIDTHS)[blurs], np.empty((len(samples), SKEW_PARTS))
        changed = np.ones(len(samples), np.bool_)
        for _ in range(WIDTH_ROUNDS):
            for width in sorted(set(widths[changed].tolist())):
                rows = np.flatnonzero(changed & (widths == width))
                parts = self._parts(identities[rows], width, skewed=True)
                weighed = parts * _sample_weights(width)
                solved = np.linalg.solve(weighed @ parts.transpose(0, 2, 1), weighed @ samples[rows, :, None])[..., 0]
                columns = [*parts.astype(np.float32).transpose(0, 2, 1)]
                strengths[rows] = _refit_uncovered(
                    samples[rows], columns, solved.astype(np.float32), [width] * len(rows)
                )
            wider = 1 + (WIDER_FACTOR - 1) * strengths[:, 5] / np.maximum(strengths[:, 0], 1e-3)
            better = np.clip(np.round(widths * wider / WIDTH_STEP) * WIDTH_STEP, MIN_BLUR, MAX_BLUR)
            changed, widths = better != widths, better
        skews: Floats = (strengths[:, -2:] / np.maximum(strengths[:, :1], 1e-3)).astype(np.float32)
        return skews

    def learn(self, tags: Collection[tuple[int, int]]) -> None:
        """Precompute the sums for patterns, each with its blur; doing all at once takes half as long.

        Beyond ``MAX_KEPT_SUMS`` the oldest sums are discarded.
        """
        for blur, width in enumerate(BLUR_WIDTHS):
            new = sorted({identity for identity, own in tags if own == blur and (identity, blur) not in self._cache})
            for first in range(0, len(new), MAX_LEARNT_TAGS):
                batch = new[first : first + MAX_LEARNT_TAGS]
                for identity, sums in zip(batch, self._computed_sums(batch, width), strict=True):
                    if len(self._cache) >= MAX_KEPT_SUMS:
                        del self._cache[next(iter(self._cache))]
                    self._cache[identity, blur] = sums

    def _sums(self, identity: int, blur: int) -> tuple[Floats, Floats]:
        """Return the precomputed sums of a pattern with a blur."""
        self.learn([(identity, blur)])
        return self._cache[identity, blur]

    def _computed_sums(self, identities: Sequence[int], width: float) -> list[tuple[Floats, Floats]]:
        """Return each pattern's components (s, parts), and the weights that give the strength of each, (parts, s)."""
        parts = self._parts(np.array(identities), width)
        weighed = parts * _sample_weights(width)
        # Solving the equations for each tag's samples would take ten times as long.
        solved = (np.linalg.inv(weighed @ parts.transpose(0, 2, 1)) @ weighed).astype(np.float32)
        components = np.ascontiguousarray(parts.transpose(0, 2, 1), dtype=np.float32)
        return [(one.copy(), other.copy()) for one, other in zip(components, solved, strict=True)]

    def _parts(self, identities: NDArray[np.intp], width: float, *, skewed: bool = False) -> Array:
        """Return the components of which patterns' samples are modelled as a sum, (n, parts, s).

        They are the pattern, its changes with shift, turn, size and blur, and ramps of light.  ``skewed``: add its
        changes with stretch and shear.
        """
        patterns = self._patterns[identities]
        x, y, _ = self.offsets.astype(np.float64)
        light, across, down = rendered_with_slopes(patterns, width, _line())
        blurred = rendered(patterns, width * WIDER_FACTOR, _line()) - light
        turn, growth = x * down - y * across, x * across + y * down
        ramps = [np.broadcast_to(each, light.shape) for each in (np.ones_like(x), x, y)]
        skews = [x * across - y * down, y * across + x * down] if skewed else []
        return np.stack([light, across, down, turn, growth, blurred, *ramps, *skews], axis=1)


def _refit_uncovered(samples: Floats, parts: Sequence[Floats], strengths: Floats, widths: Sequence[float]) -> Floats:
    """Return the strength of each component in samples (n, s), fitted again without covered patches.

    ``parts``: the components; ``own``: the strengths fitted to all samples.
    """
    residuals = samples - np.array([each @ own for each, own in zip(parts, strengths, strict=True)])
    covered = _error_ratios(residuals, widths).max(axis=(1, 2)) > MIN_COVERED_RATIO
    refitted = strengths.copy()
    for number in np.flatnonzero(covered).tolist():
        refitted[number] = _reweighted_fit(samples[number], parts[number], strengths[number], widths[number])
    return refitted


def _reweighted_fit(samples: Floats, parts: Floats, strengths: Floats, width: float) -> Floats:
    """Return the strength of each component in samples (s,), fitted again with less weight on bad patches."""
    for _ in range(COVER_ROUNDS):
        (ratios,) = _error_ratios((samples - parts @ strengths)[None], [width])
        weights = 1 / (1 + (ratios / HALF_WEIGHT_RATIO) ** 2)
        weights = np.repeat(np.repeat(weights, PATCH_SAMPLES, axis=0), PATCH_SAMPLES, axis=1)
        weighed = parts.T * (_sample_weights(width) * weights.ravel())
        strengths = np.linalg.solve(weighed @ parts, weighed @ samples)
    return strengths


@lru_cache(maxsize=64)
def _sample_weights(width: float) -> Floats:
    """Return the weight of each sample: the more light from beside the tag leaks in, the lower."""
    leak = rendered(np.zeros((1, TAG_MODULES, TAG_MODULES)), width, _line())[0]
    weights: Floats = (1 / (1 + (LEAK_PENALTY * leak) ** 2)).astype(np.float32)
    return weights


def _error_ratios(residuals: Floats, widths: Sequence[float]) -> Floats:
    """Return each patch's mean squared residual relative to the median patch's, (n, side, side).

    ``residuals`` (n, s): the residuals.
    """
    weights, factors = (np.array([of(width) for width in widths]) for of in (_sample_weights, _patch_factors))
    mean = _by_patch(weights * residuals * residuals) * factors
    usual = np.sort(mean.reshape(len(residuals), -1), axis=1)[:, mean[0].size // 2]
    ratios: Floats = mean / (usual + np.float32(1e-6))[:, None, None]
    return ratios


@lru_cache(maxsize=64)
def _patch_factors(width: float) -> Floats:
    """Return the factor that turns each patch's sum into a mean; the mean stays small if hardly any sample counts."""
    factors: Floats = (1 / (_by_patch(_sample_weights(width)[None])[0] + 0.02 * PATCH_SAMPLES * PATCH_SAMPLES)).astype(
        np.float32
    )
    return factors


def _by_patch(samples: Floats) -> Floats:
    """Return the sums of samples (n, s) over each patch, (n, side, side)."""
    per_side = SAMPLES_PER_SIDE // PATCH_SAMPLES
    # Whole rows first: the other way round there are six times as many short sums.
    rows = samples.reshape(-1, PATCH_SAMPLES, SAMPLES_PER_SIDE).sum(axis=1)
    sums: Floats = rows.reshape(-1, per_side, per_side, PATCH_SAMPLES).sum(axis=3)
    return sums


def _line() -> Array:
    """Return the positions of a row of samples, modules from its middle."""
    return (np.arange(SAMPLES_PER_SIDE) - (SAMPLES_PER_SIDE - 1) / 2) * REACH_MODULES / SAMPLES_PER_SIDE
