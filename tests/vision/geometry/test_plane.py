"""The plane: squares of known size at unknown places determine how the camera sees the table."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabletop.vision.geometry import plane_fit
from tabletop.vision.geometry.camera_pose import modules, readable_part
from tabletop.vision.geometry.plane import Plane, aligned, print_notice
from tabletop.vision.geometry.plane_fit import MAX_DESCENT_STEPS, Square, fit, misfits

SHAPE = (1080, 1920)
SIDE = 33.6


def camera(tilt: float, turn: float, lens: float) -> Plane:
    """Return the plane of a camera 1.1 m above the table, tilted and turned by degrees."""
    pitch, roll = np.radians(tilt), np.radians(turn)
    about_x = np.array([[1, 0, 0], [0, np.cos(pitch), -np.sin(pitch)], [0, np.sin(pitch), np.cos(pitch)]])
    about_z = np.array([[np.cos(roll), -np.sin(roll), 0], [np.sin(roll), np.cos(roll), 0], [0, 0, 1]])
    turned = about_x @ about_z
    inner = np.array([[1700, 0, 959.5], [0, 1700, 539.5], [0, 0, 1]])
    matrix = np.linalg.inv(inner @ np.column_stack([turned[:, 0], turned[:, 1], (0, 0, 1100)]))
    return Plane(matrix, lens, SHAPE)


def seen(view: Plane, count: int, seed: int, noise: float = 0.0, side: float = SIDE) -> tuple[list[Square], np.ndarray]:
    """Return squares at random places as the camera sees them, and their corners in mm."""
    rng = np.random.default_rng(seed)
    half = side / 2
    square = np.array([(-half, -half), (half, -half), (half, half), (-half, half)])
    mm = []
    for _ in range(count):
        way = rng.uniform(0, 2 * np.pi)
        spin = np.array([[np.cos(way), -np.sin(way)], [np.sin(way), np.cos(way)]])
        mm.append(square @ spin.T + (rng.uniform(-480, 480), rng.uniform(-260, 260)))
    corners = np.array(mm)
    return [Square(view.to_px(one) + rng.normal(0, noise, (4, 2)), side) for one in corners], corners


def far_off(plane: Plane, view: Plane) -> float:
    """Return the median distance, mm, between fitted and true places of the table after alignment."""
    places = np.stack(np.meshgrid(np.linspace(-430, 430, 9), np.linspace(-240, 240, 7)), axis=-1).reshape(-1, 2)
    laid = aligned(plane, [(view.to_px(places), places)])
    return float(np.median(np.hypot(*(laid.to_mm(view.to_px(places)) - places).T)))


@settings(max_examples=10, deadline=None)
@given(tilt=st.floats(-25, 25), turn=st.floats(-30, 30), lens=st.floats(-0.05, 0.12), seed=st.integers(0, 1000))
def test_millimetres_and_pixels_are_inverse(tilt: float, turn: float, lens: float, seed: int) -> None:
    """A place converted to px and back is the same place."""
    view = camera(tilt, turn, lens)
    mm = np.random.default_rng(seed).uniform(-300, 300, (20, 2))
    assert np.abs(view.to_mm(view.to_px(mm)) - mm).max() < 1e-3


@pytest.mark.parametrize(("tilt", "turn", "lens", "seed"), [(10, 2, 0.05, 1), (-22, 25, 0.0, 2), (15, -9, 0.09, 3)])
def test_eight_exact_squares_tell_the_plane_with_its_lens(tilt: float, turn: float, lens: float, seed: int) -> None:
    """Distances between squares at unknown places are right to 0.2 mm."""
    squares, corners = seen(camera(tilt, turn, lens), 8, seed)
    plane = fit(squares, SHAPE)
    assert plane is not None
    found = np.array([plane.to_mm(square.corners).mean(axis=0) for square in squares])
    real = corners.mean(axis=1)
    apart, wanted = (np.linalg.norm(one[:, None] - one[None], axis=2) for one in (found, real))
    assert np.abs(apart - wanted).max() < 0.2


@pytest.mark.parametrize("lens", [0.0, 0.02, 0.05])
def test_two_squares_tell_the_plane_to_a_millimetre_whatever_the_lens(lens: float) -> None:
    """With two squares anywhere, the median error of the table's places is less than 1 mm."""
    errors = []
    for seed in range(12):
        view = camera(8 + seed, 3 * seed - 20, lens)
        plane = fit(seen(view, 2, seed, noise=0.05)[0], SHAPE)
        assert plane is not None
        errors.append(far_off(plane, view))
    assert np.median(errors) < 1.0


def test_pieces_help_two_markers_though_a_printer_shrank_them() -> None:
    """With twenty more tags printed at 97 %, the plane is right to 0.5 mm, and the print's scale is reported."""
    view = camera(9, 4, 0.05)
    marks, _ = seen(view, 2, 8, noise=0.05)
    tags, _ = seen(view, 20, 9, noise=0.05, side=0.97 * SIDE / 2)
    plane = fit([*marks, *(one._replace(side=SIDE / 2, weight=0.3, scaled=True) for one in tags)], SHAPE)
    assert plane is not None
    assert plane.scale == pytest.approx(0.97, abs=0.004)
    assert far_off(plane, view) < 0.5


def test_squares_of_unknown_print_alone_are_taken_at_their_size() -> None:
    """Without a square of true size there is nothing to compare a print with, so its scale is taken as 1."""
    squares = [one._replace(scaled=True) for one in seen(camera(9, 4, 0.02), 6, 3)[0]]
    plane = fit(squares, SHAPE)
    assert plane is not None
    assert plane.scale == 1


def test_a_cropped_photograph_of_many_tags_is_not_bent_to_a_usual_camera() -> None:
    """With many tags, the optical axis may be far from the picture's middle, as after cropping."""
    view = camera(32, 5, 0.0)
    crop = np.array((-260.0, 90.0))
    squares = [square._replace(corners=square.corners + crop) for square in seen(view, 20, 4, noise=0.05)[0]]
    plane = fit(squares, SHAPE)
    assert plane is not None
    places = np.stack(np.meshgrid(np.linspace(-300, 300, 7), np.linspace(-200, 200, 5)), axis=-1).reshape(-1, 2)
    laid = aligned(plane, [(view.to_px(places) + crop, places)])
    assert np.median(np.hypot(*(laid.to_mm(view.to_px(places) + crop) - places).T)) < 0.5


@pytest.mark.parametrize(("scale", "sentence"), [(0.97, "printed at 97 %"), (1.03, "printed at 103 %"), (0.99, "")])
def test_a_print_at_a_wrong_scale_is_reported_in_a_sentence(scale: float, sentence: str) -> None:
    """A print that is 3 % off is reported with the fix, while one that is 1 % off counts as true."""
    plane = replace(Plane(np.eye(3), 0.0, SHAPE), scale=scale, scale_off=0.002)
    assert sentence in print_notice(plane)
    assert bool(print_notice(plane)) == bool(sentence)


def test_a_print_is_not_blamed_for_a_lens_that_bends_in_another_way() -> None:
    """If even the markers fit no one size, the print's scale is not inferred from the pieces."""
    view = camera(9, 4, 0.05)
    marks, _ = seen(view, 4, 8, noise=0.05)
    tags, _ = seen(view, 20, 9, noise=0.05, side=SIDE / 2)
    squares = [*marks, *(one._replace(side=SIDE / 2, weight=0.3, scaled=True) for one in tags)]
    middle = np.array(SHAPE[::-1]) / 2
    away = [(one.corners - middle) / middle for one in squares]
    bent = [
        one._replace(corners=middle + middle * each * (1 - 0.06 * (each**4).sum(axis=1, keepdims=True)))
        for one, each in zip(squares, away, strict=True)
    ]
    plane = fit(bent, SHAPE)
    assert plane is not None
    assert plane.scale_off > 0.005
    assert print_notice(plane) == ""


def test_a_fitted_plane_puts_its_origin_in_the_middle_and_up_along_the_picture() -> None:
    """The picture's middle is (0, 0), and what is higher in the picture has a smaller y."""
    plane = fit(seen(camera(10, 3, 0.03), 6, 4)[0], SHAPE)
    assert plane is not None
    middle, above = plane.to_mm(np.array([(959.5, 539.5), (959.5, 439.5)]))
    assert np.abs(middle).max() < 1e-6
    assert above[1] < -10


def test_a_torn_square_is_left_out() -> None:
    """A square with a folded corner does not distort the fit of the others."""
    squares, _ = seen(camera(8, 1, 0.02), 7, 5)
    torn = squares[3].corners.copy()
    torn[0] += (14, 11)
    plane = fit([*squares[:3], Square(torn, SIDE), *squares[4:]], SHAPE)
    assert plane is not None
    good = [square for number, square in enumerate(squares) if number != 3]
    assert np.abs(misfits(plane, good)).max() < 0.1


def test_a_mirrored_square_is_none() -> None:
    """Squares whose corners run the other way round, as in a mirror image, give no plane."""
    squares, _ = seen(camera(8, 1, 0), 2, 6)
    assert fit([Square(square.corners[::-1], SIDE) for square in squares], SHAPE) is None


def test_no_square_means_no_plane() -> None:
    """Without squares there is no plane."""
    assert fit([], SHAPE) is None


def test_an_aligned_plane_keeps_the_frame_of_the_one_before() -> None:
    """After a bump, aligning to the old plane gives the marks their old places on the table."""
    before = fit(seen(camera(8, 1, 0.02), 6, 7)[0], SHAPE)
    squares, _ = seen(camera(12, 9, 0.02), 6, 7)
    after = fit(squares, SHAPE)
    assert before is not None
    assert after is not None
    old, _ = seen(camera(8, 1, 0.02), 6, 7)
    kept = aligned(after, [(new.corners, before.to_mm(one.corners)) for new, one in zip(squares, old, strict=True)])
    for new, one in zip(squares, old, strict=True):
        assert np.abs(kept.to_mm(new.corners) - before.to_mm(one.corners)).max() < 0.5


def test_a_picture_that_shows_the_horizon_shows_the_table_far_short_of_it() -> None:
    """The bounds of an oblique wide picture end well before the horizon, which would take gigabytes to search."""
    plane = Plane(np.array([(0.5, 0, -200), (0, 0.5, -250), (0, 0.004, -1.0)]), 0.0, (1000, 800))
    left, top, right, bottom = plane.bounds()
    assert -620 < left < -400
    assert 400 < right < 620
    assert -260 < top < -150
    assert 80 < bottom < 90
    worthy = readable_part(plane, 20.0)
    assert worthy[0] >= left
    assert worthy[1] >= top
    far = np.array([((worthy[0] + worthy[2]) / 2, worthy[1])])
    assert 0.4 <= modules(plane, far, 20.0)[0] < 0.8


def test_tags_are_looked_for_as_far_away_as_a_leaning_camera_of_720_px_reads_them() -> None:
    """The readable part reaches as far as a module has half a px, at which cards are still read."""
    plane = Plane(np.array([(0.82, 0, -500), (0, 0.82, -300), (-0.0004, 0, 1)]), 0.0, (720, 1280))
    left, top, right, bottom = readable_part(plane, 20.0)
    across = np.linspace(left, plane.bounds()[2], 200)
    places = np.stack([across, np.full(200, (top + bottom) / 2)], axis=1)
    readable = across[modules(plane, places, 20.0) >= 0.49]
    assert right > readable.max() + 20
    assert right < plane.bounds()[2] - 20


def test_of_a_plane_on_which_no_tag_can_be_read_nothing_is_looked_at() -> None:
    """With an eighth of a px per module the readable part is small, instead of the whole table at gigabytes."""
    left, top, right, bottom = readable_part(Plane(np.diag((1.7, 1.7, 1.0)), 0.0, (3000, 4000)), 5.0)
    assert right - left < 100
    assert bottom - top < 100


@pytest.mark.parametrize("seed", [0, 2, 3])
def test_a_fit_ends_after_a_few_steps(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A fit that also tried to move the table's axes, which changes no square, would need all its steps."""
    tries = list[int]()

    def counted(corners: np.ndarray, sides: np.ndarray) -> np.ndarray:
        tries.append(len(corners))
        return misfits_of(corners, sides)

    misfits_of = plane_fit._misfits
    monkeypatch.setattr(plane_fit, "_misfits", counted)
    view = camera(25, 10, 0.08)
    squares, _ = seen(view, 40, seed, noise=1.0)
    plane = fit(squares, SHAPE)
    assert plane is not None
    assert len(tries) < MAX_DESCENT_STEPS
