"""A tag that is only likely is accepted if another picture shows it in the same place."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tabletop.messages import Message
from tabletop.vision.scene import Cause, Unreadable
from tabletop.vision.score.lacking_pieces import confirmed
from tests.vision.score.pictures import (
    FIRST,
    ON_THE_TABLE,
    lying,
    no_tag,
    reading,
    reasons,
    score_of,
    stand,
    stretched,
    unread_at,
)

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
    """A part that reaches the tag is explained by it; a part off the tag may be another tile's."""
    shown = reading(*stand(FIRST))
    for x, left in ((60 + 13, []), (60 - 32, ["no-tag"])):
        part = reading(*stand(FIRST, but=["B4.2"]), unread=[no_tag(x, 171, 30, 24)])
        assert reasons(score_of(part, shown)) == left


@pytest.mark.parametrize(
    ("reason", "width", "height", "left"),
    [
        (Cause.UNKNOWN, 17, 17, False),
        (Cause.NO_TAG, 24, 24, False),
        (Cause.NO_TAG, 120, 100, True),
        (Cause.WASHED_OUT, 120, 100, True),
        (Cause.DARK, 340, 170, True),
        (Cause.BUSY, 24, 24, True),
        (Cause.OVERLAID, 24, 24, True),
    ],
)
def test_what_hides_more_than_a_tag_stays_in_doubt_though_another_picture_shows_that_tag(
    reason: Cause, width: int, height: int, left: bool
) -> None:
    """A hand or a dark seat around a tag hides other places as well, in both pictures."""
    doubt = Unreadable(reason, Message("Something may be hidden here."), stretched(HIDDEN.x, HIDDEN.y, width, height))
    unsure = replace(reading(*ON_THE_TABLE, *stand(FIRST, but=["S2.1"]), unread=[doubt]), likely=(HIDDEN,))
    shown = reading(*ON_THE_TABLE, *stand(FIRST), unread=[doubt] if left else [])
    assert (confirmed([unsure, shown])[0].unread == (doubt,)) == left
    found = score_of(unsure, shown)
    assert reasons(found) == [reason, reason] * left
    assert found.sound != left


def test_a_doubt_about_the_tile_that_another_picture_shows_is_resolved_by_its_tag() -> None:
    covered = [no_tag(HIDDEN.x, HIDDEN.y, 44, 29), unread_at(HIDDEN.x, HIDDEN.y)]
    unsure = replace(reading(*ON_THE_TABLE, *stand(FIRST, but=["S2.1"]), unread=covered), likely=(HIDDEN,))
    assert score_of(unsure, reading(*ON_THE_TABLE, *stand(FIRST))).sound
