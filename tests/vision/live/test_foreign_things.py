"""Foreign codes are counted; codes, tiles and markers on a phone's display or a print are not pieces."""

import cv2
import numpy as np
import pytest

from bench.painting import Lying
from tabletop.vision.tags import patterns
from tests.vision.live.watched import ALL, Watched
from tests.vision.small_table import MARKERS, PATTERNS, TILES, picture


def test_a_foreign_code_is_counted_and_of_no_interest(watched: Watched) -> None:
    """A leaflet with a code is counted but neither hides anything nor is reported, until it is taken away."""
    code = patterns.draw(patterns.encode("ELSEWHERE", None), 10)
    watched.show(picture([*MARKERS, *TILES], pasted=[(code, 5, 15, 30, 44)]))
    scene = watched.standing
    assert (scene.foreign, scene.unreadable, watched.lying()) == (1, (), ALL)
    watched.show(picture([*MARKERS, *TILES]))
    assert watched.standing.foreign == 0


def test_a_foreign_code_that_lay_there_first_is_counted_too() -> None:
    """A code that was there at the start is counted until it is taken away."""
    watched, code = Watched(), patterns.draw(patterns.encode("ELSEWHERE", None), 10)
    watched.show(picture([*MARKERS, *TILES], pasted=[(code, 5, 15, 30, 44)]))
    assert (watched.standing.foreign, watched.standing.unreadable, watched.lying()) == (1, (), ALL)
    watched.show(picture([*MARKERS, *TILES]))
    assert watched.standing.foreign == 0


def phone(code: np.ndarray) -> np.ndarray:
    """Return a phone that shows a code on its bright display, 70 by 140 mm at 10 px per mm."""
    face = np.full((1400, 700), 15, np.uint8)
    face[60:1340, 30:670] = 250
    face[400:1000, 50:650] = cv2.resize(code, (600, 600), interpolation=cv2.INTER_NEAREST)
    return face


def test_a_phone_with_a_code_on_its_display_is_not_a_piece(watched: Watched) -> None:
    """A code on a phone's display, if it can be decoded, counts as foreign; nothing else changes."""
    shown = phone(patterns.draw(patterns.encode("PHONE.NET", None), 10))
    watched.show(picture([*MARKERS, *TILES], pasted=[(shown, 5, 40, 12, 70)]))
    scene = watched.standing
    assert (watched.lying(), scene.doubles, scene.foreign) == (ALL, (), 1)
    watched.show(picture([*MARKERS, *TILES]))
    assert (watched.lying(), watched.standing.unreadable, watched.standing.foreign) == (ALL, (), 0)


@pytest.mark.parametrize("share", [0.6, 0.75, 1.3])
def test_a_photograph_of_a_tile_in_another_size_is_not_that_tile(watched: Watched, share: float) -> None:
    """The tile keeps its place; its photograph at most makes the place where it lies unreadable."""
    tile = TILES[0]
    photo = patterns.draw(PATTERNS[tile.payload], 10)
    watched.show(picture([*MARKERS, *TILES], pasted=[(photo, 20, 30, 25, 20 * share)]))
    scene = watched.standing
    assert (watched.lying(), scene.doubles) == (ALL, ())
    there = next(one for one in scene.sightings if one.payload == tile.payload)
    first = next(one for one in scene.sightings if one.payload == TILES[1].payload)
    assert np.hypot(there.x - first.x, there.y - first.y) == pytest.approx(
        np.hypot(tile.x - TILES[1].x, tile.y - TILES[1].y), abs=1.5
    )
    watched.show(picture([*MARKERS, *TILES]))
    assert (watched.lying(), watched.standing.unreadable) == (ALL, ())


@pytest.mark.parametrize("lying", [MARKERS, MARKERS[1:]], ids=["beside it", "alone"])
def test_a_marker_on_the_display_of_a_phone_is_none_when_the_table_is_first_seen(lying: list[Lying]) -> None:
    """A decoded marker of a wrong size neither places its zone nor counts as a double of the true one."""
    first, code = Watched(), patterns.draw(PATTERNS["TT:Q1"], 10)
    first.show(picture([*lying, *TILES], pasted=[(code, 0, 5, 10, 60)]))
    assert first.lying() == {one.payload for one in (*lying, *TILES)}
    assert not first.standing.doubles
