"""A part of a photograph as it is seen from straight above the table, square by square."""

from __future__ import annotations

from typing import NamedTuple

import cv2
import numpy as np

from tabletop.vision.frame import Colour, Floats
from tabletop.vision.geometry.plane import Mask, Plane
from tabletop.vision.geometry.square_grid import SquareGrid

MAX_DISTANCE_MM = 900.0
"""How far from the middle of a picture the table is looked at as a whole, mm."""
NODE_STEP_PX = 8
"""Squares from one place that is asked of the plane to the next: between them a picture hardly bends."""
BLUR_REACH = 3.0
"""How far a blur reaches, in its standard deviations."""
MAX_BLUR_PX = 24.0
"""The widest blur, standard deviation in px: the closest photographs of tiles need as much, and on an absurd plane
a blur would never end."""


class Overhead(NamedTuple):
    """What the squares of a grid show, (rows, columns, 3), and which of them the photograph shows."""

    seen: Colour
    sight: Mask


def overhead(colour: Colour, plane: Plane, grid: SquareGrid, soft: float = 0.0) -> Overhead:
    """Return a part of the table as it is seen from straight above.

    ``soft`` mm: what is smaller than that is blurred away before squares are taken from the photograph.
    """
    nodes = _nodes(plane, grid)
    limits = np.array(colour.shape[1::-1]) - 1
    middle = plane.to_px(grid.mm(*(np.array(side / 2) for side in grid.size))[None])[0]
    spread = min(soft / plane.mm_per_px(middle), MAX_BLUR_PX)
    # Only the part of the photograph that is shown is blurred.
    low, high = nodes.min(axis=(0, 1)), nodes.max(axis=(0, 1))
    first = np.clip(np.floor(low - BLUR_REACH * spread - 1), 0, limits).astype(int)
    last = np.clip(np.ceil(high + BLUR_REACH * spread + 1), first, limits).astype(int)
    part = colour[first[1] : last[1] + 1, first[0] : last[0] + 1]
    if soft:
        part = np.asarray(cv2.GaussianBlur(part, (0, 0), max(0.5, spread)), dtype=np.uint8)
    px = _px(nodes - first.astype(np.float32), grid.size)
    (left, top), (right, bottom) = (-first).astype(float).tolist(), (limits - first).astype(float).tolist()
    sight: Mask = cv2.inRange(px, (left, top), (right, bottom)) > 0
    seen = cv2.remap(part, px, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)  # type: ignore[call-overload]
    return Overhead(np.asarray(seen, dtype=np.uint8), sight)


def whole_table(plane: Plane, pitch_mm: float, least: int) -> SquareGrid:
    """Return the squares, ``pitch_mm`` wide, of the table that a picture shows: at least ``least`` each way."""
    height, width = plane.shape
    middle = plane.to_mm(np.array([((width - 1) / 2, (height - 1) / 2)]))[0]
    left, top, right, bottom = plane.bounds()
    low = np.maximum((left, top), middle - MAX_DISTANCE_MM)
    high = np.minimum((right, bottom), middle + MAX_DISTANCE_MM)
    columns, rows = np.maximum(((high - low) / pitch_mm).astype(int), least).tolist()
    return SquareGrid.upright(low, pitch_mm, (columns, rows))


def most(picture: cv2.typing.MatLike) -> Floats:
    """Return the largest of the three colours (rows, columns, 3) everywhere."""
    blue, green, red = cv2.split(picture)
    return np.asarray(cv2.max(cv2.max(blue, green), red), dtype=np.float32)


def _nodes(plane: Plane, grid: SquareGrid) -> Floats:
    """Return where the nodes of a grid lie in the picture, (rows, columns, 2) px.

    A node is the middle of some squares each way; those around the edge lie on either side of it.
    """
    columns, rows = (side // NODE_STEP_PX + 3 for side in grid.size)
    x, y = (NODE_STEP_PX * (np.arange(count) - 0.5) - 0.5 for count in (columns, rows))
    return plane.to_px(grid.mm(*np.meshgrid(x, y))).astype(np.float32)


def _px(nodes: Floats, size: tuple[int, int]) -> Floats:
    """Return where the squares' middles lie between the nodes, (rows, columns, 2)."""
    fine = cv2.resize(nodes, None, fx=NODE_STEP_PX, fy=NODE_STEP_PX, interpolation=cv2.INTER_LINEAR)
    return np.asarray(fine[NODE_STEP_PX : NODE_STEP_PX + size[1], NODE_STEP_PX : NODE_STEP_PX + size[0]])
