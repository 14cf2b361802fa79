"""The piecepack's palazzi are scored from the grid of their structures, whatever a picture misses of it."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest

from tabletop.messages import Message
from tabletop.rules import registry
from tabletop.vision.geometry.columns import Placed
from tabletop.vision.geometry.marker_pose import MarkerPose
from tabletop.vision.scene import Cause, Unreadable
from tabletop.vision.score.piecepack.tally import PiecepackTally
from tabletop.vision.score.score import score
from tests.vision.score.pictures import lying, no_tag, reading, reasons
from tests.vision.score.structures import BARE_BOX, BARE_PRINTED, NO_TURRETS, PIECEPACK, laid, tiles


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
    assert [seat.sure for seat in score(pictures, piecepack, PiecepackTally(NO_TURRETS)).seats] == [False, False]
    assert score(pictures[:1], piecepack, PiecepackTally(NO_TURRETS), 1).seats[0].sure


def test_a_broken_palazzo_of_the_piecepack_is_named_and_counts_for_nobody() -> None:
    piecepack = registry.game("piecepack")
    found = score([reading(*laid("PP", {"TM1": (0, 0), "TS2": (1, 0)}))], piecepack, PiecepackTally(NO_TURRETS))
    assert found.seats[0].points == 0
    assert found.seats[0].palazzi[0].faults[0].code == "clashing-neighbour"


@pytest.mark.parametrize("side", [42.0, 50.8])
def test_structures_with_tags_in_a_corner_are_scored_with_the_turret_whose_tag_lies_on_one(side: float) -> None:
    """For either make and any turn, a turret is on the structure whose outline contains its tag."""
    one = [*tiles({"TM1": (0, 0), "TM2": (1, 0), "TS2": (1, 1)}, side), lying("PP:P1", 100 + side, 300)]
    found = score([reading(*one)], PIECEPACK, PiecepackTally(), 1)
    # Materials 1 + 2 twice + 2; three observatories and one solarium, nobody is ahead.
    assert [seat.points for seat in found.seats] == [1 + 2 * 2 + 2 + 3 * 3 + 1 * 3]
    assert found.sound


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
    tally = BARE_BOX
    assert score([reading(*whole), reading(*partly, unread=[finger])], PIECEPACK, tally, 1).sound
    otherwise = tiles({**cells, "TM2": (0, 1)}, 50.8, y=250.0, turns={})
    assert "disagree" in score([reading(*whole), reading(plot, *otherwise)], PIECEPACK, tally, 1).in_words()


def test_a_structure_that_one_picture_cannot_read_is_as_large_as_the_others_however_near_their_tags() -> None:
    """The size is right even if tags of two structures turned towards each other nearly touch."""
    laid = [*tiles({"TM1": (0, 0), "TM2": (1, 0), "TS2": (1, 1)}, 42.0, turns={"TM2": 180})]
    plot, thing = lying("TT:PLOT1", 30, 330), no_tag(142, 258, 42, 42)
    tally = BARE_PRINTED
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
    found = score([reading(*tiles(cells, 42.0, turns={}))] * count, PIECEPACK, BARE_PRINTED, 1)
    assert {(unread.reason, str(unread.message), unread.piece) for _, unread in found.unread} == {
        ("aside", "Push TM5 edge to edge.", "TM5")
    }
    assert [seat.palazzi[0].tiles for seat in found.seats] == [("TM1", "TM2")]


def test_a_structure_askew_in_one_picture_and_on_a_cell_in_another_does_not_count() -> None:
    laid = [tiles({"TM1": (0, 0), "TM2": (1, 0), "TM5": (2, up)}, 42.0, turns={}) for up in (0, 0.5)]
    pictures = [reading(lying("TT:PLOT1", 30, 330), *one) for one in laid]
    found = score(pictures, PIECEPACK, BARE_PRINTED, 1)
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
        found = score([reading(*marker, *palazzo)], PIECEPACK, BARE_PRINTED)
        assert text in found.in_words()
        assert not found.seats[0].sure
    other = tiles({"TC5": (0, 0)}, 42.0, turns={})
    assert score([reading(*palazzo), reading(*other)], PIECEPACK, BARE_PRINTED).sound


def test_a_palazzo_that_outgrows_its_area_is_that_seats_edge_by_edge() -> None:
    """Structures beyond the area count if they are connected to it by shared edges."""
    tags = [*tiles(ROW, 50.8, y=200.0, turns={})]
    found = score([reading(lying("TT:PLOT1", 30, 330), *tags)], PIECEPACK, BARE_BOX, 1)
    assert found.seats[0].points == score([reading(*tags)], PIECEPACK, BARE_BOX, 1).seats[0].points
    assert found.sound


def test_a_structure_beyond_the_area_that_touches_no_palazzo_counts_for_nobody() -> None:
    """A structure half a cell away from the palazzo, outside its area, is reported as no seat's."""
    tags = [*tiles(ROW, 50.8, y=200.0, turns={})][:-1]
    away = tiles({"TS4": (7.5, 0)}, 50.8, y=200.0, turns={})
    found = score([reading(lying("TT:PLOT1", 30, 330), *tags, *away)], PIECEPACK, BARE_BOX, 1)
    assert reasons(found) == ["no-seat"]


def test_a_palazzo_that_grows_into_its_own_reserve_is_a_doubt() -> None:
    """A structure in the reserve that touches the palazzo is in doubt, and one apart from it is not."""
    column = [*tiles({"TM1": (0, 2), "TM2": (0, 1), "TM3": (0, 0)}, 42.0, x=120.0, y=330.0)]
    apart = tiles({"TC5": (2, 0)}, 42.0, x=120.0, y=345.0)
    found = score([reading(lying("TT:PLOT1", 30, 330), *column, *apart)], PIECEPACK, BARE_PRINTED, 1)
    assert [(unread.reason, unread.piece) for _, unread in found.unread] == [(Cause.OVERLAP, "TM3")]
    assert not found.seats[0].sure
