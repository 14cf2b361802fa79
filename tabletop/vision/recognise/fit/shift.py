"""Estimates how far a pattern is from its assumed pose, in one step, by least squares on its slopes.

A camera's blur makes a pattern smooth, so that a small shift adds a multiple of the pattern's slopes to the samples.
Light and its ramps are fitted as well, and samples are weighted by their uncertainty from noise and from what lies
beside the tag.  All of that is computed once for each pattern.
"""

from __future__ import annotations

from functools import cache, cached_property, lru_cache
from math import erf, pi, sqrt
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tabletop.vision.frame import Floats
from tabletop.vision.geometry.plane import Array
from tabletop.vision.tags.patterns import CODE_MODULES, TAG_MODULES

Which: TypeAlias = NDArray[np.intp]

QUIET_RINGS = 1
"""Rings of modules of the quiet zone that are compared as well."""
GRID_SIDE = CODE_MODULES + 2 * QUIET_RINGS
"""Samples along a side: the centre of every module and of one ring of quiet zone."""
BLUR_WIDTHS = (0.75, 1.0, 1.35)
"""Widths (modules) of the blur with which tags may appear; the best fit is used."""
MAX_LEARNT_PATTERNS = 8
"""Number of patterns that are prepared at a time: more exceed a core's cache and take twice as long."""
MAX_COMPARED_PATTERNS = 16
"""Number of patterns, each with its blur, up to which samples are compared with all of them at once."""
NOISE_LEVEL, NOISE_SPREAD, WHITE_NOISE = 0.25, 0.6, 0.1
"""Noise as a fraction of half the contrast, how far (modules) softening spreads it, and the fraction of its variance
that is uncorrelated."""
SURROUND_CONTRAST, SURROUND_GRAIN, SURROUND_MODULES = 0.3, 2.0, 4
"""How much a tag's surroundings differ from paper, the correlation length of that in modules, and how many modules of
the surroundings are considered."""


class Shifts:
    """Estimates how far samples lie off whole patterns (n, 25, 25), each with any of the blurs.

    A pattern's weights are computed when it is first needed: few of a game's tags lie on the table at a time.
    """

    def __init__(self, patterns: Floats) -> None:
        self._patterns = patterns.astype(np.float64)
        self._weights = np.zeros((len(patterns) * len(BLUR_WIDTHS), 5, GRID_SIDE * GRID_SIDE), np.float32)
        self._is_known = np.zeros(len(self._weights), np.bool_)

    def best(self, samples: Floats) -> tuple[Which, Which]:
        """Return the pattern and the blur that fit each of some samples (n, s) best."""
        pattern, blur = np.divmod((samples @ self._fits).argmax(axis=1), len(BLUR_WIDTHS))
        return pattern, blur

    def shift(self, samples: Floats, pattern: Which, blur: Which) -> Floats:
        """Return how far samples (n, s) lie off patterns: x, y in modules, radians, fraction of the size, (n, 4)."""
        numbers = pattern * len(BLUR_WIDTHS) + blur
        if not self._is_known[numbers].all():
            self._learn(np.unique(numbers[~self._is_known[numbers]]))
        if len(self._weights) <= MAX_COMPARED_PATTERNS:
            # One product of two matrices takes a third of the time of collecting the weights of every sample.
            every = samples @ self._weights.reshape(-1, samples.shape[1]).T
            sums = every.reshape(len(samples), *self._weights.shape[:2])[np.arange(len(samples)), numbers]
        else:
            # As products of matrices this takes two thirds of the time of a sum over indices.
            sums = np.matmul(self._weights[numbers], samples[:, :, None])[..., 0]
        shifts: Floats = sums[:, :4] / np.maximum(sums[:, 4:], 1e-3)
        return shifts

    @cached_property
    def _fits(self) -> Floats:
        """Weights that give the likeness of samples to each pattern with each blur, (samples, n * blurs)."""
        likeness = np.stack([_likeness(self._patterns, blur) for blur in BLUR_WIDTHS], axis=1)
        return np.ascontiguousarray(likeness.reshape(-1, GRID_SIDE * GRID_SIDE).T, dtype=np.float32)

    def _learn(self, numbers: Which) -> None:
        """Compute the weights for shifts of these patterns, each with its blur."""
        for number, blur in enumerate(BLUR_WIDTHS):
            own = numbers[numbers % len(BLUR_WIDTHS) == number]
            for first in range(0, len(own), MAX_LEARNT_PATTERNS):
                batch = own[first : first + MAX_LEARNT_PATTERNS]
                self._weights[batch] = _shift_weights(self._patterns[batch // len(BLUR_WIDTHS)], blur)
            self._is_known[own] = True


def _shift_weights(patterns: Array, blur: float) -> Array:
    """Return each pattern's weights that give shift (two), turn, growth and strength of samples, (n, 5, samples)."""
    rows, _ = _least_squares(_parts(patterns, blur), _precision(blur))
    weights: Array = np.concatenate([rows[:, 1:5], rows[:, :1]], axis=1)
    return weights


def masked_shift_weights(patterns: Array, blur: float, used: NDArray[np.bool_]) -> Floats:
    """Return each pattern's weights for masked samples, (masks, n, 6, samples).

    They give shift (two), turn, growth, strength and the likeness to the pattern.  ``used`` (masks, samples): the
    samples that count in each mask.
    """
    parts, precision = _parts(patterns, blur), _precision(blur)
    weights = np.zeros((len(used), len(patterns), 6, used.shape[1]), np.float32)
    for mask, mask_weights in zip(used, weights, strict=True):
        rows, variance = _least_squares(parts[..., mask], precision[mask][:, mask])
        strength = rows[:, :1]
        mask_weights[..., mask] = np.concatenate(
            [rows[:, 1:5], strength, strength / np.sqrt(variance)[:, None, None]], axis=1
        )
    return weights


def _parts(patterns: Array, blur: float) -> Array:
    """Return the components of which each pattern's samples are modelled as a sum, (n, parts, samples).

    They are the pattern, its changes with shift (two), turn, growth and blur, and ramps of contrast and of light.
    """
    x, y = square_places(GRID_SIDE).T
    light, across, down = rendered_with_slopes(patterns, blur, row_places(GRID_SIDE))
    turn, growth = x * down - y * across, x * across + y * down
    wide, narrow = (rendered(patterns, each, row_places(GRID_SIDE)) for each in (blur * 1.15, blur / 1.15))
    parts: Array = np.stack(
        [light, across, down, turn, growth, wide - narrow, light * x, light * y, *_ramps(light)], axis=1
    )
    return parts


def _likeness(patterns: Array, blur: float) -> Array:
    """Return each pattern's weights that give the likeness of samples, (n, samples)."""
    light = rendered(patterns, blur, row_places(GRID_SIDE))
    rows, variance = _least_squares(np.stack([light, *_ramps(light)], axis=1), _precision(blur))
    likeness: Array = rows[:, 0] / np.sqrt(variance)[:, None]
    return likeness


def _ramps(light: Array) -> list[Array]:
    """Return the ways in which added light may vary over samples (n, samples): evenly, across and down."""
    x, y = square_places(GRID_SIDE).T
    return [np.broadcast_to(each, light.shape) for each in (np.ones_like(x), x, y)]


def _least_squares(parts: Array, precision: Floats) -> tuple[Array, Array]:
    """Return the weights that give each component's strength (n, parts, samples), and the first strength's variance.

    ``parts``: the components; ``precision``: the inverse covariance of the samples' errors.
    """
    # One product of two matrices: one for each pattern would take twenty times as long.
    product = parts.reshape(-1, parts.shape[2]).astype(np.float32) @ precision
    weighed = product.astype(np.float64).reshape(parts.shape)
    covariance = np.linalg.inv(weighed @ parts.transpose(0, 2, 1)).astype(np.float64, copy=False)
    return covariance @ weighed, covariance[:, 0, 0]


def rendered_with_slopes(patterns: Array, blur: float, places: Array) -> tuple[Array, Array, Array]:
    """Return the blurred patterns, and their slopes across and down, each (n, samples).

    The samples lie on a square grid; ``places``: the positions along each row and column, modules from the middle.
    """
    line, slope = _row_responses(blur, TAG_MODULES, places)
    # Paper continues beyond the quiet zone: only the dark modules are blurred.
    dark = patterns - 1
    smeared = line @ dark
    light, across, down = (
        (rows @ other.T).reshape(len(dark), -1)
        for rows, other in ((smeared, line), (smeared, slope), (slope @ dark, line))
    )
    return light + 1, across, down


def rendered(patterns: Array, blur: float, places: Array) -> Array:
    """Return the blurred patterns without their slopes, (n, samples); parameters as for ``rendered_with_slopes``."""
    line, _ = _row_responses(blur, TAG_MODULES, places)
    light: Array = (line @ (patterns - 1) @ line.T).reshape(len(patterns), -1) + 1
    return light


@cache
def _precision(blur: float) -> Floats:
    """Return the inverse covariance of the samples' errors, (samples, samples)."""
    lines = [
        (NOISE_LEVEL**2, np.exp(-squared_distances(row_places(GRID_SIDE)) / 4 / NOISE_SPREAD**2)),
        (NOISE_LEVEL**2 * WHITE_NOISE, np.eye(GRID_SIDE)),
    ]
    around = row_places(TAG_MODULES + 2 * SURROUND_MODULES)
    # The surroundings differ from paper in their overall brightness and in detail that is correlated nearby.
    lines += _leak_covariance(blur, 0.5 * SURROUND_CONTRAST, np.ones((len(around), len(around))))
    lines += _leak_covariance(blur, SURROUND_CONTRAST, np.exp(-squared_distances(around) / 2 / SURROUND_GRAIN**2))
    precision = np.zeros((GRID_SIDE * GRID_SIDE, GRID_SIDE * GRID_SIDE), np.float32)
    # The covariance is symmetric left to right and top to bottom: even and odd errors are uncorrelated, so four small
    # matrices are inverted instead of a large one, for which slow machines would take seconds.
    factors = np.array([factors for factors, _ in lines])[:, None, None]
    by_parity = [
        (parity, parity.columns.T @ np.array([line for _, line in lines]) @ parity.columns) for parity in even_and_odd()
    ]
    for down, rows in by_parity:
        for across, columns in by_parity:
            covariance = np.tensordot(factors * rows, columns, axes=(0, 0)).transpose(0, 2, 1, 3)
            covariance = covariance.reshape(rows.shape[1] * columns.shape[1], -1)
            half = from_products(np.linalg.inv(covariance).astype(np.float32), down, across)
            precision += from_products(half.T, down, across)
    return precision


def _leak_covariance(blur: float, factor: float, correlation: Array) -> list[tuple[float, Array]]:
    """Return the covariance of the light that leaks in from around a tag, as factors and matrices along one axis.

    ``factor``: its variance; ``correlation``: the correlation of places along a line.  The covariance is the sum of
    each factor times the Kronecker product of its matrix (GRID_SIDE, GRID_SIDE) with itself.
    """
    responses, _ = _row_responses(blur, len(correlation), row_places(GRID_SIDE))
    own = responses * (np.abs(row_places(len(correlation))) < TAG_MODULES / 2)
    # The surroundings with the tag's own place are a product; that place is then taken out.
    half = own @ correlation @ responses.T
    return [
        (factor, responses @ correlation @ responses.T),
        (factor, own @ correlation @ own.T),
        (-factor, half),
        (-factor, half.T),
    ]


class Parity(NamedTuple):
    """An orthonormal basis of the even, or odd, functions along a line of samples: ``columns`` (GRID_SIDE, columns).

    Each row has one number that is not zero: ``weights`` (GRID_SIDE,), in the column ``column`` (GRID_SIDE,).
    """

    columns: Array
    column: Which
    weights: Array


@cache
def even_and_odd() -> tuple[Parity, Parity]:
    """Return the bases of the even and of the odd functions along a line of samples."""
    identity, mirrored = np.eye(GRID_SIDE), np.eye(GRID_SIDE)[::-1]
    half = GRID_SIDE // 2
    even, odd = (identity + mirrored)[:, : half + 1], (identity - mirrored)[:, :half]
    both = even / np.sqrt((even**2).sum(axis=0)), odd / sqrt(2)
    first, second = (Parity(columns, np.abs(columns).argmax(axis=1), columns.sum(axis=1)) for columns in both)
    return first, second


def from_products(values: Array, down: Parity, across: Parity) -> Array:
    """Return values ``values`` of the products of two bases (products, n) as values of the samples, (samples, n).

    Each sample is in only one product, so a lookup replaces the product of matrices.
    """
    products = (down.column[:, None] * across.columns.shape[1] + across.column).ravel()
    weights = np.multiply.outer(down.weights, across.weights).ravel().astype(values.dtype)
    samples: Array = values.take(products, axis=0) * weights[:, None]
    return samples


def _row_responses(blur: float, count: int, places: Array) -> tuple[Array, Array]:
    """Return how much each of ``count`` modules in a row contributes at places along it, and the slope of that.

    Both are (places, count); places are in modules from the middle.
    """
    return _row_responses_at(blur, count, tuple(places.tolist()))


@lru_cache(maxsize=128)
def _row_responses_at(blur: float, count: int, places: tuple[float, ...]) -> tuple[Array, Array]:
    distances = (np.array(places)[:, None] - np.arange(count + 1) + count / 2) / blur
    steps = np.array([erf(each) for each in (distances / sqrt(2)).ravel().tolist()]).reshape(distances.shape) / 2
    bells = np.exp(-(distances**2) / 2) / sqrt(2 * pi) / blur
    return steps[:, :-1] - steps[:, 1:], bells[:, :-1] - bells[:, 1:]


def row_places(count: int) -> Array:
    """Return the middles of a row of ``count`` modules, relative to the row's middle."""
    return np.arange(count, dtype=np.float64) - (count - 1) / 2


def homogeneous(places: Array) -> Floats:
    """Return a square grid of samples, row after row, (3, n): x, y and ones; ``places``: positions along each row."""
    x, y = np.meshgrid(places, places)
    grid: Floats = np.stack([x.ravel(), y.ravel(), np.ones(x.size)]).astype(np.float32)
    return grid


def square_places(count: int) -> Array:
    """Return the middles of a square of modules, relative to its middle, row after row: x and y, (count * count, 2)."""
    x, y = np.meshgrid(row_places(count), row_places(count))
    return np.stack([x.ravel(), y.ravel()], axis=1)


def squared_distances(line: Array) -> Array:
    """Return the squared distances between all places along a line."""
    squared: Array = (line[:, None] - line) ** 2
    return squared
