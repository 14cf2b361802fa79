"""Objects left on the table for good: no piece counts as gone because of them, and play continues beside them."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.live.watched import ALL, Watched
from tests.vision.small_table import MARKERS, TILES, moved, picture

A_MINUTE = 300
"""The number of frames in a minute."""
PLACES = {"a tile": TILES[1], "a marker": MARKERS[1], "a bare place": moved(MARKERS[0], 0, 80)}


def cup(x: float, y: float) -> tuple[np.ndarray, float, float, float, float]:
    """Return a cup from above, 40 mm across, with a rim lighter than its contents."""
    face = np.full((200, 200), 60, np.uint8)
    face[15:185, 15:185] = 210
    face[30:170, 30:170] = 70
    return face, x, y, 20.0, 40.0


@pytest.mark.parametrize("place", PLACES)
def test_a_cup_that_is_left_standing_takes_nothing_and_hides_no_move_elsewhere(place: str, watched: Watched) -> None:
    """The covered piece is kept and named, a tile pushed beside the cup is followed, and one that is taken is gone."""
    there = PLACES[place]
    standing = [cup(there.x, there.y)]
    watched.show(picture([*MARKERS, *TILES], pasted=standing), frames=A_MINUTE)
    assert watched.lying() == ALL
    assert watched.standing.unreadable
    covered = {there.payload} if there in (*TILES, *MARKERS) else set()
    assert {one.payload for one in watched.standing.unreadable if one.payload} == covered
    pushed = [*TILES[:4], moved(TILES[4], 12, 18, 30)]
    watched.show(picture([*MARKERS, *pushed], pasted=standing))
    assert watched.lying() == ALL
    watched.show(picture([*MARKERS, *pushed[:4]], pasted=standing))
    assert watched.lying() == ALL - {TILES[4].payload}
    watched.show(picture([*MARKERS, *pushed[:4]]))
    assert (watched.lying(), watched.standing.unreadable) == (ALL - {TILES[4].payload}, ())


def test_what_lay_there_first_stays_while_a_resting_hand_moves_over_it() -> None:
    """A piece under a hand stays while the hand moves a little, and when the hand leaves."""
    watched, there = Watched(), TILES[1]
    watched.show(picture([*MARKERS, *TILES]))
    for aside in (0, 4, 14, -6):
        watched.show(picture([*MARKERS, *TILES], hand=(there.x + aside, there.y)))
        assert watched.lying() == ALL
    watched.show(picture([*MARKERS, *TILES]))
    assert (watched.lying(), watched.standing.unreadable) == (ALL, ())


@pytest.mark.parametrize("place", [(150, -60), (-150, 60)])
def test_an_arm_that_was_there_at_first_and_left_leaves_nothing_strange(place: tuple[float, float]) -> None:
    """An arm that covered markers in the first picture leaves no unreadable place once it and others have left."""
    watched, (x, y) = Watched(), place
    for hand in (place, None, (x + 120, y), None):
        watched.show(picture([*MARKERS, *TILES], hand=hand))
    assert watched.standing.unreadable == ()
