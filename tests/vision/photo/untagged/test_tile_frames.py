"""On a background of many colours, tiles without a visible tag are found by their edges; the background is not."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tabletop.vision.geometry.columns import Placed
from tabletop.vision.geometry.outlines import piece_outlines
from tabletop.vision.geometry.plane import Plane
from tabletop.vision.photo.untagged import tile_frames
from tabletop.vision.photo.untagged.tile_frames import is_gap, untagged_tiles
from tabletop.vision.photo.untagged.tile_rims import rims, steepness
from tests.vision.photo.untagged.mats import AREA, DENSITY, PLANE, READ, SIZE, lay, seen, steep


def found(picture: NDArray[np.uint8], tiles: Sequence[Placed] = READ) -> list[NDArray[np.float64]]:
    return untagged_tiles(picture, PLANE, AREA, SIZE, steep(picture, tiles), piece_outlines(tiles, SIZE))


def too_busy(
    picture: NDArray[np.uint8],
    plane: Plane,
    area: NDArray[np.float64],
    size: tuple[float, float],
    tiles: Sequence[Placed],
) -> bool:
    return tile_frames.too_busy(picture, plane, area, steepness(rims(picture, plane, size, tiles, [])))


@pytest.mark.parametrize("turn", [-9, 0, 7])
@pytest.mark.parametrize("place", [(60, 61), (130, 60), (190, 110)])
def test_a_tile_turned_over_is_found_upon_a_palazzo_and_alone(place: tuple[int, int], turn: int) -> None:
    [box] = found(seen(Placed("", *place, turn)))
    assert box.mean(axis=0) == pytest.approx(place, abs=4)


@pytest.mark.parametrize("seed", range(1, 6))
def test_patches_of_a_mat_are_not_tiles(seed: int) -> None:
    assert found(seen(seed=seed)) == []


def test_a_gap_between_palazzi_is_not_a_tile_where_one_ends_a_tile_farther_in_a_line_of_its_print() -> None:
    picture = np.full((640, 960, 3), 60, np.uint8)
    tiles = [Placed("B1.1", 60, 80, 0), Placed("B2.2", 126.5, 80, 0)]
    for tile in tiles:
        lay(picture, tile, (150, 155, 160))
    cv2.line(picture, (114 * DENSITY, 64 * DENSITY), (114 * DENSITY, 96 * DENSITY), (60, 60, 60), DENSITY)
    for y in (66, 94):  # lines of the table, or of a mat
        cv2.line(picture, (60 * DENSITY, y * DENSITY), (126 * DENSITY, y * DENSITY), (20, 20, 20), DENSITY)
    assert found(np.asarray(cv2.GaussianBlur(picture, (0, 0), 1.5), np.uint8), tiles) == []


def on_white(*boxes: tuple[int, int, int, int]) -> tuple[NDArray[np.uint8], NDArray[np.bool_]]:
    """Return a white card with two tiles, one tile's width apart, and dark boxes, mm; and a mask of the bare card."""
    picture = np.full((640, 960, 3), 225, np.uint8)
    for tile in (Placed("B1.1", 60, 80, 0), Placed("B2.2", 132, 80, 0)):
        lay(picture, tile, (70, 80, 90))
    for left, top, right, bottom in boxes:
        cv2.rectangle(picture, (left * DENSITY, top * DENSITY), (right * DENSITY, bottom * DENSITY), (60, 70, 110), -1)
    soft = np.asarray(cv2.GaussianBlur(picture, (0, 0), 1.5), np.uint8)
    return soft, np.asarray(cv2.resize(soft, (240, 160), interpolation=cv2.INTER_AREA).min(axis=-1) > 200)


def test_the_card_between_tiles_and_fingers_is_a_gap_and_a_tile_as_white_as_the_card_is_none() -> None:
    """Card framed by four objects is a gap; a white tile, beside which the card continues, is not."""
    tiles = [Placed("B1.1", 60, 80, 0), Placed("B2.2", 132, 80, 0)]
    between, bare = on_white((30, 46, 150, 66), (30, 94, 150, 110))
    [gap] = found(between, tiles)
    assert is_gap(gap, AREA, bare)

    alone, bare = on_white((181, 65, 219, 66), (181, 94, 219, 95), (181, 65, 182, 95), (218, 65, 219, 95))
    [white] = found(alone, tiles)
    assert not is_gap(white, AREA, bare)


def test_two_tiles_turned_over_are_found_as_two() -> None:
    assert len(found(seen(Placed("", 130, 60, 0), Placed("", 130, 90, 3)))) == 2


def test_without_a_tile_that_was_read_no_edges_are_found() -> None:
    assert found(seen(Placed("", 130, 60, 0)), []) == []


@pytest.mark.parametrize("seed", range(1, 4))
def test_a_mosaic_is_too_busy_for_tiles_to_be_found_and_a_mat_of_patches_is_not(seed: int) -> None:
    """Stones of a few millimetres in any colour hide the edges of tiles, while large patches do not."""
    rng = np.random.default_rng(seed)
    stones = rng.integers(10, 246, (40, 60, 3)).astype(np.uint8)
    mosaic = np.asarray(cv2.resize(stones, (240 * DENSITY, 160 * DENSITY), interpolation=cv2.INTER_NEAREST), np.uint8)
    for tile in READ:
        lay(mosaic, tile, (200, 205, 210))
    assert too_busy(np.asarray(cv2.GaussianBlur(mosaic, (0, 0), 1.5), np.uint8), PLANE, AREA, SIZE, READ)
    assert not too_busy(seen(seed=seed), PLANE, AREA, SIZE, READ)
    assert not too_busy(mosaic, PLANE, AREA, SIZE, [])
