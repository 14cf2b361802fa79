"""A tag that is only likely is accepted if another picture shows it in the same place."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tabletop.vision.score.lacking_pieces import confirmed
from tests.vision.score.pictures import FIRST, lying, no_tag, reading, reasons, score_of, stand

HIDDEN = next(one for one in stand(FIRST) if one.payload == "PZ:S2.1")


@pytest.mark.parametrize(("aside", "read"), [(0.0, True), (5.0, True), (40.0, False)])
def test_a_likely_tag_is_read_if_another_picture_shows_it_there(aside: float, read: bool) -> None:
    unsure = replace(reading(*stand(FIRST, but=["S2.1"])), likely=(HIDDEN,))
    shown = reading(*stand(FIRST, but=["S2.1"]), lying(HIDDEN.payload, HIDDEN.x + aside, HIDDEN.y))
    first, second = confirmed([unsure, shown])
    assert (HIDDEN in first.sightings) == read
    assert second.sightings == shown.sightings


def test_two_pictures_in_which_a_tag_is_likely_confirm_nothing() -> None:
    unsure = replace(reading(*stand(FIRST, but=["S2.1"])), likely=(HIDDEN,))
    assert confirmed([unsure, unsure]) == [unsure, unsure]


def test_the_part_of_a_tile_that_shows_no_tag_is_explained_by_its_tag_in_another_picture() -> None:
    """The middle of that part is not where the tag is; a part without the tag may be that of another tile."""
    shown = reading(*stand(FIRST))
    for x, left in ((60 + 13, []), (60 - 32, ["no-tag"])):
        part = reading(*stand(FIRST, but=["B4.2"]), unread=[no_tag(x, 171, 30, 24)])
        assert reasons(score_of(part, shown)) == left
