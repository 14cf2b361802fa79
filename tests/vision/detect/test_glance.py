"""A picture is searched again only if the plane has changed much, and for faint tags only if few are clear."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tabletop.vision.detect.glance import ENOUGH_TAGS, MAX_SHIFT_MM, Glance
from tabletop.vision.geometry.plane import Plane
from tabletop.vision.recognise.recognised import Recognised, RecognisedTag
from tabletop.vision.recognise.recogniser import Recogniser, Spotted
from tabletop.vision.recognise.rectified import RectifiedImage
from tabletop.vision.tags.patterns import pattern

PLANE = Plane(np.diag((0.5, 0.5, 1.0)), 0.0, (600, 800))
EDGE_MM = 0.4 * 800 * 0.5
"""The distance from the picture's middle, mm across, at which planes are compared."""


def larger(growth_mm: float) -> Plane:
    """Return a plane on which everything near the picture's edges is that much farther from its middle."""
    factor = 1 + growth_mm / EDGE_MM
    return replace(PLANE, matrix=np.diag((factor, factor, 1.0)) @ PLANE.matrix)


@pytest.fixture
def looked(monkeypatch: pytest.MonkeyPatch) -> tuple[Glance, list[RectifiedImage]]:
    """Return a glance at a uniform picture, and the list of the images that were searched for it."""
    recogniser, images = Recogniser({"TT:SEAT1": pattern("TT:SEAT1")}, 25.0), list[RectifiedImage]()

    def hidden_places(image: RectifiedImage) -> Spotted:
        images.append(image)
        return Recogniser.hidden_places(recogniser, image)

    monkeypatch.setattr(recogniser, "hidden_places", hidden_places)
    return Glance(np.full(PLANE.shape, 128, np.uint8), {25.0: recogniser}), images


def test_a_plane_that_moves_little_shows_the_same_places(looked: tuple[Glance, list[RectifiedImage]]) -> None:
    glance, images = looked
    glance.found_on(PLANE)
    glance.found_on(larger(MAX_SHIFT_MM - 1))
    assert len(images) == 1
    assert glance.candidates_on(larger(MAX_SHIFT_MM - 1)) is not None


def test_a_plane_that_moves_much_is_looked_over_again(looked: tuple[Glance, list[RectifiedImage]]) -> None:
    glance, images = looked
    assert glance.candidates_on(PLANE) is None
    glance.found_on(PLANE)
    assert glance.candidates_on(larger(MAX_SHIFT_MM + 1)) is None
    glance.found_on(larger(MAX_SHIFT_MM + 1))
    assert len(images) == 2


@pytest.mark.parametrize(("clear", "looks"), [(ENOUGH_TAGS, [False]), (ENOUGH_TAGS - 1, [False, True])])
def test_faint_tags_are_looked_for_only_if_few_are_clear(
    clear: int, looks: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Clear tags show the plane as well, and judging the faint ones on each plane takes longest."""
    recogniser, asked = Recogniser({"TT:SEAT1": pattern("TT:SEAT1")}, 25.0), list[bool]()
    tag = RecognisedTag("TT:SEAT1", np.zeros((4, 2)), 0.9, 0.5, 1.0)

    def identified(_: Spotted, *, faint: bool) -> Recognised:
        asked.append(faint)
        return Recognised((tag,) * (clear + faint), ())

    monkeypatch.setattr(recogniser, "identified", identified)
    seen = Glance(np.full(PLANE.shape, 128, np.uint8), {25.0: recogniser}).found_on(PLANE)
    assert asked == looks
    assert len(seen.found) == ENOUGH_TAGS
