"""Which seat a tile counts for, which seats play, and which doubts concern a seat."""

from __future__ import annotations

from dataclasses import replace

from tabletop.messages import Message
from tabletop.vision.photo.read_photo import PhotoReading
from tabletop.vision.scene import Cause, Unreadable
from tests.vision.score.pictures import (
    FIRST,
    ON_THE_TABLE,
    lying,
    palazzi,
    plane,
    reading,
    reasons,
    score_of,
    stand,
    stretched,
    unread_at,
)


def test_a_tile_beside_every_area_belongs_to_nobody_though_another_picture_shows_all_markers() -> None:
    astray = lying("PZ:M1.1", 300, 340)
    found = score_of(reading(*ON_THE_TABLE, *stand(FIRST)), reading(ON_THE_TABLE[1], *stand(FIRST), astray))
    assert "no-seat" in reasons(found)


def test_a_picture_of_nothing_but_tiles_beside_every_area_is_said_to_show_no_tile_of_a_seat() -> None:
    stray = reading(ON_THE_TABLE[1], lying("PZ:M1.1", 300, 340))
    notes = [str(note) for note in score_of(reading(*ON_THE_TABLE, *stand(FIRST)), stray).notes]
    assert "Picture 2 shows no tile of any seat." in notes
    assert "Picture 1 shows no tile of any seat." not in notes


def test_a_tile_with_two_seats_counts_in_none() -> None:
    one = reading(lying("TT:SEAT1", 30, 200), *stand((("B1.1", "B2.1"),)))
    two = reading(lying("TT:SEAT2", 30, 200), *stand((("M1.1", "B2.1"),)))
    found = score_of(one, two)
    assert (palazzi(found, 0), palazzi(found, 1)) == ({("B1.1",): -5}, {("M1.1",): -5})
    assert reasons(found) == ["contradiction"] * 2
    assert not any(seat.sure for seat in found.seats)


def test_how_many_seats_are_counted_is_said_and_one_that_is_missing_is_a_doubt_if_people_say_how_many_played() -> None:
    """A wholly hidden seat leaves no trace, so the number of seats is stated, and checked if it is given."""
    one = reading(lying("TT:SEAT1", 30, 200), *stand(FIRST))
    said = "Seats counted: 1. If more people played, one is hidden or in no picture."
    assert said in score_of(one).in_words()
    found = score_of(one, playing=2)
    assert [(each.reason, each.message) for _, each in found.unread] == [
        ("no-marker", "No picture shows the marker of seat 2: is it covered?")
    ]
    assert not found.sound
    assert said not in found.in_words()


def test_without_markers_a_seat_too_few_or_too_many_is_a_doubt() -> None:
    two = [reading(*stand(FIRST[:1])), reading(*stand(FIRST[1:]))]
    words = {playing: score_of(*two, playing=playing).in_words() for playing in (2, 3)}
    assert "No picture shows what seat 3 has built." in words[3]
    assert "In doubt" not in words[2]
    three = [*two, reading(*stand((("M1.1", "M2.1"),)))]
    assert "3 seats are shown, but 2 people play." in score_of(*three, playing=2).in_words()


def test_without_markers_more_seats_than_the_game_has_are_a_doubt() -> None:
    """Five pictures without a common tile cannot be five seats of a game for four."""
    pictures = [reading(*stand(((tile,),))) for tile in ("B1.1", "M1.1", "S1.1", "B2.1", "M2.1")]
    assert score_of(*pictures[:4]).sound
    found = score_of(*pictures)
    assert reasons(found) == [Cause.CONTRADICTION]
    assert found.unread[0][1].message == "There is no seat 5; Palazzo has seats 1 to 4."


def test_a_seat_that_no_picture_shows_is_reported_if_a_later_one_is_seen() -> None:
    found = score_of(reading(lying("TT:SEAT2", 30, 200), *stand(FIRST)))
    assert [(each.reason, each.message) for _, each in found.unread] == [
        ("no-marker", "No picture shows the marker of seat 1: is it covered?")
    ]
    assert (found.seats[0].sure, found.sound) == (True, False)


def test_a_seat_whose_bids_have_a_card_plays_though_its_own_marker_and_all_its_tiles_are_hidden() -> None:
    """A seat's bid card shows that the seat plays, so its hidden marker is reported."""
    found = score_of(reading(lying("TT:SEAT1", 30, 200), lying("TT:BID2", 520, 320), *stand(FIRST)))
    assert [(each.reason, each.message) for _, each in found.unread] == [
        ("no-marker", "No picture shows the marker of seat 2: is it covered?")
    ]
    assert not found.sound


def test_a_seat_plays_of_whose_marker_a_part_is_seen() -> None:
    """A partly visible marker shows that its seat plays, so the marker is reported unless another picture shows it."""
    seen = reading(lying("TT:SEAT1", 30, 200), *stand(FIRST))
    found = score_of(replace(seen, covered=frozenset({"TT:SEAT2"})))
    assert [(each.reason, each.message) for _, each in found.unread] == [
        ("no-marker", "No picture shows the marker of seat 2: is it covered?")
    ]
    whole = score_of(
        replace(seen, covered=frozenset({"TT:SEAT2"})), reading(*seen.sightings, lying("TT:SEAT2", 560, 20, 180))
    )
    assert reasons(whole) == []


def test_a_covered_tag_beside_every_seat_is_a_doubt_until_a_picture_reads_a_tag_there() -> None:
    """A covered tag outside all seats may be another seat's marker, unless a picture reads a tag there."""
    corner = Unreadable(Cause.HIDDEN_SEAT, Message("Most of a tag is covered here."), stretched(566, 26, 11, 11))
    one = lying("TT:SEAT1", 30, 200)
    found = score_of(reading(one, *stand(FIRST), unread=[corner]))
    assert (reasons(found), found.seats[0].sure, found.sound) == (["hidden-seat"], True, False)
    assert reasons(score_of(reading(one, *stand(FIRST), unread=[corner]), reading(one, *stand(FIRST)))) == [
        "hidden-seat"
    ]
    shown = reading(one, lying("TT:SEAT2", 560, 20, 180, side=33.6), *stand(FIRST))
    assert reasons(score_of(reading(one, *stand(FIRST), unread=[corner]), shown)) == []


def test_what_cannot_be_read_beside_every_seat_does_not_matter() -> None:
    marker = lying("TT:SEAT1", 30, 200)
    assert reasons(score_of(reading(marker, *stand(FIRST), unread=[unread_at(500, 50)]))) == []
    assert reasons(score_of(reading(marker, *stand(FIRST), unread=[unread_at(300, 150)]))) == ["unknown"]


def test_tiles_whose_seats_marker_is_not_seen_count_for_nobody_and_are_named() -> None:
    found = score_of(reading(lying("TT:SEAT2", 30, 380), *stand(FIRST, x=80, y=150)))
    assert palazzi(found, 1) == {}
    assert found.unread[0][1].message == (
        "Not in any zone whose card can be seen, so they count for nobody: B1.3, B2.3, B4.2, B5.2, S2.1."
    )


def test_a_tile_that_another_picture_shows_in_a_quarry_is_nobodys_and_no_doubt() -> None:
    quarry = reading(lying("TT:Q1", 100, 100), lying("PZ:M1.1", 150, 120))
    seat = reading(lying("TT:SEAT1", 30, 300), *stand(FIRST, y=300), lying("PZ:M1.1", 500, 20))
    assert reasons(score_of(seat)) == ["no-seat"]
    assert reasons(score_of(seat, quarry)) == []


def test_an_area_cut_off_by_the_picture_is_reported_until_another_picture_shows_it() -> None:
    half = reading(lying("TT:SEAT1", 400, 300), *stand(FIRST, x=430, y=300))
    whole = reading(lying("TT:SEAT1", 30, 300), *stand(FIRST, x=60, y=300))
    assert reasons(score_of(half)) == ["cut-off"]
    assert score_of(half, whole).sound


def test_a_cut_off_strip_in_which_half_a_tag_may_lie_is_reported() -> None:
    found = score_of(reading(lying("TT:SEAT1", 253, 300), *stand(FIRST, x=290, y=300)))
    assert reasons(found) == ["cut-off"]


def far_away(density: float) -> PhotoReading:
    """Return the reading of a picture of a seat, ``density`` px per mm."""
    table = (lying("TT:SEAT1", 30, 300), *stand(FIRST, y=300))
    return PhotoReading(tuple(lying(each.payload, each.x, each.y, density=density) for each in table), plane(density))


def test_a_seat_too_far_away_is_reported_until_a_nearer_picture_shows_it() -> None:
    far = far_away(0.45)
    assert reasons(score_of(far)) == ["too-small"]
    assert score_of(far, reading(lying("TT:SEAT1", 30, 300), *stand(FIRST, y=300))).sound


def test_a_messenger_s_copy_of_a_whole_table_is_large_enough() -> None:
    """A table of 90 cm in 600 px has half a pixel per module: tags are read, and other things are seen."""
    assert score_of(far_away(0.63)).sound


def test_without_markers_tiles_that_look_another_way_are_another_seat_clockwise_from_the_near_side() -> None:
    near, left = stand(FIRST, x=300, y=380), stand((("M1.1", "M2.1"),), x=60, y=100, angle=90)
    far = stand((("S1.1",),), x=300, y=40, angle=180)
    found = score_of(reading(*far, *left, *near))
    assert [[*palazzi(found, seat)] for seat in range(3)] == [[FIRST[1], FIRST[0]], [("M1.1", "M2.1")], [("S1.1",)]]


def test_a_doubt_is_said_beside_the_seat_that_it_touches_only() -> None:
    one, two = lying("TT:SEAT1", 30, 380), lying("TT:SEAT2", 570, 30, 180)
    seat2 = stand((("M1.1", "M2.1"),), x=520, y=30, angle=180)
    found = score_of(reading(one, two, *stand(FIRST, y=380), *seat2, unread=[unread_at(300, 350)]))
    assert [seat.sure for seat in found.seats] == [False, True]
    assert "Seat 1: 6 points, in doubt" in found.in_words()
    assert "Seat 2: 0 points\n" in found.in_words()


def test_a_tile_in_a_seats_area_and_another_zone_at_once_is_reported_and_counts_for_nobody() -> None:
    warehouse = lying("TT:WH", 45, 95)
    found = score_of(reading(lying("TT:SEAT1", 30, 200), warehouse, *stand((("B1.1", "B2.1", "B3.1a"),), x=90)))
    assert [(unread.reason, unread.piece) for _, unread in found.unread] == [("overlap", "B3.1a")]
    assert "“Warehouse”" in found.unread[0][1].message
    assert (palazzi(found, 0), found.seats[0].sure) == ({("B1.1", "B2.1"): 0}, False)


def test_where_areas_of_seats_overlap_a_tile_is_the_seats_that_it_faces() -> None:
    seats = [lying("TT:SEAT1", 30, 200), lying("TT:SEAT2", 350, 330, -90)]
    found = score_of(
        reading(*seats, *stand((("B1.1", "B2.1"),), x=300), *stand((("M1.1", "M2.1"),), x=330, y=180, angle=-90))
    )
    assert (palazzi(found, 0), palazzi(found, 1)) == ({("B1.1", "B2.1"): 0}, {("M1.1", "M2.1"): 0})
