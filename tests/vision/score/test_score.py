"""Pictures of a final table are merged if they agree; if they do not, they are in doubt, and nothing is guessed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from math import cos, radians, sin

import numpy as np
import pytest

from tabletop.messages import Message
from tabletop.rules import registry
from tabletop.rules.patrician import GAME as PATRICIAN
from tabletop.rules.patrician.components import CARDS, CITIES
from tabletop.rules.patrician.edition import synthetic_edition
from tabletop.vision.geometry.columns import Placed
from tabletop.vision.geometry.marker_pose import MarkerPose
from tabletop.vision.photo.read_photo import PhotoReading
from tabletop.vision.report.score_files import tally_of
from tabletop.vision.scene import Cause, Sighting, Unreadable
from tabletop.vision.score import merge
from tabletop.vision.score.patrician import PatricianTally
from tabletop.vision.score.piecepack import PiecepackTally
from tabletop.vision.score.score import Score, score
from tabletop.vision.score.tally import StatedFacts
from tabletop.vision.tags.payloads import is_marker
from tests.vision.score.pictures import (
    FIRST,
    ON_THE_TABLE,
    lying,
    no_tag,
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


def test_a_tile_beside_every_area_belongs_to_nobody_though_another_picture_shows_all_markers() -> None:
    astray = lying("PZ:M1.1", 300, 340)
    found = score_of(reading(*ON_THE_TABLE, *stand(FIRST)), reading(ON_THE_TABLE[1], *stand(FIRST), astray))
    assert "no-seat" in reasons(found)


def test_a_picture_of_nothing_but_tiles_beside_every_area_is_said_to_show_no_tile_of_a_seat() -> None:
    stray = reading(ON_THE_TABLE[1], lying("PZ:M1.1", 300, 340))
    notes = [str(note) for note in score_of(reading(*ON_THE_TABLE, *stand(FIRST)), stray).notes]
    assert "Picture 2 shows no tile of any seat." in notes
    assert "Picture 1 shows no tile of any seat." not in notes


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


def test_a_tile_with_two_seats_counts_in_none() -> None:
    one = reading(lying("TT:SEAT1", 30, 200), *stand((("B1.1", "B2.1"),)))
    two = reading(lying("TT:SEAT2", 30, 200), *stand((("M1.1", "B2.1"),)))
    found = score_of(one, two)
    assert (palazzi(found, 0), palazzi(found, 1)) == ({("B1.1",): -5}, {("M1.1",): -5})
    assert reasons(found) == ["contradiction"] * 2
    assert not any(seat.sure for seat in found.seats)


def test_a_tile_that_cannot_be_read_leaves_a_gap_that_is_reported() -> None:
    found = score_of(reading(*stand((("B1.1", "B2.1", "B3.1a"),), but=["B2.1"])))
    assert "Between B1.1 and B3.1a there is room for a tile that was not read." in found.in_words()
    assert not found.sound


THREE = (("B1.1", "B2.1", "B3.1a"), ("M1.1", "M2.1", "M3.1a"), ("S1.1", "S2.1", "S3.1a"))


@pytest.mark.parametrize("angle", [0, 50])
def test_gaps_in_three_columns_are_reported_and_not_read_as_larger_tiles(angle: int) -> None:
    """Columns whose middle tiles are all face down are reported as having gaps, not read as larger tiles."""
    found = score_of(reading(*stand(THREE, x=200, angle=angle, but=["B2.1", "M2.1", "S2.1"])))
    assert {*reasons(found)} == {"gap"}
    assert not any(seat.sure for seat in found.seats)


@pytest.mark.parametrize("height", [22, 25, 33, 48, 55, 58])
def test_columns_of_tiles_of_another_size_are_read_however_close_they_stand(height: int) -> None:
    """Tiles not 28 mm high, 1.2 times as wide as high, are read as columns with gaps of a twentieth."""
    tags = [
        lying(f"PZ:{tile.upper()}", 60 + 1.26 * height * column, 300 - 1.05 * height * floor)
        for column, tiles in enumerate(THREE)
        for floor, tile in enumerate(tiles)
    ]
    found = score_of(reading(*tags))
    assert {*palazzi(found, 0)} == {*THREE}
    assert found.sound


@pytest.mark.parametrize("markers", [(), ON_THE_TABLE])
def test_a_tile_turned_upside_down_on_a_palazzo_is_in_doubt(markers: tuple[Sighting, ...]) -> None:
    """An upside-down tile may be on the palazzo or beside it, so the seat is not sure, with or without markers."""
    found = score_of(reading(*markers, *stand((("B1.1", "B2.1"),)), lying("PZ:B3.1A", 60, 142, 180)))
    assert {*reasons(found)} == {Cause.ASIDE}
    assert found.unread[0][1].message == "B3.1a may be on B2.1 or beside it: lay it on straight, or further away."
    assert not found.seats[0].sure


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


def test_a_seat_too_far_away_is_reported_until_a_nearer_picture_shows_it() -> None:
    far = PhotoReading(
        tuple(
            lying(each.payload, each.x, each.y, density=0.9)
            for each in (lying("TT:SEAT1", 30, 300), *stand(FIRST, y=300))
        ),
        plane(0.9),
    )
    assert reasons(score_of(far)) == ["too-small"]
    assert score_of(far, reading(lying("TT:SEAT1", 30, 300), *stand(FIRST, y=300))).sound


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


# -- merging -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pictures", "united"),
    [
        ([{("a", "b")}, {("b", "c")}], ("a", "b", "c")),
        ([{("a", "c")}, {("a", "b", "c")}], ("a", "b", "c")),
        ([{("a",), ("c",)}, {("a", "b", "c")}], ("a", "b", "c")),
        ([{("a", "b")}, {("a",)}, {("b",)}], ("a", "b")),
    ],
)
def test_columns_that_overlap_become_one(pictures: Sequence[set[tuple[str, ...]]], united: tuple[str, ...]) -> None:
    assert merge.columns(pictures) == ((united,), ())


@pytest.mark.parametrize(
    "pictures",
    [
        [{("a", "b")}, {("b", "a")}],
        [{("a", "b")}, {("a", "c")}],
        [{("a", "b")}, {("a",), ("b",)}],
        [{("a", "b"), ("c",)}, {("a", "c")}],
    ],
)
def test_columns_that_exclude_each_other_are_reported(pictures: Sequence[set[tuple[str, ...]]]) -> None:
    columns, contradicting = merge.columns(pictures)
    assert columns == ()
    assert contradicting == (tuple(sorted({tile for picture in pictures for column in picture for tile in column})),)


def test_grids_are_laid_on_each_other_by_what_they_share() -> None:
    one, two = {"a": (0, 0), "b": (1, 0)}, {"b": (5, 5), "c": (5, 6)}
    assert merge.cells([one, two]) == ({"a": (0, 0), "b": (1, 0), "c": (1, 1)}, (), ())
    assert merge.cells([one, {"a": (0, 0), "b": (0, 1)}]).contradicting == ("b",)
    assert merge.cells([one, {"d": (0, 0)}]) == (one, (), ("d",))


# -- the other games ---------------------------------------------------------------------------------------------------


def laid(game: str, cells: Mapping[str, tuple[int, int]], side: float = 52.0, angle: float = 0.0) -> list[Sighting]:
    return [lying(f"{game}:{piece}", 60 + side * x, 300 - side * y, angle) for piece, (x, y) in cells.items()]


def test_the_piecepack_is_scored_from_a_picture_per_seat_with_the_turrets_stated() -> None:
    piecepack = registry.game("piecepack")
    one = {"TM1": (0, 0), "TM2": (1, 0), "TS2": (1, 1)}
    two = {"TM0": (0, 0), "TM5": (0, 1)}
    found = score(
        [reading(*laid("PP", one)), reading(*laid("PP", two, angle=90))], piecepack, PiecepackTally(frozenset({"TM5"}))
    )
    # Materials 1 + 2 + 2 and 0 + 5 + 5; observatories 2 and 2 with the turret: 2 against 3; one solarium.
    assert [seat.points for seat in found.seats] == [5 + 2 * 2 + 1 * 3, 10 + 3 * 3]
    assert found.sound


@pytest.mark.parametrize("wrong", ["broken", "unread"])
def test_where_suits_are_compared_nobody_is_surer_than_the_others(wrong: str) -> None:
    """One structure more or less of a seat changes the points of others, so no seat is sure if one is not."""
    piecepack = registry.game("piecepack")
    other = {"TM1": (0, 0), "TS2" if wrong == "broken" else "TM2": (1, 0)}
    unread = [Unreadable(Cause.NO_TAG, Message("Something lies here."), ((9.0, 9.0),) * 4)] if wrong == "unread" else []
    pictures = [reading(*laid("PP", {"TC5": (0, 0)})), reading(*laid("PP", other), unread=unread)]
    assert [seat.sure for seat in score(pictures, piecepack, PiecepackTally()).seats] == [False, False]
    assert score(pictures[:1], piecepack, PiecepackTally(), 1).seats[0].sure


def test_a_broken_palazzo_of_the_piecepack_is_named_and_counts_for_nobody() -> None:
    piecepack = registry.game("piecepack")
    found = score([reading(*laid("PP", {"TM1": (0, 0), "TS2": (1, 0)}))], piecepack, PiecepackTally())
    assert found.seats[0].points == 0
    assert found.seats[0].palazzi[0].faults[0].code == "clashing-neighbour"
    assert "Turrets have no tags" in found.in_words()


def test_patricians_heads_are_scored_and_what_no_picture_shows_is_said() -> None:
    patrician = registry.game("patrician")
    red = [card for card, face in synthetic_edition().faces.items() if face.heads == ("red",)][:3]
    cards = [lying(f"PA:{card}", 60 + 50 * number, 100) for number, card in enumerate(red)]
    found = score([reading(*cards)], patrician, PatricianTally())
    assert (found.seats[0].points, found.seats[0].parts[0].title) == (6, "3 red-haired heads")
    assert "Towers have no tags" in found.in_words()
    assert "made-up edition" in found.in_words()


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


# -- turrets, tokens and cities ---------------------------------------------------------------------------------------

PIECEPACK = registry.game("piecepack")
QUARTERS = {"TM1": 90, "TM2": 0, "TS2": 270, "TM0": 180, "TM5": 0}
TAG = {42.0: (11.0, -11.0), 50.8: (15.4, -15.4)}
"""Side of a structure, mm → the offset of its tag from its middle, mm."""


def tiles(
    cells: Mapping[str, tuple[float, float]],
    side: float,
    x: float = 100.0,
    y: float = 300.0,
    turns: Mapping[str, int] = QUARTERS,
) -> Iterator[Sighting]:
    """Iterate over the tags of structures on these cells, in a corner of each, turned by quarters."""
    for piece, (across, up) in cells.items():
        turn, (right, down) = radians(turns.get(piece, 0)), TAG[side]
        x_tag = x + side * across + right * cos(turn) - down * sin(turn)
        y_tag = y - side * up + right * sin(turn) + down * cos(turn)
        yield lying(f"PP:{piece}", x_tag, y_tag, turns.get(piece, 0))


@pytest.mark.parametrize("side", [42.0, 50.8])
def test_structures_with_tags_in_a_corner_are_scored_with_the_turret_whose_tag_lies_on_one(side: float) -> None:
    """For either make and any turn, a turret is on the structure whose outline contains its tag."""
    one = [*tiles({"TM1": (0, 0), "TM2": (1, 0), "TS2": (1, 1)}, side), lying("PP:P1", 100 + side, 300)]
    found = score([reading(*one)], PIECEPACK, PiecepackTally(), 1)
    # Materials 1 + 2 twice + 2; three observatories and one solarium, nobody is ahead.
    assert [seat.points for seat in found.seats] == [1 + 2 * 2 + 2 + 3 * 3 + 1 * 3]
    assert found.sound
    assert "Turrets have no tags" not in found.in_words()


def test_pictures_from_two_sides_of_structures_that_all_look_one_way_are_one_palazzo() -> None:
    """With equally turned structures the corner of their tags is assumed as declared, and pictures agree."""
    cells = {"TM1": (0, 0), "TM2": (1, 0), "TS2": (1, 1)}
    near = [*tiles(cells, 42.0, turns={}), lying("PP:P1", 100 + 42 - 10, 300 + 10)]
    far = [lying(one.payload, 400 - one.x, 600 - one.y, one.angle + 180) for one in near]
    found = score([reading(*near), reading(*far)], PIECEPACK, PiecepackTally(), 1)
    assert [seat.points for seat in found.seats] == [1 + 2 * 2 + 2 + 3 * 3 + 1 * 3]
    assert "disagree" not in found.in_words()


def test_a_turret_between_two_structures_is_a_doubt() -> None:
    """It cannot be told on which structure the turret stands, so nobody's points are sure."""
    one = [*tiles({"TM1": (0, 0), "TM2": (1, 0)}, 42.0), lying("PP:P1", 100 + 21, 300)]
    found = score([reading(*one)], PIECEPACK, PiecepackTally(), 1)
    assert [str(unread.message) for _, unread in found.unread] == [
        "P1 stands between two structures: push it onto one, or it counts for nothing."
    ]
    assert not found.seats[0].sure


def test_a_structure_that_stands_alone_says_nothing_of_where_tags_stick() -> None:
    """A structure at any distance from the others is not used to infer in which corner tags are."""
    row = [*tiles({"TM1": (0, 0), "TM2": (1, 0), "TS2": (2, 0)}, 50.8, turns={}), lying("PP:P1", 138, 313)]
    alone = tiles({"TM5": (6, 0)}, 50.8, turns={"TM5": 180})
    found = score([reading(*row, *alone)], PIECEPACK, PiecepackTally(make="box"), 1)
    assert "stands between" not in found.in_words()
    assert found.seats[0].palazzi[0].tiles == ("TM1", "TM2", "TM5", "TS2")


def test_careless_hands_do_not_make_tags_stick_in_the_middle() -> None:
    """With jittered structures the corner of their tags is still inferred, which gives their places to 1 mm."""
    for seed in (26, 32, 57):
        rng, laid, tags = np.random.default_rng(seed), {}, []
        for number, piece in enumerate([f"T{suit}{value}" for suit in "MS" for value in range(6)]):
            x, y = (52 * place + rng.normal(0, 1.6) for place in (number % 4, number // 4))
            laid[piece], angle = (x, y), rng.normal(0, 3)
            tags.append(Placed(piece, *MarkerPose(x, y, angle).table(15.4, -15.4), angle))
        places = PiecepackTally(make="box").places(tags)
        assert max(np.hypot(*np.subtract((one.x, one.y), laid[one.piece])) for one in places) < 1.0


def test_structures_of_which_a_picture_misses_the_one_between_do_not_contradict_the_others() -> None:
    """A picture that lacks the structure between two, and so has one off the grid, does not contradict the other."""
    plot, cells = lying("TT:PLOT1", 30, 330), {"TM1": (0, 0), "TM2": (1, 0.18), "TS2": (1.2, 1.36)}
    whole = [plot, *tiles(cells, 50.8, y=250.0, turns={})]
    partly = [one for one in whole if one.payload != "PP:TM2"]
    finger = no_tag(100 + 50.8, 250 - 50.8 * 0.18, 48, 48)
    tally = PiecepackTally(make="box")
    assert score([reading(*whole), reading(*partly, unread=[finger])], PIECEPACK, tally, 1).sound
    otherwise = tiles({**cells, "TM2": (0, 1)}, 50.8, y=250.0, turns={})
    assert "disagree" in score([reading(*whole), reading(plot, *otherwise)], PIECEPACK, tally, 1).in_words()


def test_a_structure_that_one_picture_cannot_read_is_as_large_as_the_others_however_near_their_tags() -> None:
    """The size is right even if tags of two structures turned towards each other nearly touch."""
    laid = [*tiles({"TM1": (0, 0), "TM2": (1, 0), "TS2": (1, 1)}, 42.0, turns={"TM2": 180})]
    plot, thing = lying("TT:PLOT1", 30, 330), no_tag(142, 258, 42, 42)
    tally = PiecepackTally(make="printed")
    assert reasons(score([reading(plot, *laid[:2], unread=[thing])], PIECEPACK, tally, 1)) == ["no-tag"]
    assert reasons(score([reading(plot, *laid[:2], unread=[thing]), reading(plot, *laid)], PIECEPACK, tally, 1)) == []


@pytest.mark.parametrize("make", ["printed", ""])
@pytest.mark.parametrize("cells", [{"TM1": (0, 0), "TM2": (2, 0)}, {"TM1": (0, 0), "TM2": (1, 1), "TS2": (3, 1)}])
def test_structures_stay_as_large_as_they_are_if_the_one_between_two_is_face_down(
    cells: Mapping[str, tuple[int, int]], make: str
) -> None:
    """Structures two cells apart are not taken for adjacent ones of twice the size."""
    tags, tally = [*tiles(cells, 42.0, turns={})], PiecepackTally(make=make)
    width, _ = tally.size(tally.places([Placed(each.payload[3:], each.x, each.y, each.angle) for each in tags]))
    assert 40 < width <= 50
    found = score([reading(*tags)], PIECEPACK, tally, 1)
    assert [fault.code for fault in found.seats[0].palazzi[0].faults] == ["splits"]
    assert not found.sound


@pytest.mark.parametrize("count", [1, 2])
def test_a_structure_off_the_grid_has_to_be_pushed_not_photographed_again(count: int) -> None:
    """Pictures that agree on a structure off the grid do not contradict each other; the sentence asks for a push."""
    cells = {"TM1": (0, 0), "TM2": (1, 0), "TM5": (2, 0.5)}
    found = score([reading(*tiles(cells, 42.0, turns={}))] * count, PIECEPACK, PiecepackTally(make="printed"), 1)
    assert {(unread.reason, str(unread.message), unread.piece) for _, unread in found.unread} == {
        ("aside", "Push TM5 edge to edge.", "TM5")
    }
    assert [seat.palazzi[0].tiles for seat in found.seats] == [("TM1", "TM2")]


def test_a_structure_askew_in_one_picture_and_on_a_cell_in_another_does_not_count() -> None:
    laid = [tiles({"TM1": (0, 0), "TM2": (1, 0), "TM5": (2, up)}, 42.0, turns={}) for up in (0, 0.5)]
    pictures = [reading(lying("TT:PLOT1", 30, 330), *one) for one in laid]
    found = score(pictures, PIECEPACK, PiecepackTally(make="printed"), 1)
    assert "Pictures 1 and 2 disagree about TM5: none of them counts; take new photos." in found.in_words()
    assert [seat.palazzi[0].tiles for seat in found.seats] == [("TM1", "TM2")]


def test_structures_that_no_picture_shows_together_with_the_others_do_not_count() -> None:
    """Two pictures of parts of a palazzo that have only the marker in common do not show how the parts fit together."""
    plot, tally = lying("TT:PLOT1", 30, 330), PiecepackTally(make="printed")
    pictures = [
        reading(plot, *tiles({one: (0, 0), other: (1, 0)}, 42.0)) for one, other in (("TM1", "TM2"), ("TS2", "TS3"))
    ]
    found = score(pictures, PIECEPACK, tally, 1)
    text = "No picture shows TS2 and TS3 together with the rest of the palazzo: photograph all of it."
    assert text in {str(unread.message) for _, unread in found.unread}
    assert "disagree" not in found.in_words()
    assert [seat.palazzi[0].tiles for seat in found.seats] == [("TM1", "TM2")]


def test_a_picture_that_misses_the_structure_under_a_turret_does_not_put_it_between_others() -> None:
    """The picture that shows the structure decides; a turret aside in one that shows it as well is a doubt."""
    cells = {"TM1": (0, 0), "TM2": (1, 0), "TS2": (1, 1)}
    turret, aside = lying("PP:P1", 100 + 42, 300 - 14), lying("PP:P1", 100 + 42, 300 - 17)
    whole, partly = [*tiles(cells, 42.0)], [*tiles({"TM1": (0, 0), "TS2": (1, 1)}, 42.0)]
    found = score([reading(*whole, turret), reading(*partly, aside)], PIECEPACK, PiecepackTally(make="printed"), 1)
    assert "stands between" not in found.in_words()
    found = score([reading(*whole, turret), reading(*whole, aside)], PIECEPACK, PiecepackTally(), 1)
    assert "stands between" in found.in_words()


ROW = {**{f"TM{value}": (value, 0) for value in range(6)}, "TS5": (6, 0), "TS4": (7, 0)}


def test_a_seat_whose_suits_nobody_elses_are_compared_with_is_in_doubt() -> None:
    """A lone seat would have the most of every suit, but nobody plays alone."""
    palazzo = [*tiles({"TM1": (0, 0), "TM2": (1, 0)}, 42.0, turns={})]
    for marker, text in (
        ([], "No picture shows what seat 2 has built."),
        ([lying("TT:PLOT1", 30, 330)], "No picture shows the marker of seat 2: is it covered?"),
    ):
        found = score([reading(*marker, *palazzo)], PIECEPACK, PiecepackTally(make="printed"))
        assert text in found.in_words()
        assert not found.seats[0].sure
    other = tiles({"TC5": (0, 0)}, 42.0, turns={})
    assert score([reading(*palazzo), reading(*other)], PIECEPACK, PiecepackTally(make="printed")).sound


def test_a_palazzo_that_outgrows_its_area_is_that_seats_edge_by_edge() -> None:
    """Structures beyond the area count if they are connected to it by shared edges."""
    tags = [*tiles(ROW, 50.8, y=200.0, turns={})]
    found = score([reading(lying("TT:PLOT1", 30, 330), *tags)], PIECEPACK, PiecepackTally(make="box"), 1)
    assert found.seats[0].points == score([reading(*tags)], PIECEPACK, PiecepackTally(make="box"), 1).seats[0].points
    assert found.sound


def test_a_structure_beyond_the_area_that_touches_no_palazzo_counts_for_nobody() -> None:
    """A structure half a cell away from the palazzo, outside its area, is reported as no seat's."""
    tags = [*tiles(ROW, 50.8, y=200.0, turns={})][:-1]
    away = tiles({"TS4": (7.5, 0)}, 50.8, y=200.0, turns={})
    found = score([reading(lying("TT:PLOT1", 30, 330), *tags, *away)], PIECEPACK, PiecepackTally(make="box"), 1)
    assert reasons(found) == ["no-seat"]


def test_a_palazzo_that_grows_into_its_own_reserve_is_a_doubt() -> None:
    """A structure in the reserve that touches the palazzo is in doubt, and one apart from it is not."""
    column = [*tiles({"TM1": (0, 2), "TM2": (0, 1), "TM3": (0, 0)}, 42.0, x=120.0, y=330.0)]
    apart = tiles({"TC5": (2, 0)}, 42.0, x=120.0, y=345.0)
    found = score([reading(lying("TT:PLOT1", 30, 330), *column, *apart)], PIECEPACK, PiecepackTally(make="printed"), 1)
    assert [(unread.reason, unread.piece) for _, unread in found.unread] == [(Cause.OVERLAP, "TM3")]
    assert not found.seats[0].sure


TOGETHER = (
    "One palazzo has turrets on {}, but a seat has only one: take the others away, or name only the structure under "
    "its own."
)
UNSEEN = "No palazzo in these pictures has {}, on which a turret is said to stand: photograph it, or name another."


@pytest.mark.parametrize(
    ("told", "turrets", "text"),
    [
        (["TS5"], {}, UNSEEN.format("TS5")),
        (["TM1"], {"P1": 1}, TOGETHER.format("TM1 and TM2")),
        ([], {"P1": 1, "P2": 2}, TOGETHER.format("TM2 and TM3")),
        (["TM1", "TM3"], {}, TOGETHER.format("TM1 and TM3")),
        (["TM2"], {"P1": 1}, ""),
        (["TM2"], {}, ""),
    ],
)
def test_a_palazzo_counts_one_turret_and_one_that_is_said_to_stand_on_what_no_palazzo_has_is_a_doubt(
    told: Sequence[str], turrets: Mapping[str, int], text: str
) -> None:
    """``turrets``: the turrets that are seen, each with the place of its structure in the row, from 0."""
    row = [*tiles({"TM1": (0, 0), "TM2": (1, 0), "TM3": (2, 0)}, 42.0)]
    seen = [lying(f"PP:{turret}", 100 + 42 * place, 300) for turret, place in turrets.items()]
    found = score([reading(*row, *seen)], PIECEPACK, PiecepackTally(frozenset(told), make="printed"), 1)
    assert [str(unread.message) for _, unread in found.unread] == ([text] if text else [])
    assert found.sound == found.seats[0].sure == (not text)


def test_a_turret_said_to_stand_on_what_pictures_disagree_about_is_one_doubt_and_not_two() -> None:
    laid = [tiles({"TM1": (0, 0), "TM2": (1, 0), "TM5": (2, up)}, 42.0, turns={}) for up in (0, 0.5)]
    pictures = [reading(lying("TT:PLOT1", 30, 330), *one) for one in laid]
    found = score(pictures, PIECEPACK, PiecepackTally(frozenset({"TM5"}), make="printed"), 1)
    assert "disagree about TM5" in found.in_words()
    assert "said to stand" not in found.in_words()


def test_a_turret_on_a_structure_in_a_reserve_is_a_doubt() -> None:
    """A turret in a reserve, which should have been given back when its structure moved there, counts for nobody."""
    row = tiles({"TM1": (0, 0), "TM2": (1, 0)}, 42.0, y=250.0, turns={})
    laid = [lying("TT:PLOT1", 30, 330), *row, lying("PP:TS4", 160, 370), lying("PP:P1", 148, 384)]
    found = score([reading(*laid)], PIECEPACK, PiecepackTally(make="printed"), 1)
    assert [str(unread.message).partition(",")[0] for _, unread in found.unread] == ["A turret stands on TS4"]
    assert not found.seats[0].sure


@pytest.mark.parametrize(("turret", "marker", "sound"), [("P1", "1", True), ("P2", "1", False), ("P2", "", True)])
def test_a_turret_of_another_seat_is_a_doubt_beside_a_marker(turret: str, marker: str, sound: bool) -> None:
    """Only a marker shows whose palazzo it is, so without one any turret is accepted."""
    row = tiles({"TM1": (0, 0), "TM2": (1, 0)}, 42.0, y=250.0, turns={})
    card = [lying(f"TT:PLOT{marker}", 30, 330)] if marker else []
    found = score([reading(*card, *row, lying(f"PP:{turret}", 100, 260))], PIECEPACK, PiecepackTally(make="printed"), 1)
    text = f"{turret} stands on TM1 in the palazzo of seat 1: take it away, or swap it for that seat's own."
    assert [str(unread.message) for _, unread in found.unread] == ([] if sound else [text])
    assert found.seats[0].sure == found.sound == sound


@pytest.mark.parametrize("marked", [True, False])
@pytest.mark.parametrize(("told", "beside", "sound"), [("", "", False), ("TC5", "", True), ("", "P2", True)])
def test_a_palazzo_whose_turret_no_picture_shows_is_a_doubt_if_turrets_have_tags(
    marked: bool, told: str, beside: str, sound: bool
) -> None:
    """A missing turret may be covered, unless its structure is given or it is seen elsewhere."""
    cards = [[lying(f"TT:PLOT{seat}", 30, 330)] if marked else [] for seat in (1, 2)]
    first = [*tiles({"TM1": (0, 0), "TM2": (1, 0)}, 42.0, y=250.0, turns={})]
    second = [*tiles({"TC5": (0, 0)}, 42.0, y=250.0, turns={})]
    aside = [lying(f"PP:{beside}", 250, 120)] if beside else []
    pictures = [reading(*cards[0], *first, lying("PP:P1", 100, 260)), reading(*cards[1], *second, *aside)]
    found = score(pictures, PIECEPACK, PiecepackTally(frozenset({told} - {""}), make="printed"))
    assert found.sound == sound
    assert ("No picture shows the turret of seat 2" in found.in_words()) == (not sound)
    without = score([reading(*cards[0], *first), reading(*cards[1], *second)], PIECEPACK, PiecepackTally())
    assert "turret of seat" not in without.in_words()


def test_a_turret_on_two_structures_in_two_pictures_is_a_contradiction() -> None:
    """One of the pictures is older, so the turret's place is not known."""
    cells = {"TM1": (0, 0), "TM2": (1, 0)}
    pictures = [reading(*tiles(cells, 42.0), lying("PP:P1", 100 + x, 300)) for x in (0, 42)]
    found = score(pictures, PIECEPACK, PiecepackTally(), 1)
    assert "P1 stands on more than one structure in these pictures: TM1, TM2." in found.in_words()
    assert not found.sound


def test_a_turret_that_another_picture_shows_far_from_its_structure_is_a_contradiction() -> None:
    """A turret on a structure in one picture and aside in the other was moved in between."""
    cells = {"TM1": (0, 0), "TM2": (1, 0)}
    pictures = [reading(*tiles(cells, 42.0), lying("PP:P1", *place)) for place in ((142, 300), (300, 100))]
    found = score(pictures, PIECEPACK, PiecepackTally(make="printed"), 1)
    text = "P1 stands on TM2 in one picture and not in another: leave out the older one."
    assert [str(unread.message) for _, unread in found.unread] == [text]
    aslant = reading(*tiles(cells, 42.0), lying("PP:P1", 190, 300))
    assert score([pictures[0], aslant], PIECEPACK, PiecepackTally(make="printed"), 1).sound


def city(name: str, first: tuple[str, ...], second: tuple[str, ...], x: int, y: int) -> Iterator[Sighting]:
    """Iterate over a city's marker and two towers of floors from the foot up."""
    capacity = next(one.capacity for one in CITIES if one.id == name)
    foot = 22 * (capacity - 1) - 20
    yield lying(f"TT:{name}", x, y, side=33.6)
    for left, tower in ((28, first), (60, second)):
        for floor, piece in enumerate(tower):
            yield lying(f"PA:{piece}", x + left + 15 + 3.5, y + foot - 11 - 22 * floor)


def cities(**towers: tuple[tuple[str, ...], tuple[str, ...]]) -> Iterator[Sighting]:
    """Iterate over the cards of all cities except Pistoia, with towers on some of them, by city."""
    names = [one.id for one in CITIES[:-1]]
    for number, name in enumerate(names):
        yield from city(name, *towers.get(name, ((), ())), 60 + 120 * (number % 5), 60 + 200 * (number // 5))


def final(*sightings: Sighting) -> PhotoReading:
    return reading(*sightings, seen=plane(size=(800, 520)))


def full(**towers: tuple[tuple[str, ...], tuple[str, ...]]) -> Iterator[Sighting]:
    """Iterate over the cards of all cities but Pistoia, full: site A white and black in turn, site B with one white."""
    black, white = (iter([f"{letter}{number:02}" for number in range(1, 40)]) for letter in "KW")
    for one in CITIES[:-1]:
        first = tuple(next(black if floor % 2 else white) for floor in range(one.capacity - 1))
        towers.setdefault(one.id, (first, (next(white),)))
    yield from cities(**towers)


def piles(*counts: int, but: Sequence[str] = ()) -> Iterator[Sighting]:
    """Iterate over a number of cards beside each seat's marker, of all but Pistoia's, with tags side by side."""
    cards = iter([card for card in CARDS if not card.startswith("PIS") and card not in but])
    for seat, count in enumerate(counts):
        x, y = 60 + 240 * seat, 430
        yield lying(f"TT:PILE{seat + 1}", x, y, side=33.6)
        for number, card in zip(range(count), cards, strict=False):
            yield lying(f"PA:{card}", x + 36 + 22 * (number % 8), y - 12 + 22 * (number // 8))


def five_piles(*, pistoia: bool = True) -> Iterator[Sighting]:
    """Iterate over eleven cards beside each of five seats' markers, or fewer if those without Pistoia run out."""
    cards = iter([card for card in CARDS if pistoia or not card.startswith("PIS")])
    for seat in range(5):
        x, y = 60 + 190 * seat, 430
        yield lying(f"TT:PILE{seat + 1}", x, y, side=33.6)
        for number, card in zip(range(11), cards, strict=False):
            yield lying(f"PA:{card}", x + 36 + 22 * (number % 6), y - 12 + 22 * (number // 6))


def patrician(*pictures: PhotoReading, stated: StatedFacts | None = None) -> Score:
    return score(pictures, PATRICIAN, tally_of(PATRICIAN, stated or StatedFacts()))


def test_the_towers_of_printed_floors_are_scored_with_the_heads() -> None:
    """The tokens of a city go to the owners of its towers, and heads are counted from each seat's cards."""
    towers = {"FER": (("K38", "W38", "K39"), ("W39", "R01"))}
    found = patrician(final(*full(**towers), *piles(24, 24)))
    points = {seat.seat: {str(part.title): part.points for part in seat.parts} for seat in found.seats}
    assert points[0]["Ferrara, site A"] == 5
    assert points[2] == {"Ferrara, site B": 2}
    assert [len(group.tiles) for seat in found.seats[:2] for group in seat.palazzi] == [24, 24]
    assert "add each seat's tokens" not in found.in_words()
    assert found.sound


def test_glare_over_a_floor_is_reported_though_its_middle_is_beside_the_city() -> None:
    """Glare that reaches over a floor is reported even if no missing floor reveals it."""
    spent = iter(f"K{number:02}" for number in range(39, 0, -1))
    towers = {
        one.id: (tuple(islice(spent, one.capacity - 1)), (f"W{number:02}",))
        for number, one in enumerate(CITIES[:-1], 1)
    }
    laid = [*cities(**towers), *piles(24, 24)]
    assert patrician(final(*laid)).sound
    floor = next(one for one in laid if one.payload == "PA:W01")
    glare = Unreadable(Cause.WASHED_OUT, Message("Glare."), stretched(floor.x + 45, floor.y, 120, 30))
    hidden = final(*(one for one in laid if one is not floor))
    assert not patrician(replace(hidden, unread=(glare,))).sound


def test_a_card_that_is_hidden_is_noticed_if_all_seats_are_seen() -> None:
    """All cards are played by the end, so a missing one means that a tag is hidden."""
    found = patrician(final(*full(), *piles(24, 23)))
    assert "47 of the 48 cards are seen: a tag is hidden, or a seat is in no picture." in found.in_words()
    assert not any(seat.sure for seat in found.seats)


def test_a_card_in_another_seats_area_is_noticed_as_all_seats_have_played_equally_many() -> None:
    """Seats with unequal numbers of cards are not sure, as a card may be in another seat's area."""
    found = patrician(final(*full(), *piles(16, 15, 17)))
    text = "All seats have played the same number of cards at the end, not 16, 15 and 17: does one lie in another"
    assert text in found.in_words()
    assert not any(seat.sure for seat in found.seats)


@pytest.mark.parametrize(
    ("count", "five", "sound"),
    [(24, False, True), (16, False, True), (11, False, True), (23, False, False), (12, True, False)],
)
def test_a_seat_alone_shows_its_share_of_the_cards_or_one_is_hidden(count: int, five: bool, sound: bool) -> None:
    """A seat's number of cards must be one possible at the end; with a card of Pistoia, five play, each with 11."""
    table = [*piles(count)]
    if five:
        table[-1] = replace(table[-1], payload="PA:PIS1")
    found = patrician(final(*table))
    counts = "11" if five else "24 or 16 or 12 or 11"
    assert found.sound == sound
    assert (f"At the end a seat has played {counts} cards, not {count}: is a" in found.in_words()) == (not sound)


def test_a_card_that_is_only_likely_counts_if_it_is_one_of_a_few_that_no_picture_shows() -> None:
    """A place that looks like one of two missing cards is that card, since all cards are on the table at the end."""
    table, hidden = [*full(), *piles(24, 24)], ("PA:VER3", "PA:VER4")
    seen = [one for one in table if one.payload not in hidden]
    likely = {one.payload: one for one in table if one.payload in hidden}
    assert set(likely) == set(hidden)

    def outcome(*pictures: tuple[Sighting, ...]) -> tuple[bool, list[int]]:
        found = patrician(*(replace(final(*seen), likely=some) for some in pictures))
        return found.sound, sorted(len(group.tiles) for seat in found.seats[:2] for group in seat.palazzi)

    both = tuple(likely.values())
    assert outcome(both) == outcome(both[:1], both[1:]) == outcome(both, both) == (True, [24, 24])
    assert outcome(both[:1]) == (False, [23, 24])
    astray = replace(likely[hidden[0]], payload=hidden[1])
    assert outcome(both, (astray,)) == (False, [22, 24])


def test_a_card_that_looks_like_two_missing_ones_is_neither_in_one_picture_or_in_two() -> None:
    """One place cannot be two cards, and a card that seems to be in two places counts in none."""
    table, hidden = [*full(), *piles(24, 24)], ("PA:VER3", "PA:VER4")
    seen = [one for one in table if one.payload not in hidden]
    one, other = (each for each in table if each.payload in hidden)
    astray = replace(one, payload=other.payload)
    for pictures in ([(one, astray)], [(one,), (astray,)], [(one, astray), (astray,)], [(other, astray)]):
        found = patrician(*(replace(final(*seen), likely=some) for some in pictures))
        assert "46 of the 48 cards are seen: a tag is hidden, or a seat is in no picture." in found.in_words()


def test_a_card_is_not_likely_where_another_picture_shows_another_one_or_if_many_are_missing() -> None:
    table = [*full(), *piles(24, 24)]
    seen, hidden = [one for one in table if one.payload != "PA:VER4"], table[-1]
    assert hidden.payload == "PA:VER4"
    other = replace(next(one for one in seen if one.payload == "PA:VER3"), payload="PA:VER4")
    assert not patrician(replace(final(*seen), likely=(other,)), final(*seen)).sound
    many = [one for one in table if not one.payload.startswith(("PA:VER", "PA:MIL"))]
    likely = tuple(one for one in table if one not in many)
    assert not patrician(replace(final(*many), likely=likely)).sound


def test_a_floor_that_is_hidden_is_noticed_unless_a_seat_has_none_left() -> None:
    """A city takes a fixed number of floors, and only a seat that ran out leaves one unfinished."""
    lowered = {"FER": (("K38", "W38", "K39"), ("W39",))}
    found = patrician(final(*full(**lowered), *piles(24, 24)))
    assert "Ferrara takes 5 floors, and 4 are seen: is a floor hidden, or turned over?" in found.in_words()
    spent = [f"K{number:02}" for number in range(1, 40)]
    stands = {one.id: (tuple(spent.pop() for _ in range(min(one.capacity - 1, len(spent)))), ()) for one in CITIES[:-1]}
    assert patrician(final(*cities(**stands), *piles(24, 24))).sound


def test_a_floor_that_one_picture_misses_is_there_if_another_shows_the_city_full() -> None:
    """A tag that was not read removes no floor, and floors whose card only another picture shows are not astray."""
    near = [one for one in full() if one.payload != "PA:W27"]
    far = [one for one in full() if one.payload != "TT:ROM"]
    found = patrician(final(*full(), *piles(24, 24)), final(*near), final(*far))
    assert found.sound


def test_stated_tokens_replace_towers_and_must_agree_with_them() -> None:
    """Stated tokens are used with wooden floors, and compared with the towers of printed ones."""
    stated = StatedFacts(tokens={0: 30, 1: 12}, make="box")
    wood = patrician(final(*piles(24, 24)), stated=stated)
    assert [part.points for seat in wood.seats for part in seat.parts if part.title == "Tokens"] == [30, 12]
    assert wood.sound
    assert (
        "The towers earn seat 2 36 points, not 12."
        in patrician(final(*full(), *piles(24, 24)), stated=stated).in_words()
    )
    partly = StatedFacts(tokens={0: 30}, make="box")
    assert (
        "Say what the tokens of seat 2 are worth: 0 if it has none."
        in patrician(final(*piles(24, 24)), stated=partly).in_words()
    )


def test_a_seat_with_stated_tokens_is_in_doubt_unless_a_picture_shows_its_cards() -> None:
    """Without its cards a seat's heads are missing, or its number was mistyped."""
    for told, counts in (({0: 30, 1: 12}, (24,)), ({0: 30, 1: 12, 2: 5}, (24, 24)), ({1: 12}, ()), ({1: 5}, (0, 0))):
        found = patrician(final(*piles(*counts)), stated=StatedFacts(tokens=told, make="box"))
        text = f"The tokens of seat {max(told) + 1} are given, but no picture shows its cards."
        assert text in found.in_words()
        assert not any(seat.sure for seat in found.seats)
    assert patrician(final(*piles(24)), stated=StatedFacts(tokens={0: 30}, make="box")).sound


def test_cards_are_missed_if_a_second_seat_shows_only_its_marker_or_towers() -> None:
    """A seat without any visible card makes the number of cards too low, which is reported."""
    text = "24 of the 48 cards are seen: a tag is hidden, or a seat is in no picture."
    assert text in patrician(final(*piles(24, 0))).in_words()
    assert text in patrician(final(*full(), *piles(24))).in_words()
    assert "0 of the 48 cards are seen" in patrician(final(*full())).in_words()


def test_towers_that_two_pictures_show_differently_count_for_nobody() -> None:
    """The city is named, and nobody's points are sure, as one of the pictures is older."""
    first, second = ({"FER": (("K01", *more), ())} for more in ((), ("W01", "W02")))
    found = score([final(*cities(**first)), final(*cities(**second))], PATRICIAN, PatricianTally())
    assert "Pictures show the towers of Ferrara differently: they count for nobody." in found.in_words()
    assert not any(seat.sure for seat in found.seats)


def test_a_city_that_is_not_seen_whole_is_named() -> None:
    """A city that is not seen whole is named, and nobody's points are sure, because its tokens are missing."""
    seen = [one for one in cities(FER=(("K01",), ())) if one.payload != "TT:ROM"]
    found = score([final(*seen)], PATRICIAN, PatricianTally())
    assert "The towers of these cities are not seen whole: Roma." in found.in_words()
    assert not found.sound


def test_floors_of_which_no_city_is_seen_whole_are_towers_that_are_not_counted_and_those_in_a_store_are_none() -> None:
    """Floors without a whole city are a doubt, unlike those in a store."""
    table = [*full(), *piles(24, 24)]
    glare = [
        Unreadable(Cause.WASHED_OUT, Message("Glare."), stretched(105 + 120 * (n % 5), 100 + 200 * (n // 5), 60, 60))
        for n in range(9)
    ]
    hidden = replace(final(*table), unread=tuple(glare))
    without = final(*(one for one in table if "TT:" not in one.payload or "PILE" in one.payload))
    for found in map(patrician, (hidden, without)):
        assert "The towers of these cities are not seen whole: " in found.in_words()
        assert not found.sound
    stored = [*piles(24, 24), lying("PA:K01", 100, 505)]
    assert patrician(reading(*stored, seen=plane(size=(800, 560)))).sound
    assert patrician(without, stated=StatedFacts(tokens={0: 30, 1: 12}, make="box")).sound


def test_five_seats_or_a_card_of_pistoia_say_that_pistoia_plays() -> None:
    """If Pistoia plays and its city card is not seen, its towers are reported as missing."""
    wide = plane(size=(1100, 520))
    pistoia = city("PIS", ("Y01", "B01", "Y02", "B02"), ("R01", "R02", "R03", "R04", "R05"), 660, 260)
    assert patrician(reading(*full(), *pistoia, *five_piles(), seen=wide)).sound
    unseen = "The towers of these cities are not seen whole: Pistoia."
    assert unseen in patrician(reading(*full(), *five_piles(), seen=wide)).in_words()
    assert unseen in patrician(reading(*full(), *piles(24, 24), lying("PA:PIS1", 550, 430), seen=wide)).in_words()
    blue = {"FER": (("K38", "B01", "K39"), ("W38", "W39"))}
    assert "48 of the 55 cards are seen" in patrician(final(*full(**blue), *piles(24, 24))).in_words()
    without = patrician(reading(*full(), *five_piles(pistoia=False), seen=wide)).in_words()
    assert "48 of the 55 cards are seen: a tag is hidden, or a seat is in no picture." in without
    assert unseen in without


def test_without_city_cards_heads_alone_are_scored_as_before() -> None:
    """With wooden floors the heads are sure, and a sentence says to add the tokens by hand."""
    cards = [one for one in piles(16) if not is_marker(one.payload)]
    found = score([final(*cards)], PATRICIAN, PatricianTally())
    assert found.sound
    assert "add each seat's tokens" in found.in_words()


def test_cards_that_are_spread_beyond_their_area_are_that_seats_card_by_card() -> None:
    """A card next to one of the seat's belongs to the seat; a card apart counts for nobody."""
    marker = lying("TT:PILE1", 60, 250)
    row = [
        lying(f"PA:{card}", 100 + 24 * number, 250)
        for number, card in enumerate(sorted(synthetic_edition().faces)[:11])
    ]
    apart = lying("PA:VER4", 400, 250)
    found = score([reading(marker, *row, apart)], registry.game("patrician"), PatricianTally())
    assert len(found.seats[0].palazzi[0].tiles) == 11
    assert reasons(found) == ["no-seat"]
    assert "nobody: VER4." in found.in_words()
