"""Markers far from the tags that were read, where a plane fitted to a few tags is wrong."""

from __future__ import annotations

import numpy as np
import pytest

from tabletop.vision.detect.distant_markers import distant_markers
from tabletop.vision.detect.refine_plane import OnPlane
from tabletop.vision.geometry.boxes import square
from tabletop.vision.geometry.plane import Plane
from tabletop.vision.geometry.plane_fit import Square
from tabletop.vision.recognise.recognised import RecognisedTag
from tabletop.vision.recognise.recogniser import Recogniser
from tabletop.vision.recognise.rectified import RectifiedView
from tabletop.vision.tags.patterns import pattern
from tests.campaigns.final_tables import laid_out, read
from tests.campaigns.odd_photographs import wide


def test_with_a_wide_lens_the_other_end_of_the_table_is_read() -> None:
    """With one seat's marker decoded, the other seat is read, though its tags look a fifth too small on that plane."""
    rng = np.random.default_rng([2, 7, *b"wide"])
    table = laid_out(rng)
    seen = {sighting.payload for sighting in read(wide(rng, table)).sightings}
    assert {"TT:SEAT1", "TT:SEAT2"} < seen
    assert {piece.name for piece in table.pieces if piece.name} <= seen


@pytest.mark.parametrize(("apart", "is_asked"), [(25, True), (80, True), (90, False), (150, False)])
def test_markers_are_looked_for_only_where_the_plane_may_be_wrong(
    apart: float, is_asked: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nine tags close together leave the sizes at the edges uncertain; the same tags farther apart do not."""
    grey = np.full((1500, 2000), 128, np.uint8)
    plane = Plane(np.diag((0.5, 0.5, 1.0)), 0.0, (1500, 2000))
    tags = [
        RecognisedTag("PZ:R1", square((500 + apart * column, 375 + apart * row), 10), 0.9, 0.9, 1.0)
        for column in (-1, 0, 1)
        for row in (-1, 0, 1)
    ]
    squares = [Square(plane.to_px(tag.corners), 20.0) for tag in tags]
    asked: list[Plane] = []
    marker = Recogniser({"TT:SEAT1": pattern("TT:SEAT1")}, 25.0)

    def view(plane: Plane) -> RectifiedView:
        asked.append(plane)
        return Recogniser.view(marker, plane)

    monkeypatch.setattr(marker, "view", view)
    assert distant_markers([marker], grey, OnPlane(plane, tags, []), squares) == []
    assert bool(asked) == is_asked
