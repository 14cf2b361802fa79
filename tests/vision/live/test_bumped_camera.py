"""A camera that was opened again, bumped or turned away finds the same table, or says that it is lost."""

from dataclasses import replace
from math import dist

import cv2
import numpy as np

from bench.painting import Lying
from tabletop.vision.frame import Frame
from tabletop.vision.scene import Notice
from tests.vision.live.watched import ALL, Watched
from tests.vision.small_table import MARKERS, TILES, camera, frame, moved, picture


def test_pictures_that_become_a_little_larger_are_read_like_the_first(watched: Watched) -> None:
    """Pictures whose sizes differ by a few lines, as if cropped by hand, are still compared."""
    for number in range(watched.number + 1, watched.number + 4):
        shown = frame(picture([*MARKERS, *TILES[1:]]), number)
        grey, small = (
            np.pad(each, ((0, lines), (0, 0)), "edge") for each, lines in ((shown.grey, 6), (shown.small, 4))
        )
        watched.tracker.look(Frame(grey, small, shown.time, number))
    assert watched.lying() == ALL - {TILES[0].payload}


def test_what_is_laid_is_read_in_the_larger_pictures_of_a_camera_that_was_opened_again(watched: Watched) -> None:
    """With larger pictures whose small versions look as before, what is known of the table stays valid."""
    tables = [[*MARKERS, *TILES], [*MARKERS, *TILES[:-1]], [*MARKERS, *TILES[:-1], moved(TILES[-1], 15, 5)]]
    for number in range(9):
        shown = frame(picture(tables[number // 3]), number)
        grey = np.asarray(cv2.resize(shown.grey, None, fx=1.5, fy=1.5, interpolation=cv2.INTER_CUBIC), np.uint8)
        watched.tracker.look(Frame(grey, shown.small, 60 + shown.time, number))
    assert watched.lying() == ALL
    assert watched.standing.notices == ()


def test_a_tile_exchanged_while_the_camera_was_away_is_read_though_nothing_seems_to_have_changed() -> None:
    """A camera that was reopened, whose frames count from one again, is read afresh at once."""
    watched, other = Watched(), replace(TILES[-1], payload=TILES[0].payload)
    tables = [[*MARKERS, *TILES[1:]], [*MARKERS, *TILES[1:-1], other]]
    shown = [frame(picture(table), 0) for table in tables]
    for time, number, seen in [(60 + 0.2 * n, n + 1, 0) for n in range(5)] + [(0.2 * n, n + 1, 1) for n in range(3)]:
        watched.tracker.look(Frame(shown[seen].grey, shown[0].small, time, number))
    assert other.payload in watched.lying()


def test_a_camera_that_was_turned_away_is_reported_and_comes_back(watched: Watched) -> None:
    """The lost table is reported, and nothing vanishes meanwhile."""
    scenes = watched.show(picture([], art=False, view=camera(tilt=11)))
    assert any(Notice.LOST in scene.notices for scene in scenes)
    assert watched.lying() == ALL
    watched.show(picture([*MARKERS, *TILES], view=camera(tilt=11)))
    assert (watched.lying(), watched.standing.unreadable) == (ALL, ())


def test_a_bumped_camera_finds_the_same_table_again(watched: Watched) -> None:
    """Every piece keeps its place in mm, and the bump is reported."""
    before = {one.payload: one for one in watched.tracker.standing.sightings} if watched.tracker.standing else {}
    scenes = watched.show(picture([*MARKERS, *TILES], view=camera(tilt=11, turn=6)))
    assert Notice.BUMPED in scenes[-1].notices
    assert watched.lying() == ALL
    for one in scenes[-1].sightings:
        assert np.hypot(one.x - before[one.payload].x, one.y - before[one.payload].y) < 3


def test_after_a_bump_tiles_are_still_followed(watched: Watched) -> None:
    """A tile that is taken after the camera was moved is gone."""
    view = camera(tilt=11, turn=6)
    watched.show(picture([*MARKERS, *TILES], view=view))
    watched.show(picture([*MARKERS, *TILES[1:]], view=view))
    assert watched.lying() == ALL - {"PZ:B1.2"}


def test_the_first_piece_that_a_hand_takes_after_a_bump_is_gone() -> None:
    """What was learned of the table moves along with the camera, though no place was seen bare since."""
    watched, view = Watched(), camera(tilt=11, turn=6)
    watched.show(picture([*MARKERS, *TILES]))
    watched.show(picture([*MARKERS, *TILES], view=view))
    watched.show(picture([*MARKERS, *TILES], view=view, hand=(TILES[4].x, TILES[4].y)))
    watched.show(picture([*MARKERS, *TILES[:4]], view=view))
    assert (watched.lying(), watched.standing.unreadable) == (ALL - {TILES[4].payload}, ())


def test_pieces_show_where_the_table_is_if_a_bumped_camera_sees_other_markers() -> None:
    """Every piece keeps its place in mm."""
    watched = Watched()
    watched.show(picture([*MARKERS[:2], *TILES]), frames=12)
    before = {one.payload: one for one in watched.standing.sightings}
    watched.show(picture([*MARKERS[2:], *TILES], view=camera(tilt=11, turn=9)))
    assert watched.lying() == ALL
    for one in watched.standing.sightings:
        assert one.payload not in before or dist((one.x, one.y), (before[one.payload].x, before[one.payload].y)) < 3


def test_a_bumped_camera_that_sees_no_known_tag_has_lost_the_table() -> None:
    """Without a known tag old places mean nothing; once one is seen again, everything has its place."""
    watched = Watched()
    watched.show(picture([*MARKERS[:2], *TILES]))
    scenes = watched.show(picture(MARKERS[2:], view=camera(tilt=11, turn=9)))
    assert scenes[-1].notices == (Notice.LOST,)
    watched.show(picture([*MARKERS, *TILES], view=camera(tilt=11, turn=9)))
    assert watched.lying() == ALL
    assert Notice.LOST not in watched.standing.notices


def test_a_tile_under_a_hand_that_moves_the_camera_still_lies_there(watched: Watched) -> None:
    """When the table is found again, a tile hidden by a hand is not learned as bare table."""
    view = camera(tilt=9, turn=6)
    watched.show(picture([*MARKERS, *TILES], hand=(0, -50), view=view), 15)
    assert watched.lying() == ALL
    watched.show(picture([*MARKERS, *TILES], view=view))
    assert watched.lying() == ALL


def test_what_was_learned_moves_along_while_the_camera_s_mount_sags() -> None:
    """No step is large enough to be reported, and in the end all places are right and a taken piece is gone at once."""
    watched = Watched()

    def show(lying: list[Lying], px: float, hand: tuple[float, float] | None = None) -> None:
        grey, down = picture([*MARKERS, *lying], hand=hand), np.array([(1, 0, 0), (0, 1, px)], np.float64)
        sunk = cv2.warpAffine(grey, down, grey.shape[::-1], flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
        scenes = watched.show(np.asarray(sunk, np.uint8), 4)
        assert not any(Notice.BUMPED in scene.notices for scene in scenes)

    show(TILES, 0)
    before = {one.payload: one for one in watched.standing.sightings}
    for px in range(1, 5):
        show(TILES, px)
    for one in watched.standing.sightings:
        assert dist((one.x, one.y), (before[one.payload].x, before[one.payload].y)) < 0.5
    show(TILES, 4, hand=(TILES[4].x, TILES[4].y))
    show(TILES[:4], 4)
    assert (watched.lying(), watched.standing.unreadable) == (ALL - {TILES[4].payload}, ())
