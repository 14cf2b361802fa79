"""Rectified images of tags of several sizes share what they need of a picture, shrunk once."""

from __future__ import annotations

import numpy as np

from tabletop.vision.geometry.plane import Plane
from tabletop.vision.recognise.rectified import Cutting, RectifiedView

SHAPE = (1216, 1616)
PLANE = Plane(np.diag((0.3, 0.3, 1.0)), 0.0, SHAPE)
"""A plane with 2.7 px per module of a 20 mm tag, and 5.3 of a 40 mm tag."""


def picture() -> np.ndarray:
    return np.random.default_rng(1).integers(0, 255, SHAPE).astype(np.uint8)


def test_a_picture_is_shrunk_once_for_tags_of_two_sizes() -> None:
    """Shrinking twelve megapixels takes longer than sampling an image from what is left."""
    grey = picture()
    small, large = RectifiedView(PLANE, 20.0), RectifiedView(PLANE, 40.0)
    first = small.take(grey)
    alone, after = large.take(grey), large.take(grey, cut=first.seen)
    assert 1 < first.seen.shrink < alone.seen.shrink
    assert np.shares_memory(after.seen.grey, first.seen.shrunk(alone.seen.shrink // first.seen.shrink))
    assert (after.seen.grey == alone.seen.grey).all()
    assert (after.grey == alone.grey).all()


def test_a_part_that_does_not_lie_on_the_px_of_a_cutting_is_not_taken_from_it() -> None:
    cutting = Cutting(picture()[:400, :600], (40, 20), 2)
    part = cutting.part((48, 80), (28, 60), 4)
    assert part is not None
    assert (part == cutting.shrunk(2)[2:10, 2:10]).all()
    assert cutting.part((48, 80), (26, 58), 4) is None, "between px"
    assert cutting.part((36, 80), (28, 60), 4) is None, "left of it"
    assert cutting.part((48, 80), (28, 820), 4) is not None
    assert cutting.part((48, 80), (28, 824), 4) is None, "below it"
    assert cutting.part((48, 80), (28, 60), 1) is None, "finer than it"
