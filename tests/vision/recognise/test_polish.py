"""The pose of a faint place is refined like that of any other place that is not clear."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import pytest

from tabletop.vision.recognise import pose_search
from tabletop.vision.recognise.patches import FINE_MODULE_PX, Patches, joined
from tabletop.vision.recognise.pose_search import Guess, PoseSearch
from tabletop.vision.recognise.templates import Templates
from tabletop.vision.recognise.thresholds import MIN_CLEAR_SCORE, MIN_FAINT_RATIO
from tests.vision.recognise.close_ups import close_up
from tests.vision.recognise.tiles import PIECES


def faint_tag(search: PoseSearch) -> Patches:
    """Return a patch of a tag in coarse noise."""
    close = close_up(search.templates.whole[0], 0.0)
    noise = cv2.GaussianBlur(np.random.default_rng(1).normal(0, 1, close.grey.shape), (0, 0), 0.9 * FINE_MODULE_PX)
    return replace(close, grey=np.clip(close.grey + 16 * noise / noise.std(), 0, 255).astype(np.uint8))


def test_a_faint_tag_scores_higher_where_its_pose_is_polished(monkeypatch: pytest.MonkeyPatch) -> None:
    search = PoseSearch(Templates(PIECES))
    close = faint_tag(search)
    (polished,) = search.guesses(close)
    monkeypatch.setattr(pose_search, "MIN_POLISHED_SCORE", MIN_CLEAR_SCORE)
    (rough,) = search.guesses(close)
    assert rough.identity == polished.identity == 0
    assert 0.3 < rough.score < polished.score < 0.45


def test_beside_a_clear_tag_what_hardly_looks_like_one_is_not_polished(monkeypatch: pytest.MonkeyPatch) -> None:
    """No better pose would make up for its likeness, which clear tags show to be too low in that light."""
    search, polished = PoseSearch(Templates(PIECES)), list[int]()
    faint = faint_tag(search)
    light = 120 + 100 * np.pad(np.kron(search.templates.whole[1], np.ones((2, 2))), 7, mode="edge")
    grey = cv2.GaussianBlur(light, (0, 0), 0.9)
    clear = replace(faint, grey=grey.astype(np.uint8), middles=np.array([(99.0, 0.0)]))

    def noted(_: Patches, guesses: Sequence[Guess]) -> list[Guess]:
        polished.extend(guess.row for guess in guesses)
        return list(guesses)

    monkeypatch.setattr(search, "_polished", noted)
    (alone,) = search.guesses(faint)
    assert polished == [0]
    _, other = search.guesses(joined([faint, clear]))
    assert other.score > MIN_CLEAR_SCORE
    assert alone.alike < MIN_FAINT_RATIO * other.alike
    assert polished == [0]
