"""What one picture shows of a seat and another one elsewhere counts for nobody, and is told."""

from __future__ import annotations

import pytest

from tabletop.vision.scene import Sighting
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


def test_a_tile_at_the_edge_of_an_area_may_lie_on_either_side_of_it() -> None:
    """Two pictures of a tile that lies still differ by a few millimetres."""
    inside, beside = lying("PZ:M1.1", 380, 240), lying("PZ:M1.1", 388, 240)
    found = score_of(*(reading(*SEATS, *stand(FIRST), each, seen=WIDE) for each in (inside, beside)))
    assert "contradiction" not in reasons(found)
