"""A strip of a tile that lies beneath another one is found; a gap between tiles is not such a strip."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tabletop.vision.geometry.columns import Placed
from tabletop.vision.geometry.outlines import piece_outlines
from tabletop.vision.geometry.plane import Plane
from tabletop.vision.photo.untagged.strips_beneath import strips_beneath
from tabletop.vision.photo.untagged.tile_rims import rims, steepness

TILE_MM = (28.0, 36.0)
"""Height and width of a tile."""
PLANE = Plane(np.diag((0.25, 0.25, 1.0)), 0.0, (800, 800))


def strips(up: float, beneath: float, aside: float = 0.0) -> int:
    """Return how many strips are seen at two columns: one of a tile, one of two tiles.

    The upper one of the two lies ``up`` mm above the lower one, ``beneath`` and ``aside`` mm from a third, unread one.
    """
    picture = np.full((800, 800, 3), (190, 205, 215), np.uint8)
    lone, lower = Placed("B1.1", 50, 130, 0), Placed("S1.1", 120, 130, 2)
    upper = Placed("S3.1a", 120 + up * 0.035, 130 - up, 2)
    third = Placed("S2.1", upper.x + aside, upper.y + beneath, 2)
    for tile, colour in ((lone, (40, 60, 90)), (third, (70, 30, 60)), (lower, (90, 110, 40)), (upper, (60, 90, 140))):
        outline = piece_outlines([tile], (TILE_MM[0] - 6, TILE_MM[1] - 6))[0] * 4
        cv2.fillPoly(picture, [np.round(outline).astype(np.int32)], colour)
    picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), 1.5), np.uint8)
    tiles = [lone, lower, upper]
    faces = piece_outlines(tiles, TILE_MM)
    usual = steepness(rims(picture, PLANE, TILE_MM, tiles, faces))
    return len(strips_beneath(picture, PLANE, tiles, TILE_MM, usual, faces))


@pytest.mark.parametrize(("up", "beneath"), [(36.0, 8.0), (28.6, -8.0), (28.6, -10.0)])
def test_a_strip_of_a_tile_beneath_another_one_is_found(up: float, beneath: float) -> None:
    """Only 6 to 10 mm of a tile were visible, its tag was covered, and its palazzo was scored without it."""
    assert strips(up, beneath) >= 1


@pytest.mark.parametrize("up", [28.6, 30.0, 34.0, 60.0])
def test_no_gap_between_tiles_is_a_strip_of_another_tile(up: float) -> None:
    assert not strips(up, 0.0)
