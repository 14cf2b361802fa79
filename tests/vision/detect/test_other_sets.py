"""Tags of another set than the expected one: the set is named if it can be inferred."""

from __future__ import annotations

from copy import copy

import numpy as np
import pytest

from bench.painting import Lying, Painter
from tabletop.rules import registry
from tabletop.vision.detect.other_sets import _joined, pieces, set_at, tags_of_games
from tabletop.vision.detect.scale_search import UnnamedTags
from tabletop.vision.image.load import Picture
from tabletop.vision.kit import Kit
from tabletop.vision.photo.read_photo import read_photo
from tabletop.vision.recognise.recogniser import Recogniser
from tabletop.vision.scene import Cause, Unreadable
from tests.vision.recognise.tiles import NEAR, PIECES, photographed


def test_parts_are_searched_together_if_that_takes_no_larger_area() -> None:
    beside = (0.0, 0.0, 60.0, 60.0), (50.0, 5.0, 110.0, 65.0)
    far, crossing = (500.0, 0.0, 560.0, 60.0), (520.0, -300.0, 530.0, 300.0)
    assert _joined([*beside, far, crossing], 0.0) == [(0.0, 0.0, 110.0, 65.0), far, crossing]


def test_parts_are_searched_together_if_the_room_between_them_is_small() -> None:
    one, other = (0.0, 0.0, 60.0, 60.0), (80.0, 0.0, 140.0, 60.0)
    assert _joined([one, other], 1300.0) == [(0.0, 0.0, 140.0, 60.0)]
    assert _joined([one, other], 1100.0) == [one, other]


def test_a_set_that_clear_tags_show_is_named_without_its_faint_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    """Faint tags take longest, and are judged only if the clear ones name no set."""
    game, kit = registry.game("palazzo"), Kit(registry.game("palazzo"), letter="C")
    own = pieces(game, "C")
    painter, places = Painter(np.random.default_rng(1), 520, 390), list[Unreadable]()
    for number, payload in enumerate([*own][:4]):
        x, y = 100 * number - 150, 0
        painter.tag(own[payload], Lying(payload, x, y, 20, 20))
        places.append(Unreadable(Cause.UNKNOWN, place=(x + 260.0, y + 195.0), alike=0.5))
    monkeypatch.setattr(Recogniser, "read", None)
    assert set_at(UnnamedTags(NEAR, tuple(places)), photographed(painter), [game], kit.tag_mm) == (game, "C")


@pytest.mark.parametrize(("count", "is_kept"), [(4, False), (2, True)])
def test_candidates_are_kept_only_if_another_search_may_be_needed(count: int, is_kept: bool) -> None:
    """They hold parts of the picture at every size, which take up to 30 MB while it is read."""
    kit = Kit(registry.game("piecepack"))
    painter, lying = Painter(np.random.default_rng(1), 520, 390), [each.payload for each in kit.pieces[:count]]
    for number, payload in enumerate(lying):
        painter.tag(kit.patterns[payload], Lying(payload, 100 * number - 150, 0, 20, 20))
    search = tags_of_games(photographed(painter), registry.games(), kit.tag_mm)
    assert search is not None
    assert sorted(search.found) == sorted(lying)
    assert bool(search.spotted) == is_kept


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
