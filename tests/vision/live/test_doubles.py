"""A tag that is seen in two places is in no zone until one of them is left."""

from tests.vision.live.watched import ALL, Watched
from tests.vision.small_table import MARKERS, TILES, moved, picture


def test_the_same_tag_twice_counts_nowhere(watched: Watched) -> None:
    """A tag seen in two places is reported as double and in no zone, until one of them is left."""
    watched.show(picture([*MARKERS, *TILES, moved(TILES[0], 70, 60)]))
    scene = watched.tracker.standing
    assert scene is not None
    assert scene.doubles == ("PZ:B1.2",)
    assert watched.lying() == ALL - {"PZ:B1.2"}
    watched.show(picture([*MARKERS, *TILES]))
    assert watched.lying() == ALL


def test_a_tag_that_is_seen_twice_stays_so_if_one_is_pushed_a_little(watched: Watched) -> None:
    """A tag in two places stays double after a shift within the tolerance for an unmoved tag."""
    watched.show(picture([*MARKERS, *TILES, moved(TILES[0], 0, 60)]))
    watched.show(picture([*MARKERS, *TILES, moved(TILES[0], 2.8, 60)]))
    assert watched.standing.doubles == (TILES[0].payload,)


def test_a_tag_that_was_seen_twice_at_first_stays_so(watched: Watched) -> None:
    """A tag that is double from the start stays double when another tile moves."""
    first, twice = Watched(), [*MARKERS, *TILES, moved(TILES[0], 0, 60)]
    first.show(picture(twice))
    assert first.standing.doubles == (TILES[0].payload,)
    first.show(picture([moved(one, 8, 0) if one is TILES[4] else one for one in twice]))
    assert first.standing.doubles == (TILES[0].payload,)
