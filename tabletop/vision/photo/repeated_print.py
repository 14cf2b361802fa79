"""Detects tag-like places that are part of a print on the ground, which repeats outside all areas."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.vision.frame import Colour, Floats
from tabletop.vision.geometry.plane import Array, Plane
from tabletop.vision.geometry.square_grid import SquareGrid
from tabletop.vision.image.rectify import overhead, whole_table

PITCH_MM, SQUARES_ACROSS = 1.0, 26
"""Side of the squares that are compared, mm, and their number along the side of a window: a tag and its
surroundings."""
BLUR_MM = 1.5
"""Blur, mm, that removes smaller details: two places never show exactly the same part of a print."""
ASIDE_MM = ((0, 0), (-4, 0), (4, 0), (0, -4), (0, 4))
"""Shifts of the window, mm, in case a card or a tile lies beside the place; each includes all of a tag."""
MIN_CORRELATION = 0.95
"""Least correlation of two places that look the same: squares of a cloth have 0.99, half a tag under a finger and the
edges of such squares up to 0.9."""
NEAR_SQUARES = 120
"""Distance, squares, up to which repeats are searched for first."""
MIN_REPEATS = 4
"""Least number of places on the bare ground that look like a place that is a print."""


def printed(colour: Colour, plane: Plane, places: Sequence[Array], known: Sequence[Array]) -> list[bool]:
    """Return for each place (its middle, mm) whether the bare ground looks the same in several other places.

    The ground is bare outside the ``known`` outlines (n, 2), mm.
    """
    if not places:
        return []
    grid = whole_table(plane, PITCH_MM, SQUARES_ACROSS)
    seen, sight = overhead(colour, plane, grid)
    bare = (sight & ~grid.within(known)).astype(np.uint8)
    ground = _soft(seen)
    return [
        any(
            _is_repeated(_look(colour, plane, middle), ground, bare, (middle - grid.corner) / PITCH_MM)
            for middle in place + np.array(ASIDE_MM)
        )
        for place in places
    ]


def _is_repeated(look: Floats, ground: Floats, bare: NDArray[np.uint8], place: Array) -> bool:
    """Return whether a look recurs in enough places of the ground that overlap neither its own nor each other."""
    if float(look.std()) < 1:
        return False
    # Most prints repeat nearby; searching all of the ground takes ten times as long.
    ends = np.maximum([place - NEAR_SQUARES, place + NEAR_SQUARES], 0)
    (left, top), (right, bottom) = ends.astype(int).tolist()
    near = slice(top, bottom), slice(left, right)
    return _has_repeats(look, ground[near], bare[near], place - (left, top)) or _has_repeats(look, ground, bare, place)


def _has_repeats(look: Floats, ground: Floats, bare: NDArray[np.uint8], place: Array) -> bool:
    """Return whether a look recurs in enough places of a part of the ground."""
    if min(ground.shape) < SQUARES_ACROSS:
        return False
    half = SQUARES_ACROSS // 2
    correlation = cv2.matchTemplate(ground, look, cv2.TM_CCOEFF_NORMED)
    correlation[
        cv2.erode(bare, np.ones(look.shape, np.uint8))[half:, half:][: correlation.shape[0], : correlation.shape[1]]
        == 0
    ] = 0
    column, row = np.round(place - half).astype(int).tolist()
    for _ in range(MIN_REPEATS):
        cv2.circle(correlation, (column, row), SQUARES_ACROSS, 0.0, cv2.FILLED)
        _, best, _, (column, row) = cv2.minMaxLoc(correlation)
        if best < MIN_CORRELATION:
            return False
    return True


def _look(colour: Colour, plane: Plane, place: Array) -> Floats:
    """Return the look of the window around a place."""
    corner = place - SQUARES_ACROSS * PITCH_MM / 2
    grid = SquareGrid.upright(corner, PITCH_MM, (SQUARES_ACROSS, SQUARES_ACROSS))
    return _soft(overhead(colour, plane, grid).seen)


def _soft(seen: Colour) -> Floats:
    """Return a picture in grey and without small details."""
    grey = cv2.cvtColor(seen, cv2.COLOR_BGR2GRAY).astype(np.float32)
    return np.asarray(cv2.GaussianBlur(grey, (0, 0), BLUR_MM / PITCH_MM), np.float32)
