"""One visible corner of a tag reveals it; nothing else on a table does, and known tags are left out."""

from __future__ import annotations

import tracemalloc
from collections.abc import Sequence

import cv2
import numpy as np
import pytest

from bench.painting import Lying
from tabletop.vision.detect.detection import Detection
from tabletop.vision.detect.detector import Detector
from tabletop.vision.geometry.outlines import outlines
from tabletop.vision.geometry.plane import Array, Plane
from tabletop.vision.image.load import Picture
from tabletop.vision.photo.hidden_seats.tag_remnants import covered_pieces, covered_tags, tag_remnants
from tabletop.vision.photo.photo_contents import PhotoContents
from tabletop.vision.scene import Cause, Unreadable
from tabletop.vision.score.palazzo import PalazzoTally
from tabletop.vision.tags import patterns
from tests.vision.small_table import KIT, MARKERS, PATTERNS, TILES, camera, picture

WHITE_GREY = 170.0
PLANE_ERROR_MM = 4.0
"""How far off, mm, a place may be on a plane that was fitted to a few decoded tags."""
SEAT = Lying("TT:SEAT2", 20, 60, -15, 40)
TILE = Lying("PZ:B1.3", 70, 30, 40, 20)


def photograph(lying: Sequence[Lying], under: Lying | None = None, way: float = 0, tone: int = 110) -> np.ndarray:
    """Return a table with a sheet over all of a tag except the corner opposite to ``way`` (degrees, 0: its right)."""
    sheets = []
    if under is not None:
        turn = np.radians(way + under.angle)
        aside = under.side * 0.8 * np.array((np.cos(turn), np.sin(turn)))
        width = under.side * 1.9
        sheets = [
            (np.full((200, 200), tone, np.uint8), under.x + aside[0], under.y + aside[1], way + under.angle, width)
        ]
    return picture([*MARKERS, *TILES[:4], *lying], view=camera(), pasted=sheets)


def seen_on(grey: np.ndarray, detector: Detector, under: Lying | None = None) -> tuple[Detection, Plane]:
    seen = detector.detect(grey, photo=True)
    assert seen.plane is not None
    assert under is None or under.payload not in {each.payload for each in seen.sightings}
    return seen, seen.plane


def remnants(grey: np.ndarray, detector: Detector, side: float, under: Lying | None = None) -> list[Array]:
    seen, plane = seen_on(grey, detector, under)
    return tag_remnants(grey, plane, side, WHITE_GREY, outlines(seen.sightings, KIT))


def on_table(
    grey: np.ndarray, detector: Detector, under: Lying | None, *seats: str
) -> tuple[PhotoContents, list[Array]]:
    """Return what is read on a table whose only seats are these markers, and the codes that are left out."""
    seen, plane = seen_on(grey, detector, under)
    there = [each for each in seen.sightings if not each.payload.startswith("TT:") or each.payload in seats]
    colour = np.asarray(cv2.merge([grey] * 3), np.uint8)
    codes = [np.array(each.corners) for each in seen.sightings if each not in there]
    return PhotoContents(Picture("", grey, colour), KIT, plane, there, PalazzoTally()), codes


def doubted(grey: np.ndarray, detector: Detector, under: Lying, *seats: str) -> list[Unreadable]:
    """Return the doubts about seats that may be hidden on such a table."""
    contents, codes = on_table(grey, detector, under, *seats)
    return covered_tags(contents, [], codes)


@pytest.mark.parametrize(("under", "way"), [(SEAT, 45), (SEAT, 135), (SEAT, -45), (TILE, 45), (TILE, 135)])
def test_a_tag_is_found_by_the_corner_that_is_left_of_it(detector: Detector, under: Lying, way: float) -> None:
    found = remnants(photograph([under], under, way), detector, under.side, under)
    turn = np.radians(way + under.angle + 180)
    corner = (under.x, under.y) + 0.4 * under.side * np.array((np.cos(turn), np.sin(turn)))
    assert [bool(np.linalg.norm(each.mean(axis=0) - corner) < PLANE_ERROR_MM) for each in found] == [True]


@pytest.mark.parametrize("side", [20.0, 40.0])
def test_nothing_else_on_a_table_is_taken_for_the_corner_of_a_tag(detector: Detector, side: float) -> None:
    assert remnants(photograph([]), detector, side) == []


def test_a_tag_that_the_edge_of_the_picture_may_cut_off_is_not_said_to_be_covered(detector: Detector) -> None:
    whole = photograph([SEAT])
    row = round(seen_on(whole, detector)[1].to_px(np.array([(SEAT.x, SEAT.y)]))[0, 1])
    assert remnants(whole[:row], detector, SEAT.side, SEAT) == []


def test_a_covered_marker_is_in_doubt_and_a_covered_tile_unless_it_lies_in_a_zone_that_is_seen(
    detector: Detector,
) -> None:
    seat = Lying("TT:SEAT1", -150, 20, 0, 40)
    beside = Lying("TT:SEAT1", -150, 20, 180, 40)
    assert [each.reason for each in doubted(photograph([seat, SEAT], SEAT, 45), detector, SEAT, "TT:SEAT1")] == [
        Cause.HIDDEN_SEAT
    ]
    grey = photograph([beside, TILE], TILE, 45)
    assert [each.reason for each in doubted(grey, detector, TILE, "TT:SEAT1")] == [Cause.HIDDEN_SEAT]
    assert doubted(photograph([seat, TILE], TILE, 45), detector, TILE, "TT:SEAT1") == []


@pytest.mark.parametrize(("marker_angle", "covered", "doubts"), [(0, True, 1), (0, False, 0), (180, True, 0)])
def test_the_corner_of_a_tile_in_a_seats_area_is_in_doubt(
    detector: Detector, marker_angle: float, covered: bool, doubts: int
) -> None:
    """The corner of a tile's tag is reported even if the rest in sight is too little to be noticed."""
    seat, under = Lying("TT:SEAT1", -150, 20, marker_angle, 40), TILE if covered else None
    found = covered_pieces(*on_table(photograph([seat, TILE], under, 45), detector, under, "TT:SEAT1"))
    assert [each.reason for each in found] == [Cause.UNKNOWN] * doubts


@pytest.mark.parametrize(("shift", "doubts"), [(17, 1), (18, 1), (0, 0)])
def test_a_tag_half_under_the_next_tile_of_its_palazzo_is_in_doubt(
    detector: Detector, shift: float, doubts: int
) -> None:
    """The visible half of the lower tile's tag is not explained by the upper tile close beside it."""
    face, upper = np.full((280, 360), 90, np.uint8), patterns.draw(PATTERNS["PZ:M4.2"], 8)
    face[40:240, 80:280] = cv2.resize(upper, (200, 200), interpolation=cv2.INTER_AREA)
    seat, lower = Lying("TT:SEAT1", -150, 20, 0, 40), Lying("PZ:B1.3", 60, 20, 0, 20)
    laid = (face, lower.x, lower.y - 28 + shift, 5.0, 36.0)
    grey = picture([*MARKERS, *TILES[:4], seat, lower], view=camera(), pasted=[laid])
    found = covered_pieces(*on_table(grey, detector, None, "TT:SEAT1"))
    assert [each.reason for each in found] == [Cause.UNKNOWN] * doubts


def test_where_no_seat_is_known_by_its_marker_no_covered_tag_is_looked_for(detector: Detector) -> None:
    assert doubted(photograph([SEAT], SEAT, 45), detector, SEAT) == []


def test_a_large_table_is_searched_with_little_more_memory_than_it_takes_seen_from_above() -> None:
    """The search takes little more memory than the rectified table, with no full-size copy for each step."""
    plane = Plane(np.diag((1.5, 1.5, 1.0)), 0.0, (700, 700))
    side_mm = 20.0
    squares = (700 * 1.5 / (side_mm / patterns.TAG_MODULES / 1.4)) ** 2
    grey = np.full((700, 700), 150, np.uint8)
    tracemalloc.start()
    assert not tag_remnants(grey, plane, side_mm, WHITE_GREY, [])
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 4.3 * squares
