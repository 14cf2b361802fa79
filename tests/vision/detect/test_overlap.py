"""Of two tags that overlap considerably, the weaker is an illusion made of the other's modules."""

from __future__ import annotations

import copy

import numpy as np
import pytest

from tabletop.vision.detect.overlap import MIN_DISTANCE_SIDES, Spot, uncovered
from tabletop.vision.live.tracks import TagTracks
from tabletop.vision.recognise.recognised import RecognisedTag
from tests.vision.live.watched import ALL, Watched
from tests.vision.small_table import MARKERS, TILES, frame, picture


def spot(one: Spot) -> Spot:
    return one


def test_of_two_that_overlap_the_surer_stays() -> None:
    """The tag with the higher score stays, in whichever order the two were read."""
    weak, strong, apart = Spot(0, 0, 20, 0.6), Spot(9, 6, 20, 0.9), Spot(40, 0, 20, 0.5)
    for order in ([weak, strong, apart], [apart, strong, weak]):
        assert uncovered(order, spot) == ([strong, apart], [weak])


def test_an_illusion_between_two_tags_takes_neither_away() -> None:
    """Of three tags in a row, the one that overlaps both others is dropped, and they stay."""
    left, right, between = Spot(0, 0, 20, 1.0), Spot(20.5, 0, 20, 0.9), Spot(10, 1, 20, 0.7)
    assert uncovered([between, left, right], spot) == ([left, right], [between])


def test_a_dropped_tag_takes_none_away() -> None:
    """A tag that overlaps only one that was dropped for a surer tag stays."""
    surest, dropped, last = Spot(0, 0, 20, 1.0), Spot(12, 0, 20, 0.8), Spot(24, 0, 20, 0.6)
    assert uncovered([last, dropped, surest], spot) == ([surest, last], [dropped])


@pytest.mark.parametrize("sizes", [(20, 20), (20, 40), (15, 20)])
def test_tags_that_touch_are_both_there(sizes: tuple[int, int]) -> None:
    """Adjacent stickers of any sizes do not overlap; moved closer than ``MIN_DISTANCE_SIDES`` they do."""
    one, other = sizes
    beside = (one + other) / 2
    assert not Spot(0, 0, one, 1).overlaps(Spot(beside, 0, other, 1))
    assert Spot(0, 0, one, 1).overlaps(Spot(beside * (MIN_DISTANCE_SIDES - 0.02), 0, other, 1))


@pytest.fixture(scope="module")
def accustomed() -> Watched:
    tracker = Watched()
    tracker.show(picture([*MARKERS, *TILES]))
    assert tracker.lying() == ALL
    return tracker


@pytest.mark.parametrize(("score", "stays"), [(0.5, True), (3.0, False)])
def test_what_is_read_on_a_known_tag_has_to_be_surer_than_it(accustomed: Watched, score: float, stays: bool) -> None:
    """A new tag replaces one that the tracker still sees in that place only if its score is higher."""
    tracker = accustomed.tracker
    tracks: TagTracks = copy.copy(tracker._tracks)
    tracks.by_payload, tracks.doubles = dict(tracks.by_payload), {}
    known = tracks.by_payload["PZ:B1.2"].found
    illusion = RecognisedTag("PZ:B3.1A", known.corners + np.array((9.0, 3.0)), score, 0.3, 1.0)
    assert tracker._surface is not None
    taken = tracks.take(frame(picture([*MARKERS, *TILES]), 99), copy.deepcopy(tracker._surface), illusion)
    assert taken is not stays
    assert ("PZ:B1.2" in tracks.by_payload, "PZ:B3.1A" in tracks.by_payload) == (stays, not stays)
