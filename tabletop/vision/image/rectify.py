"""Rectifies a part of a photograph: resamples it as seen from straight above the table, one px per square of a grid."""

from __future__ import annotations

from typing import NamedTuple

import cv2
import numpy as np

from tabletop.vision.frame import Colour, Floats
from tabletop.vision.geometry.plane import Mask, Plane
from tabletop.vision.geometry.square_grid import SquareGrid
from tabletop.vision.image.knots import KNOT_STEP_PX, interpolated_bands

MAX_DISTANCE_MM = 900.0
"""Largest distance from the middle of a picture, mm, up to which the whole table is rectified."""
BLUR_REACH = 3.0
"""How far a blur reaches, in standard deviations."""
MAX_BLUR_PX = 24.0
"""Largest blur, standard deviation in px: the closest photographs of tiles need as much, and on a nonsensical plane a
blur would take forever."""


class Overhead(NamedTuple):
    """The colours of the squares of a grid, (rows, columns, 3), and the mask of squares that the photograph shows."""

    seen: Colour
    sight: Mask


def overhead(colour: Colour, plane: Plane, grid: SquareGrid, soft: float = 0.0) -> Overhead:
    """Return a part of the table as seen from straight above.

    ``soft``: standard deviation, mm, of the blur that is applied to the photograph before it is sampled.
    """
    sight = np.empty(grid.size[::-1], np.bool_)
    return Overhead(overhead_colours(colour, plane, grid, soft, sight), sight)


def overhead_colours(
    colour: Colour, plane: Plane, grid: SquareGrid, soft: float = 0.0, sight: Mask | None = None
) -> Colour:
    """Return the colours alone; set in ``sight``, if given, which squares the photograph shows."""
    knots = _knots(plane, grid)
    limits = np.array(colour.shape[1::-1]) - 1
    middle = plane.to_px(grid.mm(*(np.array(side / 2) for side in grid.size))[None])[0]
    spread = min(soft / plane.mm_per_px(middle), MAX_BLUR_PX)
    # Only the part of the photograph that is shown is blurred.
    low, high = knots.min(axis=(0, 1)), knots.max(axis=(0, 1))
    first = np.clip(np.floor(low - BLUR_REACH * spread - 1), 0, limits).astype(int)
    last = np.clip(np.ceil(high + BLUR_REACH * spread + 1), first, limits).astype(int)
    part = colour[first[1] : last[1] + 1, first[0] : last[0] + 1]
    if soft:
        part = np.asarray(cv2.GaussianBlur(part, (0, 0), max(0.5, spread)), dtype=np.uint8)
    (left, top), (right, bottom) = (-first).astype(float).tolist(), (limits - first).astype(float).tolist()
    shape = grid.size[::-1]
    seen = np.empty((*shape, *colour.shape[2:]), np.uint8)
    for band, px in interpolated_bands(knots - first.astype(np.float32), KNOT_STEP_PX, shape):
        if sight is not None:
            sight[band] = cv2.inRange(px, (left, top), (right, bottom)) > 0
        cv2.remap(part, px, None, cv2.INTER_LINEAR, seen[band], cv2.BORDER_REPLICATE)  # type: ignore[call-overload]
    return seen


def whole_table(plane: Plane, pitch_mm: float, min_count: int) -> SquareGrid:
    """Return a grid of squares, ``pitch_mm`` wide, over the visible table, at least ``min_count`` columns and rows."""
    height, width = plane.shape
    middle = plane.to_mm(np.array([((width - 1) / 2, (height - 1) / 2)]))[0]
    left, top, right, bottom = plane.bounds()
    low = np.maximum((left, top), middle - MAX_DISTANCE_MM)
    high = np.minimum((right, bottom), middle + MAX_DISTANCE_MM)
    columns, rows = np.maximum(((high - low) / pitch_mm).astype(int), min_count).tolist()
    return SquareGrid.upright(low, pitch_mm, (columns, rows))


def channel_max(picture: cv2.typing.MatLike) -> Floats:
    """Return the largest of the three colour channels of each px, (rows, columns)."""
    blue, green, red = cv2.split(picture)
    return np.asarray(cv2.max(cv2.max(blue, green), red), dtype=np.float32)


def _knots(plane: Plane, grid: SquareGrid) -> Floats:
    """Return the places of a grid's knots in the picture, (rows, columns, 2) px.

    Knots are ``KNOT_STEP_PX`` squares apart, and the outermost ones lie outside the grid.
    """
    columns, rows = (side // KNOT_STEP_PX + 3 for side in grid.size)
    x, y = (KNOT_STEP_PX * (np.arange(count) - 0.5) - 0.5 for count in (columns, rows))
    return plane.to_px(grid.mm(*np.meshgrid(x, y))).astype(np.float32)
