"""A pattern that continues beyond both ends of a place is not a tag, such as wood grain between two white cards."""

from __future__ import annotations

import numpy as np
import pytest

from bench.painting import Painter
from bench.renderers.grey_levels import LEVELS
from tabletop.rules import registry
from tabletop.simulator.world import World
from tabletop.vision.detect import stripes
from tabletop.vision.detect.detector import Detector
from tabletop.vision.detect.stripes import continues_as_stripe, unlike_stripes
from tabletop.vision.kit import Kit
from tabletop.vision.recognise.recognised import RecognisedTag
from tests.vision.small_table import MARKERS, PATTERNS, TILES, camera

SIDE = 20.0


def seen(painter: Painter, level: str) -> np.ndarray:
    return camera().see(painter, LEVELS[level], np.random.default_rng(1))


def between_cards() -> Painter:
    """Return two white cards one above the other, with a strip of wood a finger wide between them."""
    painter = Painter(np.random.default_rng(1), 600, 400)
    for y in (-34.5, 34.5):
        painter.paste(np.full((120, 300), 235, np.uint8), 0, y, 0, 150)
    for mark in MARKERS:
        painter.tag(PATTERNS[mark.payload], mark)
    return painter


@pytest.mark.parametrize("level", ["clean", "moderate", "hard"])
def test_wood_between_two_cards_runs_on_and_a_tag_does_not(detector: Detector, level: str) -> None:
    """Even a tag of which a card hides a third does not look like a strip that continues."""
    bare = between_cards()
    plane = detector.detect(seen(bare, level)).plane
    assert plane is not None
    assert all(continues_as_stripe(seen(bare, level), plane, (x, 0.0), SIDE) for x in (-40.0, 0.0, 30.0))
    for hidden in (False, True):
        painter = between_cards()
        for one in TILES:
            painter.tag(PATTERNS[one.payload], one)
            if hidden:
                painter.paste(np.full((60, 60), 225, np.uint8), one.x + 17, one.y, one.angle, 22)
        assert not any(continues_as_stripe(seen(painter, level), plane, (one.x, one.y), SIDE) for one in TILES)


def test_a_faint_name_is_refused_on_wood_that_runs_on_and_stays_on_a_tag(detector: Detector) -> None:
    """A faint reading is dropped on wood grain but kept on a tag; a sure reading is kept anywhere."""
    painter = between_cards()
    for one in TILES:
        painter.tag(PATTERNS[one.payload], one)
    grey = seen(painter, "clean")
    read = detector.detect(grey)
    assert read.plane is not None
    tags = [tag for tag in detector.region(grey, read.plane)[0] if tag.payload.startswith("PZ:")]
    faint = [tag._replace(score=0.4, margin=0.2) for tag in tags]
    assert unlike_stripes(grey, read.plane, faint, SIDE) == faint
    bare = seen(between_cards(), "clean")
    assert unlike_stripes(bare, read.plane, [_laid(faint[0], 0.0, 0.0)], SIDE) == []
    sure = _laid(tags[0], 0.0, 0.0)
    assert sure.is_sure
    assert unlike_stripes(bare, read.plane, [sure], SIDE) == [sure]


def test_a_tag_with_a_name_may_look_more_like_a_stripe_than_an_unread_place(
    detector: Detector, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bright bar of a mirrored window across a tag is visible on both sides of it as well."""
    painter = between_cards()
    for one in TILES:
        painter.tag(PATTERNS[one.payload], one)
    grey = seen(painter, "clean")
    plane = detector.detect(grey).plane
    assert plane is not None
    tag = detector.region(grey, plane)[0][0]._replace(score=0.4, margin=0.2)
    monkeypatch.setattr(stripes, "likeness", lambda *_: 0.75)
    assert continues_as_stripe(grey, plane, tag.place, SIDE)
    assert unlike_stripes(grey, plane, [tag], SIDE) == [tag]
    monkeypatch.setattr(stripes, "likeness", lambda *_: 0.85)
    assert unlike_stripes(grey, plane, [tag], SIDE) == []


def _laid(tag: RecognisedTag, x: float, y: float) -> RecognisedTag:
    return tag._replace(corners=tag.corners - tag.place + (x, y))


def test_at_the_start_of_a_game_the_wood_between_zone_cards_is_not_reported() -> None:
    kit = Kit(registry.game("palazzo"))
    world = World(kit.game, ["Ann", "Bob"], 5, 1, (2304, 1296), colour=True, clock=lambda: 0.0)
    assert Detector(kit.patterns, kit.sides).detect(world.camera.frame(0.0).grey).unreadable == ()
