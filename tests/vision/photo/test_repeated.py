"""A tag-like pattern that repeats on the background is not a tag; a tag in the midst of it is."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.vision.geometry.plane import Plane
from tabletop.vision.photo.repeated import printed
from tabletop.vision.tags import patterns

DENSITY, SIDE = 4, 18
"""Px per mm, and the side of a chequer, mm."""
PLANE = Plane(np.diag((1 / DENSITY, 1 / DENSITY, 1.0)), 0.0, (240 * DENSITY, 320 * DENSITY))
DARK = [np.array(((column + 0.5) * SIDE, (row + 0.5) * SIDE)) for column in (1, 3, 5, 9) for row in (1, 3, 5, 9)]
"""Middles of dark chequers, mm."""


def cloth() -> NDArray[np.uint8]:
    """A chequered cloth, brighter at one side, with the noise of a photograph."""
    y, x = np.indices((240 * DENSITY, 320 * DENSITY)) // (SIDE * DENSITY)
    light = (235 - 90 * (x % 2 + y % 2)) * np.linspace(1.0, 0.7, 320 * DENSITY)
    noise = np.random.default_rng(1).normal(0, 5, (*light.shape, 3))
    return np.clip(light[..., None] + noise, 0, 255).astype(np.uint8)


def test_a_chequer_that_others_look_like_is_printed() -> None:
    assert printed(cloth(), PLANE, DARK[:2], DARK[2:]) == [True, True]


def test_a_blurred_tag_on_a_chequered_cloth_is_not() -> None:
    picture, (x, y) = cloth(), (DARK[0] * DENSITY).astype(int)
    tag = cv2.resize(patterns.draw(patterns.pattern("PZ:B1.1"), 8), (80, 80), interpolation=cv2.INTER_AREA)
    picture[y - 40 : y + 40, x - 40 : x + 40] = cv2.GaussianBlur(tag, (0, 0), 4)[..., None]
    assert printed(picture, PLANE, DARK[:2], DARK[2:]) == [False, True]


def test_without_enough_ground_nothing_is_told() -> None:
    assert printed(cloth(), PLANE, DARK[:2], DARK[2:5]) == [False, False]
