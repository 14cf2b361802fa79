"""Columns of tiles are read whatever the tiles' size, and a gap or a tile upside down is in doubt."""

from __future__ import annotations

import pytest

from tabletop.vision.scene import Cause, Sighting
from tests.vision.score.pictures import ON_THE_TABLE, lying, palazzi, reading, reasons, score_of, stand


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
