"""Finds places where tags may lie, by correlating the picture with what all our tags share, at every angle.

The mean pattern, averaged over the four quarter turns, is decomposed into circular harmonics.  A handful of
correlations then gives the score at every angle.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, cached_property
from math import ceil
from typing import NamedTuple, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.vision.frame import Floats, Grey
from tabletop.vision.image.parabola import vertex
from tabletop.vision.recognise.fit.shift import GRID_SIDE
from tabletop.vision.recognise.harmonics import (
    HARMONIC_COUNT,
    KERNEL_PX,
    harmonic_kernels,
    harmonic_weights,
    high_pass,
    symmetric,
    turned_kernel,
)
from tabletop.vision.recognise.partly_alike import PartlyAlike
from tabletop.vision.recognise.rectified import BLUR_PX, COARSE_MODULE_PX

Waves: TypeAlias = NDArray[np.complex64]
Mask: TypeAlias = NDArray[np.bool_]

WHOLE_HARMONIC_COUNT = 3
"""Number of circular harmonics that are used if tags are wholly visible.  With one fewer than all, as many of those
tags are found, though scores are 3 to 5 % lower."""
TILE_SIDES_PX = (72, 80, 96, 112, 120, 128, 144, 160, 192, 224, 240)
"""Sides of the tiles that are correlated at a time, px: larger ones contain more bare table and exceed the cache."""
MAX_READY_TILES = 12
"""Number of tile sizes for which kernel spectra are cached, two megabytes each at most."""
ANGLE_COUNT = 18
"""Number of angles within a quarter turn at which places are compared; the best is refined afterwards."""
MIN_SCORE = 0.28
"""Least score of a candidate; tags score between 0.4 and 0.6, most artwork below 0.3.  A tag flush with the edges of a
dark piece scores 0.3, as do half-hidden ones."""
FAIR_SCORE, MIN_CONTRAST = 0.36, 0.1
"""The score below which a candidate of a whole tag also needs contrast, and the least of it: score times deviation, as
a fraction of strong deviations.  Dark edges beside a tag lower its score by adding deviation, not its contrast.
Of 40 tags of ours that scored less in hard light, none had less than 0.119; half of the other places have less."""
PEAK_WINDOW_PX = 13
"""Side of the square, px, within which only the best place counts: places less than half a tag apart are one tag."""
MAX_CANDIDATES = 350
"""Most candidates in one image.  Of sixty tags among artwork and wood, all but half-hidden ones are among the hundred
with the highest scores, and most of the rest among those that rank high with one side left out."""
MIN_HIDDEN_SCORE, HIDDEN_WINDOW_PX = 0.22, 7
"""``MIN_SCORE`` and ``PEAK_WINDOW_PX`` for tags that may be half hidden: the cover lowers a tag's score and shifts its
peak to the side.  Of such peaks within ``PEAK_WINDOW_PX``, the one that looks most like half a tag is kept."""
MAX_HIDDEN_CANDIDATES = 400
"""``MAX_CANDIDATES`` for tags that may be half hidden."""
MAX_PER_TAG = 10
"""Most candidates for each tag that exists: there are only a few markers."""
WHOLE_BONUS = 0.06
"""How much higher a tag scores if its hidden side is left out than in the correlation with the whole tag."""
SAMPLES_PER_SIDE = 13
"""Samples along a side of a place that is compared with one side or corner left out."""
MAX_SAMPLED_PLACES = 8192
"""Most places that are sampled at once."""
WIDE_SIGHT = 3.5, 17
"""Width, px, of the blur that is subtracted from picture and kernels to remove slowly varying light; and the side, px,
of the square whose deviation normalises a score: a whole tag with its quiet zone."""
NARROW_SIGHT = 1.75, 13
"""``WIDE_SIGHT`` for a faint tag in a dark frame, which would drown it: less than the whole tag counts.  More of
everything else looks like a tag then, so this is for small parts of a table."""
MIN_DEVIATION = 3.0
"""Least standard deviation of grey levels at a tag."""
STRONG_QUANTILE, MIN_RELATIVE_DEVIATION = 0.99, 0.2
"""The quantile of all deviations on a table that counts as strong, and the least fraction of it at a tag.

In uneven, hard and soft light, no tag that was read had less than 0.28 of it; bare wood has 0.15.
"""
DEVIATION_STEP_PX = 8
"""Step, px, at which deviations are sampled for that quantile."""


class Candidates(NamedTuple):
    """Candidate places, most promising first: px in the image (n, 2), angle within a quarter turn (radians), score."""

    places: Floats
    angles: Floats
    scores: Floats


class CandidateFinder:
    """Finds candidates for a set of ``count`` tags with the mean pattern ``mean``, (25, 25).

    ``sight`` is ``WIDE_SIGHT`` or ``NARROW_SIGHT``.
    """

    def __init__(self, mean: Floats, count: int, sight: tuple[float, int] = WIDE_SIGHT) -> None:
        self._blur_px, self._window_px = sight
        self._count = count
        self._mean = mean
        kernels = harmonic_kernels(mean, self._blur_px)
        self._gain = 1.0 / float(np.sqrt((high_pass(turned_kernel(symmetric(mean), 0.0), self._blur_px) ** 2).sum()))
        self._kernels = kernels
        self._spectra: dict[tuple[int, int], Waves] = {}

    def forget(self) -> None:
        """Free the kernel spectra, which are computed again for each tile size that is needed."""
        self._spectra.clear()

    def find(
        self, grey: Grey, wanted: Mask, max_count: int | None = None, min_score: float = MIN_SCORE, *, pale: bool = True
    ) -> Candidates:
        """Return the candidates in a rectified picture, inside the mask ``wanted`` (of its shape).

        Candidates score at least ``min_score``.  ``max_count``: return at most this many, those with the highest
        scores.  If it is not given, half of the usual number are those with the highest scores, and the rest are those
        that look most like a tag with one side or corner left out, because a cover lowers a tag's score; and those that
        score less than ``FAIR_SCORE`` need contrast.  ``pale``: include places whose grey levels deviate much less than
        elsewhere.
        """
        padded, squared = self._high_passed(grey)
        where = wanted & _deviates(squared, 0.0 if pale else MIN_RELATIVE_DEVIATION)
        filtered, corner, peaks = self._find_peaks(
            padded, squared, where, min_score, PEAK_WINDOW_PX, WHOLE_HARMONIC_COUNT
        )
        peaks = peaks[np.argsort(-peaks[:, 3])]
        if max_count is None:
            peaks = peaks[_has_contrast(peaks[:, :2] + corner, peaks[:, 3], squared)]
        usual = min(MAX_CANDIDATES, MAX_PER_TAG * self._count)
        if max_count is None and len(peaks) > usual:
            first, rest = np.split(peaks, [usual // 2])
            likely = np.maximum(self._partly_alike(filtered, rest), rest[:, 3] + WHOLE_BONUS)
            peaks = np.concatenate([first, rest[np.argsort(-likely)]])
        return _candidates(peaks[: usual if max_count is None else max_count], corner)

    def find_hidden(self, grey: Grey, wanted: Mask, *, pale: bool) -> Candidates:
        """Return candidates as ``find`` does, ranking places that look like a half-hidden tag among the first."""
        padded, squared = self._high_passed(grey)
        where = wanted & _deviates(squared, 0.0 if pale else MIN_RELATIVE_DEVIATION)
        filtered, corner, peaks = self._find_peaks(
            padded, squared, where, MIN_HIDDEN_SCORE, HIDDEN_WINDOW_PX, HARMONIC_COUNT
        )
        likely = np.maximum(self._partly_alike(filtered, peaks), peaks[:, 3] + WHOLE_BONUS)
        max_count = min(MAX_HIDDEN_CANDIDATES, MAX_PER_TAG * self._count)
        # Thousands of places on a chequered cloth look more like half a tag than tags do, but few like a whole one.
        best_whole = _suppress_non_maxima(peaks[:, :2], peaks[:, 3], filtered.shape, min(self._count, max_count))
        best_partly = _suppress_non_maxima(peaks[:, :2], likely, filtered.shape, max_count)
        return _candidates(peaks[[*dict.fromkeys(best_whole + best_partly)][:max_count]], corner)

    def _find_peaks(
        self, padded: Floats, squared: Floats, where: Mask, min_score: float, window: int, harmonics: int
    ) -> tuple[Floats, Floats, Floats]:
        """Return the part of a high-passed picture that holds ``where``, its corner, and its peaks (n, 4).

        A peak is x, y, angle and score.  ``padded`` is the high-passed picture, ``squared`` are its squared deviations,
        and peaks lie in the mask ``where``.  They score at least ``min_score``, and of those in a square with the side
        ``window``, px, only the best is kept.  ``harmonics``: the number of harmonics to use.
        """
        all_peaks = [np.zeros((10, 0), np.float32)]
        rows, columns = _bounding_box(where)
        corner, half = np.array((columns.start, rows.start), dtype=np.float32), KERNEL_PX // 2
        filtered = padded[rows.start : rows.stop + 2 * half, columns.start : columns.stop + 2 * half]
        where, squared = where[rows, columns], squared[rows, columns]
        height, width = _tile_side(where.shape[0]), _tile_side(where.shape[1])
        valid_height, valid_width = height - KERNEL_PX + 1, width - KERNEL_PX + 1
        # Reused for every tile: allocating as much memory for each would double the time.
        responses = np.empty((harmonics, height, width), np.complex64)
        for top, left in _tile_corners(where, valid_height, valid_width):
            part = slice(top, top + valid_height), slice(left, left + valid_width)
            wanted = where[part]
            needed: Floats = cv2.sqrt(squared[part]).astype(np.float32, copy=False)
            needed *= self._window_px
            needed *= np.float32(min_score / self._gain)
            np.putmask(needed, ~wanted, np.inf)
            responses = self._responses(filtered[top : top + height, left : left + width], responses)
            peaks = _peaks(responses[:, : wanted.shape[0], : wanted.shape[1]], needed, window)
            peaks[:2] += np.array(((left,), (top,)), np.float32)
            all_peaks.append(peaks)
        return filtered, corner, _refined(np.concatenate(all_peaks, axis=1), min_score)

    def _partly_alike(self, filtered: Floats, peaks: Floats) -> Floats:
        """Return how much places (x, y, angle, …) look like a tag with one side or corner hidden.

        In a correlation, the cover would outweigh everything that is visible of the tag.
        """
        across, down = np.cos(peaks[:, 2:3]), np.sin(peaks[:, 2:3])
        x, y = _samples()
        columns = peaks[:, :1] + KERNEL_PX // 2 + across * x - down * y
        rows = peaks[:, 1:2] + KERNEL_PX // 2 + down * x + across * y
        samples = [np.zeros((0, x.size), np.float32)]
        for first in range(0, len(peaks), MAX_SAMPLED_PLACES):
            batch = slice(first, first + MAX_SAMPLED_PLACES)
            samples.append(cv2.remap(filtered, columns[batch], rows[batch], cv2.INTER_LINEAR))
        return self._hidden.best(np.concatenate(samples))[0]

    @cached_property
    def _hidden(self) -> PartlyAlike:
        """The comparison with the mean pattern as the coarse picture shows it, in each quarter turn."""
        turned = (turned_kernel(np.rot90(self._mean, -turns), 0.0) for turns in range(4))
        x, y = _samples() + KERNEL_PX // 2
        filtered = [
            high_pass(cv2.GaussianBlur(each, (0, 0), BLUR_PX).astype(np.float32), self._blur_px) for each in turned
        ]
        samples = [cv2.remap(each, x[None], y[None], cv2.INTER_LINEAR)[0] for each in filtered]
        return PartlyAlike(np.array(samples, dtype=np.float32), _samples())

    def _responses(self, filtered: Floats, responses: Waves) -> Waves:
        """Return the response to each harmonic at every place, (harmonics, height, width), written into ``responses``.

        A response is a complex number: cosine and sine.
        """
        height, width = responses.shape[1:]
        spectrum = np.zeros((height, width), np.complex64)
        spectrum.real[: filtered.shape[0], : filtered.shape[1]] = filtered
        # As a complex picture and in place, this takes a third of the time.
        cv2.dft(_pairs(spectrum), _pairs(spectrum))
        # One after the other: all of them at once exceed a core's cache.
        for response, kernel in zip(responses, self._kernel_spectra(height, width)[: len(responses)], strict=True):
            np.multiply(spectrum, kernel, out=response)
            cv2.idft(_pairs(response), _pairs(response))
        return responses

    def _kernel_spectra(self, height: int, width: int) -> Waves:
        """Return the spectra of the kernels, padded to a tile's size, one for each harmonic."""
        size = height, width
        padded = self._spectra.pop(size, None)
        if padded is None:
            padded = np.zeros((HARMONIC_COUNT, height, width), np.complex64)
            padded.real[:, :KERNEL_PX, :KERNEL_PX] = [self._kernels[0], *self._kernels[1::2]]
            padded.imag[1:, :KERNEL_PX, :KERNEL_PX] = [-kernel for kernel in self._kernels[2::2]]
            for kernel in padded:
                cv2.dft(_pairs(kernel), _pairs(kernel))
            np.conjugate(padded, out=padded)
            padded /= height * width
        while len(self._spectra) >= MAX_READY_TILES:
            del self._spectra[next(iter(self._spectra))]
        # The most recently used one is evicted last.
        self._spectra[size] = padded
        return padded

    def _high_passed(self, grey: Grey) -> tuple[Floats, Floats]:
        """Return the picture minus its local mean, with a border of half a kernel, and its local squared deviation."""
        (height, width), half = grey.shape, KERNEL_PX // 2
        padded: Floats = np.zeros((height + 2 * half, width + 2 * half), np.float32)
        filtered = padded[half : half + height, half : half + width]
        filtered[:] = grey
        # The local mean is smooth: a quarter of the size is enough to compute it.
        small = cv2.resize(filtered, (max(1, width // 4), max(1, height // 4)), interpolation=cv2.INTER_AREA)
        # In place, like everything that follows: a whole table is large.
        filtered -= cv2.resize(cv2.GaussianBlur(small, (0, 0), self._blur_px / 4), (width, height))
        return padded, cv2.sqrBoxFilter(filtered, cv2.CV_32F, (self._window_px, self._window_px)).astype(
            np.float32, copy=False
        )


def _deviates(squared: Floats, ratio: float = 0.0) -> Mask:
    """Return where squared deviations are large enough for a tag.

    ``ratio``: the least deviation as a fraction of strong deviations in the picture; 0 to accept any.
    """
    strong = _strong(squared) if ratio else 0.0
    return np.asarray(squared >= max(MIN_DEVIATION**2, ratio**2 * strong), np.bool_)


def _has_contrast(places: Floats, scores: Floats, squared: Floats) -> Mask:
    """Return which places (n, 2) in a picture with these squared deviations have the contrast their scores require."""
    height, width = squared.shape
    columns, rows = places.round().astype(np.intp).T
    contrasts = np.square(scores) * squared[rows.clip(0, height - 1), columns.clip(0, width - 1)]
    return np.asarray((scores >= FAIR_SCORE) | (contrasts >= MIN_CONTRAST**2 * _strong(squared)), np.bool_)


def _strong(squared: Floats) -> float:
    """Return what counts as a strong squared deviation in a picture, 0 if nothing deviates enough for a tag."""
    sampled = squared[::DEVIATION_STEP_PX, ::DEVIATION_STEP_PX].ravel()
    sampled = np.sort(sampled[sampled >= MIN_DEVIATION**2])
    # Of few values, ``np.quantile`` takes five times as long.
    return float(sampled[round(STRONG_QUANTILE * (len(sampled) - 1))]) if len(sampled) else 0.0


def _bounding_box(mask: Mask) -> tuple[slice, slice]:
    """Return the rows and columns of the bounding box of a mask."""
    left, top, width, height = cv2.boundingRect(mask.view(np.uint8))
    return slice(top, top + height), slice(left, left + width)


def _tile_side(span: int) -> int:
    """Return the smallest tile side, px, at which ``span`` places in a row need the fewest tiles."""
    max_places = TILE_SIDES_PX[-1] - KERNEL_PX + 1
    places_per_tile = ceil(span / max(1, ceil(span / max_places)))
    return next(side for side in TILE_SIDES_PX if side - KERNEL_PX + 1 >= places_per_tile)


def _tile_corners(mask: Mask, height: int, width: int) -> Iterator[tuple[int, int]]:
    """Iterate over top and left of parts of that size that together cover a mask."""
    rows = np.flatnonzero(mask.any(axis=1))
    while len(rows):
        top = int(rows[0])
        columns = np.flatnonzero(mask[top : top + height].any(axis=0))
        while len(columns):
            left = int(columns[0])
            yield top, left
            columns = columns[columns >= left + width]
        rows = rows[rows >= top + height]


def _pairs(waves: Waves) -> Floats:
    """Return a view of complex numbers as pairs (…, 2), the form that OpenCV transforms."""
    return waves.view(np.float32).reshape(*waves.shape, 2)


def _candidates(peaks: Floats, corner: Floats) -> Candidates:
    """Return peaks as candidates; ``corner``: the top left px of the part of the picture that they were found in."""
    return Candidates(peaks[:, :2] + corner, peaks[:, 2], peaks[:, 3])


def _suppress_non_maxima(places: Floats, scores: Floats, shape: tuple[int, ...], max_count: int) -> list[int]:
    """Return the numbers of places (n, 2) that have no likelier one nearby, the likeliest first, at most ``max_count``.

    ``shape``: that of the picture they are on.
    """
    columns, rows = np.clip(places.round().astype(np.intp), 0, np.array(shape[::-1]) - 1).T.tolist()
    half, taken, kept = PEAK_WINDOW_PX // 2, np.zeros(shape, np.bool_), list[int]()
    for index in np.argsort(-scores).tolist():
        if len(kept) == max_count:
            break
        row, column = rows[index], columns[index]
        if not taken[row, column]:
            kept.append(index)
        taken[max(0, row - half) : row + half + 1, max(0, column - half) : column + half + 1] = True
    return kept


def _peaks(responses: Waves, needed: Floats, window: int) -> Floats:
    """Return the local maxima over places and angles, (10, n).

    The rows are x, y, the number of the angle and the score of each maximum, then the scores before it in x, y and
    angle, and those after it.  A score is relative to ``needed``.  Of places in a square with the side ``window``, px,
    only the best is a maximum.
    """
    bound, magnitude = responses[0].real.copy(), np.empty(needed.shape, np.float32)
    for response in responses[1:]:
        bound += np.abs(response, out=magnitude)
    above = np.flatnonzero(bound > needed)
    if not len(above):
        return np.zeros((10, 0), np.float32)
    height, width = needed.shape
    ys, xs = np.divmod(above, width)
    relative = np.array([response[ys, xs] for response in responses]) / needed.ravel()[above]
    # As a matrix product this twice warned of invalid values, though every number was finite.
    scores = np.einsum("ah,hn->an", _angle_weights(len(responses)), np.concatenate([relative.real, relative.imag[1:]]))
    # With a border, so that every place has neighbours; ``row_px`` is the length of a row, px.
    row_px = width + 2
    grid = np.zeros((height + 2, row_px), np.float32)
    highest, index = scores.max(axis=0), above + 2 * ys + row_px + 1
    grid.ravel()[index] = highest
    is_peak = (highest > 1) & (highest >= cv2.dilate(grid, np.ones((window, window), np.uint8)).ravel()[index])
    ys, xs, index, scores = ys[is_peak], xs[is_peak], index[is_peak], scores[:, is_peak]
    angle, column = scores.argmax(axis=0), np.arange(len(index))
    peaks = np.empty((10, len(index)), np.float32)
    peaks[0], peaks[1], peaks[2], peaks[3] = xs, ys, angle, highest[is_peak]
    for row, step in ((4, -1), (7, 1)):
        grid.take(index + step, out=peaks[row])
        grid.take(index + step * row_px, out=peaks[row + 1])
        peaks[row + 2] = scores[(angle + step) % ANGLE_COUNT, column]
    return peaks


def _refined(maxima: Floats, min_score: float) -> Floats:
    """Return peaks (n, 4), x, y, angle and score: maxima as ``_peaks`` finds them, moved to the vertex of a parabola.

    ``min_score``: the score to which those of the maxima are relative.
    """
    peaks = maxima[:4].copy()
    peaks[:3] += np.clip(vertex(maxima[4:7], peaks[3], maxima[7:]), -0.5, 0.5)
    peaks[2] *= np.float32(np.pi / 2 / ANGLE_COUNT)
    peaks[3] *= np.float32(min_score)
    return np.ascontiguousarray(peaks.T)


@cache
def _samples() -> Floats:
    """Return the offsets of a place's samples from its middle, px to the right and down, (2, n)."""
    line = (np.arange(SAMPLES_PER_SIDE, dtype=np.float32) - (SAMPLES_PER_SIDE - 1) / 2) * np.float32(
        GRID_SIDE * COARSE_MODULE_PX / SAMPLES_PER_SIDE
    )
    x, y = np.meshgrid(line, line)
    return np.stack([x.ravel(), y.ravel()])


@cache
def _angle_weights(harmonics: int) -> Floats:
    """Return the weights of the first harmonics at each of the compared angles: all cosines, then all sines."""
    waves = harmonic_weights(np.arange(ANGLE_COUNT) * (np.pi / 2 / ANGLE_COUNT))[:, : 2 * harmonics - 1]
    return np.concatenate([waves[:, :1], waves[:, 1::2], waves[:, 2::2]], axis=1)
