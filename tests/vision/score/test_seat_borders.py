"""A piece that may be either of two seats' counts for nobody, and is named."""

from __future__ import annotations

import pytest

from tabletop.rules import registry
from tabletop.vision.scene import Cause
from tabletop.vision.score.piecepack.tally import PiecepackTally
from tabletop.vision.score.score import score
from tabletop.vision.score.tally import NO_CARRIER
from tests.vision.score.pictures import lying, palazzi, plane, reading, score_of, stand

PIECEPACK = registry.game("piecepack")
ABOVE = (lying("TT:SEAT1", 30, 380), lying("TT:SEAT3", 30, 203))
"""Two seats that face the same way, one's area 3 mm above the other's."""


def test_a_column_that_grows_into_another_seats_area_is_in_doubt() -> None:
    """It was one palazzo of each seat, and both were sure of their points."""
    found = score_of(reading(*ABOVE, *stand((("B1.1", "B2.1", "B3.1a", "B4.1"),), x=100, y=290)), playing=2)
    assert {(each.reason, each.piece) for _, each in found.unread if each.piece} == {
        (Cause.OVERLAP, "B3.1a"),
        (Cause.OVERLAP, "B4.1"),
    }
    assert palazzi(found, 0) == {("B1.1", "B2.1"): 0}
    assert not any(seat.sure for seat in found.seats)


@pytest.mark.parametrize(
    ("x", "y", "doubt"), [(100, 232, True), (100, 224, True), (100, 290, False), (100, 130, False)]
)
def test_a_tile_at_the_border_of_two_areas_is_in_doubt(x: float, y: float, doubt: bool) -> None:
    found = score_of(reading(*ABOVE, lying("PZ:B1.1", x, y)), playing=2)
    assert [each.piece for _, each in found.unread if each.reason == Cause.OVERLAP] == ["B1.1"] * doubt


def test_a_tile_in_two_areas_that_it_faces_alike_is_in_doubt() -> None:
    """The nearer marker decided, even if it was that of a neighbour who laid it into a seat's building ground."""
    beside = (lying("TT:SEAT1", 30, 300), lying("TT:SEAT2", 230, 300))
    found = score_of(reading(*beside, *stand((("B1.1", "B2.1"),), x=80, y=300), lying("PZ:M1.1", 290, 250)))
    assert [each.piece for _, each in found.unread if each.reason == Cause.OVERLAP] == ["M1.1"]


@pytest.mark.parametrize("apart", [0.0, 40.0])
def test_structures_of_two_seats_edge_to_edge_are_in_doubt(apart: float) -> None:
    """A palazzo that grew into the neighbour's area was cut in two."""
    cards = lying("TT:PLOT1", 20, 330), lying("TT:PLOT2", 400, 330)
    row = [lying(f"PP:TM{value}", 321 + 42 * value + apart * (value > 2), 239) for value in range(6)]
    seen = reading(*cards, *row, seen=plane(size=(900, 500)))
    found = score([seen], PIECEPACK, PiecepackTally(frozenset({NO_CARRIER}), make="printed"), 2)
    told = [each.piece for _, each in found.unread if each.reason == Cause.OVERLAP]
    assert told == ([] if apart else ["TM2", "TM3"])
    assert found.sound == bool(apart)
