"""Whether the table stands still.

A press is answered by a table seen after it, so the tracker reports the scene even if nothing changed.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from tabletop.rules.layout import Layout
from tabletop.vision.frame import Floats, Frame
from tabletop.vision.live.motion import MotionDetector, changed, median
from tabletop.vision.live.tracker import TableTracker
from tabletop.vision.scene import Notice


def frame(number: int, shade: int) -> Frame:
    return Frame(np.full((720, 1280), shade, np.uint8), np.full((360, 640), shade, np.uint8), number * 0.2, number)


def test_an_unchanged_still_table_is_reported_at_the_time_of_the_newest_frame() -> None:
    tracker = TableTracker({}, {}, lambda seen: Layout({}))
    for number in range(1, 5):
        tracker.look(frame(number, 90))
    first = tracker.standing
    assert first is not None
    assert tracker.look(frame(5, 90)) is None
    assert tracker.standing is not None
    assert tracker.standing.time == frame(5, 90).time > first.time


def test_while_anything_moves_no_scene_is_reported() -> None:
    tracker = TableTracker({}, {}, lambda seen: Layout({}))
    for number in range(1, 5):
        tracker.look(frame(number, 90))
    moved = frame(5, 90)
    moved.small[100:300, 100:300] = 220
    tracker.look(moved)
    assert tracker.standing is None


@pytest.mark.parametrize("stood", [4, 0])
def test_a_table_that_never_stands_still_is_reported_once(stood: int) -> None:
    """Constant motion, such as a fan's, which keeps the table from being read, is reported once after a minute."""
    tracker = TableTracker({}, {}, lambda seen: Layout({}))
    for number in range(stood):
        tracker.look(frame(number, 90))
    told = []
    for number in range(stood, 400):
        turning = frame(number, 90)
        turning.small[100:300, 100 + 100 * (number % 4) : 200 + 100 * (number % 4)] = 220
        told.append(tracker.look(turning))
        assert tracker.standing is None
    (restless,) = filter(None, told)
    assert restless.time == pytest.approx(60, abs=2)
    assert (Notice.RESTLESS in restless.notices, restless.seeking) == (True, True)
    again = [scene for number in range(400, 420) if (scene := tracker.look(frame(number, 90)))]
    assert [Notice.RESTLESS in scene.notices for scene in again] == [False]


def test_a_camera_that_was_away_has_not_seen_the_table_move_meanwhile() -> None:
    detector, small = MotionDetector(), np.full((360, 640), 90, np.uint8)
    assert not any(detector.see(small + shade, time).restless for shade, time in ((0, 0.0), (9, 3000.0), (20, 3000.2)))


def noisy(light: Floats, rng: np.random.Generator) -> Floats:
    """Return blocks as a cheap camera sees them in dim light: dark ones are noisier, and rows are noisy as a whole."""
    deviation = 300 / (light + 20)
    rows = rng.normal(0, 1, (len(light), 1))
    return np.clip(light + deviation * (rng.normal(0, 1, light.shape) + rows), 0, 255).astype(np.float32)


LIGHT = np.linspace(40, 170, 80, dtype=np.float32) + np.zeros((45, 1), np.float32)
"""The blocks of a table that is dark on the left and bright on the right."""


def test_noise_is_not_motion_even_if_it_is_stronger_in_dark_blocks_and_along_rows() -> None:
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


def test_an_arm_across_a_noisy_table_is_seen_and_little_else() -> None:
    rng = np.random.default_rng(7)
    for _ in range(20):
        reached = LIGHT.copy()
        reached[10:, 20:30] = 190
        moved = changed(noisy(LIGHT, rng), noisy(reached, rng))
        assert moved[10:, 20:30].mean() > 0.9
        assert moved.sum() < 370


@pytest.mark.parametrize("noise", [0.3, 0.5, 1.0])
@pytest.mark.parametrize(
    "place", [np.s_[10:, 20:30], np.s_[5:, 30:50], np.s_[20:30, :60]], ids=["up", "broad", "along"]
)
def test_what_moves_is_not_taken_for_noise_though_it_is_large_and_faint(
    noise: float, place: tuple[slice, slice]
) -> None:
    """An arm or a body only 40 grey levels brighter than the table is motion, in any direction."""
    rng = np.random.default_rng(8)
    before, reached = (LIGHT + rng.normal(0, noise, LIGHT.shape).astype(np.float32) for _ in range(2))
    reached[place] += 40
    assert changed(before, reached)[place].mean() > 0.9


@pytest.mark.parametrize("grey", [0, 10, 255])
def test_a_lens_that_is_covered_or_dazzled_changes_every_block(grey: int) -> None:
    assert changed(np.full((45, 80), 60, np.float32), np.full((45, 80), grey, np.float32)).all()


@pytest.mark.parametrize("shape", [(45, 80), (45, 81), (1, 1), (1, 2)])
def test_the_median_of_blocks_is_that_of_all_their_values(shape: tuple[int, int]) -> None:
    """It is computed without sorting everything, for odd and for even numbers of blocks."""
    values = np.random.default_rng(1).normal(100, 20, shape).astype(np.float32)
    assert median(values) == pytest.approx(float(np.median(values)), abs=1e-4)
