"""A picture that was put together from several has a seam; lines and patterns on a table do not look like one."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tabletop.vision.photo.montage import has_seam

BOTH_SIDES = np.array(((100.0, 90.0), (520.0, 330.0)))
"""Places of tags in opposite corners of a picture of 600 by 400 px."""


def wood(seed: int) -> NDArray[np.uint8]:
    """Return a picture of grain that runs across."""
    rng = np.random.default_rng(seed)
    grain = cv2.resize(rng.normal(0, 1, (100, 12)), (600, 400), interpolation=cv2.INTER_CUBIC)
    return np.asarray(np.clip(120 + 12 * grain + rng.normal(0, 3, grain.shape), 0, 255), np.uint8)


@pytest.mark.parametrize("upright", [False, True])
def test_two_pictures_in_one_have_a_seam_between_tags(upright: bool) -> None:
    picture, places = wood(1), BOTH_SIDES
    picture[:, 300:] = wood(2)[:, 300:]
    if upright:
        picture, places = np.ascontiguousarray(picture.T), places[:, ::-1]
    assert has_seam(picture, places)
    assert not has_seam(picture, places[:1])


def test_a_table_has_no_seam() -> None:
    assert not has_seam(wood(1), BOTH_SIDES)
    assert not has_seam(wood(1), np.zeros((0, 2)))


def test_the_squares_of_a_cloth_do_not_look_like_a_seam() -> None:
    rows, columns = np.indices((400, 600)) // 16
    cloth = np.where((rows + columns) % 2, 200, 120) + np.random.default_rng(1).normal(0, 3, (400, 600))
    assert not has_seam(np.asarray(cloth, np.uint8), BOTH_SIDES)


def test_the_gap_of_a_table_that_leans_a_little_does_not_look_like_a_seam() -> None:
    picture = wood(1)
    cv2.line(picture, (298, 0), (302, 400), 40, 2, cv2.LINE_AA)
    assert not has_seam(picture, BOTH_SIDES)
