"""What lies across the end of a card is judged by the ground under its larger part."""

from __future__ import annotations

import numpy as np
import pytest

from tabletop.vision.geometry.plane import Array, Mask
from tabletop.vision.photo.untagged.beside_cards import is_ground, on_cloth_beside


@pytest.mark.parametrize(("middle", "ground"), [(60, True), (40, False), (20, False)])
def test_squares_of_the_cloth_across_the_end_of_a_card_are_ground(middle: int, ground: bool) -> None:
    """A box mostly on cloth is ground; the smaller part on the card does not make it a tile."""
    box = np.array([(-18.0, -14.0), (18.0, -14.0), (18.0, 14.0), (-18.0, 14.0)]) + np.array((middle, 50.0))
    cloth = np.arange(100)[None].repeat(100, axis=0) >= 53
    area = np.array([(0.0, 0.0), (100.0, 0.0), (100.0, 100.0), (0.0, 100.0)])
    assert is_ground(box, area, cloth, cloth) == ground
    assert not is_ground(box, area, np.zeros_like(cloth), cloth)


AREA = np.array([(0.0, 0.0), (340.0, 0.0), (340.0, 170.0), (0.0, 170.0)])
STRIP = np.array([(225.0, 0.0), (320.0, 0.0), (320.0, 170.0), (225.0, 170.0)])


def over(left: int, top: int, right: int, bottom: int) -> Mask:
    """Return the mask of a part of an area, mm."""
    mask = np.zeros((170, 340), np.bool_)
    mask[top:bottom, left:right] = True
    return mask


def on_cloth(box: Array, odd: Mask, strange: Mask) -> list[Array]:
    return on_cloth_beside([box], AREA, over(0, 0, 340, 170), odd, strange)


def test_chequered_cloth_beside_the_end_of_a_card_is_ignored_and_objects_on_it_are_found() -> None:
    cloth = over(225, 0, 320, 170)
    assert on_cloth(STRIP, cloth, over(225, 0, 231, 170)) == []
    [tile] = on_cloth(STRIP, cloth, over(250, 60, 286, 88))
    assert tile.mean(axis=0) == pytest.approx((268, 74), abs=1)


def test_an_arm_across_the_end_of_a_card_and_a_thing_unlike_the_cloth_are_not_cloth() -> None:
    """An arm as brown as the cloth's squares is not cloth, since it does not cover the area's full height."""
    arm = over(150, 50, 320, 125)
    across = np.array([(150.0, 50.0), (320.0, 50.0), (320.0, 125.0), (150.0, 125.0)])
    whole = np.array([(150.0, 0.0), (320.0, 0.0), (320.0, 170.0), (150.0, 170.0)])
    nothing = over(0, 0, 0, 0)
    assert on_cloth(across, arm, nothing) == [pytest.approx(across)]
    assert on_cloth(whole, arm | over(280, 0, 320, 170), nothing) == [pytest.approx(whole)]
    assert on_cloth(STRIP, over(225, 0, 320, 170), over(225, 0, 320, 60)) == [pytest.approx(STRIP)]
