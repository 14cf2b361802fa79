"""A chequered cloth does not keep tags from being looked at."""

import cv2
import numpy as np
import pytest

from bench.rendering import MM, Lying, Painter
from tabletop.vision.geometry.plane import Plane
from tabletop.vision.recognise.recogniser import Recogniser
from tests.vision.recognise.test_covered_search import PLACES
from tests.vision.recognise.test_recognise import PIECES

SIDE_MM = 20.0
ABOVE = Plane(np.diag((0.65, 0.65, 1.0)), 0.0, (1200, 1600))
"""A camera straight above a large table: 1.2 px per module."""


def cloth(square: int, dark: int, light: int) -> Painter:
    """Return a table under a chequered cloth whose squares have that side, mm."""
    painter = Painter(np.random.default_rng(1), 1040, 780)
    y, x = np.indices(painter.canvas.shape) // (square * MM)
    painter.canvas[:] = light - (light - dark) // 2 * (x % 2 + y % 2)
    return painter


@pytest.mark.parametrize("square", [14, 15])
def test_every_tag_is_read_on_squares_that_look_like_half_a_tag(square: int) -> None:
    """More than a thousand of them look more like half a tag than the tags do, but few like a whole one."""
    painter = cloth(square, 90, 200)
    payloads = [str(one) for one in painter.rng.permutation(list(PIECES))[: len(PLACES)]]
    for payload, (x, y) in zip(payloads, PLACES, strict=True):
        painter.tag(PIECES[payload], Lying(payload, 2 * x, 2 * y, float(painter.rng.uniform(0, 360)), SIDE_MM))
    small = cv2.resize(painter.canvas, ABOVE.shape[::-1], interpolation=cv2.INTER_AREA)
    noise = np.random.default_rng(1).normal(0, 3, small.shape)
    grey = np.clip(cv2.GaussianBlur(small, (0, 0), 0.7) + noise, 0, 255).astype(np.uint8)
    recogniser = Recogniser(PIECES, SIDE_MM)
    read = recogniser.read(recogniser.view(ABOVE).take(grey), hidden=True).found
    assert {tag.payload for tag in read} == set(payloads)
