"""Mirrored light that hides what is under it is reported; a merely white area is not."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tabletop.vision.geometry.plane import Plane
from tabletop.vision.image.glare import is_overexposed, spots

PLANE = Plane(np.diag((0.5, 0.5, 1.0)), 0.0, (600, 1000))
"""A plane with 2 px per mm."""


def cloth(white: int) -> NDArray[np.uint8]:
    """Return a picture of squares of 15 mm, white and blue, with noise."""
    rows, columns = np.indices((600, 1000)) // 30
    squares = np.where((rows + columns) % 2, white, 90) + np.random.default_rng(1).normal(0, 2.5, (600, 1000))
    return np.clip(squares, 0, 255).astype(np.uint8)


def under_a_lamp(picture: NDArray[np.uint8], x: int, y: int) -> NDArray[np.uint8]:
    spot = cv2.circle(np.zeros(picture.shape, np.float32), (x, y), 25, 1.0, -1)
    result: NDArray[np.uint8] = np.clip(picture + 250 * cv2.GaussianBlur(spot, (0, 0), 5), 0, 255).astype(np.uint8)
    return result


def papers(level: int, ink: int = 60) -> NDArray[np.float64]:
    return np.array([(x, 300.0, level, ink) for x in (100.0, 400.0, 700.0)])


def test_a_spot_without_any_detail_is_reported_with_its_place() -> None:
    [box] = spots(under_a_lamp(cloth(200), 600, 250), PLANE, papers(180))
    assert np.abs(box.mean(axis=0) - (600, 250)).max() < 8


def test_the_white_squares_of_a_cloth_are_not_glare() -> None:
    assert spots(cloth(244), PLANE, papers(200)) == []


def test_where_paper_is_nearly_burnt_a_spot_cannot_be_told_from_a_card() -> None:
    assert spots(under_a_lamp(cloth(200), 600, 250), PLANE, papers(248)) == []


def test_where_ink_fades_in_the_light_a_spot_may_hide_a_tag_although_paper_is_burnt() -> None:
    """A broad reflection hides tags at its middle and makes the paper of those around it as bright as itself."""
    assert len(spots(under_a_lamp(cloth(200), 600, 250), PLANE, papers(255, ink=200))) == 1


def test_tags_outside_the_picture_do_not_make_it_overexposed() -> None:
    """White paper counts as overexposed only if tags within the picture are on it."""
    white = np.full((600, 1000), 255, np.uint8)
    tag = np.array([(0.0, 0.0), (40.0, 0.0), (40.0, 40.0), (0.0, 40.0)])
    steps = 100.0 * np.arange(1, 6)
    places = np.stack([steps, np.full(5, 300.0)], axis=1)[:, None]
    assert is_overexposed(white, tag + places)
    assert not is_overexposed(white, tag - places)


def test_exposure_is_clear_once_half_of_the_tags_are_not_too_bright(monkeypatch: pytest.MonkeyPatch) -> None:
    """The others are not looked at."""
    grey = np.full((40, 400), 120, np.uint8)
    grey[20, ::5] = 255
    square = np.array([(5.0, 5.0), (35.0, 5.0), (35.0, 35.0), (5.0, 35.0)])
    tags = square + np.array([(40.0 * number, 0.0) for number in range(10)])[:, None]
    seen, quantile = list[np.ndarray](), np.quantile

    def noted(inner: np.ndarray, share: float) -> float:
        seen.append(inner)
        return float(quantile(inner, share))

    monkeypatch.setattr(np, "quantile", noted)
    assert not is_overexposed(grey, tags)
    assert len(seen) == 5
