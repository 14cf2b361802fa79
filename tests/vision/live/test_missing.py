"""Where tags may lie that were read before a change and are not read now."""

from __future__ import annotations

import numpy as np

from tabletop.vision.geometry.plane import Mask
from tabletop.vision.live.reread.missing import NOTHING, MissingTags, PayloadChange

GONE = PayloadChange({"PZ:R5A", "PZ:B1.1"}, {"PZ:B1.1"})
BACK = PayloadChange({"PZ:B1.1"}, {"PZ:R5A", "PZ:B1.1"})


def mask(*cells: tuple[int, int]) -> Mask:
    """Return a mask in which these cells have changed."""
    changed = np.zeros((4, 6), np.bool_)
    for cell in cells:
        changed[cell] = True
    return changed


def test_nothing_is_missing_where_everything_is_read() -> None:
    assert MissingTags().changed(mask((1, 1)), NOTHING, handled=False) is None
    assert MissingTags().changed(mask((1, 1)), BACK, handled=True) is None


def test_a_tag_that_is_gone_may_lie_wherever_the_picture_changed() -> None:
    where = MissingTags().changed(mask((1, 1), (2, 2)), GONE, handled=False)
    assert where is not None
    assert np.argwhere(where).tolist() == [[1, 1], [2, 2]]


def test_while_a_hand_lies_there_all_changes_since_the_tag_went_missing_count() -> None:
    missing = MissingTags()
    missing.changed(mask((1, 1)), GONE, handled=True)
    where = missing.changed(mask((3, 5)), NOTHING, handled=False)
    assert where is not None
    assert np.argwhere(where).tolist() == [[1, 1], [3, 5]]


def test_once_the_hand_has_left_a_tag_is_asked_for_only_once() -> None:
    missing = MissingTags()
    missing.changed(mask((1, 1)), GONE, handled=False)
    assert missing.changed(mask((3, 5)), NOTHING, handled=False) is None


def test_a_tag_that_is_read_again_is_missing_no_longer() -> None:
    missing = MissingTags()
    missing.changed(mask((1, 1)), GONE, handled=True)
    assert missing.changed(mask((3, 5)), BACK, handled=True) is None
