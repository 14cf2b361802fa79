"""The part that all tags share helps to tell which way up a tag is."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tabletop.vision.recognise.templates import SOFT_BLUR, Templates, turned
from tests.vision.recognise.grounds import GREY
from tests.vision.recognise.tiles import PIECES


@pytest.mark.parametrize(("which", "other"), [(40, 12), (60, 2)])
def test_a_tag_that_fits_better_in_a_turn_in_which_no_finder_fits_does_not_lead(which: int, other: int) -> None:
    """Another tag that only fits turned does not lead, even if a reflection leaves little of the tag itself."""
    templates = Templates(PIECES)
    shared, own = (
        cv2.GaussianBlur(each, (0, 0), SOFT_BLUR)[1:-1, 1:-1].ravel()
        for each in (templates.mean, templates.whole[which] - templates.mean)
    )
    mixed = 0.6 * templates.full.residuals[0][:, which] + 0.7 * templates.full.residuals[1][:, other]
    samples = (GREY * (0.6 * shared + np.linalg.norm(own) * mixed))[None].astype(np.float32)
    assert templates.full.scores(samples)[0].max(axis=1).argmax() == 1
    assert np.unravel_index(templates.full.comparable_scores(samples)[0][0].argmax(), (4, len(PIECES))) == (0, which)


def test_what_no_tag_shares_is_known_for_every_turn() -> None:
    """What samples show besides what all tags share is the same as with the place turned upright first."""
    templates = Templates(PIECES)
    samples = np.random.default_rng(3).normal(GREY, 20, (5, templates.full.sample_indices.size)).astype(np.float32)
    _, rests = templates.full.comparable_scores(samples)
    for turn, order in enumerate(turned()):
        assert rests[:, turn] == pytest.approx(templates.full.rest(samples[:, order]), rel=1e-4)
