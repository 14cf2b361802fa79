"""Close-ups of places, cut out of pictures that are first reduced if they are large."""

from __future__ import annotations

import numpy as np
import pytest

from tabletop.vision.geometry.plane import Plane
from tabletop.vision.recognise.patches import FINE_MODULE_PX, MAX_WARPED_PX, PATCH_MODULES, Patches, cut_patches
from tabletop.vision.recognise.rectified import Cutting
from tabletop.vision.recognise.templates import offsets

SIDE_MM = 20.0
SHAPE = (1203, 1601)
PLANE = Plane(np.diag((0.12, 0.12, 1.0)), 0.0, SHAPE)
"""A plane with 7 px per module, 3 of which become one px of a close-up."""


def close_up(*middles: tuple[float, float]) -> np.ndarray:
    """Return the first of the close-ups of some places, mm."""
    return close_ups(np.array(middles)).light(0)


def close_ups(middles: np.ndarray) -> Patches:
    """Return the close-ups of places (n, 2), mm."""
    grey = np.random.default_rng(1).integers(0, 255, SHAPE).astype(np.uint8)
    return cut_patches(Cutting(grey), PLANE, middles, np.full(len(middles), 0.3), SIDE_MM, FINE_MODULE_PX)


@pytest.mark.parametrize("middle", [(96.0, 72.0), (13.0, 11.0), (180.0, 135.0)])
def test_a_close_up_is_the_same_whatever_else_is_cut_out_of_the_picture(middle: tuple[float, float]) -> None:
    """Only the part of the picture with all places is reduced, which must not change a close-up."""
    assert (close_up(middle) == close_up(middle, (20.0, 130.0), (170.0, 15.0))).all()


def test_close_ups_lie_side_by_side_however_many_are_warped_at_a_time() -> None:
    """A few long rows are blurred twice as fast as many short ones."""
    side = PATCH_MODULES * FINE_MODULE_PX
    middles = np.stack([np.linspace(15, 175, 40), np.linspace(120, 20, 40)], axis=1)
    assert len(middles) > 2 * MAX_WARPED_PX / side**2
    patches = close_ups(middles)
    assert patches.grey.shape == (side, side * len(middles))
    for number in (0, 15, 16, 39):
        alone = close_ups(middles[[number, 0, 39]])
        assert (patches.light(number) == alone.light(0)).all()


def test_softened_and_sharpened_samples_are_those_taken_separately() -> None:
    """Each place is sampled from both pictures where it is sampled from one."""
    patches, rng = close_ups(np.array([(96.0, 72.0), (20.0, 130.0)])), np.random.default_rng(2)
    poses = rng.uniform((-1, -1, -1, 0.9), (1, 1, 1, 1.1), (2, 3, 4)).astype(np.float32)
    soft, sharp = patches.softly_and_sharply(np.array([1, 0]), poses, offsets())
    assert (soft == patches.softly(np.array([1, 0]), poses, offsets())).all()
    assert (sharp == patches.sharply(np.array([1, 0]), poses, offsets())).all()


def test_a_picture_smaller_than_one_px_of_a_close_up_can_be_cut() -> None:
    grey = np.full((3, 40), 77, np.uint8)
    plane = Plane(np.diag((0.12, 0.12, 1.0)), 0.0, (3, 40))
    patches = cut_patches(Cutting(grey), plane, np.array([(2.0, 0.2)]), np.zeros(1), SIDE_MM, FINE_MODULE_PX)
    assert (patches.grey == 77).all()
