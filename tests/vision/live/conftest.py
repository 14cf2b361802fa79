"""Trackers that have seen a small table, a separate one for each test."""

import copy

import pytest

from tests.vision.live.watched import ALL, Watched
from tests.vision.small_table import MARKERS, TILES, picture


@pytest.fixture
def watched(accustomed: Watched) -> Watched:
    """A copy of the accustomed tracker for each test; the copies share its detector."""
    detector = accustomed.tracker.detector
    return copy.deepcopy(accustomed, {id(detector): detector})


@pytest.fixture(scope="session")
def accustomed() -> Watched:
    """A tracker that has seen the bare table, and then the table with all its pieces."""
    tracker = Watched()
    tracker.show(picture(MARKERS))
    tracker.show(picture([*MARKERS, *TILES]))
    assert tracker.lying() == ALL
    return tracker
