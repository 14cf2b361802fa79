"""Second looks: which places are looked at again, for how long, and in which pictures."""

from __future__ import annotations

import numpy as np
import pytest

from tabletop.vision.frame import Frame
from tabletop.vision.geometry.boxes import Box
from tabletop.vision.geometry.plane import Plane
from tabletop.vision.live.ground.overview import Overview
from tabletop.vision.live.reread.missing import PayloadChange
from tabletop.vision.live.reread.retries import (
    FIRST_RETRY_PICTURES,
    HANDLED_RETRY_PICTURES,
    HIDDEN_RETRY_PICTURES,
    MAX_PLACES,
    MAX_WAIT_PICTURES,
    RETRY_PICTURES,
    SCENE_WAIT_PICTURES,
    WIDE_RETRY_PICTURES,
    RetryQueue,
    beside,
    is_hard,
)
from tabletop.vision.recognise.recognised import RecognisedTag

PLANE = Plane(np.diag((0.5, 0.5, 1.0)), 0.0, (800, 1200))
"""A plane of 600 by 400 mm with 2 px per mm."""
OVERVIEW = Overview(PLANE, (200, 300))
NOWHERE = np.zeros((50, 75), np.bool_)
PLACE = (200.0, 150.0)


def frame(seed: int = 1) -> Frame:
    grey = np.random.default_rng(seed).integers(0, 255, (800, 1200)).astype(np.uint8)
    return Frame(grey, grey[::4, ::4], 0.0, seed)


def looked(again: RetryQueue, places: list[tuple[float, float]], pictures: int) -> list[tuple[int, Box]]:
    """Return which parts were read, each with the number of the picture after which it was."""
    return [(number, part) for number in range(1, pictures + 1) for part, *_ in again.add(frame(number), PLANE, places)]


def change(x: float, y: float) -> np.ndarray:
    """Return a mask in which the blocks around a place, mm, have changed."""
    mask = NOWHERE.copy()
    row, column = int(y / 8), int(x / 8)
    mask[row - 1 : row + 2, column - 1 : column + 2] = True
    return mask


def test_a_place_is_read_after_ever_more_pictures_and_then_left_alone() -> None:
    """A doubtful place is read for ten seconds at five pictures a second; then only a change makes it worth a look."""
    again = RetryQueue()
    assert [number for number, _ in looked(again, [PLACE], 60)] == [*RETRY_PICTURES]
    again.changed(OVERVIEW, change(*PLACE))
    assert [number for number, _ in looked(again, [PLACE], 60)] == [*RETRY_PICTURES]


def test_a_place_found_a_few_mm_off_is_the_same_place() -> None:
    """A doubtful place found a few mm off in each picture is one place, whose pictures are added up."""
    again = RetryQueue()
    read = [list(again.add(frame(n), PLANE, [(PLACE[0] + n % 3, PLACE[1] - n % 2)])) for n in range(1, 60)]
    assert [number for number, parts in enumerate(read, start=1) if parts] == [*RETRY_PICTURES]


def test_two_places_beside_one_that_was_looked_at_share_its_pictures() -> None:
    """Each picture is added and read once for both places, and none is left after the last look."""
    again = RetryQueue()
    assert looked(again, [PLACE], 2)
    apart = [(PLACE[0] - 6, PLACE[1]), (PLACE[0] + 6, PLACE[1])]
    read = [(n, [*look.pictures]) for n in range(3, 60) for look in again.add(frame(n), PLANE, apart)]
    assert [number for number, _ in read] == [count for count in RETRY_PICTURES if count > 2]
    assert all(picture.size for _, pictures in read for picture in pictures)


def test_a_place_under_a_hand_is_read_less_often() -> None:
    """A place under a hand is read once before the scene is reported, and again only after eight pictures."""
    again = RetryQueue()
    looks = [(n, look) for n in range(1, 60) for look in again.add(frame(n), PLANE, [PLACE], lambda _: True)]
    first, *later = [number for number, _ in looks]
    assert first == SCENE_WAIT_PICTURES
    assert later == [count for count in RETRY_PICTURES if count >= HANDLED_RETRY_PICTURES]
    assert all(look.faint and not look.markers for _, look in looks)


def test_a_place_that_a_hand_has_left_is_read_as_usual() -> None:
    """Whether a hand covers a place is checked when the place is to be read, not when it was found."""
    again, under = RetryQueue(), {PLACE}
    looks = [number for number in (1, 2) for _ in again.add(frame(number), PLANE, [PLACE], under.__contains__)]
    under.clear()
    looks += [number for number in range(3, 60) for _ in again.add(frame(number), PLANE, [PLACE], under.__contains__)]
    assert looks == [*RETRY_PICTURES]


def test_only_late_looks_at_doubtful_places_are_for_tags_of_which_one_half_is_hidden() -> None:
    """Looks for half-hidden tags are slow, so they come late, and never where something merely changed."""
    changed = RetryQueue()
    changed.changed(OVERVIEW, NOWHERE, [(100.0, 100.0, 200.0, 200.0)])
    looks = [look for number in range(1, 60) for look in changed.add(frame(number), PLANE, [])]
    assert [look.hidden for look in looks] == [False] * len(WIDE_RETRY_PICTURES)
    again = RetryQueue()
    hidden = [look.hidden for number in range(1, 60) for look in again.add(frame(number), PLANE, [PLACE])]
    assert hidden == [pictures >= HIDDEN_RETRY_PICTURES for pictures in RETRY_PICTURES]
    assert HIDDEN_RETRY_PICTURES <= MAX_WAIT_PICTURES


def test_a_change_elsewhere_takes_no_picture_away() -> None:
    """Moving a piece at the other end of the table does not restart a place's pictures."""
    again = RetryQueue()
    assert [number for number, _ in looked(again, [PLACE], 3)] == [2]
    again.changed(OVERVIEW, change(500, 350))
    assert [number + 3 for number, _ in looked(again, [PLACE], 9)] == [4, 8, 12]


LARGE = (0.0, 0.0, 600.0, 400.0)
LOST = PayloadChange(frozenset({"PP:TA1"}), frozenset())
FOUND = PayloadChange(frozenset(), frozenset({"PP:TA1"}))
ANYWHERE = ~NOWHERE


def test_a_large_part_is_looked_at_in_small_ones_if_something_is_missing_there() -> None:
    """A large change is looked at again, part by part, only if a tag is missing after it; without one it was a hand."""
    for read, parts in ((LOST, 6), (FOUND, 0)):
        again = RetryQueue()
        again.changed(OVERVIEW, ANYWHERE, [LARGE], read)
        assert again.waits([]) is bool(parts)
        seen = [part for _, part in looked(again, [], 20)]
        assert len(seen) == parts
        assert not again.waits([])
        assert all(right - left <= 200 and bottom - top <= 200 for left, top, right, bottom in seen)


def test_missing_tags_are_sought_only_where_something_changed() -> None:
    """Missing tags are sought only in the changed blocks, since the rest of the part was read before."""
    again = RetryQueue()
    where = change(*PLACE)
    again.changed(OVERVIEW, where, [LARGE], LOST)
    looks = [look for number in range(1, 20) for look in again.add(frame(number), PLANE, [])]
    assert looks
    assert all(look.where is not None and (look.where == where).all() for look in looks)
    assert all(look.part[0] < PLACE[0] + 20 and look.part[2] > PLACE[0] - 20 for look in looks)


def test_what_a_hand_covers_is_sought_after_it_has_left_wherever_it_was() -> None:
    """Nothing waits while a hand rests; when it leaves, tags are sought where it was at any time."""
    again = RetryQueue()
    pushed, left = change(*PLACE), change(400, 300)
    again.changed(OVERVIEW, pushed, [LARGE], LOST, handled=True)
    assert not again.waits([])
    assert not looked(again, [], HANDLED_RETRY_PICTURES - 1)
    again.changed(OVERVIEW, left, [LARGE], PayloadChange(frozenset(), frozenset()))
    assert again.waits([])
    looks = list(again.add(frame(1), PLANE, [])) + list(again.add(frame(2), PLANE, []))
    assert all(look.where is not None and (look.where == pushed | left).all() for look in looks)
    assert looks
    again.changed(OVERVIEW, ANYWHERE, [LARGE], LOST, handled=True)
    again.changed(OVERVIEW, NOWHERE, [LARGE], FOUND)
    assert not looked(again, [], 30)


def test_missing_tags_are_sought_at_last_if_the_hand_stays() -> None:
    """What reaches in from the edge need not be a hand, so missing tags are sought after a while."""
    again = RetryQueue()
    again.changed(OVERVIEW, ANYWHERE, [LARGE], LOST, handled=True)
    assert [number for number, _ in looked(again, [], 30)] == [HANDLED_RETRY_PICTURES] * 6


def test_many_places_are_looked_at_a_few_at_a_time() -> None:
    """The work for one picture is bounded; further places are looked at after the first ones."""
    again = RetryQueue()
    places = [(60.0 + 50 * (n % 10), 100.0 + 100 * (n // 10)) for n in range(2 * MAX_PLACES)]
    assert len(looked(again, places, RETRY_PICTURES[0])) == MAX_PLACES
    parts = {part for _, part in looked(again, places, 3 * RETRY_PICTURES[-1])}
    assert len(parts) == 2 * MAX_PLACES


def test_a_new_place_is_looked_at_before_those_that_stay_unreadable() -> None:
    """Unreadable things may lie on a table for hours without delaying the look at a new place."""
    again = RetryQueue()
    places = [(60.0 + 50 * n, 100.0) for n in range(MAX_PLACES)]
    looked(again, places, MAX_WAIT_PICTURES)
    assert [
        number for number, part in looked(again, [*places, (100.0, 300.0)], RETRY_PICTURES[1]) if part[3] > 300
    ] == [2, 4]


def test_a_changed_part_is_read_again_where_nothing_is_known_to_be_doubtful() -> None:
    """A changed part without a doubtful place may hold a tag too faint for one picture, so it is read again."""
    again = RetryQueue()
    part = (100.0, 100.0, 180.0, 150.0)
    again.changed(OVERVIEW, NOWHERE, [part, (0.0, 0.0, 500.0, 380.0)])
    assert looked(again, [], 30) == [(number, part) for number in WIDE_RETRY_PICTURES]


def test_a_changed_part_is_read_again_with_and_without_mirrored_light() -> None:
    """Some tags show only in the plain sum, even in a part in which nothing was known to be unread."""
    again = RetryQueue()
    again.changed(OVERVIEW, NOWHERE, [(100.0, 100.0, 180.0, 150.0)])
    looks = [look for number in range(1, 20) for look in again.add(frame(number), PLANE, [])]
    assert [len([*look.pictures]) for look in looks] == [2, 2]


def test_a_changed_part_is_read_again_only_where_it_changed() -> None:
    """A part is a box around all changes; only the changed blocks in it are read again."""
    again = RetryQueue()
    where = change(*PLACE)
    again.changed(OVERVIEW, where, [(100.0, 100.0, 250.0, 200.0)])
    looks = [look for number in range(1, 20) for look in again.add(frame(number), PLANE, [])]
    assert [look.where is not None and bool((look.where == where).all()) for look in looks] == [True] * 2


def test_a_scene_waits_for_two_pictures_of_a_doubtful_place() -> None:
    """After two pictures the scene is reported while the place is still examined."""
    again = RetryQueue()
    assert again.waits([PLACE])
    looked(again, [PLACE], 2)
    assert not again.waits([PLACE])
    assert again.waits([PLACE, (400.0, 300.0)])


def test_more_is_sought_for_two_seconds_and_a_half_and_where_something_changed() -> None:
    """An OK waits that long; a place that is still unreadable is looked at further and delays nothing."""
    again = RetryQueue()
    assert not again.seeks([])
    assert again.seeks([PLACE])
    looked(again, [PLACE], MAX_WAIT_PICTURES - 1)
    assert again.seeks([PLACE])
    looked(again, [PLACE], 1)
    assert not again.seeks([PLACE])
    again.changed(OVERVIEW, NOWHERE, [(100.0, 100.0, 180.0, 150.0)])
    assert again.seeks([])
    looked(again, [], WIDE_RETRY_PICTURES[0])
    assert not again.seeks([])


def test_a_second_look_shows_all_pictures_together_with_and_without_mirrored_light() -> None:
    """One sum has the reflection removed, for tags under it; the other is plain, for print that this makes fainter."""
    again = RetryQueue()
    light = np.full((800, 1200), 80, np.uint8)
    light[:, 400:] = 160
    for _ in range(RETRY_PICTURES[0]):
        read = list(again.add(Frame(light, light[::4, ::4], 0.0, 1), PLANE, [PLACE]))
    even, plain = (picture.copy() for picture in read[0][1])
    near = np.s_[60:540, 160:640]
    assert (plain[near] == light[near]).all()
    assert abs(int(even[300, 360]) - int(even[300, 440])) < 10


def test_a_table_that_is_seen_for_the_first_time_is_looked_at_again_part_by_part() -> None:
    """Each part is read once, a few per frame; a part that changes meanwhile is read because of the change."""
    again = RetryQueue()
    again.begin(PLANE)
    again.changed(OVERVIEW, change(*PLACE))
    seen = looked(again, [], 30)
    assert len(seen) == len({part for _, part in seen}) == 4
    assert min(number for number, _ in seen) == FIRST_RETRY_PICTURES
    assert not any(left < PLACE[0] < right and top < PLACE[1] < bottom for _, (left, top, right, bottom) in seen)


@pytest.mark.parametrize("size", [(800, 1200), (400, 600)])
def test_a_camera_that_was_moved_or_changed_begins_again(size: tuple[int, int]) -> None:
    """Pictures from another viewpoint or of another size are not added to earlier ones."""
    again = RetryQueue()
    looked(again, [PLACE], 3)
    again.begin(None)
    plane = Plane(np.diag((0.5, 0.5, 1.0)), 0.0, size)
    grey = np.full(size, 77, np.uint8)
    for _ in range(RETRY_PICTURES[0]):
        read = [tuple(part.pictures) for part in again.add(Frame(grey, grey, 0.0, 1), plane, [PLACE])]
    assert all(one.shape == size for one in read[0])
    assert (read[0][1][110:390, 210:590] == 77).all()


@pytest.mark.parametrize(("nothing", "hard"), [(True, False), (False, True)])
def test_a_single_change_beside_a_piece_counts_if_the_table_is_not_bare_there(nothing: bool, hard: bool) -> None:
    """One changed block beside a tile may be a small coin or a shadow: it counts if the place is not bare."""
    square = np.array([[-8.5, -8.5], [8.5, -8.5], [8.5, 8.5], [-8.5, 8.5]]) + 100
    tile = RecognisedTag("PP:TA1", square, 0.95, 0.6, 1.0)
    changes, part = np.array([[100.0, 100.0], [160.0, 100.0]]), (50.0, 50.0, 200.0, 150.0)
    assert is_hard(changes, part, [tile], [square * 2 - 100], lambda at: nothing) == hard


def test_beside_what_was_laid_in_a_large_part_small_ones_are_looked_at() -> None:
    """Coins laid side by side share one small part; a part that is small itself is not divided."""
    at = ((100.0, 100.0), (120.0, 100.0), (300.0, 200.0))
    square = np.array([[-8.5, -8.5], [8.5, -8.5], [8.5, 8.5], [-8.5, 8.5]])
    laid = [RecognisedTag(f"PP:DA{n}", square + place, 0.95, 0.6, 1.0) for n, place in enumerate(at)]
    assert beside((50.0, 50.0, 200.0, 150.0), laid) == []
    assert beside(LARGE, laid) == [(55.0, 55.0, 145.0, 145.0), (255.0, 155.0, 345.0, 245.0)]
