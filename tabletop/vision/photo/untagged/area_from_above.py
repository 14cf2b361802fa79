"""An area of the table as seen from above, and a fit of its ground in evenly changing light."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.vision.frame import Colour, Floats
from tabletop.vision.geometry.plane import Array, Mask, Plane
from tabletop.vision.geometry.square_grid import SquareGrid
from tabletop.vision.image.rectify import overhead

PITCH_MM = 1.0
"""Side of the squares into which the area is divided, mm."""
BLUR_MM = 2.0
"""Standard deviation of the blur that removes grain, print and noise, mm."""
SAMPLE_STEP, FIT_ROUNDS = 5, 10
"""One square in this many is used to fit even light, and the number of rounds that reduce the weight of outliers."""
GROUND_QUANTILE = 0.35
"""Fraction of an area that is ground, whatever lies there."""
MIN_FREE_FRACTION = 0.1
"""Least fraction of an area that has to be free of faces to judge it."""
MAX_PLAIN_GREY = 5.0
"""Largest median difference of a plain ground from even light, grey levels."""


class AreaFromAbove(NamedTuple):
    """An area as seen from above.

    ``soft``: without small print; ``free``: the mask where no face covers it; ``sight``: the mask that the picture
    shows; ``even``: a fit of its ground with evenly changing light, None if the ground has more than one colour.
    """

    seen: Floats
    soft: Floats
    free: Mask
    sight: Mask
    even: Floats | None

    @property
    def covered(self) -> bool:
        """True if too little of the area is free to judge it."""
        return bool(self.free.mean() < MIN_FREE_FRACTION)

    @property
    def plain(self) -> bool:
        """True if most of the area outside the faces has one colour, so that things there can be seen."""
        return self.covered or self.even is not None


def from_above(colour: Colour, plane: Plane, area: Array, faces: Sequence[Array]) -> AreaFromAbove:
    """Return an area as seen from above.

    ``area``: its corners in mm, from its own top left, clockwise; ``faces``: the outlines (4, 2) mm of what was read.
    """
    across, along = area[1] - area[0], area[3] - area[0]
    size = (max(2, int(np.linalg.norm(across) / PITCH_MM)), max(2, int(np.linalg.norm(along) / PITCH_MM)))
    grid = SquareGrid.over(area, size)
    seen, inside = overhead(colour, plane, grid, PITCH_MM / 2)
    free = inside & ~grid.within(faces)
    bright = seen.astype(np.float32)
    soft = weighted_mean(bright, free.astype(np.float32), BLUR_MM)
    return AreaFromAbove(
        bright, soft, free, inside, fitted_ground(soft, free) if free.mean() >= MIN_FREE_FRACTION else None
    )


def fitted_ground(soft: Floats, part: Mask) -> Floats | None:
    """Return a robust fit of the ground with evenly changing light, None if the ground is not plain enough.

    A large thing such as an arm leaves little ground around it, but on paper it differs from the paper elsewhere.
    """
    y, x = (np.linspace(-1, 1, size) for size in part.shape)
    across, down = np.meshgrid(x, y)
    light = np.stack([np.ones_like(across), across, down, across**2, across * down, down**2], axis=-1)
    terms, colours = light[part][::SAMPLE_STEP], soft[part][::SAMPLE_STEP].astype(np.float64)
    residuals = np.abs(colours - np.median(colours, axis=0)).max(axis=-1)
    for _ in range(FIT_ROUNDS):
        weight = 1 / (1 + (residuals / (float(np.quantile(residuals, GROUND_QUANTILE)) + 1)) ** 2)
        weighted = (terms * (weight**2)[:, None]).T
        # Least squares find a solution however little of an area is visible.
        coefficients = np.linalg.lstsq(weighted @ terms, weighted @ colours, rcond=None)[0]
        residuals = np.abs(colours - terms @ coefficients).max(axis=-1)
    return np.asarray(light @ coefficients, dtype=np.float32) if float(np.median(residuals)) < MAX_PLAIN_GREY else None


def weighted_mean(seen: Floats, weight: NDArray[np.float32], width: float) -> Floats:
    """Return the weighted mean of the surroundings of every square; ``width``: standard deviation, mm."""
    spread = cv2.GaussianBlur(weight, (0, 0), width / PITCH_MM)[..., None]
    return np.asarray(cv2.GaussianBlur(seen * weight[..., None], (0, 0), width / PITCH_MM) / np.maximum(spread, 1e-3))
