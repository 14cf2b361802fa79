"""The exact pose of a tag whose identity is known."""

import cv2
import numpy as np
import pytest

from tabletop.vision.recognise.fit.pose_refine import WIDTH_ROUNDS, PoseRefiner
from tabletop.vision.recognise.patches import PATCH_MODULES, Patches
from tabletop.vision.recognise.pose_search import Guess, PoseSearch
from tabletop.vision.recognise.templates import Templates
from tests.vision.small_table import PATTERNS, SIZES

PIECES = Templates({payload: pattern for payload, pattern in PATTERNS.items() if SIZES[payload] == 20})
FINE, LARGE = 2, 16
"""Pixels per module of a close-up, and of the picture that it is reduced from."""
BLUR = 0.9
NEAR = 0.1, 0.05, 0.02, 1.01
"""The pose of a tag: x, y in modules, angle in radians, and relative size."""


def seen(which: int, pose: tuple[float, float, float, float], *, covered: bool = False) -> Patches:
    """Return a blurred and noisy close-up of a tag on a dark table, with a finger over a part of it if ``covered``."""
    x, y, turn, size = pose
    cos, sin, side = np.cos(turn) * size, np.sin(turn) * size, PATCH_MODULES * LARGE
    light = 120 + 80 * PIECES.whole[which]
    tag = np.kron(light, np.ones((LARGE, LARGE))).astype(np.uint8)
    middle, goal = (len(tag) - 1) / 2, (side - 1) / 2
    laid = np.array(
        [
            [cos, -sin, goal + x * LARGE - cos * middle + sin * middle],
            [sin, cos, goal + y * LARGE - sin * middle - cos * middle],
        ]
    )
    large = cv2.warpAffine(tag, laid, (side, side), flags=cv2.INTER_LINEAR, borderValue=90)
    if covered:
        cv2.circle(large, (side // 2 + 7 * LARGE, side // 2 - 8 * LARGE), 6 * LARGE, 150, -1)
    soft = cv2.GaussianBlur(large, (0, 0), BLUR * LARGE)
    small = cv2.resize(soft, (PATCH_MODULES * FINE, PATCH_MODULES * FINE), interpolation=cv2.INTER_AREA)
    noisy = small + np.random.default_rng(which).normal(0, 4, small.shape)
    return Patches(np.clip(noisy, 0, 255).astype(np.uint8), np.zeros((1, 2)), np.zeros(1), 0.8, FINE)


def laid(which: int, *, covered: bool = False) -> np.ndarray:
    """Return the errors of a tag's pose: x, y in modules, angle in degrees."""
    about = Guess(0, np.array((0, 0, 0, NEAR[3]), np.float32), which, 0.9, 0.5, 0.5, 1, 1.0)
    (told,) = PoseSearch(PIECES).refined(seen(which, NEAR, covered=covered), [about])
    apart: np.ndarray = np.abs(told.pose - np.array(NEAR)) * (1, 1, np.degrees(1), 1)
    return apart[:3]


@pytest.mark.parametrize("which", [0, 5, 11])
def test_a_tag_is_located_where_it_is(which: int) -> None:
    """From 0.1 modules and 1° off, the pose is refined to 0.03 modules and 0.1°."""
    assert (laid(which) < (0.03, 0.03, 0.1)).all()


@pytest.mark.parametrize("which", [0, 5, 11])
def test_a_finger_over_a_part_of_a_tag_does_not_move_it(which: int) -> None:
    """A finger over a part of a tag is ignored; otherwise it would shift the pose by 0.1 modules and more."""
    assert (laid(which, covered=True) < (0.05, 0.05, 0.2)).all()


SKEWS = [(0.0, 0.0), (0.04, 0.0), (0.0, -0.05), (-0.03, 0.04)]


@pytest.mark.parametrize("skew", SKEWS)
def test_a_tag_tells_how_skewed_it_looks(skew: tuple[float, float]) -> None:
    """Aspect and shear, each measured to 0.01, reveal a wrong plane."""
    longer, leaning = skew
    close = seen(5, (0, 0, 0, 1))
    bent = np.array([[1 - longer, -leaning, 0], [-leaning, 1 + longer, 0]])
    bent[:, 2] = (PATCH_MODULES * FINE - 1) / 2 * (1 - bent[:, :2].sum(axis=1))
    grey = cv2.warpAffine(close.grey, bent, close.grey.shape[::-1], flags=cv2.INTER_CUBIC, borderValue=90)
    looks = Patches(np.asarray(grey, np.uint8), close.middles, close.turns, close.module, FINE)
    (told,) = PoseSearch(PIECES).skews(looks, np.array([0]), np.array([(0, 0, 0, 1)], np.float32), [5])
    assert np.abs(told - skew).max() < 0.01


@pytest.mark.parametrize("which", [0, 5, 11])
def test_a_tag_that_was_taken_for_a_tenth_larger_is_judged_again_as_large_as_the_others(which: int) -> None:
    """At a tenth too large, a tag scores low or as another one; at the others' size it is recognised."""
    search, close = PoseSearch(PIECES), seen(which, (0, 0, 0, 1))
    (taken,) = search.judged(close, np.zeros(1, np.intp), np.array([(0, 0, 0, 1.1)], np.float32))
    (again,) = search.resized(close, [taken], 1.0)
    assert again.identity == which
    assert again.pose[3] == 1.0
    assert again.score > taken.score + 0.1


def test_a_skew_is_measured_again_only_if_the_blur_was_another_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Once the blur turns out to be the assumed one, another fit would find the same skew."""
    close, parts, fits = seen(1, (0, 0, 0, 1)), PoseRefiner._parts, list[float]()

    def fitted(refiner: PoseRefiner, identities: np.ndarray, width: float, *, skewed: bool = False) -> np.ndarray:
        fits.append(width)
        return parts(refiner, identities, width, skewed=skewed)

    monkeypatch.setattr(PoseRefiner, "_parts", fitted)
    PoseSearch(PIECES).skews(close, np.array([0]), np.array([(0, 0, 0, 1)], np.float32), [1])
    assert len(fits) == len(set(fits)) < WIDTH_ROUNDS
