"""A closer look finds more in the zones that count, and accepts only tags as certain as a lone tag must be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import pytest

from tabletop.vision.detect.overlap import Spot
from tabletop.vision.frame import Grey
from tabletop.vision.geometry.boxes import Box, holds
from tabletop.vision.geometry.plane import Plane
from tabletop.vision.photo.closer_look import look_closer
from tabletop.vision.recognise.recognised import RecognisedTag
from tabletop.vision.scene import ReadBy, Sighting, Unreadable

PLANE = Plane(np.eye(3), 0.0, (600, 600))
GREY = np.zeros((600, 600), np.uint8)
AREA = np.array([(0.0, 0.0), (400.0, 0.0), (400.0, 180.0), (0.0, 180.0)])
SIDE = 20.0


def lying(payload: str, x: float, y: float, score: float = 0.8, margin: float = 0.4) -> RecognisedTag:
    square = np.array([(-8.0, -8.0), (8.0, -8.0), (8.0, 8.0), (-8.0, 8.0)])
    return RecognisedTag(payload, square + np.array((x, y)), score, margin, 1.0)


def sighted(payload: str, x: float, y: float) -> Sighting:
    return Sighting(payload, x, y, 0.0, ((x, y),) * 4, 1.0, ReadBy.RECOGNISED)


@dataclass
class Shown:
    """Stands in for a detector whose small parts show these tags, and records the parts that were looked at."""

    tags: Sequence[RecognisedTag]
    parts: list[Box] = field(default_factory=list)

    @property
    def sizes(self) -> dict[str, float]:
        return dict.fromkeys("ABCD", SIDE)

    def region(
        self, grey: Grey, plane: Plane, box: Box, *, markers: bool, hidden: bool, faint: bool
    ) -> tuple[list[RecognisedTag], list[Unreadable]]:
        assert hidden
        assert faint
        assert not markers
        self.parts.append(box)
        # Tags at the edge of a part are seen in the neighbouring part as well.
        left, top, right, bottom = box
        wide = (left - SIDE, top - SIDE, right + SIDE, bottom + SIDE)
        return [one for one in self.tags if holds(wide, one.place)], []

    def spot(self, one: RecognisedTag) -> Spot:
        return Spot(*one.place, SIDE, one.score + one.margin)


def found(tags: Sequence[RecognisedTag], read: Sequence[Sighting] = ()) -> tuple[set[str], set[str]]:
    """Return the payloads of the sure tags and of the likely ones."""
    closer = look_closer(Shown(tags), GREY, PLANE, read, [AREA])  # type: ignore[arg-type]
    sure, likely = ({one.payload for one in some} for some in closer)
    return sure, likely


def test_a_tag_at_the_edge_of_two_parts_is_added_once() -> None:
    assert found([lying("A", 200, 90), lying("B", 30, 30)]) == ({"A", "B"}, set())


@pytest.mark.parametrize(
    ("tag", "read"),
    [
        pytest.param(lying("A", 50, 50), [sighted("B", 58, 50)], id="upon another tag"),
        pytest.param(lying("A", 50, 50), [sighted("A", 350, 50)], id="read elsewhere"),
    ],
)
def test_tags_that_cannot_be_in_the_area_are_left_out(tag: RecognisedTag, read: Sequence[Sighting]) -> None:
    assert found([tag], read) == (set(), set())


def test_a_tag_that_is_accepted_only_in_company_is_likely() -> None:
    assert found([lying("A", 50, 50, 0.6, 0.3), lying("B", 120, 50)]) == ({"B"}, {"A"})


def test_a_tag_that_is_read_meanwhile_is_no_longer_likely() -> None:
    closer = look_closer(Shown([lying("A", 50, 50, 0.6, 0.3)]), GREY, PLANE, [], [AREA])  # type: ignore[arg-type]
    assert closer.without([sighted("B", 50, 50)]) == closer
    assert closer.without([sighted("A", 50, 50)]).likely == ()


def test_a_tag_that_is_found_in_two_places_is_added_in_neither() -> None:
    assert found([lying("A", 50, 50), lying("A", 350, 50), lying("B", 120, 50)]) == ({"B"}, set())


def test_parts_are_small_whatever_the_area_and_cover_it() -> None:
    """Faint tags are searched for in small parts, which together cover the area."""
    shown = Shown([])
    look_closer(shown, GREY, PLANE, [], [AREA])  # type: ignore[arg-type]
    assert [(part[2] - part[0], part[3] - part[1]) for part in shown.parts] == [(200.0, 180.0)] * 2
    assert {part[0] for part in shown.parts} == {0.0, 200.0}
