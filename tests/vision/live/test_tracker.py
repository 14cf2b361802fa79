"""The live loop: the tracker reports what a person would see, and a hand makes nothing vanish."""

from dataclasses import replace
from itertools import pairwise
from math import dist
from typing import Any

import cv2
import numpy as np
import pytest

from bench.painting import Lying
from tabletop.vision.frame import Frame
from tabletop.vision.geometry.boxes import Box
from tabletop.vision.live import motion, tracker
from tabletop.vision.live.motion import BLOCK_PX, changed
from tabletop.vision.live.reread import retries
from tabletop.vision.live.reread.retries import MAX_WAIT_PICTURES, SCENE_WAIT_PICTURES, WIDE_RETRY_PICTURES
from tabletop.vision.live.reread.sweep import Sweep
from tabletop.vision.recognise.recognised import RecognisedTag
from tabletop.vision.scene import Cause, Notice, Unreadable
from tabletop.vision.tags import patterns
from tests.vision.live.watched import ALL, Watched
from tests.vision.small_table import MARKERS, PATTERNS, SIZE, SMALL_SIZE, TILES, camera, frame, moved, picture


def test_a_still_table_is_reported_once(watched: Watched) -> None:
    """A table that looks as before is not reported again."""
    assert watched.show(picture([*MARKERS, *TILES])) == []


def test_a_still_table_is_read_again_part_by_part_every_two_seconds(
    watched: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A round of a table of 900 mm by 700 mm takes two minutes and more; nothing was known to be unread there."""
    parts: list[int] = []

    def noted(*_: Any) -> tuple[Box, bool]:
        parts.append(watched.number)
        return (0.0, 0.0, 1.0, 1.0), False

    monkeypatch.setattr(Sweep, "next_part", noted)
    watched.show(picture([*MARKERS, *TILES]), 40)
    assert [after - before for before, after in pairwise(parts)] == [10] * (len(parts) - 1)
    assert len(parts) >= 3


def test_an_unreadable_place_is_looked_at_in_several_pictures_before_it_is_reported(watched: Watched) -> None:
    """A scene waits for several pictures of a doubtful place, but not again for a place that was tried."""
    cover = (np.full((80, 80), 90, np.uint8), -35.0, 30.0, 0.0, 13.0)
    doubtful = [*MARKERS, *TILES, moved(TILES[0], 35, 85)]
    assert watched.show(picture(doubtful, pasted=[cover]), frames=SCENE_WAIT_PICTURES) == []
    assert watched.tracker.standing is None
    (scene,) = watched.show(picture(doubtful, pasted=[cover]))
    assert [one.payload for one in scene.unreadable] == [""]
    taken = [one for one in doubtful if one.payload != "PZ:M3.3"]
    (after,) = watched.show(picture(taken, pasted=[cover]), frames=2)
    assert [one.payload for one in after.unreadable] == [""]


def test_a_tile_that_was_laid_half_under_something_is_read_before_an_ok_counts() -> None:
    """The visible half is enough once several pictures are added up, within the time that an OK waits."""
    watched, tile = Watched(), TILES[-1]
    watched.show(picture([*MARKERS, *TILES[:-1]]))
    cover = (np.full((80, 80), 90, np.uint8), tile.x + 9, tile.y, 40.0, 16.0)
    watched.show(picture([*MARKERS, *TILES], pasted=[cover]), frames=MAX_WAIT_PICTURES)
    assert watched.lying() == ALL


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


def test_a_tile_taken_while_the_light_is_off_is_missed_once_it_is_on_again(watched: Watched) -> None:
    """Pictures that are nearly dark change nothing in what is known of the table."""
    for shown in (picture([*MARKERS, *TILES]), picture([*MARKERS, *TILES[1:]])):
        watched.show((shown * 0.06).astype(np.uint8))
    watched.show(picture([*MARKERS, *TILES[1:]]))
    assert watched.lying() == ALL - {TILES[0].payload}


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


@pytest.mark.parametrize("bright", [0.55, 0.8, 1.25])
def test_another_light_changes_nothing(watched: Watched, bright: float) -> None:
    """When the lamp is dimmed or turned up, no piece is missed and nothing is unreadable."""
    watched.show(picture([*MARKERS, *TILES], bright=bright))
    assert (watched.lying(), watched.standing.unreadable) == (ALL, ())


@pytest.mark.parametrize(("bright", "told"), [(1.0, False), (1.6, True)])
def test_an_overexposed_picture_is_reported(bright: float, told: bool) -> None:
    """An overexposed picture, in which tags may go unread, is reported."""
    watched = Watched()
    watched.show(picture([*MARKERS, *TILES], bright=bright))
    assert (Notice.OVEREXPOSED in watched.standing.notices) == told


def shaded(grey: np.ndarray, x: float, wide: float = 160, dark: float = 0.6) -> np.ndarray:
    """Return a picture with a soft shadow whose middle is at x px."""
    across = np.arange(grey.shape[1])
    light = 1 - (1 - dark) / (1 + np.exp((np.abs(across - x) - wide) / 12))
    result: np.ndarray = np.clip(grey * light, 0, 255).astype(np.uint8)
    return result


def test_a_shadow_is_nothing(watched: Watched) -> None:
    """A person's shadow over the table removes no piece and makes nothing unreadable."""
    for x in (200, 350, 500):
        watched.show(shaded(picture([*MARKERS, *TILES]), x))
        assert (watched.lying(), watched.standing.unreadable) == (ALL, ())


def test_a_tile_taken_in_a_shadow_is_gone(watched: Watched) -> None:
    """The bare table is recognised in other light as well."""
    watched.show(shaded(picture([*MARKERS, *TILES[1:]]), 350))
    assert (watched.lying(), watched.standing.unreadable) == (ALL - {"PZ:B1.2"}, ())


def test_a_whole_table_that_was_moved_is_the_same_table(watched: Watched) -> None:
    """If markers and pieces shift together, every place stays the same relative to the markers."""
    before = {one.payload: one for one in watched.standing.sightings}
    watched.show(picture([moved(one, 18, -12) for one in [*MARKERS, *TILES]]))
    assert watched.lying() == ALL
    for one in watched.standing.sightings:
        assert np.hypot(one.x - before[one.payload].x, one.y - before[one.payload].y) < 3


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


def test_a_table_without_markers_is_found_once_one_is_seen() -> None:
    """While no marker is seen, the table is searched for now and then, and found once there is one."""
    watched = Watched()
    watched.show(picture([]))
    assert watched.standing.sightings == ()
    watched.show(picture([*MARKERS, *TILES]))
    assert watched.lying() == ALL


def test_a_camera_that_was_turned_away_is_reported_and_comes_back(watched: Watched) -> None:
    """The lost table is reported, and nothing vanishes meanwhile."""
    scenes = watched.show(picture([], art=False, view=camera(tilt=11)))
    assert any(Notice.LOST in scene.notices for scene in scenes)
    assert watched.lying() == ALL
    watched.show(picture([*MARKERS, *TILES], view=camera(tilt=11)))
    assert (watched.lying(), watched.standing.unreadable) == (ALL, ())


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


@pytest.mark.parametrize(("grey", "notice"), [(0, Notice.DARK), (255, Notice.DAZZLED)], ids=["black", "white"])
def test_a_blind_camera_takes_nothing_away_and_says_why(watched: Watched, grey: int, notice: Notice) -> None:
    """A covered or dazzled lens removes no piece, and once it sees again, nothing counts as moved."""
    scenes = watched.show(np.full((540, 960), grey, np.uint8))
    assert watched.lying() == ALL
    assert scenes[-1].notices == (notice,)
    watched.show(picture([*MARKERS, *TILES]))
    assert (watched.lying(), watched.standing.unreadable, watched.standing.notices) == (ALL, (), ())


def test_a_table_in_the_dark_is_not_lost_because_the_camera_was_moved(watched: Watched) -> None:
    """The noise of a dark picture is not black, and nobody has to look for a zone card."""
    dark = np.random.default_rng(1).normal(12, 9, (SIZE[1], SIZE[0]))
    scenes = watched.show(np.clip(dark, 0, 255).astype(np.uint8))
    assert (scenes[-1].notices, watched.lying()) == ((Notice.DARK,), ALL)


def test_no_ok_is_answered_by_a_table_that_is_only_remembered(watched: Watched) -> None:
    """After the lens was covered an OK waits until the table is seen, with what was laid meanwhile."""
    watched.show(np.zeros((SIZE[1], SIZE[0]), np.uint8))
    assert watched.standing.seeking
    watched.show(picture([*MARKERS, *TILES]))
    assert not watched.standing.seeking


def test_what_was_taken_while_the_light_was_off_is_gone_once_it_is_on(watched: Watched) -> None:
    """After darkness without a moved camera, the bare table is still known."""
    watched.show(np.zeros((SIZE[1], SIZE[0]), np.uint8))
    watched.show(picture([*MARKERS, *TILES[1:]]))
    assert watched.lying() == ALL - {TILES[0].payload}


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


def test_a_tile_that_lies_as_it_lay_explains_no_change_beside_it(watched: Watched) -> None:
    """A change beside an unmoved tile is looked for in more pictures, for which an OK waits."""
    watched.show(picture([*MARKERS, *TILES]))
    first = watched.standing
    assert not first.seeking
    x, y = TILES[1].x + 16, TILES[1].y + 8
    shadow = np.full((100, 100), 90, np.uint8)
    watched.show(picture([*MARKERS, *TILES], pasted=[(shadow, x, y, 33, 7)]), 3)
    assert watched.lying() == ALL
    second = watched.standing
    assert second.seeking
    watched.show(picture([*MARKERS, *TILES], pasted=[(shadow, x, y, 33, 7)]))
    assert not watched.standing.seeking


@pytest.mark.parametrize("at_once", [True, False])
def test_a_tile_laid_where_another_lay_is_read_though_the_place_looks_the_same(
    watched: Watched, monkeypatch: pytest.MonkeyPatch, at_once: bool
) -> None:
    """Inserting a tile below another without a visible hand is read, whether the other one is read at once or later."""
    below, above = TILES[:2]
    region = watched.tracker.detector.region
    there = next(one for one in watched.standing.sightings if one.payload == above.payload)
    (left, top), (right, bottom) = np.min(there.corners, axis=0), np.max(there.corners, axis=0)
    step = BLOCK_PX * SIZE[0] / SMALL_SIZE[0]

    def unseen(before: np.ndarray, now: np.ndarray) -> np.ndarray:
        mask = changed(before, now)
        mask[int(top / step) - 2 : int(bottom / step) + 3, int(left / step) - 2 : int(right / step) + 3] = False
        return mask

    def faint(*where: Any, **options: Any) -> tuple[list[RecognisedTag], list[Unreadable]]:
        tags, doubts = region(*where, **options)
        known = at_once or options.get("faint")
        return [tag for tag in tags if known or tag.payload != above.payload], doubts

    monkeypatch.setattr(watched.tracker.detector, "region", faint)
    for module in (motion, tracker):
        monkeypatch.setattr(module, "changed", unseen)
    inserted = moved(below, above.x - below.x, above.y - below.y, above.angle - below.angle)
    watched.show(picture([*MARKERS, inserted, moved(above, 0, 60), *TILES[2:]]), WIDE_RETRY_PICTURES[0] + 1)
    assert watched.lying() == ALL
    places = {one.payload: (one.x, one.y) for one in watched.standing.sightings}
    assert dist(places[below.payload], (there.x, there.y)) < 2
    assert dist(places[below.payload], places[above.payload]) == pytest.approx(60, abs=2)


def test_a_tile_under_a_hand_that_moves_the_camera_still_lies_there(watched: Watched) -> None:
    """When the table is found again, a tile hidden by a hand is not learned as bare table."""
    view = camera(tilt=9, turn=6)
    watched.show(picture([*MARKERS, *TILES], hand=(0, -50), view=view), 15)
    assert watched.lying() == ALL
    watched.show(picture([*MARKERS, *TILES], view=view))
    assert watched.lying() == ALL


def test_a_tag_that_was_seen_twice_at_first_stays_so(watched: Watched) -> None:
    """A tag that is double from the start stays double when another tile moves."""
    first, twice = Watched(), [*MARKERS, *TILES, moved(TILES[0], 0, 60)]
    first.show(picture(twice))
    assert first.standing.doubles == (TILES[0].payload,)
    first.show(picture([moved(one, 8, 0) if one is TILES[4] else one for one in twice]))
    assert first.standing.doubles == (TILES[0].payload,)


def test_a_dark_lens_is_reported_even_during_a_second_look(watched: Watched) -> None:
    """Darkness is reported even while a doubtful place is being examined."""
    watched.show(picture([*MARKERS, *TILES], hand=(0, -50)), 2)
    told = watched.show(np.zeros((SIZE[1], SIZE[0]), np.uint8), 12)
    assert [notice for scene in told for notice in scene.notices] == [Notice.DARK]


def test_a_second_look_ends_if_all_that_is_unread_belongs_to_known_tags(
    watched: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A doubtful place within a tag that is read does not keep a second look going."""
    tile = next(one for one in watched.standing.sightings if one.payload == TILES[1].payload)
    region, looked = watched.tracker.detector.region, list[bool]()

    def doubtful(*where: Any, **options: Any) -> tuple[list[RecognisedTag], list[Unreadable]]:
        looked.append("faint" in options)
        return region(*where, **options)[0], [Unreadable(Cause.COVERED, place=(tile.x + 11, tile.y))]

    monkeypatch.setattr(watched.tracker.detector, "region", doubtful)
    shadow = np.full((100, 100), 90, np.uint8), TILES[1].x + 16, TILES[1].y + 8, 33, 7
    watched.show(picture([*MARKERS, *TILES], pasted=[shadow]), WIDE_RETRY_PICTURES[0] + 1)
    assert sum(looked) == 1


def test_a_change_is_read_at_once_and_again_in_several_pictures_only_where_it_is(
    watched: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A change is read in one picture and once more in a sum, only in the changed blocks.

    Tags that hardly look like one are not searched for, because nothing there is known to be unread.
    """
    region, asked = watched.tracker.detector.region, list[tuple[bool | None, bool]]()

    def noted(*where: Any, **options: Any) -> tuple[list[RecognisedTag], list[Unreadable]]:
        asked.append((options.get("faint"), options["where"] is not None))
        return region(*where, **options)

    monkeypatch.setattr(watched.tracker.detector, "region", noted)
    shadow = np.full((100, 100), 90, np.uint8), TILES[1].x + 16, TILES[1].y + 8, 33, 7
    watched.show(picture([*MARKERS, *TILES], pasted=[shadow]), WIDE_RETRY_PICTURES[0] + 1)
    assert asked == [(None, True), (False, True)]


def test_a_change_in_good_light_is_read_in_one_picture_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where tags are read clearly, a change in which nothing looks like a tag is not read again in a sum."""
    watched = Watched()
    watched.show(picture([*MARKERS, *TILES], level="hard"), 15)
    region, asked = watched.tracker.detector.region, list[bool | None]()

    def noted(*where: Any, **options: Any) -> tuple[list[RecognisedTag], list[Unreadable]]:
        asked.append(options.get("faint"))
        return region(*where, **options)

    monkeypatch.setattr(watched.tracker.detector, "region", noted)
    shadow = np.full((100, 100), 90, np.uint8), TILES[1].x + 16, TILES[1].y + 8, 33, 7
    watched.show(picture([*MARKERS, *TILES], pasted=[shadow], level="hard"), WIDE_RETRY_PICTURES[0] + 1)
    assert asked == [None]


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


def test_beside_what_a_hand_laid_more_is_sought_before_an_ok_is_answered(
    watched: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hand changes too large an area for a second look, so only the surroundings of the laid pieces get one."""
    monkeypatch.setattr(retries, "MAX_PART_MM2", 1e4)
    others = [*MARKERS, *TILES[:1], *TILES[2:]]
    watched.show(picture(others))
    watched.show(picture(others, hand=(0, -50)))
    watched.show(picture([*MARKERS, *TILES]), 3)
    assert watched.lying() == ALL
    assert watched.standing.seeking
    watched.show(picture([*MARKERS, *TILES]))
    assert not watched.standing.seeking
