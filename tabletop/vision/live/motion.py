"""Whether the table stands still, and where it changed, judged by the small pictures alone.

Two pictures are compared after the light has been evened out: brightness may drift, and noise is measured, not
assumed.  Time comes with the frames; nothing here looks at a clock.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.vision.frame import Grey
from tabletop.vision.geometry.plane import Mask

BLOCK_PX = 8
"""Side of the blocks of the small picture that are compared, px."""
MIN_CHANGE_RATIO = 8.0
"""A block has changed if it differs by this many times the usual difference between blocks as bright: more than five
deviations of noise, because there are thousands of blocks."""
MIN_CHANGE_GREY = 2.5
"""… and by at least this many grey levels, so that noise alone never counts."""
MAX_LIGHT_RATIO = 4.0
"""How many times brighter or darker light alone makes a whole picture; beyond that, the lens is covered or dazzled."""
BRIGHTNESS_CLASSES = 6
"""Classes of equally many blocks from dark to bright for which the usual difference is found."""
MIN_STILL_FRACTION, MEDIAN_OF_STILL = 0.3, 1.75
"""The part of them over which nothing moves though a hand does, and how many times its largest difference noise's
median is."""
MAX_NOISE_RATIO, MAX_NOISE_GREY = 3.0, 5.0
"""The usual difference of blocks as bright is at most this many times that of all, and this many grey levels."""
MAX_ROW_RATIO = 4.0
"""A row errs at most by this many times the usual difference."""


class MotionState(NamedTuple):
    """What the small pictures show: whether the table stands still, and since when (the frame's clock)."""

    still: bool
    since: float


class MotionDetector:
    """Judges from one small picture after the other whether the table stands still.

    ``seconds``: how long at least nothing may move; ``frames``: over how many pictures at least.
    """

    def __init__(self, seconds: float = 0.2, frames: int = 2) -> None:
        self.seconds = seconds
        self.frames = frames
        self._last: NDArray[np.float32] = np.zeros((0, 0), dtype=np.float32)
        self._passed: Mask = np.zeros((0, 0), dtype=np.bool_)
        self._since = 0.0
        self._count = 0

    @property
    def seen(self) -> NDArray[np.float32]:
        """The blocks of the picture that was seen last."""
        return self._last

    def see(self, small: Grey, time: float) -> MotionState:
        """Take the next small picture and return whether the table has stood still."""
        now = blocks(small)
        if self._last.shape == now.shape:
            moved = changed(self._last, now)
            self._passed |= moved
        else:
            moved = self._passed = np.ones(now.shape, dtype=np.bool_)
        self._since, self._count = (time, 1) if moved.any() else (self._since, self._count + 1)
        self._last = now
        long_enough = time - self._since >= self.seconds - 1e-6
        return MotionState(self._count >= self.frames and long_enough, self._since)

    def passed(self) -> Mask:
        """Return the blocks in which anything has moved since this was asked last, whatever they look like now."""
        passed, self._passed = self._passed, np.zeros(self._last.shape, dtype=np.bool_)
        return passed


def blocks(small: Grey) -> NDArray[np.float32]:
    """Return the mean of every block of a small picture, grey levels."""
    height, width = small.shape
    size = (max(1, width // BLOCK_PX), max(1, height // BLOCK_PX))
    return cv2.resize(small, size, interpolation=cv2.INTER_AREA).astype(np.float32)


def changed(before: NDArray[np.float32], now: NDArray[np.float32]) -> Mask:
    """Return which blocks differ by more than light and noise explain."""
    ratio = (now + 4) / (before + 4)
    overall = float(np.median(ratio))
    if not 1 / MAX_LIGHT_RATIO < overall < MAX_LIGHT_RATIO:
        return np.ones(now.shape, np.bool_)
    difference = now - _relit(before, ratio, overall)
    usual = min(float(np.median(np.abs(difference))), MAX_NOISE_GREY)
    least: NDArray[np.float32] | float = MIN_CHANGE_GREY
    if MIN_CHANGE_RATIO * MAX_NOISE_RATIO * usual > MIN_CHANGE_GREY:
        noise = np.minimum(*(_noise(light, difference, usual) for light in (before, now)))
        # Mains light flickers, and cheap sensors err, along whole rows: in dark places by as much more as noise does.
        rows: NDArray[np.float32] = np.median(difference / noise, axis=1, keepdims=True)
        difference -= noise * np.clip(rows, -MAX_ROW_RATIO, MAX_ROW_RATIO)
        least = np.maximum(MIN_CHANGE_GREY, MIN_CHANGE_RATIO * noise)
    mask: Mask = np.abs(difference) > least
    return mask


def _noise(light: NDArray[np.float32], difference: NDArray[np.float32], usual: float) -> NDArray[np.float32]:
    """Return by how much blocks of the same light usually differ: dark ones err more than bright ones, or less.

    Before or after it moves, a hand may be as bright as nothing else, but hardly both before and after.
    """
    order = np.argsort(light.astype(np.uint8), axis=None, kind="stable")
    bright, apart = light.ravel()[order], np.abs(difference).ravel()[order]
    ends = np.linspace(0, len(order), min(BRIGHTNESS_CLASSES, len(order)) + 1).astype(np.intp).tolist()
    classes = [slice(*between) for between in pairwise(ends)]
    often = [MEDIAN_OF_STILL * _of_still(apart[some]) for some in classes]
    middles = [bright[(some.start + some.stop) // 2] for some in classes]
    often = np.clip(often, usual, min(MAX_NOISE_RATIO * usual, MAX_NOISE_GREY)).tolist()
    noise: NDArray[np.float32] = np.interp(light, middles, often).astype(np.float32)
    return noise


def _of_still(apart: NDArray[np.float32]) -> float:
    """Return the largest difference of the part over which nothing moves."""
    number = int(MIN_STILL_FRACTION * len(apart))
    return float(np.partition(apart, number)[number])


def _relit(before: NDArray[np.float32], ratio: NDArray[np.float32], overall: float) -> NDArray[np.float32]:
    """Return the earlier blocks in the present light: the gain of each neighbourhood, the median over it."""
    wide = cv2.medianBlur(ratio.astype(np.float32), 5)
    gain = np.clip(cv2.GaussianBlur(wide, (0, 0), 6), 0.5, 2.0)
    relit: NDArray[np.float32] = (before + 4) * np.clip(gain, overall * 0.9, overall * 1.1) - 4
    return relit
