"""The lens model: pixels and table points map to one another, and the whole table is in the picture."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabletop.rules.palazzo.table.declaration import PalazzoTable
from tabletop.simulator.camera.lens import PHONE_SIZE_PX, CameraModel, hold_phone, stand_camera

TABLE = PalazzoTable.extent


def eye(seed: int, tilt: float = 14.0, bend: float = 0.08) -> CameraModel:
    return stand_camera((2304, 1296), TABLE, tilt, bend, random.Random(seed))


@given(st.integers(0, 50), st.floats(0, 2303), st.floats(0, 1295))
def test_a_point_comes_out_at_the_pixel_that_looks_at_it(seed: int, x: float, y: float) -> None:
    camera = eye(seed)
    px, py = camera.ground(np.array([x], np.float32), np.array([y], np.float32))
    back = camera.project(np.array([[px[0, 0], py[0, 0]]], dtype=np.float64))[0]
    assert np.hypot(back[0] - x, back[1] - y) < 0.05


@given(st.integers(0, 200), st.sampled_from([(3, 0.01), (8, 0.035), (14, 0.07), (18, 0.1)]))
def test_the_whole_table_is_in_the_picture_and_fills_it(seed: int, how: tuple[float, float]) -> None:
    corners = np.array([(0, 0), (TABLE[0], 0), TABLE, (0, TABLE[1])], dtype=np.float64)
    seen = eye(seed, *how).project(corners)
    assert (seen > 0).all()
    assert (seen < (2304, 1296)).all()
    spread = np.ptp(seen, axis=0) / (2304, 1296)
    assert spread.max() > 0.85


def test_what_is_higher_lies_farther_from_the_point_below_the_camera() -> None:
    camera = eye(3, tilt=0.0, bend=0.0)
    corner = np.array([[20.0, 20.0]])
    low, high = camera.project(corner, 0.0)[0], camera.project(corner, 20.0)[0]
    assert (high < low).all()


def test_points_behind_the_lens_are_told_from_points_before_it() -> None:
    """A tilted camera does not face points beyond the horizon, although the projection gives them pixels."""
    model, far = eye(1), 100_000.0
    width, height = TABLE
    assert model.faces(np.array([(0.0, 0.0), (width, 0.0), (width, height), (0.0, height)]))
    ways = [np.array([(x, y)]) for x, y in ((far, 0.0), (-far, 0.0), (0.0, far), (0.0, -far))]
    assert [model.faces(way) for way in ways].count(False) in (1, 2)


@pytest.mark.parametrize("tilt", [0, 30, 60])
@pytest.mark.parametrize("azimuth", [0, 65, 200])
def test_a_phone_shows_in_its_middle_what_it_looks_at(tilt: float, azimuth: float) -> None:
    """A phone's target is in the middle of its picture, and a point nearer to the phone is lower in it."""
    phone = hold_phone((400.0, 300.0), 1200, tilt, azimuth)
    middle, nearer = phone.project(
        np.array([(400.0, 300.0), (400 + math.cos(math.radians(azimuth)), 300 + math.sin(math.radians(azimuth)))])
    )
    assert middle == pytest.approx([(side - 1) / 2 for side in PHONE_SIZE_PX])
    assert nearer[1] > middle[1]
    assert math.dist((phone.x, phone.y, phone.height), (400, 300, 0)) == pytest.approx(1200)
