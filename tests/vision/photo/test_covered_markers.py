"""A marker more than half covered shows that its seat is in play; nothing else on a table does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
import pytest

from bench.painting import Lying
from tabletop.vision.detect.detector import Detector
from tabletop.vision.photo.hidden_seats.covered_markers import covered_markers
from tests.vision.small_table import MARKERS, PATTERNS, TILES, camera, picture

MARKS = {payload: pattern for payload, pattern in PATTERNS.items() if payload.startswith("TT:")}
SEATS = [payload for payload in MARKS if "SEAT" in payload]
COVERED = Lying("TT:SEAT2", 20, 60, -15, 40)
WHITE_GREY = 170.0
Sheet: TypeAlias = tuple[np.ndarray, float, float, float, float]
"""A sheet of paper: its face, x and y of its middle, its angle, and its width in mm."""


def found(detector: Detector, lying: Sequence[Lying], *sheets: Sheet) -> set[str]:
    """Return the seats' markers found on a table with sheets on it."""
    grey = picture([*MARKERS, *TILES[:4], *lying], view=camera(), pasted=sheets)
    seen = detector.detect(grey, photo=True)
    recogniser = detector.recogniser(40.0)
    assert recogniser is not None
    assert seen.plane is not None
    assert COVERED.payload not in {each.payload for each in seen.sightings}
    read = [each for each in seen.sightings if each.payload in MARKS]
    return {*covered_markers(recogniser, grey, seen.plane, MARKS, read, SEATS, WHITE_GREY)}


def sheet(way: float, tone: int, part: float) -> Sheet:
    """Return a sheet, 56 mm wide, that covers a part of the marker from a direction in degrees."""
    off, turn = 40 * (1.2 - part), np.radians(way)
    middle = COVERED.x + off * float(np.cos(turn)), COVERED.y + off * float(np.sin(turn))
    return np.full((200, 200), tone, np.uint8), *middle, way, 56.0


@pytest.mark.parametrize(("way", "tone"), [(90, 110), (170, 200), (240, 40)])
def test_a_marker_is_found_of_which_more_than_half_is_covered(detector: Detector, way: float, tone: int) -> None:
    assert found(detector, [COVERED], sheet(way, tone, 0.6)) == {COVERED.payload}


def test_what_hardly_differs_from_paper_is_no_marker(detector: Detector, monkeypatch: pytest.MonkeyPatch) -> None:
    """A nearly white place is not a marker, although normalising a correlation turns traces of noise into a pattern.

    The places are those found in a picture of a covered marker, of which another picture shows only overexposed paper.
    """
    grey = picture([*MARKERS, *TILES[:4], COVERED], view=camera(), pasted=[sheet(90, 110, 0.6)])
    seen, recogniser = detector.detect(grey, photo=True), detector.recogniser(40.0)
    assert recogniser is not None
    assert seen.plane is not None
    places = recogniser.hidden_places(recogniser.view(seen.plane).take(grey))
    monkeypatch.setattr(type(recogniser), "hidden_places", lambda _, image: places._replace(seen=image.seen))
    read = [each for each in seen.sightings if each.payload in MARKS]
    assert {*covered_markers(recogniser, grey, seen.plane, MARKS, read, SEATS, WHITE_GREY)} == {COVERED.payload}
    x, y = seen.plane.to_px(np.array([(COVERED.x, COVERED.y)]))[0].round().astype(int)
    shown = grey[y - 60 : y - 4, x - 60 : x + 60]
    shown[:] = 250 + shown // 100
    assert not covered_markers(recogniser, grey, seen.plane, MARKS, read, SEATS, WHITE_GREY)


def test_no_marker_is_found_where_none_lies(detector: Detector) -> None:
    assert found(detector, [], sheet(80, 220, 0.6)) == set()
