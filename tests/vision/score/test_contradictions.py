"""Pieces that one picture shows at a seat and another one elsewhere count for nobody, and are reported."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tabletop.vision.photo.read_photo import PhotoReading
from tabletop.vision.scene import Cause, Sighting
from tests.vision.score.pictures import FIRST, lying, palazzi, plane, reading, reasons, score_of, stand

SEATS = (lying("TT:SEAT1", 20, 240), lying("TT:SEAT2", 860, 20, 180))
QUARRY = lying("TT:Q1", 350, 300)
WIDE = plane(size=(900, 400))


@pytest.mark.parametrize(
    "away", [[lying("PZ:B5.2", 450, 350)], [QUARRY, lying("PZ:B5.2", 400, 320)]], ids=["beside all zones", "a quarry"]
)
def test_a_tile_that_was_moved_out_of_a_seats_area_between_two_pictures_is_a_doubt(away: list[Sighting]) -> None:
    before = reading(*SEATS, *stand(FIRST), seen=WIDE)
    after = reading(*SEATS, *stand(FIRST, but=["B5.2"]), *away, seen=WIDE)
    for found in (score_of(before, after), score_of(after, before)):
        assert "contradiction" in reasons(found)
        assert palazzi(found, 0) == {FIRST[0]: 0, ("B1.3", "S2.1"): 0}
        assert not found.seats[0].sure


def test_a_tile_that_was_moved_beside_all_areas_is_a_doubt_though_that_picture_does_not_show_its_seats_marker() -> None:
    """A tile that moved out of all areas is a contradiction, while a picture that only lacks the marker is not."""
    before, seat = reading(*SEATS, *stand(FIRST), seen=WIDE), stand(FIRST, but=["B5.2"])
    after = reading(SEATS[1], *seat, lying("PZ:B5.2", 450, 350), seen=WIDE)
    for found in (score_of(before, after), score_of(after, before)):
        assert Cause.CONTRADICTION in reasons(found)
        assert not found.seats[0].sure
    assert score_of(before, reading(SEATS[1], *stand(FIRST), seen=WIDE)).sound


def test_that_a_tile_was_moved_is_not_judged_by_its_own_tag() -> None:
    """Two pictures with one other tag in common are not aligned by the moved tile, as if the camera had turned."""
    tile = lying("PZ:B5.2", 380, 240)
    before, after = reading(*SEATS, tile, seen=WIDE), reading(SEATS[0], lying("PZ:B5.2", 355, 340), seen=WIDE)
    found = score_of(before, after)
    assert Cause.CONTRADICTION in reasons(found)
    assert not found.seats[0].sure


def test_a_tile_at_the_edge_of_an_area_may_lie_on_either_side_of_it() -> None:
    """Two pictures of a tile at the edge of an area may differ by a few millimetres without a contradiction."""
    inside, beside = lying("PZ:M1.1", 380, 240), lying("PZ:M1.1", 388, 240)
    found = score_of(*(reading(*SEATS, *stand(FIRST), each, seen=WIDE) for each in (inside, beside)))
    assert "contradiction" not in reasons(found)


def test_pictures_of_two_different_sets_show_two_tables() -> None:
    """Pictures with tags of different sets, which have none in common, contradict each other."""
    other = reading(lying("TTB:SEAT2", 860, 20, 180), lying("PZB:M1.1", 800, 60, 180), seen=WIDE)
    found = score_of(reading(*SEATS[:1], *stand(FIRST), seen=WIDE), replace(other, letter="B"))
    assert reasons(found) == [Cause.CONTRADICTION, Cause.CONTRADICTION]
    assert found.unread[0][1].message == "Pictures 1 and 2 show pieces of different sets: do they show the same table?"


def test_it_asks_whether_pictures_without_a_common_tag_show_the_same_table() -> None:
    """One picture of each seat is right, but so might two tables look; a picture of the whole answers it."""
    first = reading(SEATS[0], *stand(FIRST), seen=WIDE)
    second = reading(SEATS[1], lying("PZ:M1.1", 800, 60, 180), seen=WIDE)
    whole = reading(*SEATS, *stand(FIRST), lying("PZ:M1.1", 800, 60, 180), seen=WIDE)
    question = "Pictures 1 and 2 have no tag in common: do they show the same table?"
    assert question in score_of(first, second).notes
    assert not any("in common" in note for note in score_of(first, second, whole).notes)


def test_a_tile_in_two_zones_stays_so_beside_a_picture_in_which_the_card_of_one_is_hidden() -> None:
    warehouse, marker = lying("TT:WH", 45, 95), lying("TT:SEAT1", 30, 200)
    column = [*stand((("B1.1", "B2.1", "B3.1a"),), x=90)]
    both, close = reading(marker, warehouse, *column), reading(marker, *column)
    assert Cause.OVERLAP in reasons(score_of(both))
    assert Cause.OVERLAP in reasons(score_of(both, close))


def test_without_markers_a_picture_that_shows_nothing_is_a_doubt() -> None:
    """A picture without anything readable is reported, since the next one would otherwise take its seat's number."""
    first, third = reading(*stand(FIRST)), reading(*stand((("M1.1", "M2.1"),)))
    found = score_of(first, PhotoReading((), None, nothing_read=True), third)
    assert reasons(found) == [Cause.NO_MARKER]
    assert found.unread[0][1].message == "Picture 2 shows nothing of any seat: take it again, or leave it out."


def test_beside_markers_a_picture_of_which_nothing_can_be_read_is_a_doubt() -> None:
    """A picture without anything readable is reported even among others with markers: it may be of another seat."""
    found = score_of(reading(*SEATS[:1], *stand(FIRST)), PhotoReading((), None, nothing_read=True))
    assert reasons(found) == [Cause.NO_MARKER]


ROWS = ((("B1.1", "B2.1", "B3.1a"), ("M1.1", "M2.1")), (("S1.1", "S2.1"), ("B1.3", "B4.2")))


def test_two_pictures_without_markers_that_each_go_on_beside_the_other_show_one_seat_or_two() -> None:
    """If each picture continues beyond the other, they may show two neighbours, so the seats are not sure."""
    first = reading(*stand((*ROWS[0], ROWS[1][0])), seen=plane(size=(175, 400)))
    second = reading(*stand(ROWS[1], x=30), seen=plane(size=(300, 400)))
    for found in (score_of(first, second), score_of(second, first)):
        assert {*reasons(found)} == {Cause.CONTRADICTION}
        assert found.unread[0][1].message == (
            "Pictures 1 and 2 have only S1.1 and S2.1 in common: do they show one seat or two? Take one picture "
            "of each whole seat."
        )
        assert not any(seat.sure for seat in found.seats)
    assert score_of(first, second, playing=1).sound


def test_a_picture_of_a_part_of_a_seat_continues_beside_no_other() -> None:
    whole = reading(*stand((*ROWS[0], *ROWS[1])), seen=plane(size=(300, 400)))
    assert score_of(whole, reading(*stand(ROWS[1], x=30), seen=plane(size=(120, 400)))).sound


def test_one_tile_in_both_pictures_without_markers_tells_what_else_they_should_both_show() -> None:
    """Tiles beside a common tile that only one picture shows are a contradiction."""
    found = score_of(reading(*stand((("B1.1",), ("M1.1", "M2.1")))), reading(*stand((("B1.1",), ("S1.1", "S2.1")))))
    assert {*reasons(found)} == {Cause.CONTRADICTION}


def test_a_tile_that_a_picture_without_markers_shows_among_another_seats_is_a_doubt() -> None:
    """A tile seen in its seat's area in one picture and among another seat's tiles in the other is a contradiction."""
    others = [*stand((("M1.1", "M2.1"),), x=800, y=60, angle=180)]
    before = reading(*SEATS, *stand((("B5.2",),)), *others, seen=WIDE)
    after = reading(*others, lying("PZ:B5.2", 756, 60, 180), seen=WIDE)
    for found in (score_of(before, after), score_of(after, before)):
        assert Cause.CONTRADICTION in reasons(found)
        assert not found.seats[0].sure
    pushed = reading(*others, lying("PZ:B5.2", 90, 200), seen=WIDE)
    assert score_of(before, pushed).sound


def test_a_tile_of_which_the_edge_of_another_picture_cuts_off_a_part_need_not_be_read_there() -> None:
    before = reading(*SEATS, *stand(FIRST), seen=WIDE)
    tags = [replace(tag, y=tag.y - 137) for tag in (*SEATS, *stand(FIRST, but=["B5.2"]))]
    cut = reading(*(lying(tag.payload, tag.x, tag.y, tag.angle) for tag in tags if tag.y > 0), seen=WIDE)
    assert Cause.CONTRADICTION not in reasons(score_of(before, cut))
