"""An object over part of a tag that was still read is told from light, noise and blur."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tabletop.rules import registry
from tabletop.vision.kit import Kit
from tabletop.vision.photo.partly_hidden import hidden_in_part
from tabletop.vision.tags import patterns

PATTERNS = [*Kit(registry.game("palazzo")).patterns.values()][20:26]
PX = 2.5
"""Pixels per module of the tags here."""
LEFT = [(40.0 + 90 * number, 60.0) for number in range(len(PATTERNS))]
SIDE = patterns.CODE_MODULES * PX


def picture(noise: float = 4.0) -> np.ndarray:
    """Return six tags in a row on grey."""
    canvas = np.full((180, 600), 120, np.float32)
    for (left, top), pattern in zip(LEFT, PATTERNS, strict=True):
        tag = cv2.resize(patterns.draw(pattern, 20), None, fx=PX / 20, fy=PX / 20, interpolation=cv2.INTER_AREA)
        x, y = round(left - 2 * PX), round(top - 2 * PX)
        canvas[y : y + tag.shape[0], x : x + tag.shape[1]] = 30 + 0.8 * tag
    return cv2.GaussianBlur(canvas, (0, 0), 1.0) + np.random.default_rng(3).normal(0, noise, canvas.shape)


def which_are_hidden(seen: np.ndarray) -> list[bool]:
    corners = [np.array([(x, y), (x + SIDE, y), (x + SIDE, y + SIDE), (x, y + SIDE)]) - 0.5 for x, y in LEFT]
    return hidden_in_part(np.clip(seen, 0, 255).astype(np.uint8), [*zip(corners, PATTERNS, strict=True)])


@pytest.mark.parametrize("colour", [20, 130, 235])
@pytest.mark.parametrize("corner", [(0, 0), (1, 0), (1, 1)])
def test_a_fingertip_over_a_corner_of_a_tag_is_reported_for_that_tag_alone(
    colour: int, corner: tuple[int, int]
) -> None:
    seen = picture()
    at = (round(LEFT[2][0] + corner[0] * SIDE), round(LEFT[2][1] + corner[1] * SIDE))
    cv2.circle(seen, at, 24, colour, -1)
    assert which_are_hidden(seen) == [False, False, True, False, False, False]


@pytest.mark.parametrize("noise", [2, 12, 25])
def test_noise_does_not_make_tags_look_hidden(noise: int) -> None:
    assert not any(which_are_hidden(picture(noise)))


def test_the_edge_of_a_shadow_and_a_reflection_hide_no_tag() -> None:
    seen = picture()
    bright = np.where(np.arange(seen.shape[1]) < 250, 1.0, 0.5)[None].astype(np.float32)
    seen *= cv2.GaussianBlur(bright, (0, 0), 6)
    cv2.circle(seen, (round(LEFT[0][0]), round(LEFT[0][1])), 26, 255, -1)
    assert not any(which_are_hidden(seen))


def test_the_smaller_tags_of_a_picture_agree_less_with_their_patterns_and_are_not_hidden() -> None:
    """Smaller tags fit their patterns less well without being hidden, while a finger over one is reported."""
    large, small = picture(), cv2.GaussianBlur(cv2.resize(picture(), None, fx=0.62, fy=0.62), (0, 0), 1.1)
    near = [np.array([(x, y), (x + SIDE, y), (x + SIDE, y + SIDE), (x, y + SIDE)]) for x, y in LEFT]
    far = [0.62 * corners + np.array((0.0, 180.0)) for corners in near]
    read = [*zip([*near, *far], [*PATTERNS, *PATTERNS], strict=True)]
    seen = np.full((300, 600), 120.0)
    seen[:180], seen[180 : 180 + len(small), : small.shape[1]] = large, small
    assert not any(hidden_in_part(np.clip(seen, 0, 255).astype(np.uint8), read))
    cv2.circle(seen, tuple(np.round(far[2][2]).astype(int).tolist()), 15, 130, -1)
    assert hidden_in_part(np.clip(seen, 0, 255).astype(np.uint8), read) == [*[False] * 8, True, *[False] * 3]


def test_tags_that_are_too_small_are_not_judged() -> None:
    seen = picture()
    cv2.circle(seen, (round(LEFT[0][0]), round(LEFT[0][1])), 24, 130, -1)
    small = cv2.resize(seen, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    corners = [np.array([(x, y), (x + SIDE, y), (x + SIDE, y + SIDE), (x, y + SIDE)]) / 2 for x, y in LEFT]
    assert not any(hidden_in_part(small.astype(np.uint8), [*zip(corners, PATTERNS, strict=True)]))
