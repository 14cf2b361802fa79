"""A tag-like pattern that repeats on the background is not a tag, while a tag in the midst of it is."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tabletop.vision.geometry.plane import Plane
from tabletop.vision.photo.repeated_print import printed
from tabletop.vision.tags import patterns

DENSITY, SIDE = 4, 18
"""Pixels per mm, and the side of a square of the cloth, mm."""
PLANE = Plane(np.diag((1 / DENSITY, 1 / DENSITY, 1.0)), 0.0, (240 * DENSITY, 320 * DENSITY))
DARK = [np.array(((column + 0.5) * SIDE, (row + 0.5) * SIDE)) for column, row in ((3, 3), (5, 5))]
"""The middles of two dark squares, mm."""
ZONE = np.array(((40.0, 40.0), (120.0, 40.0), (120.0, 120.0), (40.0, 120.0)))
"""An area around them in which pieces may be, mm."""


def cloth() -> NDArray[np.uint8]:
    """Return a chequered cloth, brighter at one side, with the noise of a photograph."""
    y, x = np.indices((240 * DENSITY, 320 * DENSITY)) // (SIDE * DENSITY)
    light = (235 - 90 * (x % 2 + y % 2)) * np.linspace(1.0, 0.7, 320 * DENSITY)
    noise = np.random.default_rng(1).normal(0, 5, (*light.shape, 3))
    return np.clip(light[..., None] + noise, 0, 255).astype(np.uint8)


def with_tag(soft: float) -> NDArray[np.uint8]:
    """Return the cloth with a tag, blurred by ``soft`` px, on the first of the dark squares."""
    picture, (x, y) = cloth(), (DARK[0] * DENSITY).astype(int)
    tag = cv2.resize(patterns.draw(patterns.pattern("PZ:B1.1"), 8), (80, 80), interpolation=cv2.INTER_AREA)
    picture[y - 40 : y + 40, x - 40 : x + 40] = cv2.GaussianBlur(tag, (0, 0), soft)[..., None]
    return picture


def test_a_chequer_that_others_look_like_is_printed() -> None:
    """A square is part of a pattern if others look like it, even if they do not look like a tag."""
    assert printed(cloth(), PLANE, DARK, [ZONE]) == [True, True]


def test_a_chequer_beside_the_end_of_a_card_is_printed() -> None:
    """A square is recognised as part of the pattern if only one side of its surroundings is cloth."""
    picture, (x, y) = cloth(), (DARK[0] * DENSITY).astype(int)
    picture[y + SIDE * DENSITY // 2 :, : x + 200] = 240
    assert printed(picture, PLANE, DARK[:1], [ZONE]) == [True]


@pytest.mark.parametrize("soft", [1, 4, 12])
def test_a_blurred_tag_on_a_chequered_cloth_is_not_part_of_a_pattern(soft: float) -> None:
    assert printed(with_tag(soft), PLANE, DARK, [ZONE]) == [False, True]


def test_half_a_tag_under_a_finger_is_not_part_of_the_pattern_despite_its_edges() -> None:
    picture, (x, y) = with_tag(1), (DARK[0] * DENSITY).astype(int)
    picture[y - 4 : y + 64, : x + 200] = (60, 70, 90)
    assert printed(picture, PLANE, DARK[:1], [ZONE]) == [False]


def test_without_enough_ground_no_place_is_judged() -> None:
    most = np.array(((30.0, 0.0), (320.0, 0.0), (320.0, 240.0), (30.0, 240.0)))
    assert printed(cloth(), PLANE, DARK, [most]) == [False, False]


def test_an_overexposed_place_is_not_part_of_a_pattern() -> None:
    assert printed(np.full_like(cloth(), 255), PLANE, DARK, [ZONE]) == [False, False]
