"""A tag that no candidate reveals is found where it may be, and it is sought nowhere else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from tabletop.vision.detect.detection import Detection
from tabletop.vision.detect.detector import Detector
from tabletop.vision.geometry.plane import Array
from tabletop.vision.photo.lost_tags import find_lost
from tabletop.vision.scene import Sighting
from tests.vision.small_table import MARKERS, SIZES, TILES, picture

GREY = picture([*MARKERS, *TILES], level="moderate")
LOST = TILES[1].payload
SIDE = SIZES[LOST]


@pytest.fixture(scope="module")
def seen(detector: Detector) -> Detection:
    return detector.detect(GREY)


@pytest.fixture
def there(seen: Detection) -> Sighting:
    """The tag to be found, as it was read."""
    return next(one for one in seen.sightings if one.payload == LOST)


def beside(there: Sighting, away: float) -> list[Sighting]:
    """Return tags ``away`` mm to the right of the lost one, turned by a quarter relative to it."""
    return [replace(there, payload=TILES[0].payload, x=there.x + away, angle=there.angle + 90)]


def square(there: Sighting, half: float) -> Array:
    """Return a square around the lost tag with half its side given, mm."""
    corners = np.array([(-half, -half), (half, -half), (half, half), (-half, half)])
    result: Array = corners + np.array((there.x, there.y))
    return result


def found(
    detector: Detector,
    seen: Detection,
    read: Sequence[Sighting],
    company: Sequence[Sighting],
    outlines: Sequence[Array] = (),
    *,
    around: bool = False,
) -> list[str]:
    """Return the payloads of the tags found with the company of others."""
    assert seen.plane is not None
    return [one.payload for one in find_lost(detector, GREY, seen.plane, read, company, outlines, around=around)]


def test_the_tag_of_a_piece_that_only_its_outline_shows_is_found_wherever_it_sticks(
    detector: Detector, seen: Detection, there: Sighting
) -> None:
    company = beside(there, 200.0)
    assert found(detector, seen, company, company, [square(there, 24.0)]) == [LOST]
    assert found(detector, seen, company, company, [square(there, 24.0) + 70]) == []


def test_a_tag_is_found_wherever_it_sticks_within_a_large_outline(
    detector: Detector, seen: Detection, there: Sighting
) -> None:
    """A tag is found in a large outline even if there are more places to try than recognition takes in one go."""
    company, large = beside(there, 200.0), square(there, 60.0)
    for away in ((0, 0), (0, -40), (0, 40)):
        assert found(detector, seen, company, company, [large + away]) == [LOST]


def test_a_card_among_others_is_found_beside_them(detector: Detector, seen: Detection, there: Sighting) -> None:
    """With ``around`` a tag is sought next to its company, but not far away, and not for pieces with outlines."""
    company = beside(there, 1.2 * SIDE)
    assert found(detector, seen, company, company, around=True) == [LOST]
    assert found(detector, seen, company, company) == []
    far = beside(there, 3 * SIDE)
    assert found(detector, seen, far, far, around=True) == []


def test_what_was_read_there_or_elsewhere_is_not_found_again(
    detector: Detector, seen: Detection, there: Sighting
) -> None:
    company, place = beside(there, 200.0), [square(there, 24.0)]
    upon = replace(there, payload=TILES[2].payload)
    assert found(detector, seen, [*company, upon], company, place) == []
    elsewhere = replace(there, x=there.x + 100)
    assert found(detector, seen, [*company, elsewhere], company, place) == []


def test_a_shadow_over_a_whole_area_is_not_searched(detector: Detector, seen: Detection, there: Sighting) -> None:
    company = beside(there, 200.0)
    assert found(detector, seen, company, company, [square(there, 130.0)]) == []
