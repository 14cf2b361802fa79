"""A chequered cloth does not crowd tags out of the places that are looked at."""

import cv2
import numpy as np
import pytest

from bench.painting import MM, Lying, Painter
from tabletop.vision.geometry.plane import Plane
from tabletop.vision.recognise.candidates import MAX_CANDIDATES, MAX_PER_TAG
from tabletop.vision.recognise.recogniser import Recogniser
from tests.vision.recognise.covers import PLACES, cover
from tests.vision.recognise.tiles import PIECES

SIDE_MM = 20.0
ENOUGH = 20
"""The least number of thirty tags, a third of each covered, among the places; ranked by score it was 14."""
ABOVE = Plane(np.diag((0.65, 0.65, 1.0)), 0.0, (1200, 1600))
"""The plane of a camera straight above a large table: 1.2 px per module."""


def cloth(square: int, dark: int, light: int) -> Painter:
    """Return a table under a chequered cloth with squares of a side in mm."""
    painter = Painter(np.random.default_rng(1), 1040, 780)
    y, x = np.indices(painter.canvas.shape) // (square * MM)
    painter.canvas[:] = light - (light - dark) // 2 * (x % 2 + y % 2)
    return painter


def lay(painter: Painter) -> list[str]:
    """Lay tags on a table, and return their payloads."""
    payloads = [str(one) for one in painter.rng.permutation(list(PIECES))[: len(PLACES)]]
    for payload, (x, y) in zip(payloads, PLACES, strict=True):
        painter.tag(PIECES[payload], Lying(payload, 2 * x, 2 * y, float(painter.rng.uniform(0, 360)), SIDE_MM))
    return payloads


def from_above(painter: Painter) -> np.ndarray:
    small = cv2.resize(painter.canvas, ABOVE.shape[::-1], interpolation=cv2.INTER_AREA)
    noise = np.random.default_rng(1).normal(0, 3, small.shape)
    grey: np.ndarray = np.clip(cv2.GaussianBlur(small, (0, 0), 0.7) + noise, 0, 255).astype(np.uint8)
    return grey


@pytest.mark.parametrize("hidden", [False, True])
@pytest.mark.parametrize("square", [14, 15])
def test_every_tag_is_read_on_squares_that_look_like_half_a_tag(square: int, hidden: bool) -> None:
    """More than a thousand squares look more like half a tag than the tags do, but few look like a whole one."""
    painter = cloth(square, 90, 200)
    payloads = lay(painter)
    recogniser = Recogniser(PIECES, SIDE_MM)
    read = recogniser.read(recogniser.view(ABOVE).take(from_above(painter)), hidden=hidden).found
    assert {tag.payload for tag in read} == set(payloads)


def test_most_tags_are_looked_at_of_which_something_covers_a_part() -> None:
    """Partly covered tags are looked at, although many squares of the cloth look more like a whole tag."""
    painter = cloth(15, 90, 200)
    high, wide = painter.canvas.shape
    shades = painter.rng.integers(130, 180, (high // 60 + 1, wide // 60 + 1)).astype(np.uint8)
    painter.canvas[:] = np.kron(shades, np.ones((60, 60), np.uint8))[:high, :wide]
    lay(painter)
    for x, y in PLACES:
        cover(painter, 2 * x, 2 * y, 0.3)
    recogniser = Recogniser(PIECES, SIDE_MM)
    middles = recogniser.places(recogniser.view(ABOVE).take(from_above(painter))).middles
    assert len(middles) == MAX_CANDIDATES
    away = [np.hypot(*(middles - (2 * x + painter.width / 2, 2 * y + painter.height / 2)).T).min() for x, y in PLACES]
    assert sum(each < SIDE_MM / 4 for each in away) >= ENOUGH


def test_a_few_tags_are_looked_for_at_a_few_places() -> None:
    """The number of places is limited by the number of sought tags, and none of these is missed."""
    painter = cloth(15, 90, 200)
    payloads = lay(painter)
    few = {payload: PIECES[payload] for payload in payloads[:8]}
    recogniser = Recogniser(few, SIDE_MM)
    image = recogniser.view(ABOVE).take(from_above(painter))
    assert len(recogniser.places(image).middles) == MAX_PER_TAG * len(few)
    assert {tag.payload for tag in recogniser.read(image).found} == set(few)
