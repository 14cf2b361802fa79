"""Whether the table stands still, and where it changed, judged by the small pictures alone.

Two pictures are compared after the light has been evened out: brightness may drift, and noise is measured, not
assumed.  Time comes with the frames; nothing here looks at a clock.
"""

from __future__ import annotations

from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.vision.frame import Grey
from tabletop.vision.geometry.plane import Mask

BLOCK_PX = 8
"""Side of the blocks of the small picture that are compared, px."""
MIN_CHANGE_RATIO = 6.0
"""A block has changed if it differs by this many times the usual difference between blocks."""
MIN_CHANGE_GREY = 2.5
"""… and by at least this many grey levels, so that noise alone never counts."""


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
    difference = np.abs(now - _relit(before, now))
    usual = float(np.median(difference))
    mask: Mask = difference > max(MIN_CHANGE_GREY, MIN_CHANGE_RATIO * usual)
    return mask


def _relit(before: NDArray[np.float32], now: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the earlier blocks in the present light: the gain of each neighbourhood, the median over it."""
    ratio = (now + 4) / (before + 4)
    wide = cv2.medianBlur(ratio.astype(np.float32), 5)
    gain = np.clip(cv2.GaussianBlur(wide, (0, 0), 6), 0.5, 2.0)
    overall = float(np.median(ratio))
    relit: NDArray[np.float32] = (before + 4) * np.clip(gain, overall * 0.9, overall * 1.1) - 4
    return relit
