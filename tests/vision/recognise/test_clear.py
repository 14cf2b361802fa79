"""The part that all tags share shows how clearly a tag is seen: noise and shadow lower it, its identity does not."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tabletop.rules import registry
from tabletop.vision.kit import Kit
from tabletop.vision.recognise.fit.shift import GRID_SIDE
from tabletop.vision.recognise.templates import SOFT_BLUR, Templates
from tabletop.vision.tags.patterns import TAG_MODULES, encode

KIT = Kit(registry.game("palazzo"))
TEMPLATES = Templates({one.payload: KIT.patterns[one.payload] for one in KIT.pieces})
REST = (TAG_MODULES - GRID_SIDE) // 2


def samples(whole: np.ndarray, contrast: float, noise: float) -> np.ndarray:
    """Return samples of a whole tag with a contrast under softened noise, both in grey levels."""
    rng = np.random.default_rng(4)
    grain = cv2.GaussianBlur(rng.normal(0, 1, whole.shape), (0, 0), 0.5)
    seen = cv2.GaussianBlur(whole, (0, 0), SOFT_BLUR) * contrast + grain / grain.std() * noise + 120
    result: np.ndarray = seen[REST:-REST, REST:-REST].reshape(1, -1).astype(np.float32)
    return result


def clear(whole: np.ndarray, contrast: float, noise: float) -> float:
    return float(TEMPLATES.clear(samples(whole, contrast, noise)).score[0])


@pytest.mark.parametrize("noise", [2.0, 8.0, 16.0])
def test_it_is_the_score_that_a_tag_of_ours_has_there(noise: float) -> None:
    """The clarity, found without knowing the tag, equals the score against the tag's own pattern."""
    for whole in TEMPLATES.whole[::40]:
        score = TEMPLATES.full.scores(samples(whole, 60, noise)).max()
        assert clear(whole, 60, noise) == pytest.approx(float(score), abs=0.1)


def test_a_foreign_code_is_seen_as_clearly() -> None:
    """A foreign code with the same finder patterns is seen as clearly as a tag of ours."""
    foreign = np.pad(np.where(encode("HELLO", 3), -1.0, 1.0), 2, constant_values=1.0).astype(np.float32)
    assert clear(foreign, 60, 12) == pytest.approx(clear(TEMPLATES.whole[0], 60, 12), abs=0.07)


def left_over(whole: np.ndarray, noise: float) -> float:
    """Return the ratio of what the best identity leaves unexplained to the noise."""
    seen = samples(whole, 60, noise)
    left = TEMPLATES.full.rest(seen) * (1 - TEMPLATES.full.scores(seen).max() ** 2)
    return float(np.sqrt(left / TEMPLATES.clear(seen).noise)[0])


@pytest.mark.parametrize("noise", [4.0, 8.0])
def test_a_tag_of_ours_leaves_noise_over_and_a_foreign_code_more(noise: float) -> None:
    """The unexplained rest of our tags is noise, as strong as in the shared part; that of a foreign code is more."""
    foreign = np.pad(np.where(encode("HELLO", 3), -1.0, 1.0), 2, constant_values=1.0).astype(np.float32)
    ours = max(left_over(whole, noise) for whole in TEMPLATES.whole[::20])
    assert ours < 1.2
    assert left_over(foreign, noise) > 1.3


def test_bare_ground_shows_nothing_clearly() -> None:
    """A place without a tag has a low clarity."""
    assert clear(np.ones_like(TEMPLATES.whole[0]), 60, 12) < 0.3


def test_what_is_seen_softer_is_compared_with_softer_patterns() -> None:
    """A blur of 1.5 modules is noticed, and tags then fit the softer patterns better."""
    whole = TEMPLATES.whole[7]
    sharp, soft = (samples(cv2.GaussianBlur(whole, (0, 0), more), 60, 2) for more in (0.1, 1.3))
    assert [bool(TEMPLATES.clear(each).softer[0]) for each in (sharp, soft)] == [False, True]
    assert TEMPLATES.softer.scores(soft).max() > TEMPLATES.full.scores(soft).max() + 0.05
