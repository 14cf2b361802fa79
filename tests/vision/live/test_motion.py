"""Whether the table stands still.

A press is answered by a table seen after it, so the tracker reports the scene even if nothing changed.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from tabletop.rules.layout import Layout
from tabletop.vision.frame import Floats, Frame
from tabletop.vision.live.motion import changed
from tabletop.vision.live.tracker import TableTracker


def frame(number: int, shade: int) -> Frame:
    return Frame(np.full((720, 1280), shade, np.uint8), np.full((360, 640), shade, np.uint8), number * 0.2, number)


def test_a_table_that_stands_still_is_told_at_the_time_of_the_newest_frame_though_nothing_changed() -> None:
    tracker = TableTracker({}, {}, lambda seen: Layout({}))
    for number in range(1, 5):
        tracker.look(frame(number, 90))
    first = tracker.standing
    assert first is not None
    assert tracker.look(frame(5, 90)) is None
    assert tracker.standing is not None
    assert tracker.standing.time == frame(5, 90).time > first.time


def test_while_anything_moves_nothing_stands() -> None:
    tracker = TableTracker({}, {}, lambda seen: Layout({}))
    for number in range(1, 5):
        tracker.look(frame(number, 90))
    moved = frame(5, 90)
    moved.small[100:300, 100:300] = 220
    tracker.look(moved)
    assert tracker.standing is None


def noisy(light: Floats, rng: np.random.Generator) -> Floats:
    """Return blocks as a cheap camera sees them in dim light: dark ones err more, and all of a row err together."""
    deviation = 300 / (light + 20)
    rows = rng.normal(0, 1, (len(light), 1))
    return (light + deviation * (rng.normal(0, 1, light.shape) + rows)).astype(np.float32)


LIGHT = np.linspace(40, 220, 80, dtype=np.float32) + np.zeros((45, 1), np.float32)
"""Blocks of a table that is dark on the left and bright on the right."""


def test_noise_is_not_taken_for_motion_though_dark_blocks_and_whole_rows_err_more() -> None:
    rng = np.random.default_rng(5)
    pictures = [noisy(LIGHT, rng) for _ in range(100)]
    assert sum(changed(before, now).any() for before, now in pairwise(pictures)) <= 2


@pytest.mark.parametrize("column", [4, 40, 75])
def test_a_tile_that_is_laid_in_noise_is_seen_and_nothing_else(column: int) -> None:
    rng = np.random.default_rng(6)
    for _ in range(20):
        laid = LIGHT.copy()
        laid[20:22, column : column + 2] += 80
        moved = changed(noisy(LIGHT, rng), noisy(laid, rng))
        assert moved[20:22, column : column + 2].all()
        assert moved.sum() == 4


def test_an_arm_across_a_noisy_table_is_seen() -> None:
    rng = np.random.default_rng(7)
    for _ in range(20):
        reached = LIGHT.copy()
        reached[10:, 20:30] = 190
        moved = changed(noisy(LIGHT, rng), noisy(reached, rng))
        assert moved[10:, 20:30].mean() > 0.9
        assert moved.sum() <= 350
