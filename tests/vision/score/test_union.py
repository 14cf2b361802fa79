"""A picture without markers adds to the seats of the others, and gives a tile to nobody else."""

from __future__ import annotations

from tests.vision.score.pictures import FIRST, lying, no_tag, palazzi, plane, reading, reasons, score_of, stand

BOTH = (lying("TT:SEAT1", 20, 240), lying("TT:SEAT2", 860, 20, 180))
WIDE = plane(size=(900, 400))
SECOND = ("M1.1", "M2.1")


def test_a_picture_without_markers_shows_what_a_finger_hides_of_the_second_seat() -> None:
    """Tiles in a picture without markers belong to the seats that the other picture identifies, not to a third."""
    hidden = reading(*BOTH, *stand(FIRST), unread=[no_tag(800, 75, 40, 58)], seen=WIDE)
    close = reading(*stand(FIRST), *stand((SECOND,), x=800, y=60, angle=180), seen=WIDE)
    for found in (score_of(hidden, close), score_of(close, hidden)):
        assert (found.sound, len(found.seats)) == (True, 2)
        assert palazzi(found, 1) == {SECOND: 0}


def test_without_markers_the_tiles_of_two_seats_side_by_side_belong_to_both() -> None:
    """Tiles of neighbours with the same orientation are given to their own seats, not all to the first one."""
    beside = lying("TT:SEAT2", 420, 240)
    hidden = reading(BOTH[0], beside, *stand(FIRST), unread=[no_tag(480, 185, 40, 58)], seen=WIDE)
    close = reading(*stand(FIRST), *stand((SECOND,), x=480, y=200), seen=WIDE)
    found = score_of(hidden, close)
    assert found.sound
    assert (palazzi(found, 0), palazzi(found, 1)) == ({FIRST[0]: 0, FIRST[1]: 6}, {SECOND: 0})


def test_a_tile_that_lies_in_a_quarry_counts_for_nobody_in_a_picture_without_markers() -> None:
    tile = lying("PZ:M1.1", 530, 310)
    table = reading(*BOTH, lying("TT:Q1", 480, 300), *stand(FIRST), tile, seen=WIDE)
    found = score_of(table, reading(*stand(FIRST), tile))
    assert found.sound
    assert palazzi(found, 0) == {FIRST[0]: 0, FIRST[1]: 6}


def test_a_tile_beside_all_zones_is_reported_though_a_picture_without_markers_shows_it_as_well() -> None:
    tile = lying("PZ:M1.1", 530, 310)
    found = score_of(reading(*BOTH, *stand(FIRST), tile, seen=WIDE), reading(*stand(FIRST), tile))
    assert palazzi(found, 0) == {FIRST[0]: 0, FIRST[1]: 6}
    assert set(reasons(found)) == {"no-seat"}


def test_what_only_a_picture_without_markers_shows_belongs_to_the_seat_whose_area_others_show_there() -> None:
    """A column that a hand covers in the picture with markers belongs to the seat whose area it is in."""
    hidden = reading(*BOTH, *stand(FIRST[:1]), unread=[no_tag(104, 171, 40, 87)], seen=WIDE)
    found = score_of(hidden, reading(*stand(FIRST)))
    assert found.sound
    assert palazzi(found, 0) == {FIRST[0]: 0, FIRST[1]: 6}


def test_tiles_far_beside_a_seats_area_are_not_that_seats_though_one_tag_alone_tells_where_they_lie() -> None:
    """With one tag in common, a neighbour's tiles outside the area count for nobody."""
    marked = reading(BOTH[0], *stand((("B2.3",),)), seen=WIDE)
    close = reading(*stand((("B2.3", "B4.2"),)), *stand((SECOND,), x=600), seen=WIDE)
    for found in (score_of(marked, close), score_of(close, marked)):
        assert palazzi(found, 0) == {("B2.3", "B4.2"): 0}
        assert reasons(found).count("no-seat") == 2


def test_too_few_tags_in_common_leave_a_picture_without_markers_to_the_one_seat_that_it_shows() -> None:
    part = reading(*BOTH, *stand((("B2.3",),)), seen=WIDE)
    found = score_of(part, reading(*stand(FIRST), seen=WIDE))
    assert palazzi(found, 0) == {FIRST[0]: 0, FIRST[1]: 6}
    assert len(found.seats) == 2


def test_tiles_that_share_nothing_with_a_picture_with_markers_count_for_nobody() -> None:
    """Tiles without a tag in common with the marked picture count for nobody instead of the next seat."""
    marked, seat = reading(BOTH[1], *stand(FIRST, x=800, y=60, angle=180), seen=WIDE), reading(*stand((SECOND,)))
    for found in (score_of(marked, seat), score_of(seat, marked)):
        assert [each.seat for each in found.seats] == [1]
        assert reasons(found).count("no-seat") == 2


def test_tiles_that_share_a_tile_with_another_picture_without_markers_belong_to_its_seat() -> None:
    marked = reading(BOTH[0], *stand((("B2.3",),)), seen=plane(size=(420, 280)))
    near, far = reading(*stand((("B2.3",), ("B1.3",)))), reading(*stand((("B1.3",), ("S1.1",)), x=104))
    assert palazzi(score_of(marked, near, far), 0) == {("B1.3",): -5, ("B2.3",): -5, ("S1.1",): -5}
