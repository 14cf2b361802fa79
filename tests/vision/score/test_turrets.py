"""A turret of the piecepack counts where it is seen or said to stand; anything else is a doubt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from tabletop.vision.score.piecepack.tally import PiecepackTally
from tabletop.vision.score.score import score
from tests.vision.score.pictures import lying, reading
from tests.vision.score.structures import PIECEPACK, tiles

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
    assert found.carriers == {*told, *(f"TM{place + 1}" for place in turrets.values())}


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


@pytest.mark.parametrize(("told", "sound"), [([], False), (["none"], True), (["TM1"], True)])
def test_a_table_on_which_no_turret_is_seen_is_in_doubt_unless_it_is_said_where_they_stand(
    told: Sequence[str], sound: bool
) -> None:
    """Something may cover the only turret that stands, and pawns have no tags at all."""
    found = score([reading(*tiles({"TM1": (0, 0)}, 42.0))], PIECEPACK, PiecepackTally(frozenset(told)), 1)
    assert ("No picture shows a turret's tag" in found.in_words()) == (not sound)
    assert found.sound == found.seats[0].sure == sound


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
