"""The outlines of pieces whose tags were read: whatever is visible inside them is explained."""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import numpy as np

from tabletop.vision.geometry.boxes import axes_at, corners_of, rectangle
from tabletop.vision.geometry.columns import Placed
from tabletop.vision.geometry.plane import Array
from tabletop.vision.geometry.square_grid import SquareGrid
from tabletop.vision.kit import Kit
from tabletop.vision.scene import Sighting
from tabletop.vision.tags import catalogue, payloads

EDGE_MM = 3.0
"""Margin, mm, beyond its outline within which a piece still explains what is visible: it is thick, crooked, and casts a
shadow."""
TAG_DISC_MM = 15.0
"""Diameter, mm, of a disc that fits into every tag, however it is turned."""
PITCH_MM = 1.0
"""Side, mm, of the squares of the table in which free room is searched for."""


def outlines(sightings: Iterable[Sighting], kit: Kit) -> list[Array]:
    """Return the outline (4, 2) in mm of every piece whose tag was seen, and of every marker."""
    shapes = []
    for seen in sightings:
        shapes.append(shape(seen.payload, kit) @ axes_at(np.radians(seen.angle)) + (seen.x, seen.y))
    return shapes


def shape(payload: str, kit: Kit) -> Array:
    """Return the outline (4, 2) of the piece, or marker, that has a tag, in mm from the tag's middle, upright."""
    entry = kit.entries.get(payload)
    size = kit.sizes.get(entry.kind) if entry is not None else None
    if size is not None:
        left, top = -size.width / 2 - size.tag_x, -size.height / 2 - size.tag_y
        right, bottom = left + size.width, top + size.height
    else:
        half = (catalogue.MARKER_MM if payloads.is_marker(payload) else kit.tag_mm) / 2
        left, top, right, bottom = -half, -half, half, half
    corners = corners_of((left, top, right, bottom))
    corners += np.sign(corners) * EDGE_MM
    return corners


def piece_outlines(placed: Iterable[Placed], size: tuple[float, float]) -> list[Array]:
    """Return the outline (4, 2) in mm of every piece, given by its middle; ``size``: its height and width, mm."""
    height, width = size
    return [rectangle_of(each, height + 2 * EDGE_MM, width + 2 * EDGE_MM) for each in placed]


def rectangle_of(placed: Placed, height: float, width: float) -> Array:
    """Return the corners (4, 2) of a piece's rectangle, mm, from its own top left, clockwise."""
    corners: Array = rectangle(height, width) @ axes_at(np.radians(placed.angle)) + (placed.x, placed.y)
    return corners


def on_faces(place: Array, faces: Iterable[Array]) -> bool:
    """Return whether a place, given by its corners in mm, has no room for a tag outside these faces."""
    corner = place.min(axis=0)
    columns, rows = (np.ceil((place.max(axis=0) - corner) / PITCH_MM).astype(int) + 1).tolist()
    grid = SquareGrid.upright(corner, PITCH_MM, (columns, rows))
    free = grid.within([place]) & ~grid.within(faces)
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (round(TAG_DISC_MM / PITCH_MM), round(TAG_DISC_MM / PITCH_MM)))
    return not cv2.erode(free.astype(np.uint8), disc, borderType=cv2.BORDER_CONSTANT, borderValue=0).any()


def wider(outline: Array, margin: float) -> Array:
    """Return an outline (n, 2) whose corners are ``margin`` mm farther from its middle; negative to shrink it."""
    middle = outline.mean(axis=0)
    away = outline - middle
    wider: Array = middle + away * (1 + margin / np.maximum(np.linalg.norm(away, axis=1, keepdims=True), 1e-6))
    return wider
