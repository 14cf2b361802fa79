"""A comparison that whitens errors, which are alike nearby, tells tags apart that the usual one confuses."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tabletop.vision.recognise.fit.shift import GRID_SIDE
from tabletop.vision.recognise.templates import SOFT_BLUR, Templates
from tests.vision.recognise.grounds import GREY, grain, mirrored, together
from tests.vision.recognise.tiles import PIECES


@pytest.fixture(scope="module")
def templates() -> Templates:
    return Templates(PIECES)


def beside(samples: np.ndarray) -> float:
    """Return the correlation of samples (n, all) with their right neighbours, -1…1."""
    each = samples.reshape(-1, GRID_SIDE, GRID_SIDE)
    return float((each[:, :, 1:] * each[:, :, :-1]).mean() / (each**2).mean())


def seen(templates: Templates, which: int) -> np.ndarray:
    """Return samples of a tag without noise."""
    soft = GREY * cv2.GaussianBlur(templates.whole[which], (0, 0), SOFT_BLUR)
    result: np.ndarray = soft[1:-1, 1:-1].ravel()
    return result


def test_softened_noise_is_no_longer_alike_nearby(templates: Templates) -> None:
    noise = grain(1, 200)
    assert templates.whitened.whitening is not None
    assert beside(noise) > 0.3
    assert abs(beside(noise @ templates.whitened.whitening)) < 0.1


@pytest.mark.parametrize("which", [0, 20, 40])
def test_a_window_mirrored_over_a_part_of_a_tag_counts_less(templates: Templates, which: int) -> None:
    """A reflection, which is similar in many samples, puts another tag in the lead unless samples are whitened."""
    bare = seen(templates, which) + 0.2 * GREY * grain(2, 1)[0]
    assert together(templates.full, bare + mirrored(), which) == 0
    assert together(templates.whitened, bare + mirrored(), which) > 0.5 * together(templates.whitened, bare, which)
