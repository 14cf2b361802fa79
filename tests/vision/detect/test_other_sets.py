"""Tags of another set than the expected one: the set is named if it can be inferred."""

from __future__ import annotations

from copy import copy

import numpy as np
import pytest

from bench.painting import Lying, Painter
from tabletop.rules import registry
from tabletop.vision.detect.other_sets import _joined
from tabletop.vision.image.load import Picture
from tabletop.vision.kit import Kit
from tabletop.vision.photo.read_photo import read_photo
from tests.vision.recognise.tiles import PIECES, photographed


def test_parts_are_searched_together_if_that_takes_no_larger_area() -> None:
    beside = (0.0, 0.0, 60.0, 60.0), (50.0, 5.0, 110.0, 65.0)
    far, crossing = (500.0, 0.0, 560.0, 60.0), (520.0, -300.0, 530.0, 300.0)
    assert _joined([*beside, far, crossing]) == [(0.0, 0.0, 110.0, 65.0), far, crossing]


@pytest.mark.parametrize("count", [0, 1])
def test_a_picture_of_foreign_tags_is_read_for_a_game_that_has_hardly_any(count: int) -> None:
    """A game with no or hardly any pieces has no set that could explain the foreign tags."""
    palazzo = registry.game("palazzo")
    game = copy(palazzo)
    game.pieces = dict([*palazzo.pieces.items()][-1:][:count])
    painter = Painter(np.random.default_rng(1), 520, 390)
    for number, payload in enumerate([*PIECES][:12]):
        painter.tag(PIECES[payload], Lying(payload, 100 * (number % 4) - 150, 100 * (number // 4) - 100, 20, 20))
    grey = photographed(painter)
    assert read_photo(Picture("photo", grey, np.dstack([grey] * 3)), Kit(game)).sightings == ()
