"""A tag much larger or smaller than the others of its kind does not count: it may be a picture on a screen."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from tabletop.vision.kit import Kit
from tabletop.vision.photo.odd_sizes import of_odd_sizes
from tabletop.vision.scene import Cause
from tabletop.vision.tags.patterns import CODE_MODULES, TAG_MODULES
from tests.vision.score.pictures import PALAZZO, lying, plane


def odd(sides: Mapping[str, float]) -> dict[str, Cause]:
    """Return why tags of these sides, mm, side by side, do not count."""
    code = CODE_MODULES / TAG_MODULES
    seen = [lying(payload, 50 + 60 * at, 200, 30 * at, side * code) for at, (payload, side) in enumerate(sides.items())]
    return {each.payload: unread.reason for each, unread in of_odd_sizes(seen, plane(), Kit(PALAZZO)).items()}


TILES = {"PZ:B1.3": 20.0, "PZ:S2.1": 20.4, "PZ:B5.2": 19.5}


@pytest.mark.parametrize("side", [12.0, 15.0, 27.0, 44.0])
def test_a_tile_of_another_size_than_the_others_does_not_count(side: float) -> None:
    """A tile on a phone's display is reported, whatever its size."""
    assert odd({**TILES, "PZ:B1.1": side}) == {"PZ:B1.1": Cause.UNKNOWN}


@pytest.mark.parametrize("side", [16.0, 25.0])
def test_a_tile_counts_that_is_nearer_to_the_camera_or_where_sizes_are_less_well_known(side: float) -> None:
    """On a stack of tiles, or at the edge of a wide lens, a tag may look a quarter larger or smaller."""
    assert odd({**TILES, "PZ:B1.1": side}) == {}


def test_a_set_may_be_printed_at_any_scale_and_each_kind_at_its_own() -> None:
    """A size counts if all tags of a kind have it, or if it is the kind's nominal size."""
    assert odd({"PZ:B1.3": 12.0, "PZ:S2.1": 12.1, "PZ:R3A": 20.0, "TT:SEAT1": 28.0, "TT:SEAT2": 28.0}) == {}


def test_a_marker_of_another_size_shows_no_seat() -> None:
    """Of two markers of different sizes, the one with the wrong size identifies no seat."""
    assert odd({**TILES, "TT:SEAT1": 40.0, "TT:SEAT2": 12.0}) == {"TT:SEAT2": Cause.HIDDEN_SEAT}
