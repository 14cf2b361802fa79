"""A tile that was read and has an edge on only a part of a side is reported, because something lies over it."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tabletop.vision.geometry.columns import Placed
from tabletop.vision.geometry.outlines import piece_outlines
from tabletop.vision.photo.untagged.tile_rims import overlaid, rims
from tests.vision.photo.untagged.mats import DENSITY, PLANE, READ, SIZE, mat, seen


def hidden(picture: NDArray[np.uint8], tiles: Sequence[Placed] = READ) -> list[NDArray[np.float64]]:
    return overlaid(SIZE, tiles, rims(picture, PLANE, SIZE, tiles, piece_outlines(tiles, SIZE)))


@pytest.mark.parametrize("seed", range(1, 6))
def test_a_tile_with_paper_over_one_of_its_corners_is_reported(seed: int) -> None:
    """A tile partly under paper is reported as hidden, as the paper may cover more."""
    picture = seen(seed=seed)
    paper = np.array([(50, 70), (100, 40), (140, 62), (90, 101)]) * DENSITY
    cv2.fillPoly(picture, [paper], (250, 250, 250))
    [box] = hidden(np.asarray(cv2.GaussianBlur(picture, (0, 0), 1.0), np.uint8))
    assert box.mean(axis=0) == pytest.approx(READ[1][1:3], abs=1)


@pytest.mark.parametrize("seed", range(1, 6))
def test_tiles_with_edges_all_around_are_not_hidden(seed: int) -> None:
    assert hidden(seen(seed=seed)) == []


def test_without_tiles_none_is_hidden() -> None:
    assert hidden(mat(), []) == []
