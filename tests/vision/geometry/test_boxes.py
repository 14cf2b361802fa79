"""Simple outlines: the lengths of their sides, and where a box of a marker's frame lies on the table."""

from __future__ import annotations

import numpy as np
import pytest

from tabletop.vision.geometry.boxes import corners_of, mean_side, side_lengths
from tabletop.vision.geometry.marker_pose import MarkerPose


def test_sides_of_one_outline_and_of_several_are_measured_alike() -> None:
    flat, tall = corners_of((0.0, 0.0, 30.0, 10.0)), corners_of((5.0, 5.0, 10.0, 20.0))
    assert side_lengths(flat).tolist() == [30, 10, 30, 10]
    assert side_lengths(np.array([flat, tall])).tolist() == [[30, 10, 30, 10], [5, 15, 5, 15]]
    assert mean_side(np.array([flat, tall])).tolist() == [20, 10]


def test_a_box_of_a_marker_turned_by_a_quarter_lies_below_it() -> None:
    """To the right of a marker whose up points to the right is down on the table."""
    outline = MarkerPose(100.0, 50.0, 90.0).outline((10.0, -5.0, 30.0, 5.0))
    assert outline == pytest.approx(np.array([(105, 60), (105, 80), (95, 80), (95, 60)]))
