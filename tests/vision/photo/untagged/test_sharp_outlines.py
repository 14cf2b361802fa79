"""On a ground without sharp edges, things are found by their outlines, whatever their shape and colour."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tabletop.vision.geometry.outlines import piece_outlines
from tabletop.vision.photo.untagged.sharp_outlines import outlined
from tests.vision.photo.untagged.mats import AREA, DENSITY, PLANE, READ, SIZE, lay, steep


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
