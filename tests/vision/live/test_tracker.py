"""The live loop: the tracker reports a table that stands still, with what lies where."""

from dataclasses import replace

import numpy as np
import pytest

from tabletop.vision.frame import Frame
from tabletop.vision.scene import Notice
from tests.vision.live.watched import ALL, Watched
from tests.vision.small_table import MARKERS, TILES, frame, moved, picture


def test_a_still_table_is_reported_once(watched: Watched) -> None:
    """A table that looks as before is not reported again."""
    assert watched.show(picture([*MARKERS, *TILES])) == []


def test_nothing_is_reported_while_things_move() -> None:
    """No scene is reported while pictures differ from frame to frame."""
    watched = Watched()
    for step in range(4):
        assert watched.show(picture([*MARKERS, moved(TILES[0], 15 * step, 0)]), frames=1) == []
    assert watched.tracker.standing is None


def test_a_single_zone_card_is_mentioned_until_another_is_read() -> None:
    """The notice about a single marker, far from which places are uncertain, ends with a second one."""
    watched = Watched()
    watched.show(picture([MARKERS[0], *TILES]))
    assert watched.standing.notices == (Notice.ONE_MARKER,)
    (scene,) = watched.show(picture([*MARKERS[:2], *TILES]))
    assert scene.notices == ()


def test_a_moved_tile_is_read_at_its_new_place(watched: Watched) -> None:
    """A tile that was shifted and turned is reported at its new place."""
    watched.show(picture([*MARKERS, moved(TILES[0], 30, 45, 40), *TILES[1:]]))
    scene = watched.tracker.standing
    assert scene is not None
    before = {one.payload: one for one in TILES}["PZ:B1.2"]
    other = next(one for one in scene.sightings if one.payload == "PZ:S2.1")
    here = next(one for one in scene.sightings if one.payload == "PZ:B1.2")
    assert np.hypot(here.x - other.x, here.y - other.y) == pytest.approx(
        np.hypot(before.x + 30 - TILES[1].x, before.y + 45 - TILES[1].y), abs=1.0
    )


def test_a_taken_tile_is_gone(watched: Watched) -> None:
    """A tile whose place is seen bare is not in the layout."""
    watched.show(picture([*MARKERS, *TILES[1:]]))
    assert watched.lying() == ALL - {"PZ:B1.2"}


def test_a_tile_that_lies_exactly_where_another_lay_is_read_though_it_looks_the_same_from_afar(
    watched: Watched,
) -> None:
    """After a hand was over a tile it is read again, even if the small picture is unchanged."""
    before, after = picture([*MARKERS, *TILES]), picture([*MARKERS, replace(TILES[0], payload="PZ:S3.3"), *TILES[1:]])
    watched.show(picture([*MARKERS, *TILES], hand=(TILES[0].x, TILES[0].y)))
    for number in range(watched.number + 1, watched.number + 4):
        watched.tracker.look(Frame(frame(after, number).grey, frame(before, number).small, number * 0.2, number))
    read = {one.payload for one in watched.standing.sightings if one.how != "kept"}
    assert read == ALL - {"PZ:B1.2"} | {"PZ:S3.3"}


def test_a_better_plane_forgets_nothing_of_the_bare_table() -> None:
    """A tile taken after the plane was refitted is gone, because its place was seen bare before."""
    watched = Watched()
    watched.show(picture(MARKERS), frames=2)
    watched.show(picture([*MARKERS, *TILES]), frames=12)
    watched.show(picture([*MARKERS, *TILES[1:]]))
    assert watched.lying() == ALL - {"PZ:B1.2"}


def test_a_whole_table_that_was_moved_is_the_same_table(watched: Watched) -> None:
    """If markers and pieces shift together, every place stays the same relative to the markers."""
    before = {one.payload: one for one in watched.standing.sightings}
    watched.show(picture([moved(one, 18, -12) for one in [*MARKERS, *TILES]]))
    assert watched.lying() == ALL
    for one in watched.standing.sightings:
        assert np.hypot(one.x - before[one.payload].x, one.y - before[one.payload].y) < 3


def test_a_table_without_markers_is_found_once_one_is_seen() -> None:
    """While no marker is seen, the table is searched for now and then, and found once there is one."""
    watched = Watched()
    watched.show(picture([]))
    assert watched.standing.sightings == ()
    watched.show(picture([*MARKERS, *TILES]))
    assert watched.lying() == ALL


def test_a_card_taken_from_beside_a_tile_is_gone_though_what_it_hid_is_not_plain() -> None:
    """A printed spot on the table that was seen bare beside a tile is not taken for the card."""
    watched = Watched()
    card = next(one for one in TILES if one.payload == "PZ:G7B")
    beside = [*MARKERS, moved(TILES[0], card.x + 47 - TILES[0].x, card.y - TILES[0].y)]
    print_ = [
        (np.full((60, 60), grey, np.uint8), card.x + aside, card.y, 0.0, 6.0) for grey, aside in ((20, -4), (250, 4))
    ]
    watched.show(picture(beside, pasted=print_))
    watched.show(picture([*beside, card]))
    assert card.payload in watched.lying()
    watched.show(picture(beside, pasted=print_))
    assert card.payload not in watched.lying()
