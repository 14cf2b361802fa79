"""A press is answered by a table seen after it, so the tracker reports the scene even if nothing changed."""

from __future__ import annotations

import numpy as np

from tabletop.rules.layout import Layout
from tabletop.vision.frame import Frame
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
