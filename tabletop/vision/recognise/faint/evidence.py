"""Computes the evidence for an identity: how much likelier it makes the samples than any other code does.

In bad light a score says too little: a window reflected in a sleeve brightens one side of a tag and lowers its
contrast, the pose is half a module off, the blur is not known, and errors are correlated over many samples.  So each
identity is fitted together with its own light, pose and blur, which have prior distributions, and so is a generic code
of which only what all our tags share is known.  All have the same freedom, and the residuals are judged by a model of
the noise.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, cached_property
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tabletop.vision.frame import Floats
from tabletop.vision.geometry.plane import Array
from tabletop.vision.recognise.faint.tone import CURVATURE_DEVIATION, bent, steepness
from tabletop.vision.recognise.fit.shift import (
    GRID_SIDE,
    rendered,
    rendered_with_slopes,
    row_places,
    square_places,
    squared_distances,
)
from tabletop.vision.tags.patterns import TAG_MODULES

Noises: TypeAlias = tuple[tuple[float, float], ...]

NOISE_LEVELS = (0.05, 0.1, 0.2)
"""Possible levels of noise, as fractions of half the contrast."""
NOISES: Noises = ((0.6, 0.02), (0.75, 0.02), (0.9, 0.02))
"""Possible distances, modules, over which softening spreads noise (the smaller a tag, the farther), each with the
variance of what noise each sample has by itself, as a fraction of the rest: it is all softened."""
USUAL_BLURS = (0.95, 1.25)
"""Widths, modules, of a softened tag's blur that are tried if nothing else is known about the picture."""
DENOISED_BLURS, DENOISED_NOISES = (1.85, 2.15), ((0.75, 0.001), (1.0, 0.001))
"""Both if contrast is so low that a camera takes detail for noise, as under a mirrored window: three in four tags of
15 mm that ``phone`` hid were blurred by 1.7 modules or more, with hardly any noise finer than a module left."""
MAX_READY_BLURS = 6
"""Number of widths for which everything is cached, some five megabytes each."""
LIGHT_VARIANCE, LIGHT_MODULES = 0.3, 6.0
"""Variance of light added unevenly to a tag, in squared half contrasts, and its correlation length in modules."""
FREE_LIGHTS = 3
"""Number of ways of light without a prior: even light, and ramps across and down."""
MIN_LIGHT = 1e-6
"""Least variance of a way in which light may vary, as a fraction of the most common one's; others are left out."""
CONTRAST_DEVIATION = 0.55
"""Standard deviation of contrast over a tag, as a fraction of itself, for each way in which it may vary."""
POSE_DEVIATIONS = (0.3, 0.3, 0.03, 0.02, 0.03, 0.03)
"""Standard deviations of a pose: across and down in modules, radians, and the size and both skews as fractions."""
BLUR_STEP, BLUR_DEVIATION = 0.15, 0.2
"""The step by which blur is varied in both directions, and the standard deviation of a blur, modules."""
MIN_OTHER_CODES, USUAL_OUTSTANDING, MIN_DEVIATION = 8, 4.0, 0.1
"""Number of codes above which ``outstanding`` is computed, the value that is assumed otherwise, and a lower limit for
the standard deviation that it is divided by."""
MAX_FITTED_CODES = 32
"""Number of codes that are prepared at a time: those of more take more memory, and longer."""
MAX_WHOLE_INVERSE = 40
"""Most rows of a triangular matrix that is not inverted by halves."""
MIN_OWN_VARIANCE = 0.05
"""Least variance among our tags of a module that is not counted as shared by all."""


class _FittedCodes(NamedTuple):
    """Several codes with one blur, prepared for every error model.

    ``parts`` (codes, parts, samples) are the components of which a code's samples are modelled as a sum.  For each
    error model, ``solved`` (codes, ways, parts, parts) is the inverse Cholesky factor that turns products of samples
    and components into what the components explain; ``volume`` (codes, ways) is the logarithm of the determinant that
    makes a code less likely because it may look in many ways.
    """

    parts: Floats
    solved: Array
    volume: Array

    def subset(self, numbers: NDArray[np.intp] | slice) -> _FittedCodes:
        """Return the codes with these numbers."""
        return _FittedCodes(self.parts[numbers], self.solved[numbers], self.volume[numbers])

    def room_for(self, count: int) -> _FittedCodes:
        """Return arrays of zeros for that many codes like these."""
        parts, solved, volume = ((count, *each.shape[1:]) for each in self)
        return _FittedCodes(np.zeros(parts, np.float32), np.zeros(solved), np.zeros(volume))

    def store(self, numbers: NDArray[np.intp], codes: _FittedCodes) -> None:
        """Store the codes ``codes`` under these numbers."""
        self.parts[numbers], self.solved[numbers], self.volume[numbers] = codes


class Strength(NamedTuple):
    """How strongly samples speak for one pattern.

    ``lead``: the natural logarithm of how many times likelier it makes them than any other code does, negative if
    another one is likelier.  ``outstanding``: how many standard deviations its log likelihood is above the mean of our
    other patterns.  Both are needed: if samples show much detail, likelihoods differ widely, and a pattern that merely
    resembles the samples leads by much.
    """

    lead: float
    outstanding: float


class Evidence:
    """Compares samples with whole patterns (n, 25, 25), and with a generic code like ``several``.

    ``noises``: how noise may spread.  Its cache is for one thread at a time.
    """

    def __init__(self, patterns: Floats, several: Floats, noises: Noises = NOISES) -> None:
        self._patterns, self._several, self._noises = patterns.astype(np.float64), several, noises
        self._ready: dict[float, _Blurred] = {}

    def strength(
        self, samples: Floats, identities: Sequence[int], blurs: Sequence[float] = USUAL_BLURS
    ) -> list[Strength]:
        """Return how strongly upright samples (n, all) speak for one pattern each rather than for any other code.

        ``blurs``: the possible widths of the blur, modules.
        """
        if not len(samples):
            return []
        ready = [self._blurred(blur) for blur in blurs]
        log_likelihoods = _log_likelihoods([codes.ours(slice(None)) for codes in ready], samples, self._noises)
        any_code = _log_likelihoods([codes.any_code for codes in ready], samples, self._noises)
        leads = _leads(np.concatenate([log_likelihoods, any_code], axis=1), list(identities))
        return [
            Strength(*each)
            for each in zip(leads.tolist(), _outstanding(log_likelihoods, list(identities)).tolist(), strict=True)
        ]

    def lead_among(
        self, samples: Floats, identities: Sequence[int], rivals: Sequence[int], blurs: Sequence[float] = USUAL_BLURS
    ) -> Array:
        """Return how far one pattern each leads a few rivals, (n,): an upper limit of its lead over all, but faster."""
        compared, place = np.unique([*identities, *rivals], return_inverse=True)
        codes = [self._blurred(blur).ours(compared) for blur in blurs]
        return _leads(_log_likelihoods(codes, samples, self._noises), place[: len(identities)].tolist())

    def _blurred(self, blur: float) -> _Blurred:
        """Return our codes and the generic code with a blur of that width."""
        if blur not in self._ready:
            while len(self._ready) >= MAX_READY_BLURS:
                del self._ready[next(iter(self._ready))]
            self._ready[blur] = _Blurred(self._patterns, self._several, blur, self._noises)
        return self._ready[blur]


class _Blurred:
    """Our codes and the generic code with one blur; each of them is prepared when it is first needed."""

    def __init__(self, patterns: Array, several: Floats, blur: float, noises: Noises) -> None:
        self._patterns, self._several, self._blur, self._noises = patterns, several, blur, noises
        self._ours: _FittedCodes | None = None
        self._known = np.zeros(len(patterns), np.bool_)

    def ours(self, numbers: NDArray[np.intp] | slice) -> _FittedCodes:
        """Return our codes with these numbers."""
        if self._ours is None or not self._known[numbers].all():
            new = np.arange(len(self._known))[numbers]
            new = new[~self._known[new]]
            for first in range(0, len(new), MAX_FITTED_CODES):
                batch = new[first : first + MAX_FITTED_CODES]
                fitted = _fitted(_parts(self._patterns[batch], self._blur), self._noises)
                if self._ours is None:
                    self._ours = fitted.room_for(len(self._known))
                self._ours.store(batch, fitted)
            self._known[new] = True
        assert self._ours is not None, "numbers of no code"
        return self._ours.subset(numbers)

    @cached_property
    def any_code(self) -> _FittedCodes:
        """The generic code: the mean of our codes, with every module that is not shared free to vary in light."""
        modules, mean = _modules(self._several), self._several.mean(axis=0)[None].astype(np.float64)
        line = row_places(GRID_SIDE)
        own = rendered(modules + 1, self._blur, line)[None] - 1
        varying = np.square(own).sum(axis=1)
        own = own * steepness(rendered(mean, self._blur, line))
        return _fitted(np.concatenate([_parts(mean, self._blur, varying), own], axis=1), self._noises)


def _fitted(parts: Array, noises: Noises) -> _FittedCodes:
    """Return codes with these components, (codes, parts, samples), prepared for every error model."""
    fits: list[tuple[Array, Array]] = []
    for noise in _every_noise(noises):
        # The products do not depend on the noise level and take the longest, so they are computed once per spread.
        own, beside = noise.products(parts)
        fits += [_fit(errors.products(own, beside)) for errors in noise.levels]
    solved, volumes = zip(*fits, strict=True)
    return _FittedCodes(parts.astype(np.float32), np.stack(solved, axis=1), np.stack(volumes, axis=1))


def _log_likelihoods(blurred: Sequence[_FittedCodes], samples: Floats, noises: Noises) -> Array:
    """Return the log likelihood of samples (n, all) for each code with its best blur and error model, (n, codes).

    ``blurred``: the same codes with each blur.  Constants that are the same for all codes are left out.
    """
    every, exact = _every_errors(noises), samples.astype(np.float64)
    weighed, totals = zip(*(errors.weighed(exact) for errors in every), strict=True)
    columns = np.concatenate(weighed).astype(np.float32).T
    best = np.full((len(blurred[0].parts), len(samples)), -np.inf)
    for codes in blurred:
        # For all error models at once: this reads all components, which takes longer than computing with them.
        count, part_count, sample_count = codes.parts.shape
        projected = codes.parts.reshape(-1, sample_count) @ columns
        projected = projected.reshape(count, part_count, len(every), len(samples))
        for number, (errors, total) in enumerate(zip(every, totals, strict=True)):
            explained = codes.solved[:, number] @ projected[:, :, number].astype(np.float64)
            residual = np.maximum(total - np.square(explained).sum(axis=1), 1e-9)
            # The noise level is estimated from the residuals.
            free = (sample_count - FREE_LIGHTS) * np.log(residual)
            best = np.maximum(best, -(free + codes.volume[:, number, None] + errors.volume) / 2)
    return np.ascontiguousarray(best.T)


def _leads(log_likelihoods: Array, identities: list[int]) -> Array:
    """Return how far the code ``identities`` of each row of log likelihoods leads all others, (n,)."""
    rows, rest = np.arange(len(log_likelihoods)), log_likelihoods.copy()
    rest[rows, identities] = -np.inf
    leads: Array = log_likelihoods[rows, identities] - rest.max(axis=1)
    return leads


class _SpreadNoise:
    """The covariance of noise with one spread, and the ways in which light is added unevenly.

    The covariance is the same across and down, so its eigenvectors are products of eigenvectors along a line.
    """

    def __init__(self, spread: float, white: float) -> None:
        noises, self._eigenvectors = np.linalg.eigh(np.exp(-squared_distances(row_places(GRID_SIDE)) / 4 / spread**2))
        self.variances: Array = (np.outer(noises, noises) + white).ravel()
        every, known = _light()
        self.light = self.to_products(every.T)
        self.levels = [_Errors(self, level, known) for level in NOISE_LEVELS]

    def to_products(self, samples: Array) -> Array:
        """Return samples (n, all) as coefficients of these products, (n, all)."""
        square = samples.reshape(-1, GRID_SIDE, GRID_SIDE)
        products: Array = (self._eigenvectors.T @ square @ self._eigenvectors).reshape(len(square), -1)
        return products

    def to_samples(self, products: Array) -> Array:
        """Return coefficients of these products (n, all) as samples, (n, all)."""
        square = products.reshape(-1, GRID_SIDE, GRID_SIDE)
        samples: Array = (self._eigenvectors @ square @ self._eigenvectors.T).reshape(products.shape)
        return samples

    def products(self, parts: Array) -> tuple[Array, Array]:
        """Return the inner products of components (n, parts, all) with each other and with the light, (n, parts, …).

        They are weighted by the inverse covariance of noise of level one.
        """
        weighted = self.to_products(parts.reshape(-1, parts.shape[-1]))
        beside = (weighted @ (self.light / self.variances).T).reshape(*parts.shape[:2], -1)
        weighted /= np.sqrt(self.variances)
        weighted = weighted.reshape(parts.shape)
        return weighted @ weighted.transpose(0, 2, 1), beside


def _outstanding(log_likelihoods: Array, identities: list[int]) -> Array:
    """Return how far the code ``identities`` of each row of log likelihoods is above the mean of the others, (n,).

    The unit is the standard deviation of the others.
    """
    if log_likelihoods.shape[1] <= MIN_OTHER_CODES:
        return np.full(len(log_likelihoods), USUAL_OUTSTANDING)
    rows = np.arange(len(log_likelihoods))
    others = np.ones(log_likelihoods.shape, np.bool_)
    others[rows, identities] = False
    rest = log_likelihoods[others].reshape(len(log_likelihoods), -1)
    deviations: Array = (log_likelihoods[rows, identities] - rest.mean(axis=1)) / (rest.std(axis=1) + MIN_DEVIATION)
    return deviations


class _Errors:
    """An error model of samples: noise of one level and spread, and the few ways in which light varies.

    ``known``: the prior precision of each way of light, whose mean is zero.
    """

    def __init__(self, noise: _SpreadNoise, level: float, known: Array) -> None:
        self._noise, self._variances = noise, level**2 * noise.variances
        weighed = noise.light / self._variances
        gram = weighed @ noise.light.T + np.diag(known)
        self._level, self._root = level, np.linalg.inv(np.linalg.cholesky(gram))
        self._solved = self._root @ weighed
        self.volume = float(np.log(self._variances).sum() + np.linalg.slogdet(gram)[1])
        """The logarithm of the determinant of the errors' covariance."""

    def weighed(self, samples: Array) -> tuple[Array, Array]:
        """Return samples (n, all) multiplied by the inverse covariance, and their weighted sums of squares, (n,)."""
        products = self._noise.to_products(samples)
        weighed = products / self._variances
        weighed -= (products @ self._solved.T) @ self._solved
        total: Array = np.einsum("ns,ns->n", products, weighed)
        return self._noise.to_samples(weighed), total

    def products(self, own: Array, beside: Array) -> Array:
        """Return the inner products of components, weighted by the inverse covariance, (n, parts, parts).

        ``own`` and ``beside``: the products from ``_SpreadNoise.products``, for noise of level one.
        """
        light = beside @ (self._root.T / self._level**2)
        found: Array = own / self._level**2 - light @ light.transpose(0, 2, 1)
        return found


@cache
def _every_noise(noises: Noises) -> list[_SpreadNoise]:
    """Return the noise of every spread."""
    return [_SpreadNoise(*each) for each in noises]


def _every_errors(noises: Noises) -> list[_Errors]:
    """Return the error models for noise of every spread and level."""
    return [errors for noise in _every_noise(noises) for errors in noise.levels]


@cache
def _light() -> tuple[Array, Array]:
    """Return the ways in which added light may vary, (samples, ways), and the prior precision of each, (ways,)."""
    strengths, ways = np.linalg.eigh(np.exp(-squared_distances(row_places(GRID_SIDE)) / 2 / LIGHT_MODULES**2))
    strength, all_ways = np.outer(strengths, strengths).ravel(), np.kron(ways, ways)
    strong = strength > MIN_LIGHT * strength.max()
    x, y = square_places(GRID_SIDE).T
    free = np.stack([np.ones_like(x), x, y], axis=1)
    light = np.concatenate([free, all_ways[:, strong] * np.sqrt(LIGHT_VARIANCE * strength[strong])], axis=1)
    precisions = np.ones(light.shape[1])
    precisions[:FREE_LIGHTS] = 0
    return light, precisions


def _parts(patterns: Array, blur: float, varying: Array | float = 0.0) -> Array:
    """Return the components of which each pattern's samples are modelled as a sum, (n, parts, samples).

    The first is the pattern itself; the others are deviations from it, each scaled to its standard deviation.
    ``varying``: the variance of the light at each sample if the patterns are means.
    """
    line, (x, y) = row_places(GRID_SIDE), square_places(GRID_SIDE).T
    light, across, down = rendered_with_slopes(patterns, blur, line)
    wider = rendered(patterns, blur + BLUR_STEP, line) - rendered(patterns, blur - BLUR_STEP, line)
    across, down, wider = (part * steepness(light) for part in (across, down, wider))
    squared = np.square(light) + varying
    shown = bent(light, squared)
    u, v = x / x.max(), y / y.max()
    ramps = [u, v, (3 * u * u - 1) / 2, u * v, (3 * v * v - 1) / 2]
    moved = [across, down, x * down - y * across, x * across + y * down, x * across - y * down, y * across + x * down]
    parts = [shown, *(CONTRAST_DEVIATION * ramp * shown for ramp in ramps)]
    parts += [deviation * part for deviation, part in zip(POSE_DEVIATIONS, moved, strict=True)]
    parts += [wider * BLUR_DEVIATION / BLUR_STEP, squared * CURVATURE_DEVIATION]
    return np.stack(parts, axis=1)


def _modules(patterns: Floats) -> Array:
    """Return the modules that are not the same in all patterns, each as much as it varies, (modules, 25, 25)."""
    deviations = patterns.std(axis=0).ravel().astype(np.float64)
    own = np.flatnonzero(deviations**2 > MIN_OWN_VARIANCE)
    modules = np.zeros((len(own), TAG_MODULES * TAG_MODULES))
    modules[np.arange(len(own)), own] = deviations[own]
    return modules.reshape(-1, TAG_MODULES, TAG_MODULES)


def _fit(gram: Array) -> tuple[Array, Array]:
    """Return the inverse Cholesky factor of components' inner products (n, parts, parts), and the log determinant."""
    # The contrast has no prior; all other strengths have one with unit variance.
    gram[:, np.arange(1, gram.shape[1]), np.arange(1, gram.shape[1])] += 1
    root: Array = np.linalg.cholesky(gram).astype(np.float64, copy=False)
    volume = 2 * np.log(np.diagonal(root, axis1=1, axis2=2)).sum(axis=1)
    return inverted(root), volume


def inverted(root: Array) -> Array:
    """Return the inverse of lower triangular matrices (…, n, n), a large one by halves, as their upper part is 0."""
    if root.shape[-1] <= MAX_WHOLE_INVERSE:
        return np.linalg.inv(root).astype(np.float64, copy=False)
    half, inverse = root.shape[-1] // 2, np.zeros_like(root)
    inverse[..., :half, :half] = first = inverted(root[..., :half, :half])
    inverse[..., half:, half:] = last = inverted(root[..., half:, half:])
    inverse[..., half:, :half] = -(last @ root[..., half:, :half] @ first)
    return inverse
