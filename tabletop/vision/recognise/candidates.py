"""Where tags may lie: one correlation with what all our tags share, at every place and every angle.

The mean pattern, averaged over the four quarter turns, is taken apart into circular harmonics.  A handful of
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
from tabletop.vision.recognise.partly_alike import PartlyAlike
from tabletop.vision.recognise.rectified import BLUR_PX, COARSE_MODULE_PX
from tabletop.vision.recognise.shift import GRID_SIDE

Waves: TypeAlias = NDArray[np.complex64]
Mask: TypeAlias = NDArray[np.bool_]

HARMONIC_COUNT, WHOLE_HARMONIC_COUNT = 4, 3
"""How many circular harmonics are kept, the constant one included: in all, and where tags are seen whole.  With one
fewer as many of those are found, though scores are 3 to 5 % lower."""
TILE_SIDES_PX = (72, 80, 96, 112, 120, 144, 160, 192, 224, 240)
"""Sides of the tiles that are correlated at once, px: larger ones hold more bare table, and leave the cache."""
MAX_READY_TILES = 12
"""Sizes of tiles for which the kernels are kept ready, two megabytes each at most."""
KERNEL_PX = 25
"""Side of the kernels, px: a tag turned by 45 degrees."""
ANGLE_COUNT = 18
"""Angles at which places are compared, over a quarter turn; the best is refined afterwards."""
MIN_SCORE = 0.28
"""Least score of a candidate; tags come out between 0.4 and 0.6, most of the art below 0.3.

A tag flush with the edges of a dark piece comes out at 0.3, as do half hidden ones.
"""
PEAK_WINDOW_PX = 13
"""Side of a square, px, of which only the best place counts: what lies nearer than half a tag are parts of one."""
MAX_CANDIDATES = 350
"""Most candidates of one image.  Of sixty tags among art and wood, all but half hidden ones are among the hundred that
score highest, and most of the others among those that rank high with one side left out."""
MIN_HIDDEN_SCORE, HIDDEN_WINDOW_PX = 0.22, 7
"""The same for tags that may be half hidden: what lies over one lowers its score and draws it to what is beside.  Of
those within ``PEAK_WINDOW_PX`` the best is taken that looks most like half a tag."""
MAX_HIDDEN_CANDIDATES = 400
"""The same where hidden halves are left out."""
MAX_PER_TAG = 10
"""Most candidates for each tag that there is: there are only a few markers."""
WHOLE_BONUS = 0.06
"""By how much a tag looks more like one whose hidden side is left out than in the correlation with all of it."""
SAMPLES_PER_SIDE = 13
"""Samples along a side of a place that is looked at for that."""
MAX_SAMPLED_PLACES = 8192
"""Most places that are sampled at once."""
WIDE_SIGHT = 3.5, 17
"""Light that varies over more than this, px, is taken out of picture and kernels alike; what deviates within a square
of this side counts: a whole tag with its quiet zone."""
NARROW_SIGHT = 1.75, 13
"""The same for a tag in a dark frame, which drowns a faint one: less than the whole tag is looked at.  More of all
else looks like a tag then, so that this is for small parts of a table."""
MIN_DEVIATION = 3.0
"""Below this deviation of grey levels nothing can be a tag."""
STRONG_QUANTILE, MIN_RELATIVE_DEVIATION = 0.99, 0.2
"""Which quantile of the deviations of a whole table counts, and the least share of it that a tag has.

In uneven, hard and soft light, no tag that was read had less than 0.28 of it; bare wood has 0.15.
"""
DEVIATION_STEP_PX = 8
"""Steps, px, at which the deviations are looked at for that."""


class Candidates(NamedTuple):
    """Candidate places, preferred ones first: px of the image (n, 2), angle within a quarter turn in radians, score."""

    places: Floats
    angles: Floats
    scores: Floats


class CandidateFinder:
    """Finds candidates for tags, of which there are ``count``, with that mean pattern, (25, 25).

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
        """Return the candidates in a flat picture, where they are ``wanted`` (of its shape).

        ``most``: how many at most, those with the highest scores; they score ``gate`` at least.  If it is not given,
        half of the usual number are those that score highest, and then come those that look most like a tag with one
        side or corner left out, for what lies over a tag lowers its score.
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
        """Return the same with the places among the first that look like a tag of which one half is hidden.

        ``pale``: also places whose grey levels deviate much less than elsewhere.
        """
        wide, squares = self._evened(grey)
        where = wanted & _deviating(squares, 0.0 if pale else MIN_RELATIVE_DEVIATION)
        even, corner, peaks = self._spotted(wide, squares, where, MIN_HIDDEN_SCORE, HIDDEN_WINDOW_PX, HARMONIC_COUNT)
        likely = np.maximum(self._partly_alike(even, peaks), peaks[:, 3] + WHOLE_BONUS)
        most = min(MAX_HIDDEN_CANDIDATES, MAX_PER_TAG * self._count)
        # Of a chequered cloth thousands of places look more like half a tag than tags do, but few like a whole one.
        first = _alone(peaks[:, :2], peaks[:, 3], even.shape, min(self._count, most))
        others = _alone(peaks[:, :2], likely, even.shape, most)
        return _candidates(peaks[[*dict.fromkeys(first + others)][:most]], corner)

    def _spotted(
        self, wide: Floats, squares: Floats, where: Mask, gate: float, window: int, harmonics: int
    ) -> tuple[Floats, Floats, Floats]:
        """Return the part of an evened picture that counts, its corner, and x, y, angle and score of its peaks, (n, 4).

        ``squares`` are its squared deviations, and peaks lie in the mask ``where``.  ``gate`` is their least score, and
        of those in a square with the side ``window``, px, only the best counts.  ``harmonics``: how many of them count.
        """
        found = [np.zeros((0, 4), np.float32)]
        rows, columns = _spanned(where)
        corner, half = np.array((columns.start, rows.start), dtype=np.float32), KERNEL_PX // 2
        even = wide[rows.start : rows.stop + 2 * half, columns.start : columns.stop + 2 * half]
        where, squares = where[rows, columns], squares[rows, columns]
        height, width = _tile_side(where.shape[0]), _tile_side(where.shape[1])
        valid_height, valid_width = height - KERNEL_PX + 1, width - KERNEL_PX + 1
        # Used for one tile after the other: to have as much memory from the system for each takes as long again.
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
        """Return how much places (x, y, angle, …) look like a tag of which one side or corner is hidden.

        What lies over a tag weighs more in a correlation than all that is seen of the tag.
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
        """The mean pattern as the coarse picture shows it, in each quarter turn."""
        turned = (_turned(np.rot90(self._mean, -turns), 0.0) for turns in range(4))
        x, y = _samples() + KERNEL_PX // 2
        soft = [_high(cv2.GaussianBlur(each, (0, 0), BLUR_PX).astype(np.float32), self._wide) for each in turned]
        seen = [cv2.remap(each, x[None], y[None], cv2.INTER_LINEAR)[0] for each in soft]
        return PartlyAlike(np.array(seen, dtype=np.float32), _samples())

    def _answers(self, even: Floats, answers: Waves) -> Waves:
        """Return what each harmonic answers at every place, (harmonics, height, width): cosine and sine as one number.

        They are written into ``answers``.
        """
        height, width = answers.shape[1:]
        spectrum = np.zeros((height, width), np.complex64)
        spectrum.real[: even.shape[0], : even.shape[1]] = even
        # As a complex picture, and in place: all of that takes a third of the time.
        cv2.dft(_pairs(spectrum), _pairs(spectrum))
        # One after the other: all of them at once are more than a core keeps at hand.
        for answer, kernel in zip(answers, self._kernel_spectra(height, width)[: len(answers)], strict=True):
            np.multiply(spectrum, kernel, out=answer)
            cv2.idft(_pairs(answer), _pairs(answer))
        return answers

    def _kernel_spectra(self, height: int, width: int) -> Waves:
        """Return what the spectrum of a tile of that size is multiplied by for each harmonic."""
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
        # The last that was used is the last to go.
        self._spectra[size] = padded
        return padded

    def _evened(self, grey: Grey) -> tuple[Floats, Floats]:
        """Return the picture less its surroundings, with a border, and its local squared deviation.

        The border is as wide as half a kernel.
        """
        (height, width), half = grey.shape, KERNEL_PX // 2
        wide: Floats = np.zeros((height + 2 * half, width + 2 * half), np.float32)
        even = wide[half : half + height, half : half + width]
        even[:] = grey
        # The surroundings are smooth: a quarter of the size is enough to find them.
        small = cv2.resize(even, (max(1, width // 4), max(1, height // 4)), interpolation=cv2.INTER_AREA)
        # In place, as all that follows: a whole table is large.
        even -= cv2.resize(cv2.GaussianBlur(small, (0, 0), self._wide / 4), (width, height))
        return wide, cv2.sqrBoxFilter(even, cv2.CV_32F, (self._side, self._side)).astype(np.float32, copy=False)


def _deviating(squares: Floats, ratio: float = 0.0) -> Mask:
    """Return where squared deviations are those of a tag, with a ``ratio`` also beside what is strong among them."""
    some = squares[::DEVIATION_STEP_PX, ::DEVIATION_STEP_PX]
    some = some[some >= MIN_DEVIATION**2]
    strong = float(np.quantile(some, STRONG_QUANTILE)) if ratio and some.size else 0.0
    return np.asarray(squares >= max(MIN_DEVIATION**2, ratio**2 * strong), np.bool_)


def _spanned(where: Mask) -> tuple[slice, slice]:
    """Return the rows and columns of the part of a mask in which it is set."""
    lines = (np.flatnonzero(where.any(axis=axis)) for axis in (1, 0))
    rows, columns = (slice(int(line[0]), int(line[-1]) + 1) if len(line) else slice(0, 0) for line in lines)
    return rows, columns


def _tile_side(span: int) -> int:
    """Return the smallest side, px, with which the fewest tiles hold that many places in a row."""
    most = TILE_SIDES_PX[-1] - KERNEL_PX + 1
    each = ceil(span / max(1, ceil(span / most)))
    return next(side for side in TILE_SIDES_PX if side - KERNEL_PX + 1 >= each)


def _corners(where: Mask, height: int, width: int) -> Iterator[tuple[int, int]]:
    """Iterate over top and left of parts of that size which together hold all places of a mask."""
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
    """Return the same numbers as pairs, as they are transformed, (…, 2)."""
    return waves.view(np.float32).reshape(*waves.shape, 2)


def _candidates(peaks: Floats, corner: Floats) -> Candidates:
    """Return candidates for peaks of the part of a picture that has its first corner there."""
    return Candidates(peaks[:, :2] + corner, peaks[:, 2], peaks[:, 3])


def _alone(places: Floats, likely: Floats, shape: tuple[int, ...], most: int) -> list[int]:
    """Return the first places (n, 2) on a picture of that shape that have none nearby that is likelier, best first.

    ``most``: how many of them at most.
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
    """Return x, y, angle and score (1 is what is needed) of the local maxima over places and angles, (n, 4).

    Of places in a square of that side, px, only the best is one.
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
    # As a product of matrices this was twice called invalid, though every number was finite.
    scores = np.einsum("ah,hn->an", _every_angle(len(answers)), np.concatenate([chosen.real, chosen.imag[1:]]))
    # With a border, so that every place has neighbours: one line is that many px long.
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
    """Return where between its neighbours (-0.5 … 0.5) the top of a parabola lies."""
    bend = before + after - 2 * here
    shift = np.where(bend < -1e-9, 0.5 * (before - after) / np.minimum(bend, -1e-9), 0)
    return np.clip(shift, -0.5, 0.5).astype(np.float32)


@cache
def _samples() -> Floats:
    """Return where a place is looked at, px to the right and down from its middle, (2, n)."""
    line = (np.arange(SAMPLES_PER_SIDE, dtype=np.float32) - (SAMPLES_PER_SIDE - 1) / 2) * np.float32(
        GRID_SIDE * COARSE_MODULE_PX / SAMPLES_PER_SIDE
    )
    x, y = np.meshgrid(line, line)
    return np.stack([x.ravel(), y.ravel()])


@cache
def _every_angle(harmonics: int) -> Floats:
    """Return the weights of the first harmonics at every angle that is compared: all cosines, then all sines."""
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
    """Return the pattern turned clockwise in the middle of a kernel."""
    fine = cv2.resize(pattern, None, fx=4, fy=4, interpolation=cv2.INTER_NEAREST)
    middle = (fine.shape[0] - 1) / 2
    matrix = cv2.getRotationMatrix2D((middle, middle), -np.degrees(angle), COARSE_MODULE_PX)
    matrix[:, 2] += (KERNEL_PX * 4 - fine.shape[0]) / 2
    laid = cv2.warpAffine(fine, matrix, (KERNEL_PX * 4, KERNEL_PX * 4), flags=cv2.INTER_LINEAR)
    return cv2.resize(laid, (KERNEL_PX, KERNEL_PX), interpolation=cv2.INTER_AREA).astype(np.float32)


def _harmonics(mean: Floats, wide: float) -> list[Floats]:
    """Return the kernels whose answers, weighted by the waves of an angle, are the answer of the turned pattern."""
    even = _symmetric(mean)
    count = 48
    angles = np.arange(count) * (np.pi / 2 / count)
    turned = np.array([_high(_turned(even, float(angle)), wide) for angle in angles])
    waves = _waves(angles)
    power = (waves**2).sum(axis=0)
    return list(np.tensordot(waves / power, turned, axes=(0, 0)).astype(np.float32))


def _high(pattern: Floats, wide: float) -> Floats:
    """Return the kernel less what varies slowly, as the picture is treated."""
    return (pattern - cv2.GaussianBlur(pattern, (0, 0), wide)).astype(np.float32)
