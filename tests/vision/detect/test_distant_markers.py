"""Markers far from what was read, where the plane of a few tags is wrong."""

from __future__ import annotations

import numpy as np

from tests.campaigns.final_tables import laid_out, read
from tests.campaigns.odd_photographs import wide


def test_with_a_wide_lens_the_other_end_of_the_table_is_read() -> None:
    """Only one seat's marker is decoded there, and on its plane the other seat's tags look a fifth too small."""
    rng = np.random.default_rng([2, 7, *b"wide"])
    table = laid_out(rng)
    seen = {sighting.payload for sighting in read(wide(rng, table)).sightings}
    assert {"TT:SEAT1", "TT:SEAT2"} < seen
    assert {piece.name for piece in table.pieces if piece.name} <= seen
