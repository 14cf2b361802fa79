"""The patterns that can lie on the table, prepared for comparison.

All our tags look alike for the most part: finder patterns, quiet zone, timing.  To identify a tag, everything they
share is projected out of picture and pattern, and only the rest is compared: the residual.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import product
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.vision.frame import Floats
from tabletop.vision.geometry.plane import Array
from tabletop.vision.recognise.fit.pose_refine import PoseRefiner
from tabletop.vision.recognise.fit.shift import GRID_SIDE, Shifts, even_and_odd, from_products, homogeneous
from tabletop.vision.recognise.partly_alike import MASK_COUNT, PartlyAlike, PartlyHidden, far_each_way, seen_parts
from tabletop.vision.tags.patterns import QUIET_MODULES, TAG_MODULES, Pattern, encode

CRISP_BLUR = 0.3
"""Blur width (modules) of the mean pattern that is compared with a sharpened picture, to rule out all else."""
SOFT_BLUR = 0.95
"""Blur width (modules) of the patterns with which identities are compared: finer differences drown in noise."""
SMOOTH_BLUR = 1.2
"""The same for samples that are softened more because of noise; it is tried in addition to the usual one."""
SOFTER_BLUR = 1.5
"""The same if the camera shows what all tags share with this much blur, or more."""
CLEARNESS_BLURS = (0.75, 0.95, 1.2, SOFTER_BLUR, 1.9)
"""Blur widths (modules) among which the one of a place is estimated."""
MEAN_BLURS = (0.75, 0.95, 1.2)
"""Blur widths (modules) of the mean pattern that is projected out: the camera's blur is not known."""
COVERED_FRACTION = 0.3
"""Fraction of a tag that is left out in case one side or corner is covered."""
MAX_SETTLED_DEVIATION = 0.25
"""Our tags count as alike at a sample if they deviate from each other by less than this there and within a module."""
NOISE_MODULES, WHITE_NOISE = 0.5, 0.2
"""How far softening spreads the noise of samples, and each sample's uncorrelated noise as a fraction of it."""
UNEVEN_LIGHT, LIGHT_MODULES = 0.3, 6.0
"""Light that varies over a tag, as a fraction of that noise, and its correlation length in modules."""
MADE_UP_TAGS = tuple((f"MADE UP {mask}", mask) for mask in range(8))
"""Texts and masks of tags that no piece has."""


@cache
def offsets() -> Floats:
    """Return the positions of the samples, (3, samples): modules from the tag's middle, x right, y down, and ones."""
    places = homogeneous(np.arange(GRID_SIDE, dtype=np.float64) - (GRID_SIDE - 1) / 2)
    places.flags.writeable = False
    return places


@cache
def turned() -> NDArray[np.intp]:
    """Return the order of samples that turns a place upright, for each quarter turn, (4, samples)."""
    order = np.arange(GRID_SIDE * GRID_SIDE).reshape(GRID_SIDE, GRID_SIDE)
    return np.array([np.rot90(order, turns).ravel() for turns in range(4)])


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """One way to compare: with all samples, or only with those outside a part of the tag that may be covered.

    ``residuals`` (4, samples, identities) are the residual patterns in each quarter turn, each of length one;
    ``shared`` (samples, 4 * kinds) is a basis of what all tags share, orthonormal for each quarter turn;
    ``sample_indices`` are the samples that count.  ``whitening`` (samples, samples): the matrix by which samples are
    multiplied first.
    """

    residuals: Floats
    shared: Floats
    sample_indices: NDArray[np.intp]
    whitening: Floats | None = None

    def upright(self, identities: Sequence[int]) -> Floats:
        """Return the shared basis and then the residual pattern of each identity, upright, (n, samples, kinds)."""
        kinds = self.shared.shape[1] // 4
        shared = np.broadcast_to(self.shared[:, :kinds], (len(identities), *self.shared[:, :kinds].shape))
        return np.concatenate([shared, self.residuals[0].T[np.array(identities)][..., None]], axis=2)

    def rest(self, samples: Floats) -> Floats:
        """Return the sum of squares of upright samples (n, all) without what all tags share, (n,)."""
        compared = self._compared(samples)
        shared = compared @ self.shared[:, : self.shared.shape[1] // 4]
        squares: Floats = np.einsum("ns,ns->n", compared, compared) - np.einsum("nk,nk->n", shared, shared)
        return squares

    def fits(self, samples: Floats, identities: Sequence[int] | NDArray[np.intp]) -> Floats:
        """Return the residual correlation of upright samples (n, all) with one pattern each, (n,)."""
        compared = self._compared(samples)
        total = np.einsum("ns,ns->n", compared, compared)
        rest = np.maximum(self.rest(samples), 1e-3 * total + 1e-6)
        correlations: Floats = np.einsum("ns,sn->n", compared, self.residuals[0][:, identities]) / np.sqrt(rest)
        return correlations

    def scores(self, samples: Floats) -> Floats:
        """Return the residual correlation of samples (…, all) with every turn and identity, (…, 4, identities)."""
        correlations, _ = self._correlated(samples.reshape(-1, samples.shape[-1]))
        return correlations.reshape(*samples.shape[:-1], 4, -1)

    def comparable_scores(self, samples: Floats) -> tuple[Floats, Floats]:
        """Return the same of samples (n, all) on one scale for all turns, that of the turn that leaves the least over.

        What all tags share tells the turns from each other: one in which it does not fit leaves more over.  Also return
        the sum of squares of samples without what all tags share, (n, 4).
        """
        correlations, rest = self._correlated(samples)
        least = (rest * (1 - np.square(np.maximum(correlations.max(axis=2), 0)))).argmin(axis=1)
        ratios = rest / rest[np.arange(len(rest)), least, None]
        alike = np.maximum(1 - ratios[:, :, None] * (1 - np.square(correlations)), 0)
        comparable: Floats = np.copysign(np.sqrt(alike), correlations)
        return comparable, rest

    def _correlated(self, samples: Floats) -> tuple[Floats, Floats]:
        """Return scores (n, 4, identities), and what samples (n, all) show besides what all tags share, (n, 4)."""
        some = self._compared(samples)
        total = np.einsum("ns,ns->n", some, some)
        shared = (some @ self.shared).reshape(len(some), 4, -1)
        rest = np.maximum(total[:, None] - np.einsum("ntk,ntk->nt", shared, shared), 1e-3 * total[:, None] + 1e-6)
        # Turn after turn: the patterns in all turns at once exceed a core's cache.
        found: Floats = (some @ self.residuals).transpose(1, 0, 2) / np.sqrt(rest)[:, :, None]
        return found, rest

    def _compared(self, samples: Floats) -> Floats:
        """Return those of samples (n, all) that count, minus their mean, whitened if required, (n, used)."""
        some = samples.take(self.sample_indices, axis=1)
        some -= np.add.reduce(some, axis=1, keepdims=True) / some.shape[1]
        return some if self.whitening is None else some @ self.whitening


class Clearness(NamedTuple):
    """How clearly a tag of ours would show at some places, judged by what all tags share.

    ``score`` is the residual correlation that it would reach, ``softer`` whether it is more blurred than usual, and
    ``noise`` the sum of squares, over all samples, of deviations from what is expected.
    """

    score: Floats
    softer: NDArray[np.bool_]
    noise: Floats


class Templates:
    """The patterns of one size that are in play, prepared for every comparison; made from patterns by payload."""

    def __init__(self, patterns: Mapping[str, Pattern]) -> None:
        self.payloads = tuple(sorted(patterns))
        self.numbers = {payload: number for number, payload in enumerate(self.payloads)}
        self.whole = _whole([patterns[payload] for payload in self.payloads])
        # The shared part of a lone tag can only be found by comparison with other tags.
        others = _whole([encode(text, mask) for text, mask in MADE_UP_TAGS])
        self.several = self.whole if len(self.whole) > 1 else np.concatenate([self.whole, others])
        self.mean: Floats = self.several.mean(axis=0)
        self._deviation: Floats = self.several.std(axis=0)
        self._softened: dict[float, tuple[Floats, Floats]] = {}
        self.full = self._comparison(np.arange(GRID_SIDE * GRID_SIDE), SOFT_BLUR)

    def compared(self, samples: Floats, patterns: Sequence[Pattern]) -> Floats:
        """Return the residual correlation of samples (n, all) with other patterns in their best turn, (n, patterns).

        What these templates share is projected out.
        """
        whole = _whole(patterns)
        own = _crop(_blurred(whole, SOFT_BLUR)).reshape(len(whole), -1)
        basis = self.full.shared[:, : self.full.shared.shape[1] // 4]
        own -= (own @ basis) @ basis.T
        own /= np.linalg.norm(own, axis=1, keepdims=True)
        each_turn = samples[:, turned()]
        each_turn -= each_turn.mean(axis=2, keepdims=True)
        rest = (each_turn**2).sum(axis=2) - ((each_turn @ basis) ** 2).sum(axis=2)
        correlations: Floats = ((each_turn @ own.T) / np.sqrt(np.maximum(rest, 1e-6))[..., None]).max(axis=1)
        return correlations

    @cached_property
    def softer(self) -> Comparison:
        """The comparison for places that are more blurred than usual."""
        return self._comparison(np.arange(GRID_SIDE * GRID_SIDE), SOFTER_BLUR)

    @cached_property
    def smooth(self) -> tuple[Comparison, Comparison]:
        """The comparisons for samples softened by almost a module, with less and more blur by the camera."""
        return self.full, self._comparison(np.arange(GRID_SIDE * GRID_SIDE), SMOOTH_BLUR)

    @cached_property
    def whitened(self) -> Comparison:
        """The comparison of whitened samples, whose errors are uncorrelated.

        Coarse detail counts less then, and fine detail more: softened noise, reflections of windows and curled paper
        affect many samples at once, and foreign codes resemble ours the most in coarse detail.
        """
        return self._comparison(np.arange(GRID_SIDE * GRID_SIDE), SOFT_BLUR, _whitening())

    @cached_property
    def shifts(self) -> Shifts:
        """The estimator of shifts from each pattern."""
        return Shifts(self.whole)

    @cached_property
    def shared(self) -> Shifts:
        """The estimator of shifts from what all tags share, for each quarter turn."""
        return Shifts(self._turned_means())

    @cached_property
    def refiner(self) -> PoseRefiner:
        """The estimator of the exact pose of a tag whose pattern is known."""
        return PoseRefiner(self.whole)

    @cached_property
    def covered(self) -> list[Comparison]:
        """The comparisons that each leave out one side or corner."""
        return [self._comparison(np.flatnonzero(seen), SOFT_BLUR) for seen in seen_parts(offsets(), COVERED_FRACTION)]

    @cached_property
    def seen_and_not(self) -> Array:
        """Masks of the samples that count in each comparison of ``covered``, then of the others, (2, ways, samples)."""
        seen = seen_parts(offsets(), COVERED_FRACTION)
        return np.stack([seen, ~seen]).astype(np.float64)

    @cached_property
    def partly_alike(self) -> PartlyAlike:
        """The comparison of sharpened samples with any tag with one side or corner hidden, in each quarter turn."""
        return PartlyAlike(self.means(), offsets())

    @cached_property
    def partly_hidden(self) -> PartlyHidden:
        """The estimator of shifts from what all tags share, with one side or corner hidden, in each quarter turn."""
        return PartlyHidden(self._turned_means(), offsets())

    @cached_property
    def halves(self) -> list[Comparison]:
        """The comparisons in which only one half counts: the right one, then clockwise in equal steps."""
        return [self._comparison(np.flatnonzero(far > 0), SOFT_BLUR) for far in far_each_way(offsets())]

    @cached_property
    def half_covered(self) -> list[Comparison]:
        """The comparisons that each leave out the half at one side or corner."""
        return self.halves[MASK_COUNT // 2 :] + self.halves[: MASK_COUNT // 2]

    def clear(self, samples: Floats) -> Clearness:
        """Return how clearly a tag of ours would show at upright samples (n, all).

        Quiet zone, finder patterns and timing are the same in every tag: their contrast, their blur and the noise on
        them predict how strongly the rest of a tag would show.  Artwork and bare table score low.
        """
        shared, (weights, basis) = samples[:, self.alike_in_all], self._clearness
        total = np.einsum("ns,ns->n", shared, shared)
        expected = np.square(shared @ basis).reshape(len(shared), len(CLEARNESS_BLURS), -1)
        noises = total[:, None] - expected.sum(axis=2)
        best, numbers = noises.argmin(axis=1), np.arange(len(shared))
        softer = best >= CLEARNESS_BLURS.index(SOFTER_BLUR)
        noise = np.maximum(noises[numbers, best], 0) / (shared.shape[1] - expected.shape[2]) * GRID_SIDE**2
        own = np.maximum((shared @ weights)[numbers, best], 0) ** 2 * np.where(softer, *self._own_light)
        return Clearness(np.sqrt(own / (own + noise + 1e-6)).astype(np.float32), softer, noise.astype(np.float32))

    @cached_property
    def alike_in_all(self) -> NDArray[np.intp]:
        """The numbers of the samples at which, and within a module of which, all tags are alike."""
        alike = (self._deviation < MAX_SETTLED_DEVIATION).astype(np.uint8)
        around = np.asarray(cv2.erode(alike, np.ones((3, 3), np.uint8), borderValue=1), dtype=np.float32)
        return np.flatnonzero(_crop(around))

    @cached_property
    def _own_light(self) -> tuple[float, float]:
        """The mean sum of squares of a residual pattern at a contrast of one: with the softer and the usual blur."""
        rest = self.whole - self.mean
        softer, soft = (
            float((_crop(_blurred(rest, blur)) ** 2).sum()) / len(rest) for blur in (SOFTER_BLUR, SOFT_BLUR)
        )
        return softer, soft

    @cached_property
    def _clearness(self) -> tuple[Floats, Floats]:
        """The weights that give the contrast of samples with each blur, and the bases of all that is expected of them.

        They are (samples, blurs) and (samples, blurs * kinds).
        """
        weights = np.stack([np.linalg.pinv(kinds)[0] for kinds in self.expected], axis=1)
        bases = np.concatenate([np.linalg.qr(kinds)[0] for kinds in self.expected], axis=1)
        return weights.astype(np.float32), bases.astype(np.float32)

    @cached_property
    def expected(self) -> list[Array]:
        """For each blur, the mean pattern and ramps of light at ``alike_in_all``, (samples, kinds)."""
        x, y, _ = offsets()[:, self.alike_in_all]
        bases = []
        for blur in CLEARNESS_BLURS:
            mean = _crop(_blurred(self.mean, blur)).ravel()[self.alike_in_all]
            bases.append(np.stack([mean, np.ones_like(x), x, y], axis=1).astype(np.float64))
        return bases

    def means(self) -> Floats:
        """Return the mean pattern for each quarter turn at the samples, zero mean and length one, (4, samples)."""
        crisp = _blurred(self.mean, CRISP_BLUR)
        rows = np.array([_crop(np.rot90(crisp, -turns)).ravel() for turns in range(4)])
        rows -= rows.mean(axis=1, keepdims=True)
        out: Floats = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        return out

    def _softly(self, soft: float) -> tuple[Floats, Floats]:
        """Return the blurred patterns, and their mean with several blurs, in each quarter turn, (4, samples, n).

        They are cached, because comparisons of different parts need the same ones.
        """
        if soft not in self._softened:
            widths = [blur * soft / SOFT_BLUR for blur in MEAN_BLURS]
            means = np.array([_blurred(self.mean, width) for width in widths])
            self._softened[soft] = _samples_each_way(_blurred(self.whole, soft)), _samples_each_way(means)
        return self._softened[soft]

    def _turned_means(self) -> Floats:
        """Return the mean pattern in each quarter turn, (4, 25, 25)."""
        return np.array([np.rot90(self.mean, -turns) for turns in range(4)])

    def _comparison(self, used: NDArray[np.intp], soft: float, whitening: Floats | None = None) -> Comparison:
        # Few samples are compared with many patterns: with the axes swapped in memory that takes four times as long.
        own, means = (each.take(used, axis=1) for each in self._softly(soft))
        x, y, ones = offsets()[:, used]
        light = np.stack([ones, x, y], axis=1)
        if whitening is not None:
            own, means, light = (whitening.T @ each for each in (own, means, light))
        expected = np.concatenate([np.broadcast_to(light, (4, *light.shape)), means], axis=2)
        basis = np.linalg.qr(expected.astype(np.float64))[0].astype(np.float32)
        own -= basis @ (basis.transpose(0, 2, 1) @ own)
        own /= np.linalg.norm(own, axis=1, keepdims=True)
        alike = np.ascontiguousarray(basis.transpose(1, 0, 2)).reshape(len(used), -1)
        return Comparison(own, alike, used, whitening)


def _whole(patterns: Sequence[Pattern]) -> Floats:
    """Return patterns with their quiet zone, light 1 and dark -1, (n, 25, 25)."""
    light = np.where(np.array(patterns), -1, 1).astype(np.float32)
    return np.pad(light, ((0, 0), (QUIET_MODULES, QUIET_MODULES), (QUIET_MODULES, QUIET_MODULES)), constant_values=1)


def _samples_each_way(patterns: Floats) -> Floats:
    """Return the samples of whole patterns (n, 25, 25) in each quarter turn, (4, samples, n)."""
    each = [_crop(np.rot90(patterns, -turns, axes=(1, 2))).reshape(len(patterns), -1).T for turns in range(4)]
    return np.ascontiguousarray(np.stack(each), dtype=np.float32)


@cache
def _whitening() -> Floats:
    """Return the matrix (samples, samples) that makes the errors of samples uncorrelated."""
    line = np.arange(GRID_SIDE)
    squared = (line[:, None] - line) ** 2
    noise, light = np.exp(-squared / 4 / NOISE_MODULES**2), np.exp(-squared / 2 / LIGHT_MODULES**2)
    blocks = []
    # Even and odd errors along a line are uncorrelated: four small matrices take a tenth of the time.
    for down, across in product(even_and_odd(), repeat=2):
        covariance = WHITE_NOISE * np.eye(down.columns.shape[1] * across.columns.shape[1])
        for factor, alike in ((1.0, noise), (UNEVEN_LIGHT, light)):
            covariance += factor * np.kron(*(parity.columns.T @ alike @ parity.columns for parity in (down, across)))
        blocks.append(from_products(np.linalg.inv(np.linalg.cholesky(covariance)).T, down, across))
    whitening: Floats = np.concatenate(blocks, axis=1).astype(np.float32)
    return whitening


@cache
def _blurring(width: float) -> Floats:
    """Return the matrix (25, 25) that blurs columns of 25 modules by that width, modules."""
    line = cv2.getGaussianKernel(2 * round(4 * width) + 1, width)
    identity = np.eye(TAG_MODULES, dtype=np.float32)
    return np.asarray(cv2.sepFilter2D(identity, cv2.CV_32F, np.ones((1, 1)), line), dtype=np.float32)


def _blurred(patterns: Floats, width: float) -> Floats:
    """Return whole patterns (…, 25, 25) blurred by that width, modules."""
    blur = _blurring(width)
    blurred: Floats = np.matmul(np.matmul(blur, patterns), blur.T)
    return blurred


def _crop(picture: Floats) -> Floats:
    """Return the part of a whole tag (…, 25, 25) that is compared (…, 23, 23)."""
    rest = (TAG_MODULES - GRID_SIDE) // 2
    return picture[..., rest : TAG_MODULES - rest, rest : TAG_MODULES - rest]
