"""The reason why a tag cannot be read is reported if picture and plane show it."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from bench.painting import Lying, Painter
from tabletop.vision.geometry.plane import Plane
from tabletop.vision.recognise.recogniser import Recogniser
from tabletop.vision.recognise.unreadable_reason import find_reason
from tabletop.vision.tags import patterns
from tests.vision.recognise.tiles import NEAR, PIECES, photographed

GREY = np.full((50, 50), 120, np.uint8)


def outline(x: float, y: float, side: float = 20.0) -> np.ndarray:
    return np.array([(x, y), (x + side, y), (x + side, y + side), (x, y + side)])


def flat(mm: float) -> Plane:
    """Return the plane of a camera straight above with 800 by 600 px, each ``mm`` wide."""
    return Plane(np.diag((mm, mm, 1.0)), 0.0, (600, 800))


def burnt(share: float) -> np.ndarray:
    light = GREY.copy()
    light[: round(50 * share)] = 255
    return light


@pytest.mark.parametrize(
    ("plane", "place", "light", "patchy", "reason"),
    [
        (flat(0.5), (100, 100), GREY, 0.0, "unknown"),
        (flat(0.5), (100, 100), burnt(0.3), 0.0, "glare"),
        (flat(0.5), (100, 100), burnt(0.04), 0.0, "unknown"),
        (flat(0.5), (390, 100), GREY, 0.0, "cut-off"),
        (flat(0.5), (100, -6), GREY, 0.5, "cut-off"),
        (flat(1.2), (100, 100), GREY, 0.0, "too-small"),
        (flat(0.5), (100, 100), GREY, 0.5, "covered"),
    ],
)
def test_each_reason_is_recognised_by_its_own_sign(
    plane: Plane, place: tuple[int, int], light: NDArray[np.uint8], patchy: float, reason: str
) -> None:
    """White px mean glare, the picture's edge a cut, few px per module a small tag, a fit without a part a cover."""
    assert find_reason(plane, outline(*place), light, patchy) == reason


def doubts(painter: Painter) -> list[str]:
    recogniser = Recogniser(PIECES, 20.0)
    return [one.reason for one in recogniser.read(recogniser.view(NEAR).take(photographed(painter))).doubts]


@pytest.mark.parametrize("seed", range(3))
def test_half_a_tag_under_a_card_is_covered(seed: int) -> None:
    """The visible half is recognised as part of a tag, although it does not show which tag it is."""
    painter = Painter(np.random.default_rng(seed), 520, 390)
    payload = list(PIECES)[7 * seed]
    painter.tag(PIECES[payload], Lying(payload, 0, 0, 10, 20))
    painter.paste(np.full((300, 300), 120, np.uint8), 7, 0, 10, 16)
    assert doubts(painter) == ["covered"]


def test_a_strange_code_is_neither_covered_nor_cut_off() -> None:
    """A fully visible foreign code is unreadable for an unknown reason."""
    painter = Painter(np.random.default_rng(1), 520, 390)
    painter.paste(patterns.draw(patterns.encode("ELSEWHERE", 3), 10), 0, 0, 20, 20)
    assert doubts(painter) == ["unknown"]


def test_a_tag_that_reaches_out_of_the_picture_is_cut_off() -> None:
    """A code cut by the picture's edge is reported as cut off, even if it is foreign."""
    painter = Painter(np.random.default_rng(1), 520, 390)
    painter.paste(patterns.draw(patterns.encode("ELSEWHERE", 3), 10), -253, 0, 0, 20)
    assert doubts(painter) == ["cut-off"]
