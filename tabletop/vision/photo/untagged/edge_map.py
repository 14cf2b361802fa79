"""The slopes of a part of the table as seen from above, and how steep an edge has to be to be a tile's."""

from __future__ import annotations

from typing import NamedTuple

import cv2
import numpy as np

from tabletop.vision.frame import Colour, Floats
from tabletop.vision.geometry.plane import Array, Mask, Plane
from tabletop.vision.geometry.square_grid import SquareGrid
from tabletop.vision.image.rectify import channel_max, overhead

PITCH_MM = 0.6
"""Side of the squares into which the table is divided, mm."""
BLUR_MM = 0.8
"""Standard deviation of the blur that removes noise and grain, mm."""
MIN_EDGE_RATIO = 0.35
"""Least steepness of an edge, as a fraction of the edges of the tiles that were read …"""
MIN_GROUND_RATIO = 2.5
"""… as a multiple of the usual steepness of the ground …"""
MIN_EDGE_SLOPE = 1.0
"""… and in grey levels per mm, because grey levels are whole numbers."""


class EdgeMap(NamedTuple):
    """The slopes of a part of the table, seen from above and turned, in the squares of a grid.

    ``across``, ``down``: the slopes in both directions, grey levels per mm; ``sight``: the mask of visible squares.
    """

    across: Floats
    down: Floats
    sight: Mask
    grid: SquareGrid


def pose_of(area: Array) -> tuple[Array, float, Array]:
    """Return the middle of an area, its angle (radians), and half its width and height."""
    across = area[1] - area[0]
    half = np.array([np.linalg.norm(across), np.linalg.norm(area[3] - area[0])]) / 2
    return area.mean(axis=0), float(np.arctan2(across[1], across[0])), half


def median_steepness(edges: EdgeMap) -> float:
    """Return the median steepness of an area, grey levels per mm."""
    return float(np.median(np.maximum(edges.across, edges.down)))


def edge_map(colour: Colour, plane: Plane, middle: Array, axes: Array, half: Array) -> EdgeMap:
    """Return the slopes of the table around a place, ``half`` mm to each side along the ``axes`` (2, 2)."""
    columns, rows = np.maximum(np.round(2 * half / PITCH_MM).astype(int), 3)
    right, down = PITCH_MM * axes
    grid = SquareGrid(middle - half @ axes, right, down, (int(columns), int(rows)))
    seen, sight = overhead(colour, plane, grid)
    soft = cv2.GaussianBlur(seen, (0, 0), BLUR_MM / PITCH_MM)
    # In integers, as eight times the difference, this is four times as fast.
    flat, steep = (channel_max(np.abs(cv2.Sobel(soft, cv2.CV_16S, *order))) for order in ((1, 0), (0, 1)))
    return EdgeMap(flat * np.float32(0.125 / PITCH_MM), steep * np.float32(0.125 / PITCH_MM), sight, grid)
