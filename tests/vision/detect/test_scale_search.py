"""Unknown tag sizes are found by one coarse search, then close ones at the sizes in between."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from tabletop.vision.detect.detector import Detector
from tabletop.vision.detect.other_sets import OtherSets
from tabletop.vision.detect.scale_search import aslant, from_above, read_at_sizes, resized, search_scales
from tabletop.vision.frame import Grey
from tabletop.vision.geometry.plane import Array, Plane
from tabletop.vision.recognise.known_tags import KnownTagCheck
from tabletop.vision.recognise.recognised import RecognisedTag
from tabletop.vision.recognise.recogniser import Recogniser
from tabletop.vision.tags.patterns import patterns_of
from tests.vision.small_table import MARKERS, PATTERNS, SIZES, TILES, picture

SIDE = TILES[0].side
NAMES = {one.payload for one in TILES}
ALL = [*MARKERS, *TILES]


@pytest.fixture(scope="module")
def recogniser() -> Recogniser:
    return Recogniser({payload: PATTERNS[payload] for payload in NAMES}, SIDE)


@pytest.fixture(scope="module")
def plane() -> Plane:
    """The plane of a picture that shows the table from straight above."""
    found = Detector(PATTERNS, SIZES).detect(picture(ALL)).plane
    assert found is not None
    return found


@pytest.mark.parametrize("size", [0.92, 1.0, 1.08])
def test_tags_a_tenth_larger_or_smaller_than_assumed_are_recognised(
    recogniser: Recogniser, plane: Plane, size: float
) -> None:
    wrong = resized(plane, size)
    image = recogniser.view(wrong).take(picture(ALL))
    seen = [*read_at_sizes(recogniser, recogniser.places(image))]
    assert {one.payload for each in seen for one in each.found} == NAMES


def test_places_lie_on_any_plane_where_the_picture_shows_them(recogniser: Recogniser, plane: Plane) -> None:
    """Converted to an oblique plane, places have the same pixels; scaled without a turn, they have the same angles."""
    places = recogniser.places(recogniser.view(plane).take(picture(ALL)))
    other = aslant(resized(plane, 1.3), 90.0)
    there = places.on(other)
    assert np.allclose(other.to_px(there.middles), plane.to_px(places.middles))
    straight = places.on(resized(plane, 1.3))
    assert np.allclose(np.exp(1j * straight.turns), np.exp(1j * places.turns))


def test_sizes_go_down_to_the_least_that_is_asked_for() -> None:
    modules = [SIDE / 25 / plane.matrix[0, 0] for plane in from_above((1080, 1920), SIDE, 1.0)]
    assert modules[0] == pytest.approx(5.0)
    assert modules == sorted(modules, reverse=True)
    assert 0.9 < modules[-1] < 1.13


def test_where_all_is_read_little_is_looked_over_for_tags_of_other_sides(
    recogniser: Recogniser, plane: Plane, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a plain table only parts with as much ink as tags, beside the tags that were read, are searched."""
    grey = picture(ALL)
    read = Detector(PATTERNS, SIZES).detect(grey).sightings
    looked: list[int] = []
    places = Recogniser.places

    def counted(self: Recogniser, image: Any, *how: Any) -> Any:
        looked.append(image.grey.size)
        return places(self, image, *how)

    monkeypatch.setattr(Recogniser, "places", counted)
    look = OtherSets(grey, plane, read, SIDE)
    look.of_other_sides(recogniser)
    assert look.found == []
    assert sum(looked) < recogniser.view(plane).take(grey).grey.size / 2


def test_on_pieces_that_have_no_room_for_another_tag_none_is_looked_for(
    recogniser: Recogniser, plane: Plane, monkeypatch: pytest.MonkeyPatch
) -> None:
    grey = picture(ALL)
    read = Detector(PATTERNS, SIZES).detect(grey).sightings[:-1]
    whole = plane.to_mm(np.array([(0.0, 0.0), (grey.shape[1], 0.0), grey.shape[::-1], (0.0, grey.shape[0])]))
    monkeypatch.setattr(Recogniser, "places", lambda *_: pytest.fail("a part is looked over"))
    OtherSets(grey, plane, read, SIDE, [whole]).of_other_sides(recogniser)


def test_a_tag_that_a_decoder_read_is_not_measured_again_for_the_plane(monkeypatch: pytest.MonkeyPatch) -> None:
    grey, detector = picture(ALL), Detector(PATTERNS, SIZES)
    decoded = detector.decoding.all(grey)
    ours = {one.tag.payload for one in decoded.tags}
    measured: set[str] = set()
    skewed = KnownTagCheck.skewed

    def watched(self: KnownTagCheck, grey: Grey, plane: Plane, known: Sequence[RecognisedTag]) -> list[Array]:
        measured.update(one.payload for one in known)
        return skewed(self, grey, plane, known)

    monkeypatch.setattr(KnownTagCheck, "skewed", watched)
    detector.detect(grey, decoded=decoded, photo=True)
    assert ours
    assert not measured & ours


def test_a_search_for_another_set_uses_the_candidates_of_the_first_again(
    recogniser: Recogniser, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Searching a photograph for candidates takes half of the time; they hardly depend on the set."""
    grey = picture(ALL)
    planes = [*from_above((grey.shape[0], grey.shape[1]), SIDE, 1.0)]
    other = Recogniser(patterns_of(payload.replace(":", "B:") for payload in NAMES), SIDE)
    seen = search_scales(other, grey, planes)
    assert not seen.all
    assert seen.unnamed_tags is not None
    spotted = seen.unnamed_tags.spotted
    assert len(spotted) == len(planes)
    monkeypatch.setattr(Recogniser, "places", lambda *_: pytest.fail("It searches again."))
    assert search_scales(recogniser, grey, planes, earlier=spotted).all.keys() >= NAMES
