"""The pose of a faint place is refined like that of any other place that is not clear."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from tabletop.vision.recognise import pose_search
from tabletop.vision.recognise.patches import FINE_MODULE_PX
from tabletop.vision.recognise.pose_search import PoseSearch
from tabletop.vision.recognise.templates import Templates
from tabletop.vision.recognise.thresholds import MIN_CLEAR_SCORE
from tests.vision.recognise.close_ups import close_up
from tests.vision.recognise.tiles import PIECES


def test_a_faint_tag_scores_higher_where_its_pose_is_polished(monkeypatch: pytest.MonkeyPatch) -> None:
    search = PoseSearch(Templates(PIECES))
    close = close_up(search.templates.whole[0], 0.0)
    noise = cv2.GaussianBlur(np.random.default_rng(1).normal(0, 1, close.grey.shape), (0, 0), 0.9 * FINE_MODULE_PX)
    close = replace(close, grey=np.clip(close.grey + 16 * noise / noise.std(), 0, 255).astype(np.uint8))
    (polished,) = search.guesses(close)
    monkeypatch.setattr(pose_search, "MIN_POLISHED_SCORE", MIN_CLEAR_SCORE)
    (rough,) = search.guesses(close)
    assert rough.identity == polished.identity == 0
    assert 0.3 < rough.score < polished.score < 0.45
