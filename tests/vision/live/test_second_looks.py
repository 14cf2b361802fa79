"""Where something may be unread, several pictures are read before a scene is reported or an OK answered."""

from math import dist
from typing import Any

import numpy as np
import pytest

from tabletop.vision.geometry.boxes import corners_of
from tabletop.vision.live import motion, tracker
from tabletop.vision.live.motion import BLOCK_PX, changed
from tabletop.vision.live.reread import retries
from tabletop.vision.live.reread.retries import MAX_WAIT_PICTURES, SCENE_WAIT_PICTURES, WIDE_RETRY_PICTURES
from tabletop.vision.live.tracker import TableTracker
from tabletop.vision.recognise.recognised import RecognisedTag
from tabletop.vision.scene import Cause, Unreadable
from tests.vision.live.watched import ALL, Watched, together
from tests.vision.small_table import MARKERS, PATTERNS, SIZE, SIZES, SMALL_SIZE, TILES, moved, picture


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


@pytest.mark.parametrize(
    ("expected", "card", "again"),
    [
        (ALL, "TT:Q1", False),
        (ALL | {"PZ:B5.1"}, "TT:Q1", True),
        (ALL, "TT:ROW", True),
        (frozenset(), "TT:Q1", True),
    ],
)
def test_a_new_table_is_read_again_in_several_pictures_unless_everything_expected_is_read(
    monkeypatch: pytest.MonkeyPatch, expected: frozenset[str], card: str, again: bool
) -> None:
    """If a piece or a zone card is not read, or nothing is expected, some tags may be too faint for one picture."""
    watched, asked = Watched(), set[str]()
    cards = {card: corners_of((-30.0, -20.0, 30.0, 20.0))}
    watched.tracker = TableTracker(PATTERNS, SIZES, together, cards=cards, expected=lambda: expected)
    region = watched.tracker.detector.region

    def noted(*where: Any, **options: Any) -> tuple[list[RecognisedTag], list[Unreadable]]:
        asked.update(options)
        return region(*where, **options)

    monkeypatch.setattr(watched.tracker.detector, "region", noted)
    watched.show(picture([*MARKERS, *TILES]), 12)
    assert (watched.lying(), "faint" in asked) == (ALL, again)


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
