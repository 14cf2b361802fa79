"""Pictures of a final table are merged if they agree; if they do not, they are in doubt, and nothing is guessed."""

from __future__ import annotations

import pytest

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


@pytest.mark.parametrize("playing", [None, 3])
def test_no_picture_is_refused_in_a_sentence(playing: int | None) -> None:
    """To score without any picture is an error of the caller, which is named."""
    with pytest.raises(ValueError, match="without a picture"):
        score_of(playing=playing)


def test_two_pictures_of_one_seat_complete_each_other() -> None:
    covered = Unreadable(Cause.NO_TAG, Message("Something lies here."), stretched(104, 156, 36, 58))
    found = score_of(
        reading(*stand(FIRST, but=["S2.1", "B5.2"]), unread=[covered]),
        reading(*stand(FIRST, x=200, y=300, angle=40)),
    )
    assert palazzi(found, 0) == {FIRST[0]: 0, FIRST[1]: 6}
    assert (found.sound, found.seats[0].pictures) == (True, (0, 1))


def test_tiles_beside_a_hidden_marker_belong_to_the_seat_in_whose_area_another_picture_shows_them() -> None:
    """A tile read only beside a hidden marker is the seat's whose area the other picture shows there."""
    covered = reading(*ON_THE_TABLE, *stand(FIRST, but=["B5.2"]), unread=[unread_at(104, 142)])
    without = reading(ON_THE_TABLE[1], *stand(FIRST))
    found = score_of(covered, without)
    assert palazzi(found, 0) == {FIRST[0]: 0, FIRST[1]: 6}
    assert found.sound


def test_the_pictures_order_does_not_matter() -> None:
    one, two = reading(*stand(FIRST, but=["S2.1"])), reading(*stand(FIRST[1:], x=200, angle=-30))
    assert palazzi(score_of(one, two), 0) == palazzi(score_of(two, one), 0) == {FIRST[0]: 0, FIRST[1]: 6}


@pytest.mark.parametrize("angle", [0, 25])
def test_a_palazzo_is_put_together_from_pictures_of_which_none_shows_two_of_its_tiles(angle: int) -> None:
    """A palazzo whose tiles are each hidden in one of the pictures is put together from both."""
    seen = ([*stand(FIRST, x=x, y=250, angle=turn)] for x, turn in ((60, 0), (200, angle)))
    one, other = (
        reading(
            *(each for each in tags if each.payload not in hidden),
            unread=[unread_at(each.x, each.y) for each in tags if each.payload in hidden],
        )
        for tags, hidden in zip(seen, (["PZ:B5.2"], ["PZ:B1.3", "PZ:S2.1"]), strict=True)
    )
    for pictures in ((one, other), (other, one)):
        found = score_of(*pictures)
        assert palazzi(found, 0) == {FIRST[0]: 0, FIRST[1]: 6}
        assert found.sound


def test_pictures_that_show_another_order_contradict_each_other_and_nothing_is_guessed() -> None:
    marker = lying("TT:SEAT1", 30, 200)
    one = reading(marker, *stand((("B1.1", "B2.1", "B3.1a"),)))
    two = reading(marker, *stand((("B1.1", "B3.1a", "B2.1"),)))
    found = score_of(one, two)
    assert found.seats[0].palazzi == ()
    assert {unread.message for _, unread in found.unread} == {
        "Pictures 1 and 2 disagree about B1.1, B2.1 and B3.1a: none of them counts; take new photos."
    }
    assert not found.seats[0].sure


def test_neighbours_that_stand_apart_in_another_picture_contradict_each_other() -> None:
    marker = lying("TT:SEAT1", 30, 200)
    one = reading(marker, *stand((("B1.1", "B2.1"),)))
    two = reading(marker, *stand((("B1.1",), ("B2.1",))))
    assert reasons(score_of(one, two)) == ["contradiction"] * 4


def test_a_gap_that_another_picture_fills_is_not_reported() -> None:
    column = (("B1.1", "B2.1", "B3.1a"),)
    found = score_of(reading(*stand(column, but=["B2.1"])), reading(*stand(column, angle=10)))
    assert (palazzi(found, 0), found.unread) == ({column[0]: 6}, ())


def test_a_tile_that_another_picture_lacks_is_reported() -> None:
    """The sentence says which picture lacks the tile: it was taken in between, or they show two tables."""
    before, after = reading(*ON_THE_TABLE, *stand(FIRST)), reading(*ON_THE_TABLE, *stand(FIRST, but=["B5.2"]))
    for pictures, numbers in (((before, after), (2, 1)), ((after, before), (1, 2))):
        found = score_of(*pictures)
        assert (
            f"Picture {numbers[0]} shows nothing or something else where picture {numbers[1]} shows these: B5.2."
            in found.in_words()
        )
        assert [seat.sure for seat in found.seats] == [False, True]
    assert score_of(before, before).sound


def test_pictures_of_two_tables_are_not_merged_into_one() -> None:
    other = reading(*ON_THE_TABLE, *stand((("M1.1", "M2.1"),)))
    assert set(reasons(score_of(reading(*ON_THE_TABLE, *stand(FIRST)), other))) == {"contradiction"}


def test_pictures_of_two_tables_that_share_one_marker_alone_are_no_one_table() -> None:
    """Two pictures of a seat's whole area with different palazzi contradict each other instead of being added up."""
    marker = lying("TT:SEAT1", 30, 200)
    one, other = (reading(marker, *stand((tiles,))) for tiles in (("B1.1", "B2.1", "B3.1a"), ("M1.1", "M2.1", "M3.1a")))
    assert set(reasons(score_of(one, other))) == {Cause.CONTRADICTION}


def test_what_a_picture_shows_small_or_not_at_all_need_not_be_there_to_be_seen() -> None:
    near = reading(*ON_THE_TABLE, *stand(FIRST))
    cut = reading(*ON_THE_TABLE, *stand(FIRST, but=["B5.2"]), seen=plane(size=(600, 140)))
    far = PhotoReading(
        tuple(lying(one.payload, one.x, one.y, one.angle, density=0.9) for one in (*ON_THE_TABLE, *stand(FIRST[:1]))),
        plane(0.9),
    )
    assert "contradiction" not in reasons(score_of(near, cut))
    assert "contradiction" not in reasons(score_of(near, far))


def test_the_number_of_counted_tiles_is_given_so_that_people_can_check_it() -> None:
    assert score_of(reading(*stand(FIRST))).notes[:1] == (
        "Counted here: 5 of the 48 pieces that score. If more were built, something is hiding them.",
    )


def test_a_gap_is_filled_by_what_another_picture_shows_upon_its_lower_tile_alone() -> None:
    """A column whose second tile is hidden in one picture and whose third in the other is read whole."""
    built = (("B1.1", "B2.1", "B3.1a"), ("M1.1", "S2.1"))
    tip = Unreadable(Cause.NO_TAG, Message("Something lies here."), stretched(60, 142, 44, 36))
    found = score_of(reading(*stand(built, but=["B2.1"])), reading(*stand(built, but=["B3.1a"]), unread=[tip]))
    assert ({*palazzi(found, 0)}, found.unread) == ({*built}, ())


def test_where_a_picture_hides_a_seats_marker_it_says_nothing_of_that_seats_tiles() -> None:
    """A tile that is not read in a picture without its seat's marker is not a contradiction."""
    other, tiles = lying("TT:SEAT2", 590, 60, 180), [*stand(FIRST)]
    whole = reading(lying("TT:SEAT1", 30, 200), other, *tiles)
    assert reasons(score_of(whole, reading(other, *tiles[:-1]))) == []
