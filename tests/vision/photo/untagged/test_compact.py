"""A compact part of a mask gets a box that lies as it does."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tabletop.vision.photo.untagged.compact import compact


def test_a_finger_askew_has_a_box_that_lies_as_it_does() -> None:
    """A diagonal finger gets a diagonal box, which covers little of the card beside the finger."""
    finger = np.zeros((200, 300), np.uint8)
    cv2.line(finger, (60, 40), (180, 160), 1, 17)
    area = np.array([(100.0, 50.0), (400.0, 50.0), (400.0, 250.0), (100.0, 250.0)])
    [(box, there)] = compact(finger > 0, area)
    assert cv2.contourArea(box.astype(np.float32)) < 1.2 * there.sum()
    assert box.mean(axis=0) == pytest.approx((220.5, 150.5), abs=2)


def test_a_thing_hardly_askew_has_an_upright_box() -> None:
    tile = np.zeros((200, 300), np.uint8)
    cv2.fillConvexPoly(tile, cv2.boxPoints(((120, 90), (36, 28), 4.0)).astype(np.int32), 1)
    area = np.array([(0.0, 0.0), (300.0, 0.0), (300.0, 200.0), (0.0, 200.0)])
    [(box, _)] = compact(tile > 0, area)
    assert len(np.unique(box[:, 0])) == len(np.unique(box[:, 1])) == 2
