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
from tabletop.vision.photo import untagged_edges
from tabletop.vision.photo.untagged_edges import is_gap, outlined, overlaid, rims, steepness, untagged_tiles

DENSITY = 4
"""Pixels per mm."""
SIZE = (28.0, 36.0)
PLANE = Plane(np.diag((1 / DENSITY, 1 / DENSITY, 1.0)), 0.0, (160 * DENSITY, 240 * DENSITY))
AREA = np.array([(0.0, 0.0), (240, 0), (240, 160), (0, 160)])
READ = [Placed("B1.1", 60, 120, 2), Placed("B2.2", 61, 91, -3)]


def mat(seed: int = 1) -> NDArray[np.uint8]:
    """Return patches of any colour, some centimetres wide and sharper than any effect of light."""
    rng = np.random.default_rng(seed)
    y, x = np.mgrid[: 160 * DENSITY, : 240 * DENSITY]
    middles = rng.uniform((0, 0), (240 * DENSITY, 160 * DENSITY), (14, 2))
    nearest = ((x[..., None] - middles[:, 0]) ** 2 + (y[..., None] - middles[:, 1]) ** 2).argmin(axis=-1)
    result: NDArray[np.uint8] = rng.integers(30, 230, (14, 3)).astype(np.uint8)[nearest]
    return result


def lay(picture: NDArray[np.float64 | np.uint8], tile: Placed, colour: tuple[int, int, int]) -> None:
    outline = piece_outlines([tile], (SIZE[0] - 6, SIZE[1] - 6))[0] * DENSITY
    cv2.fillPoly(picture, [np.round(outline).astype(np.int32)], colour)


def seen(*blank: Placed, seed: int = 1) -> NDArray[np.uint8]:
    """Return a mat with the tiles that were read and some blank ones, with the blur and noise of a photograph."""
    picture = mat(seed)
    for tile in READ:
        lay(picture, tile, (200, 205, 210))
    for number, tile in enumerate(blank):
        lay(picture, tile, (60, 90 + 40 * number, 50))
    noise = np.random.default_rng(seed).normal(0, 4, picture.shape)
    return np.clip(cv2.GaussianBlur(picture, (0, 0), 1.5) + noise, 0, 255).astype(np.uint8)


def steep(picture: NDArray[np.uint8], tiles: Sequence[Placed]) -> float | None:
    return steepness(rims(picture, PLANE, SIZE, tiles, piece_outlines(tiles, SIZE)))


def found(picture: NDArray[np.uint8], tiles: Sequence[Placed] = READ) -> list[NDArray[np.float64]]:
    return untagged_tiles(picture, PLANE, AREA, SIZE, steep(picture, tiles), piece_outlines(tiles, SIZE))


def too_busy(
    picture: NDArray[np.uint8],
    plane: Plane,
    area: NDArray[np.float64],
    size: tuple[float, float],
    tiles: Sequence[Placed],
) -> bool:
    return untagged_edges.too_busy(picture, plane, area, steepness(rims(picture, plane, size, tiles, [])))


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


def soft(seed: int = 1) -> NDArray[np.float64]:
    """Return a mat whose colours blend into each other, with the tiles that were read on it."""
    few = np.random.default_rng(seed).uniform(40, 190, (9, 13, 3))
    picture = np.asarray(cv2.resize(few, (240 * DENSITY, 160 * DENSITY), interpolation=cv2.INTER_CUBIC), np.float64)
    for tile in READ:
        lay(picture, tile, (200, 205, 210))
    return picture


def sharp(picture: NDArray[np.float64], seed: int = 1) -> list[NDArray[np.float64]] | None:
    """Return the sharp outlines beside the tiles, in a picture with the blur and noise of a photograph."""
    noisy = cv2.GaussianBlur(picture, (0, 0), 1.5) + np.random.default_rng(seed).normal(0, 3, picture.shape)
    seen = np.clip(noisy, 0, 255).astype(np.uint8)
    part = AREA[0] + (90, 40) + (AREA - AREA[0]) * (140 / 240, 100 / 160)
    tiles = piece_outlines(READ, SIZE)
    everywhere = np.ones((100, 140), np.bool_)
    return outlined(seen, PLANE, part, steep(seen, READ), tiles, [(everywhere, [part, *tiles])])[0]


@pytest.mark.parametrize("seed", range(1, 6))
def test_a_mat_whose_colours_flow_into_each_other_has_no_outlines(seed: int) -> None:
    assert sharp(soft(seed)) == []


@pytest.mark.parametrize("colour", [(20, 30, 40), (110, 115, 120), (60, 150, 90)])
def test_a_cup_on_such_a_mat_is_found_by_its_outline_whatever_its_colour(colour: tuple[int, int, int]) -> None:
    picture = soft()
    cv2.circle(picture, (150 * DENSITY, 60 * DENSITY), 30 * DENSITY, colour, -1)
    boxes = sharp(picture)
    assert boxes
    assert all(np.linalg.norm(box - (150, 60), axis=1).max() < 60 for box in boxes)


def test_on_a_ground_with_edges_of_its_own_outlines_tell_nothing() -> None:
    """On a ground with many lines, such as wood grain, outlines are not used."""
    grain = np.random.default_rng(3).normal(110, 40, (50, 3, 3))
    assert (
        sharp(np.asarray(cv2.resize(grain, (240 * DENSITY, 160 * DENSITY), interpolation=cv2.INTER_LINEAR), np.float64))
        is None
    )


def test_letters_are_noticed_on_a_mat_whose_colours_flow_and_not_on_a_card() -> None:
    """An outline as low as letters may be the edge of an object on a mat, but not on a card."""
    card = np.full((160 * DENSITY, 240 * DENSITY), 225.0)
    mat = 225 - np.clip(np.arange(240 * DENSITY) / DENSITY - 120, 0, 40)[None] * 2.5 + 0 * card
    where = (130 * DENSITY, 100 * DENSITY)
    for ground, count in ((card, 0), (mat, 1)):
        picture = np.repeat(ground[..., None], 3, axis=2).astype(np.uint8)
        cv2.putText(picture, "SEAT 1", where, cv2.FONT_HERSHEY_SIMPLEX, 0.8, (40, 40, 40), 3)
        for tile in READ:
            lay(picture, tile, (90, 95, 100))
        assert len(sharp(picture.astype(np.float64)) or []) == count
