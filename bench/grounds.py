"""Photographs of real tables as the ground on which a bench lays everything."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from bench.photographs import SUFFIXES
from bench.public_sets import WHERE, folder_of
from tabletop.vision.frame import Grey
from tabletop.vision.image.load import open_picture

LEAST_BYTES = 20_000
"""The least bytes of a photograph that shows more than a code."""
ON_PHOTOGRAPHS = f"lay everything on photographs: {WHERE}"
"""The help of the option that names them."""


def grounds_of(where: str) -> list[Path]:
    """Return the pictures below a folder, or of a public set, that are large enough for a ground.

    Raises SystemExit if there are none, or if a set cannot be fetched.
    """
    files = sorted(
        path
        for path in folder_of(where).rglob("*")
        if path.suffix.lower() in SUFFIXES and path.stat().st_size > LEAST_BYTES
    )
    if not files:
        raise SystemExit(f"No photographs below {where}: name others as .jpg, .png or .webp, {WHERE}.")
    return files


def photograph(files: Sequence[Path], seed: int) -> Grey:
    """Return one of some photographs, turned or mirrored, as the ground on which everything lies."""
    rng = np.random.default_rng((seed, 98))
    grey = open_picture(files[int(rng.integers(len(files)))]).grey
    return np.rot90(grey[:, :: int(rng.choice((-1, 1)))], int(rng.integers(4))).copy()


def filling(picture: NDArray[Any], shape: tuple[int, int]) -> NDArray[Any]:
    """Return the middle of a picture, enlarged if necessary to fill that shape (rows, columns)."""
    more = max(shape[0] / picture.shape[0], shape[1] / picture.shape[1])
    size = (max(shape[1], round(picture.shape[1] * more)), max(shape[0], round(picture.shape[0] * more)))
    large = cv2.resize(picture, size, interpolation=cv2.INTER_CUBIC)
    top, left = (size[1] - shape[0]) // 2, (size[0] - shape[1]) // 2
    return large[top : top + shape[0], left : left + shape[1]].copy()
