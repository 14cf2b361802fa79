"""Mats of many colours with tiles on them, drawn and blurred as in a photograph."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.vision.geometry.columns import Placed
from tabletop.vision.geometry.outlines import piece_outlines
from tabletop.vision.geometry.plane import Plane
from tabletop.vision.photo.untagged.tile_rims import rims, steepness

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
