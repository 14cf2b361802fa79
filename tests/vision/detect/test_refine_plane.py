"""A plane that is wrong at one end is fitted and read in turns until the whole table can be read."""

from __future__ import annotations

import numpy as np
import pytest

from tabletop.vision.detect.detector import Detector
from tabletop.vision.detect.refine_plane import MAX_FITS, REREAD_SHIFT_MM, SETTLED_MM, OnPlane, moved, refined
from tabletop.vision.geometry.plane import Plane
from tabletop.vision.scene import Cause, Unreadable
from tabletop.vision.tags.payloads import is_marker
from tests.vision.small_table import MARKERS, TILES, picture


def apart(plane: Plane, corners: np.ndarray) -> float:
    """Return by how much the longest side of a square of the table, px, exceeds its shortest one on a plane."""
    mm = plane.to_mm(corners)
    sides = np.linalg.norm(np.roll(mm, -1, axis=0) - mm, axis=1)
    return float(sides.max() / sides.min() - 1)


def wrong(detector: Detector, grey: np.ndarray, by: np.ndarray) -> tuple[Plane, list[np.ndarray]]:
    """Return a picture's plane, distorted, and the corners, px, of every tag that is read on the true plane."""
    true = detector.detect(grey)
    assert true.plane is not None
    plane = Plane(by @ true.plane.matrix, true.plane.lens, true.plane.shape)
    return plane, [np.array(one.corners) for one in true.sightings]


LEAN = np.array([(1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0007, 0.0004, 1.0)])
"""A distortion that tilts a plane like one that was fitted to a few markers."""


def test_reading_and_fitting_by_turns_finds_the_true_plane(detector: Detector) -> None:
    """From a tilted plane on which some tags cannot be read, fitting ends at one on which all can."""
    grey = picture([*MARKERS, *TILES])
    plane, corners = wrong(detector, grey, LEAN)
    before = max(apart(plane, one) for one in corners)
    counts = []
    for _ in range(MAX_FITS):
        seen = OnPlane(plane, *detector.region(grey, plane))
        counts.append(len(seen.found))
        reading = detector.refitted(grey, seen)
        if reading is None or reading.plane is None:
            break
        plane = reading.plane
    assert before > 0.1
    assert counts[0] < counts[-1] == len(corners)
    assert max(apart(plane, one) for one in corners) < before / 2


SKEW = np.array([(1.05, 0.04, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)])
"""A distortion that stretches and shears all squares alike; each is still read as a square, of one size everywhere."""


def test_a_skewed_plane_does_not_confirm_itself(detector: Detector) -> None:
    """Tags that are still recognised as squares on a sheared plane correct it."""
    grey = picture([*MARKERS, *TILES])
    plane, corners = wrong(detector, grey, SKEW)
    before = max(apart(plane, one) for one in corners)
    for _ in range(MAX_FITS):
        reading = detector.refitted(grey, OnPlane(plane, *detector.region(grey, plane)))
        if reading is None or reading.plane is None:
            break
        plane = reading.plane
    assert before > 0.05
    assert max(apart(plane, one) for one in corners) < before / 4


def test_a_better_plane_keeps_its_frame_without_a_marker(detector: Detector) -> None:
    """A refitted plane keeps the coordinates of the old one, since otherwise pieces would be in other zones."""
    grey = picture(TILES)
    true = detector.found_plane(grey)
    assert true is not None
    turned = np.array([(0.0, -1.0, 70.0), (1.0, 0.0, -30.0), (0.0, 0.0, 1.0)])
    plane = Plane(turned @ LEAN @ true.matrix, true.lens, true.shape)
    seen = OnPlane(plane, *detector.region(grey, plane))
    reading = detector.refitted(grey, seen)
    assert reading is not None
    assert reading.plane is not None
    for tag in seen.found:
        assert np.abs(reading.plane.to_mm(plane.to_px(tag.corners)) - tag.corners).max() < 8


def test_a_good_plane_stays(detector: Detector) -> None:
    """A plane that a fit would not change is not read again."""
    grey = picture([*MARKERS, *TILES])
    plane = detector.detect(grey).plane
    assert plane is not None
    assert detector.refitted(grey, OnPlane(plane, *detector.region(grey, plane))) is None


def test_a_tag_in_two_places_helps_no_fit_and_stays_double(detector: Detector) -> None:
    """A tag in two places is not used for the fit, and is still reported as double after it."""
    grey = picture([*MARKERS, *TILES])
    plane = detector.detect(grey).plane
    assert plane is not None
    leaning = Plane(LEAN @ plane.matrix, plane.lens, plane.shape)
    found, doubts = detector.region(grey, leaning)
    twice = next(one for one in found if not is_marker(one.payload))
    twins = [*found, twice._replace(corners=twice.corners + 60)]
    reading = detector.refitted(grey, OnPlane(leaning, twins, doubts))
    assert reading is not None
    assert reading.doubles == (twice.payload,)
    assert twice.payload not in {one.payload for one in reading.sightings}


@pytest.mark.parametrize(("places", "reads"), [((), 1), (((0.0, 0.0),), 1), (((0.0, 0.0), (350.0, 150.0)), 2)])
def test_a_plane_that_moved_little_is_read_again_only_if_a_place_that_was_left_looks_different(
    places: tuple[tuple[float, float], ...], reads: int
) -> None:
    """A place that looked like a tag may be identified on a plane on which it is longer, but nothing else is new."""
    first = Plane(np.eye(3), 0.0, (300, 400))
    # A tilt that changes nothing at the top left, and lengths by up to 2 % at the right.
    better = Plane(np.array([(1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (3e-5, 0.0, 1.0)]), 0.0, first.shape)
    doubts = tuple(Unreadable(Cause.UNKNOWN, place=place) for place in places)
    planes = list[Plane]()

    def read(plane: Plane) -> OnPlane:
        planes.append(plane)
        return OnPlane(plane, (), doubts)

    seen = refined(read, lambda _: {}, lambda _: better, first, REREAD_SHIFT_MM, MAX_FITS, twice=True)
    assert SETTLED_MM < moved(first, better) < REREAD_SHIFT_MM
    assert seen.plane is better
    assert planes == [first, better][:reads]
