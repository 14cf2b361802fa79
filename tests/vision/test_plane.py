"""The plane: squares of known size, lying anywhere, tell how the camera sees the table."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabletop.vision.plane import Plane, Square, aligned, fit, misfit

SHAPE = (1080, 1920)
SIDE = 33.6


def camera(tilt: float, turn: float, lens: float) -> Plane:
    """Return a camera 1.1 m above the table, tilted and turned by degrees."""
    pitch, roll = np.radians(tilt), np.radians(turn)
    about_x = np.array([[1, 0, 0], [0, np.cos(pitch), -np.sin(pitch)], [0, np.sin(pitch), np.cos(pitch)]])
    about_z = np.array([[np.cos(roll), -np.sin(roll), 0], [np.sin(roll), np.cos(roll), 0], [0, 0, 1]])
    turned = about_x @ about_z
    inner = np.array([[1700, 0, 959.5], [0, 1700, 539.5], [0, 0, 1]])
    matrix = np.linalg.inv(inner @ np.column_stack([turned[:, 0], turned[:, 1], (0, 0, 1100)]))
    return Plane(matrix, lens, SHAPE)


def seen(view: Plane, count: int, seed: int, noise: float = 0.0) -> tuple[list[Square], np.ndarray]:
    """Return squares lying at random, as the camera sees them, and their corners in mm."""
    rng = np.random.default_rng(seed)
    half = SIDE / 2
    square = np.array([(-half, -half), (half, -half), (half, half), (-half, half)])
    mm = []
    for _ in range(count):
        way = rng.uniform(0, 2 * np.pi)
        spin = np.array([[np.cos(way), -np.sin(way)], [np.sin(way), np.cos(way)]])
        mm.append(square @ spin.T + (rng.uniform(-480, 480), rng.uniform(-260, 260)))
    corners = np.array(mm)
    return [Square(view.to_px(one) + rng.normal(0, noise, (4, 2)), SIDE) for one in corners], corners


@settings(max_examples=10, deadline=None)
@given(tilt=st.floats(-25, 25), turn=st.floats(-30, 30), lens=st.floats(-0.05, 0.12), seed=st.integers(0, 1000))
def test_millimetres_and_pixels_are_inverse(tilt: float, turn: float, lens: float, seed: int) -> None:
    """What lies on the table comes back to its place after being seen."""
    view = camera(tilt, turn, lens)
    mm = np.random.default_rng(seed).uniform(-300, 300, (20, 2))
    assert np.abs(view.to_mm(view.to_px(mm)) - mm).max() < 1e-3


@pytest.mark.parametrize(("tilt", "turn", "lens", "seed"), [(10, 2, 0.05, 1), (-22, 25, 0.0, 2), (15, -9, 0.09, 3)])
def test_eight_exact_squares_tell_the_plane_with_its_lens(tilt: float, turn: float, lens: float, seed: int) -> None:
    """Distances between squares whose places are not known come out right to a fifth of a millimetre."""
    squares, corners = seen(camera(tilt, turn, lens), 8, seed)
    plane = fit(squares, SHAPE)
    assert plane is not None
    found = np.array([plane.to_mm(square.corners).mean(axis=0) for square in squares])
    real = corners.mean(axis=1)
    apart, wanted = (np.linalg.norm(one[:, None] - one[None], axis=2) for one in (found, real))
    assert np.abs(apart - wanted).max() < 0.2


def test_a_fitted_plane_puts_its_origin_in_the_middle_and_up_along_the_picture() -> None:
    """The middle of the picture is (0, 0) and what is higher in the picture has a smaller y."""
    plane = fit(seen(camera(10, 3, 0.03), 6, 4)[0], SHAPE)
    assert plane is not None
    middle, above = plane.to_mm(np.array([(959.5, 539.5), (959.5, 439.5)]))
    assert np.abs(middle).max() < 1e-6
    assert above[1] < -10


def test_a_torn_square_is_left_out() -> None:
    """One square with a corner folded in does not bend the others."""
    squares, _ = seen(camera(8, 1, 0.02), 7, 5)
    torn = squares[3].corners.copy()
    torn[0] += (14, 11)
    plane = fit([*squares[:3], Square(torn, SIDE), *squares[4:]], SHAPE)
    assert plane is not None
    good = [square for number, square in enumerate(squares) if number != 3]
    assert max(float(np.abs(misfit(plane, square)).max()) for square in good) < 0.1


def test_a_mirrored_square_is_none() -> None:
    """Corners that run the other way round are a mirror image, from which no plane is made."""
    squares, _ = seen(camera(8, 1, 0), 2, 6)
    assert fit([Square(square.corners[::-1], SIDE) for square in squares], SHAPE) is None


def test_no_square_means_no_plane() -> None:
    """Without any square there is nothing to go by."""
    assert fit([], SHAPE) is None


def test_an_aligned_plane_keeps_the_frame_of_the_one_before() -> None:
    """After a bump the marks come to lie where they lay on the table."""
    before = fit(seen(camera(8, 1, 0.02), 6, 7)[0], SHAPE)
    squares, _ = seen(camera(12, 9, 0.02), 6, 7)
    after = fit(squares, SHAPE)
    assert before is not None
    assert after is not None
    old, _ = seen(camera(8, 1, 0.02), 6, 7)
    kept = aligned(after, [(new.corners, before.to_mm(one.corners)) for new, one in zip(squares, old, strict=True)])
    for new, one in zip(squares, old, strict=True):
        assert np.abs(kept.to_mm(new.corners) - before.to_mm(one.corners)).max() < 0.5
