"""How much of a part of a tag an identity leaves unexplained: noise if it is right, more if it is wrong."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tabletop.vision.recognise.covered_search import left_over
from tabletop.vision.recognise.templates import Templates, offsets
from tests.vision.recognise.tiles import PIECES

GREY = 60.0
"""Half the contrast of print, in grey levels."""


@pytest.fixture(scope="module")
def templates() -> Templates:
    return Templates(PIECES)


def samples(templates: Templates, which: int, noise: float, *, hidden: bool = False) -> np.ndarray:
    """Return samples of a tag, softened as for comparison; its right fifth may be hidden by something grey."""
    whole = GREY * templates.whole[which] + np.random.default_rng(which).normal(0, noise, templates.whole[which].shape)
    if hidden:
        whole[:, 20:] = 0
    result: np.ndarray = cv2.GaussianBlur(whole, (0, 0), 0.95)[1:-1, 1:-1].astype(np.float32).ravel()
    return result


@pytest.mark.parametrize("hidden", [False, True])
@pytest.mark.parametrize("which", [0, 40])
def test_the_right_tag_leaves_over_no_more_than_noise(templates: Templates, which: int, hidden: bool) -> None:
    seen = samples(templates, which, 15, hidden=hidden)
    assert left_over(templates, seen, which, templates.covered[0], 0) < 1.3


def test_a_wrong_tag_leaves_over_more(templates: Templates) -> None:
    seen = samples(templates, 0, 15)
    assert left_over(templates, seen, 1, templates.covered[0], 0) > 1.7


def test_only_what_was_compared_counts(templates: Templates) -> None:
    """The part that was left out of the comparison does not change the result."""
    seen = samples(templates, 0, 15)
    usual = left_over(templates, seen, 0, templates.covered[0], 0)
    seen[offsets()[0] > 8] = 999
    assert left_over(templates, seen, 0, templates.covered[0], 0) == pytest.approx(usual)
