"""A piece missed in one picture right beside a piece that is read: the place is not bare, and is looked at again."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tabletop.vision.live.reread.retries import HIDDEN_RETRY_PICTURES
from tabletop.vision.recognise.recognised import RecognisedTag
from tabletop.vision.scene import Unreadable
from tests.vision.live.watched import Watched
from tests.vision.small_table import MARKERS, TILES, picture

READ, FAINT = (replace(tile, x=x, y=-30, angle=0) for tile, x in ((TILES[0], -35), (TILES[1], 4)))


@pytest.mark.parametrize("is_readable", [True, False])
def test_a_piece_that_was_laid_beside_another_under_a_hand_is_read_or_reported(
    monkeypatch: pytest.MonkeyPatch, is_readable: bool
) -> None:
    """An OK waits for a look at several pictures, after which the piece is read or a spot is reported."""
    watched = Watched()
    watched.show(picture([*MARKERS, *TILES[2:]]))
    region = watched.tracker.detector.region

    def faint(*where: Any, **options: Any) -> tuple[list[RecognisedTag], list[Unreadable]]:
        tags, _ = region(*where, **options)
        known = is_readable and options.get("hidden")
        return [tag for tag in tags if known or tag.payload != FAINT.payload], []

    monkeypatch.setattr(watched.tracker.detector, "region", faint)
    laid = [*MARKERS, READ, FAINT, *TILES[2:]]
    watched.show(picture(laid, hand=(-15, 10)), 3)
    watched.show(picture(laid), 3)
    assert READ.payload in watched.lying()
    seeking = [watched.standing.seeking]
    watched.show(picture(laid), 2 * HIDDEN_RETRY_PICTURES)
    assert [*seeking, watched.standing.seeking] == [True, False]
    assert (FAINT.payload in watched.lying()) is is_readable
    assert len(watched.standing.spots) == (0 if is_readable else 1)
