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
from tabletop.vision.recognise.fit.shift import GRID_SIDE
from tabletop.vision.recognise.partly_alike import PartlyAlike
from tabletop.vision.recognise.rectified import BLUR_PX, COARSE_MODULE_PX

Waves: TypeAlias = NDArray[np.complex64]
Mask: TypeAlias = NDArray[np.bool_]

HARMONIC_COUNT, WHOLE_HARMONIC_COUNT = 4, 3
"""Number of circular harmonics, the constant one included: of those computed, and of those used if tags are wholly
visible.  With one fewer, as many of those tags are found, though scores are 3 to 5 % lower."""
TILE_SIDES_PX = (72, 80, 96, 112, 120, 144, 160, 192, 224, 240)
"""Sides of the tiles that are correlated at a time, px: larger ones contain more bare table and exceed the cache."""
MAX_READY_TILES = 12
"""Number of tile sizes for which kernel spectra are cached, two megabytes each at most."""
KERNEL_PX = 25
"""Side of the kernels, px: room for a tag turned by 45 degrees."""
ANGLE_COUNT = 18
"""Number of angles within a quarter turn at which places are compared; the best is refined afterwards."""
MIN_SCORE = 0.28
"""Least score of a candidate; tags score between 0.4 and 0.6, most artwork below 0.3.

A tag flush with the edges of a dark piece scores 0.3, as do half-hidden ones.
"""
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
        self._wide, self._side = sight
        self._count = count
        self._mean = mean
        kernels = _harmonics(mean, self._wide)
        self._gain = 1.0 / float(np.sqrt((_high(_turned(_symmetric(mean), 0.0), self._wide) ** 2).sum()))
        self._kernels = kernels
        self._spectra: dict[tuple[int, int], Waves] = {}

    def find(self, grey: Grey, wanted: Mask, most: int | None = None, gate: float = MIN_SCORE) -> Candidates:
        """Return the candidates in a rectified picture, inside the mask ``wanted`` (of its shape).

        Candidates score at least ``gate``.  ``most``: return at most this many, those with the highest scores.  If it
        is not given, half of the usual number are those with the highest scores, and the rest are those that look most
        like a tag with one side or corner left out, because a cover lowers a tag's score.
        """
        wide, squares = self._evened(grey)
        where = wanted & _deviating(squares)
        even, corner, peaks = self._spotted(wide, squares, where, gate, PEAK_WINDOW_PX, WHOLE_HARMONIC_COUNT)
        peaks = peaks[np.argsort(-peaks[:, 3])]
        usual = min(MAX_CANDIDATES, MAX_PER_TAG * self._count)
        if most is None and len(peaks) > usual:
            first, rest = np.split(peaks, [usual // 2])
            likely = np.maximum(self._partly_alike(even, rest), rest[:, 3] + WHOLE_BONUS)
            peaks = np.concatenate([first, rest[np.argsort(-likely)]])
        return _candidates(peaks[: usual if most is None else most], corner)

    def find_hidden(self, grey: Grey, wanted: Mask, *, pale: bool) -> Candidates:
        """Return candidates as ``find`` does, ranking places that look like a half-hidden tag among the first.

        ``pale``: include places whose grey levels deviate much less than elsewhere.
        """
        wide, squares = self._evened(grey)
        where = wanted & _deviating(squares, 0.0 if pale else MIN_RELATIVE_DEVIATION)
        even, corner, peaks = self._spotted(wide, squares, where, MIN_HIDDEN_SCORE, HIDDEN_WINDOW_PX, HARMONIC_COUNT)
        likely = np.maximum(self._partly_alike(even, peaks), peaks[:, 3] + WHOLE_BONUS)
        most = min(MAX_HIDDEN_CANDIDATES, MAX_PER_TAG * self._count)
        # Thousands of places on a chequered cloth look more like half a tag than tags do, but few like a whole one.
        first = _alone(peaks[:, :2], peaks[:, 3], even.shape, min(self._count, most))
        others = _alone(peaks[:, :2], likely, even.shape, most)
        return _candidates(peaks[[*dict.fromkeys(first + others)][:most]], corner)

    def _spotted(
        self, wide: Floats, squares: Floats, where: Mask, gate: float, window: int, harmonics: int
    ) -> tuple[Floats, Floats, Floats]:
        """Return the part of an evened picture that holds ``where``, its corner, and its peaks (n, 4).

        A peak is x, y, angle and score.  ``wide`` is the evened picture, ``squares`` are its squared deviations, and
        peaks lie in the mask ``where``.  They score at least ``gate``, and of those in a square with the side
        ``window``, px, only the best is kept.  ``harmonics``: the number of harmonics to use.
        """
        found = [np.zeros((0, 4), np.float32)]
        rows, columns = _spanned(where)
        corner, half = np.array((columns.start, rows.start), dtype=np.float32), KERNEL_PX // 2
        even = wide[rows.start : rows.stop + 2 * half, columns.start : columns.stop + 2 * half]
        where, squares = where[rows, columns], squares[rows, columns]
        height, width = _tile_side(where.shape[0]), _tile_side(where.shape[1])
        valid_height, valid_width = height - KERNEL_PX + 1, width - KERNEL_PX + 1
        # Reused for every tile: allocating as much memory for each would double the time.
        answers = np.empty((harmonics, height, width), np.complex64)
        for top, left in _corners(where, valid_height, valid_width):
            part = slice(top, top + valid_height), slice(left, left + valid_width)
            wanted = where[part]
            need: Floats = np.full(wanted.shape, np.inf, np.float32)
            np.sqrt(squares[part], out=need, where=wanted)
            need *= self._side
            need *= np.float32(gate / self._gain)
            answers = self._answers(even[top : top + height, left : left + width], answers)
            peaks = _peaks(answers[:, : wanted.shape[0], : wanted.shape[1]], need, window)
            found.append(peaks * np.array((1, 1, 1, gate), np.float32) + np.array((left, top, 0, 0), np.float32))
        return even, corner, np.concatenate(found)

    def _partly_alike(self, even: Floats, peaks: Floats) -> Floats:
        """Return how much places (x, y, angle, …) look like a tag with one side or corner hidden.

        In a correlation, the cover would outweigh everything that is visible of the tag.
        """
        across, down = np.cos(peaks[:, 2:3]), np.sin(peaks[:, 2:3])
        x, y = _samples()
        columns = peaks[:, :1] + KERNEL_PX // 2 + across * x - down * y
        rows = peaks[:, 1:2] + KERNEL_PX // 2 + down * x + across * y
        seen = [np.zeros((0, x.size), np.float32)]
        for first in range(0, len(peaks), MAX_SAMPLED_PLACES):
            some = slice(first, first + MAX_SAMPLED_PLACES)
            seen.append(cv2.remap(even, columns[some], rows[some], cv2.INTER_LINEAR))
        return self._hidden.best(np.concatenate(seen))[0]

    @cached_property
    def _hidden(self) -> PartlyAlike:
        """The comparison with the mean pattern as the coarse picture shows it, in each quarter turn."""
        turned = (_turned(np.rot90(self._mean, -turns), 0.0) for turns in range(4))
        x, y = _samples() + KERNEL_PX // 2
        soft = [_high(cv2.GaussianBlur(each, (0, 0), BLUR_PX).astype(np.float32), self._wide) for each in turned]
        seen = [cv2.remap(each, x[None], y[None], cv2.INTER_LINEAR)[0] for each in soft]
        return PartlyAlike(np.array(seen, dtype=np.float32), _samples())

    def _answers(self, even: Floats, answers: Waves) -> Waves:
        """Return the response to each harmonic at every place, (harmonics, height, width), written into ``answers``.

        A response is a complex number: cosine and sine.
        """
        height, width = answers.shape[1:]
        spectrum = np.zeros((height, width), np.complex64)
        spectrum.real[: even.shape[0], : even.shape[1]] = even
        # As a complex picture and in place, this takes a third of the time.
        cv2.dft(_pairs(spectrum), _pairs(spectrum))
        # One after the other: all of them at once exceed a core's cache.
        for answer, kernel in zip(answers, self._kernel_spectra(height, width)[: len(answers)], strict=True):
            np.multiply(spectrum, kernel, out=answer)
            cv2.idft(_pairs(answer), _pairs(answer))
        return answers

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

    def _evened(self, grey: Grey) -> tuple[Floats, Floats]:
        """Return the picture minus its local mean, with a border of half a kernel, and its local squared deviation."""
        (height, width), half = grey.shape, KERNEL_PX // 2
        wide: Floats = np.zeros((height + 2 * half, width + 2 * half), np.float32)
        even = wide[half : half + height, half : half + width]
        even[:] = grey
        # The local mean is smooth: a quarter of the size is enough to compute it.
        small = cv2.resize(even, (max(1, width // 4), max(1, height // 4)), interpolation=cv2.INTER_AREA)
        # In place, like everything that follows: a whole table is large.
        even -= cv2.resize(cv2.GaussianBlur(small, (0, 0), self._wide / 4), (width, height))
        return wide, cv2.sqrBoxFilter(even, cv2.CV_32F, (self._side, self._side)).astype(np.float32, copy=False)


def _deviating(squares: Floats, ratio: float = 0.0) -> Mask:
    """Return where squared deviations are large enough for a tag.

    ``ratio``: the least deviation as a fraction of strong deviations in the picture; 0 to accept any.
    """
    some = squares[::DEVIATION_STEP_PX, ::DEVIATION_STEP_PX]
    some = some[some >= MIN_DEVIATION**2]
    strong = float(np.quantile(some, STRONG_QUANTILE)) if ratio and some.size else 0.0
    return np.asarray(squares >= max(MIN_DEVIATION**2, ratio**2 * strong), np.bool_)


def _spanned(where: Mask) -> tuple[slice, slice]:
    """Return the rows and columns of the bounding box of a mask."""
    lines = (np.flatnonzero(where.any(axis=axis)) for axis in (1, 0))
    rows, columns = (slice(int(line[0]), int(line[-1]) + 1) if len(line) else slice(0, 0) for line in lines)
    return rows, columns


def _tile_side(span: int) -> int:
    """Return the smallest tile side, px, at which ``span`` places in a row need the fewest tiles."""
    most = TILE_SIDES_PX[-1] - KERNEL_PX + 1
    each = ceil(span / max(1, ceil(span / most)))
    return next(side for side in TILE_SIDES_PX if side - KERNEL_PX + 1 >= each)


def _corners(where: Mask, height: int, width: int) -> Iterator[tuple[int, int]]:
    """Iterate over top and left of parts of that size that together cover a mask."""
    rows = np.flatnonzero(where.any(axis=1))
    while len(rows):
        top = int(rows[0])
        columns = np.flatnonzero(where[top : top + height].any(axis=0))
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


def _alone(places: Floats, likely: Floats, shape: tuple[int, ...], most: int) -> list[int]:
    """Return the numbers of places (n, 2) that have no likelier place nearby, the likeliest first, at most ``most``.

    ``shape``: that of the picture they are on.
    """
    columns, rows = np.clip(places.round().astype(np.intp), 0, np.array(shape[::-1]) - 1).T.tolist()
    half, taken, alone = PEAK_WINDOW_PX // 2, np.zeros(shape, np.bool_), list[int]()
    for at in np.argsort(-likely).tolist():
        if len(alone) == most:
            break
        row, column = rows[at], columns[at]
        if not taken[row, column]:
            alone.append(at)
        taken[max(0, row - half) : row + half + 1, max(0, column - half) : column + half + 1] = True
    return alone


def _peaks(answers: Waves, need: Floats, window: int) -> Floats:
    """Return x, y, angle and score of the local maxima over places and angles, (n, 4).

    A score is relative to ``need``.  Of places in a square with the side ``window``, px, only the best is a maximum.
    """
    bound, part = answers[0].real.copy(), np.empty(need.shape, np.float32)
    for answer in answers[1:]:
        bound += np.abs(answer, out=part)
    spots = np.flatnonzero(bound > need)
    if not len(spots):
        return np.zeros((0, 4), np.float32)
    height, width = need.shape
    ys, xs = np.divmod(spots, width)
    chosen = np.array([answer[ys, xs] for answer in answers]) / need.ravel()[spots]
    # As a matrix product this twice warned of invalid values, though every number was finite.
    scores = np.einsum("ah,hn->an", _every_angle(len(answers)), np.concatenate([chosen.real, chosen.imag[1:]]))
    # With a border, so that every place has neighbours; ``line`` is the length of a row, px.
    line = width + 2
    best = np.zeros((height + 2, line), np.float32)
    highest, at = scores.max(axis=0), spots + 2 * ys + line + 1
    best.ravel()[at] = highest
    top = (highest > 1) & (highest >= cv2.dilate(best, np.ones((window, window), np.uint8)).ravel()[at])
    ys, xs, at, scores = ys[top], xs[top], at[top], scores[:, top]
    which = scores.argmax(axis=0)
    column = np.arange(len(which))
    before, after = (
        np.stack([*best.ravel()[[at + step, at + step * line]], scores[(which + step) % ANGLE_COUNT, column]])
        for step in (-1, 1)
    )
    peaks = np.stack([xs, ys, which, highest[top]]).astype(np.float32)
    peaks[:3] += _vertex(before, peaks[3], after)
    peaks[2] *= np.float32(np.pi / 2 / ANGLE_COUNT)
    return peaks.T


def _vertex(before: Floats, here: Floats, after: Floats) -> Floats:
    """Return the offset (-0.5 … 0.5) of the vertex of the parabola through a value and its two neighbours."""
    bend = before + after - 2 * here
    shift = np.where(bend < -1e-9, 0.5 * (before - after) / np.minimum(bend, -1e-9), 0)
    return np.clip(shift, -0.5, 0.5).astype(np.float32)


@cache
def _samples() -> Floats:
    """Return the offsets of a place's samples from its middle, px to the right and down, (2, n)."""
    line = (np.arange(SAMPLES_PER_SIDE, dtype=np.float32) - (SAMPLES_PER_SIDE - 1) / 2) * np.float32(
        GRID_SIDE * COARSE_MODULE_PX / SAMPLES_PER_SIDE
    )
    x, y = np.meshgrid(line, line)
    return np.stack([x.ravel(), y.ravel()])


@cache
def _every_angle(harmonics: int) -> Floats:
    """Return the weights of the first harmonics at each of the compared angles: all cosines, then all sines."""
    waves = _waves(np.arange(ANGLE_COUNT) * (np.pi / 2 / ANGLE_COUNT))[:, : 2 * harmonics - 1]
    return np.concatenate([waves[:, :1], waves[:, 1::2], waves[:, 2::2]], axis=1)


def _waves(angles: NDArray[np.floating]) -> Floats:
    """Return the weights of the harmonics at angles, (n, 2 * HARMONIC_COUNT - 1)."""
    rows = [np.ones_like(angles)]
    for k in range(1, HARMONIC_COUNT):
        rows += [np.cos(4 * k * angles), np.sin(4 * k * angles)]
    return np.stack(rows, axis=1).astype(np.float32)


def _symmetric(mean: Floats) -> Floats:
    """Return the mean pattern averaged over its quarter turns, zero mean."""
    even = np.mean([np.rot90(mean, turns) for turns in range(4)], axis=0)
    out: Floats = (even - even.mean()).astype(np.float32)
    return out


def _turned(pattern: Floats, angle: float) -> Floats:
    """Return the pattern turned clockwise by ``angle`` (radians) and centred in a kernel."""
    fine = cv2.resize(pattern, None, fx=4, fy=4, interpolation=cv2.INTER_NEAREST)
    middle = (fine.shape[0] - 1) / 2
    matrix = cv2.getRotationMatrix2D((middle, middle), -np.degrees(angle), COARSE_MODULE_PX)
    matrix[:, 2] += (KERNEL_PX * 4 - fine.shape[0]) / 2
    laid = cv2.warpAffine(fine, matrix, (KERNEL_PX * 4, KERNEL_PX * 4), flags=cv2.INTER_LINEAR)
    return cv2.resize(laid, (KERNEL_PX, KERNEL_PX), interpolation=cv2.INTER_AREA).astype(np.float32)


def _harmonics(mean: Floats, wide: float) -> list[Floats]:
    """Return the kernels whose responses, weighted by the waves of an angle, add up to that of the turned pattern."""
    even = _symmetric(mean)
    count = 48
    angles = np.arange(count) * (np.pi / 2 / count)
    turned = np.array([_high(_turned(even, float(angle)), wide) for angle in angles])
    waves = _waves(angles)
    power = (waves**2).sum(axis=0)
    return list(np.tensordot(waves / power, turned, axes=(0, 0)).astype(np.float32))


def _high(pattern: Floats, wide: float) -> Floats:
    """Return a kernel minus its slowly varying part, which is removed from the picture in the same way."""
    return (pattern - cv2.GaussianBlur(pattern, (0, 0), wide)).astype(np.float32)
