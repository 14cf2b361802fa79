"""What scores little is looked at only if it has contrast: dark edges beside a tag add contrast, grain has none."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tabletop.vision.frame import Grey
from tabletop.vision.recognise.candidates import FAIR_SCORE, CandidateFinder, Candidates
from tabletop.vision.recognise.rectified import COARSE_MODULE_PX
from tabletop.vision.recognise.templates import Templates
from tabletop.vision.tags.patterns import CODE_MODULES
from tests.vision.recognise.tiles import PIECES

MIDDLE_PX = 70.0


@pytest.fixture(scope="module")
def finder() -> CandidateFinder:
    return CandidateFinder(Templates(PIECES).mean, len(PIECES))


def table(*, grain: float, tag: bool, paper: int = CODE_MODULES + 4) -> Grey:
    """Return a rectified even table with grain, and in its middle a tag on dark ground with a margin of paper.

    ``paper``: the side of the tag with its margin, modules.
    """
    modules = np.full((200, 200), 150, np.uint8)
    if tag:
        pattern = np.array(next(iter(PIECES.values())))
        for side, level in ((paper + 6, 20), (paper, 230)):
            start = 100 - side // 2
            modules[start : start + side, start : start + side] = level
        start = 100 - CODE_MODULES // 2
        modules[start : start + CODE_MODULES, start : start + CODE_MODULES][pattern] = 20
    large = cv2.resize(modules, None, fx=7, fy=7, interpolation=cv2.INTER_NEAREST).astype(np.float32)
    side = round(200 * COARSE_MODULE_PX)
    grey = cv2.resize(large, (side, side), interpolation=cv2.INTER_AREA)
    noise = np.asarray(cv2.GaussianBlur(np.random.default_rng(5).normal(0, 1, (side, side)), (0, 0), 0.8))
    seen = np.asarray(cv2.GaussianBlur(grey, (0, 0), 0.8)) + noise / noise.std() * grain
    return np.asarray(seen.clip(0, 255), np.uint8)


def found(finder: CandidateFinder, grey: Grey) -> tuple[Candidates, np.ndarray]:
    """Return the candidates in a picture, and the distance, px, of each from its middle."""
    candidates = finder.find(grey, np.ones(grey.shape, np.bool_))
    return candidates, np.hypot(*(candidates.places - MIDDLE_PX).T)


def test_grain_beside_a_tag_gives_no_candidate(finder: CandidateFinder) -> None:
    """The same grain looks like tags where nothing shows how much contrast tags have."""
    alone, _ = found(finder, table(grain=6, tag=False))
    assert len(alone.scores) > 10
    beside, away = found(finder, table(grain=6, tag=True, paper=27))
    assert not (away > CODE_MODULES).any()
    assert beside.scores.max() > FAIR_SCORE


def test_a_tag_within_dark_edges_is_a_candidate_though_it_scores_little(finder: CandidateFinder) -> None:
    """Dark edges close to its code lower a tag's score as much as if it were grain."""
    candidates, away = found(finder, table(grain=6, tag=True))
    (score,) = candidates.scores[away < 2]
    assert score < FAIR_SCORE


def test_places_much_paler_than_others_are_left_out_if_no_pale_ones_are_wanted(finder: CandidateFinder) -> None:
    """A first search of a picture asks for places with contrast only: grain gives it nothing to compare."""
    grey = table(grain=6, tag=False)
    grey[:40] = 255 * (np.arange(40)[:, None] // 4 % 2)
    everywhere = np.ones(grey.shape, np.bool_)
    rows = [finder.find(grey, everywhere, 80, pale=pale).places[:, 1] for pale in (True, False)]
    assert (rows[0] > 60).any()
    assert not (rows[1] > 60).any()
