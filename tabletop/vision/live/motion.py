"""Detects from the small pictures alone whether the table stands still, and where it changed.

Two pictures are compared after correcting for light: brightness may drift, and noise is measured, not assumed.  Time
comes with the frames; no clock is used here.
"""

from __future__ import annotations

from itertools import pairwise
from math import sqrt
from typing import NamedTuple

import cv2
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from tabletop.vision.frame import Grey
from tabletop.vision.geometry.plane import Mask

BLOCK_PX = 8
"""Side of the blocks of the small picture that are compared, px."""
MAX_LIGHT_RATIO = 4.0
"""Largest factor by which the whole picture may become brighter or darker if the light changed; beyond it, the lens is
covered or dazzled."""
MIN_CHANGE_RATIO = 6.0
"""Least difference of a changed block, as a multiple of the median difference of all blocks …"""
MIN_CHANGE_GREY = 2.5
"""… in grey levels, so that noise alone never counts …"""
MIN_NOISE_RATIO = 10.0
"""… and as a multiple of the noise of blocks as bright, measured between neighbours: more than five standard
deviations, because there are thousands of blocks."""
BRIGHTNESS_CLASSES = 6
"""Number of groups of equal size into which blocks are sorted by brightness, each with its own noise."""
MAX_NOISE_RATIO, MAX_NOISE_GREY = 3.0, 5.0
"""Most noise of a group, as a multiple of that of the whole picture, and in grey levels."""
MAX_UNREST_S, MAX_FRAME_S = 60.0, 1.0
"""Seconds of motion that hands alone do not explain, and the most that count between two pictures, because nothing is
known of the time while the camera was away."""
ROWS_AROUND, MAX_ROW_RATIO = 4, 4.0
"""Number of rows on both sides with which a row is compared, and the largest error of a row as a multiple of noise."""


class MotionState(NamedTuple):
    """Whether the table stands still, and whether it has not for a long time."""

    still: bool
    restless: bool


class MotionDetector:
    """Detects from successive small pictures whether the table stands still.

    ``seconds``, ``frames``: the least time and number of pictures without motion.
    """

    def __init__(self, seconds: float = 0.2, frames: int = 2) -> None:
        self.seconds = seconds
        self.frames = frames
        self._last: NDArray[np.float32] = np.zeros((0, 0), dtype=np.float32)
        self._passed: Mask = np.zeros((0, 0), dtype=np.bool_)
        self._since = self._time = self._unrest = 0.0
        self._count = 0

    @property
    def seen(self) -> NDArray[np.float32]:
        """The blocks of the last picture."""
        return self._last

    def see(self, small: Grey, time: float) -> MotionState:
        """Take the next small picture and return whether the table has stood still, or moved for long."""
        now = blocks(small)
        if self._last.shape == now.shape:
            moved = changed(self._last, now)
            self._passed |= moved
        else:
            moved = self._passed = np.ones(now.shape, dtype=np.bool_)
        self._since, self._count = (time, 1) if moved.any() else (self._since, self._count + 1)
        self._last = now
        long_enough = time - self._since >= self.seconds - 1e-6
        still = self._count >= self.frames and long_enough
        self._unrest = 0.0 if still else self._unrest + min(max(time - self._time, 0.0), MAX_FRAME_S)
        self._time = time
        return MotionState(still, self._unrest > MAX_UNREST_S)

    def passed(self) -> Mask:
        """Return the blocks in which anything has moved since the last call, even if they look as before."""
        passed, self._passed = self._passed, np.zeros(self._last.shape, dtype=np.bool_)
        return passed


def blocks(small: Grey) -> NDArray[np.float32]:
    """Return the mean of every block of a small picture, grey levels."""
    height, width = small.shape
    size = (max(1, width // BLOCK_PX), max(1, height // BLOCK_PX))
    return cv2.resize(small, size, interpolation=cv2.INTER_AREA).astype(np.float32)


def changed(before: NDArray[np.float32], now: NDArray[np.float32]) -> Mask:
    """Return the mask of blocks that differ by more than light and noise explain."""
    ratio = (now + 4) / (before + 4)
    overall = median(ratio)
    if not 1 / MAX_LIGHT_RATIO < overall < MAX_LIGHT_RATIO:
        return np.ones(now.shape, np.bool_)
    difference = now - _relit(before, ratio, overall)
    magnitude = np.abs(difference)
    if not (magnitude > MIN_CHANGE_GREY).any():
        return np.zeros(now.shape, np.bool_)
    usual = min(median(magnitude), MAX_NOISE_GREY)
    min_change = max(MIN_CHANGE_GREY, MIN_CHANGE_RATIO * usual)
    mask: Mask = magnitude > min_change
    if not mask.any():
        return mask
    # Moving things and their light change many adjacent blocks alike: differences between neighbours show the noise.
    steps = (np.abs(np.diff(difference, axis=1)) / sqrt(2)).astype(np.float32)
    level = median(steps) if steps.size else 0.0
    if MIN_NOISE_RATIO * MAX_NOISE_RATIO * level > MIN_CHANGE_GREY:
        noise = np.minimum(*(_noise(light, steps, level) for light in (before, now)))
        difference -= _row_errors(difference, noise)
        mask = np.abs(difference) > np.maximum(min_change, MIN_NOISE_RATIO * noise)
    return mask


def median(values: NDArray[np.float32]) -> float:
    """Return the median of all values; of some thousand, ``np.median`` takes eight times as long."""
    lower, upper = (values.size - 1) // 2, values.size // 2
    ordered = np.partition(values, (lower, upper), axis=None)
    return (float(ordered[lower]) + float(ordered[upper])) / 2


def _noise(light: NDArray[np.float32], steps: NDArray[np.float32], level: float) -> NDArray[np.float32]:
    """Return how much noise to expect at each block, given its brightness in ``light``.

    ``steps`` (rows, columns - 1): how much the change of blocks differs from that of the ones to their left;
    ``level``: the median of that.  The caller takes the lower noise of both pictures, because a moving hand may have a
    brightness of its own in one of them, but hardly in both.
    """
    # Bytes are sorted faster than floats.
    levels = light.astype(np.uint8)
    order = np.argsort(levels[:, 1:], axis=None, kind="stable")
    sorted_levels, sorted_differences = levels[:, 1:].ravel()[order], steps.ravel()[order]
    ends = np.linspace(0, len(order), min(BRIGHTNESS_CLASSES, len(order)) + 1).astype(np.intp).tolist()
    noise_levels = np.array([np.median(sorted_differences[first:end]) for first, end in pairwise(ends)])
    middle_levels = [sorted_levels[(first + end) // 2] for first, end in pairwise(ends)]
    noise_levels = np.clip(noise_levels, level, min(MAX_NOISE_RATIO * level, MAX_NOISE_GREY))
    noise: NDArray[np.float32] = np.interp(light, middle_levels, noise_levels).astype(np.float32)
    return noise


def _row_errors(difference: NDArray[np.float32], noise: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the common error of each row's blocks relative to the rows around it.

    Flickering lamps and cheap sensors cause errors along whole rows, in proportion to the noise.
    """
    rows = np.median(difference / noise, axis=1)
    around = np.median(sliding_window_view(np.pad(rows, ROWS_AROUND, mode="edge"), 2 * ROWS_AROUND + 1), axis=1)
    errors: NDArray[np.float32] = noise * np.clip(rows - around, -MAX_ROW_RATIO, MAX_ROW_RATIO)[:, None]
    return errors


def _relit(before: NDArray[np.float32], ratio: NDArray[np.float32], overall: float) -> NDArray[np.float32]:
    """Return the earlier blocks in the present light, by the median gain of each neighbourhood."""
    wide = cv2.medianBlur(ratio.astype(np.float32), 5)
    gain = np.clip(cv2.GaussianBlur(wide, (0, 0), 6), 0.5, 2.0)
    relit: NDArray[np.float32] = (before + 4) * np.clip(gain, overall * 0.9, overall * 1.1) - 4
    return relit
