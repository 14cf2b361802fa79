"""Shifts of samples from patterns, estimated in one step."""

from __future__ import annotations

import numpy as np

from tabletop.vision.recognise.fit.shift import BLUR_WIDTHS, GRID_SIDE, MAX_COMPARED_PATTERNS, Shifts
from tabletop.vision.recognise.templates import Templates
from tests.vision.recognise.tiles import PIECES


def test_shifts_are_the_same_however_many_patterns_there_are() -> None:
    """Samples are compared with a few patterns all at once, and each only with its own if there are many."""
    whole = Templates(PIECES).whole
    assert len(whole) * len(BLUR_WIDTHS) > MAX_COMPARED_PATTERNS
    samples = np.random.default_rng(0).normal(100, 20, (9, GRID_SIDE * GRID_SIDE)).astype(np.float32)
    patterns, blurs = np.arange(9) % 4, np.arange(9) % len(BLUR_WIDTHS)
    few, many = (Shifts(each).shift(samples, patterns, blurs) for each in (whole[:4], whole))
    assert np.abs(few - many).max() < 1e-3 * np.abs(many).max()
