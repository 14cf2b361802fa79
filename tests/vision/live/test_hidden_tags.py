"""A tile under a hand or face down stays in the layout until its place is seen bare."""

from tests.vision.live.watched import ALL, Watched
from tests.vision.small_table import MARKERS, TILES, moved, picture


def test_a_still_hand_takes_nothing_away(watched: Watched) -> None:
    """A card under a resting hand is reported as covered and stays in the layout."""
    scenes = watched.show(picture([*MARKERS, *TILES], hand=(0, -50)))
    assert watched.lying() == ALL
    covered = {one.payload: one.reason for scene in scenes for one in scene.unreadable}
    assert covered.get("PZ:S2.1") == "covered"


def test_a_tile_taken_by_a_hand_that_stays_is_gone_once_the_hand_leaves(watched: Watched) -> None:
    """Whether a covered tile was taken is decided when its place can be seen."""
    left = [one for one in TILES if one.payload != "PZ:S2.1"]
    watched.show(picture([*MARKERS, *left], hand=(0, -50)))
    assert "PZ:S2.1" in watched.lying()
    watched.show(picture([*MARKERS, *left]))
    assert watched.lying() == ALL - {"PZ:S2.1"}


def test_a_tile_turned_over_does_not_vanish(watched: Watched) -> None:
    """A tile that is turned over is reported as unreadable by name and stays in the layout."""
    scenes = watched.show(picture([*MARKERS, *TILES[1:]], face_down=TILES[:1]))
    assert [(one.payload, one.reason) for one in scenes[-1].unreadable] == [("PZ:B1.2", "face-down")]
    assert watched.lying() == ALL


def test_a_tile_turned_over_where_the_table_was_never_seen_bare_does_not_vanish() -> None:
    """A turned-over tile stays in the layout even if it was on the table when the tracker started."""
    watched = Watched()
    watched.show(picture([*MARKERS, *TILES]))
    watched.show(picture([*MARKERS, *TILES[1:]], face_down=TILES[:1]))
    assert watched.lying() == ALL
    assert [(one.payload, one.reason) for one in watched.standing.unreadable] == [("PZ:B1.2", "face-down")]


def test_a_hand_that_rests_for_a_minute_takes_nothing_and_hides_no_move(watched: Watched) -> None:
    """Repeated looks under a resting hand find nothing false, and a tile moved elsewhere meanwhile is seen."""
    watched.show(picture([*MARKERS, *TILES], hand=(0, -50)), frames=300)
    assert watched.lying() == ALL
    others = [moved(TILES[4], 12, 18, 30) if one is TILES[4] else one for one in TILES]
    watched.show(picture([*MARKERS, *others], hand=(0, -50)))
    assert watched.lying() == ALL
    assert {one.payload for one in watched.standing.unreadable} <= {"PZ:S2.1", "PZ:B1.2", "PZ:M3.3"}
    watched.show(picture([*MARKERS, *others]))
    assert (watched.lying(), watched.standing.unreadable) == (ALL, ())
