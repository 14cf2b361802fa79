"""Finds things that end as sharply as tiles do, whatever their shape, on a ground without such edges."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.vision.frame import Colour
from tabletop.vision.geometry.boxes import axes_at
from tabletop.vision.geometry.plane import Array, Mask, Plane
from tabletop.vision.geometry.square_grid import SquareGrid
from tabletop.vision.image.rectify import overhead
from tabletop.vision.photo.untagged.compact import tight_box
from tabletop.vision.photo.untagged.edge_map import MIN_EDGE_RATIO, MIN_EDGE_SLOPE, PITCH_MM, EdgeMap, edge_map, pose_of

MAX_SHARP_FRACTION = 0.06
"""Fraction of the ground with edges like those of tiles above which the ground itself has such edges."""
STEEPNESS_FACTOR = 3.0
"""Steepness of an edge as a multiple of the ground's that is enough, down to half of what is required otherwise."""
MIN_LINE_MM = 22.0
"""Least length of such an edge, mm, that is the outline of a thing: most of a tile's side."""
SURROUNDINGS_MM, MAX_ARM_EDGES = 60.0, 2
"""Distance around an area within which its ground is examined, mm, and the most such edges there, from an arm that
reaches in: if there are more, the ground itself has them."""
PRINT_MM = (4.0, 10.0)
"""Range of the height of a line of letters, mm: higher than an edge, lower than the breadth of a finger."""
MIN_PRINT_FRACTION = 0.5
"""Least fraction of a line of letters that is as steep as edges: letters have 0.6, a bent edge of a sheet 0.4."""
PRINT_RIM_MM, MAX_PRINT_GREY = 2.0, 24.0
"""Width, mm, of the rim in which the ground of a print is examined, and its largest difference there, grey levels."""
FACE_MARGIN_MM = 4.0
"""Margin, mm, around a face that was read, or around another ground, within which edges belong to that."""


def outlined(
    colour: Colour,
    plane: Plane,
    area: Array,
    usual: float | None,
    faces: Sequence[Array],
    parts: Sequence[tuple[Mask, Sequence[Array]]],
) -> list[list[Array] | None]:
    """Return, for parts of an area, boxes (4, 2) mm around things outside all faces that end as sharply as tiles.

    A part is a mask over the area, with the outlines (n, 2) mm outside which there is only ground; the other arguments
    are those of ``untagged_tiles``.  None if the ground itself has such edges: on a ground without them, a thing shows
    by its outline, whatever its colours.
    """
    if usual is None:
        return [None for _ in parts]
    middle, turn, half = pose_of(area)
    edges = edge_map(colour, plane, middle, axes_at(turn), half + SURROUNDINGS_MM)
    found = (_outlined(edges, usual, faces, where, known) for where, known in parts)
    return [
        None if boxes is None else [box for box, steep in boxes if not _is_print(colour, plane, box, steep)]
        for boxes in found
    ]


def _outlined(
    edges: EdgeMap, usual: float, faces: Sequence[Array], where: Mask, known: Sequence[Array]
) -> list[tuple[Array, float]] | None:
    """Return the boxes of one part of an area for :func:`outlined`, each with its area of steep edges, mm²."""
    steep, shape = np.maximum(edges.across, edges.down), edges.sight.shape
    part, ground = _widened(where, shape), edges.sight & ~edges.grid.within(known)
    part[edges.grid.within(faces)] = 0
    kernel = np.ones((2 * round(FACE_MARGIN_MM / PITCH_MM) + 1,) * 2, np.uint8)
    searched: Mask = edges.sight & (cv2.erode(part, kernel) > 0)
    if not searched.any():
        return []
    # A thing as dark as its ground has less sharp edges than tiles.
    min_steepness = float(
        np.clip(STEEPNESS_FACTOR * np.median(steep[searched]), MIN_EDGE_RATIO * usual / 2, MIN_EDGE_RATIO * usual)
    )
    sharp = (searched | (cv2.erode(ground.astype(np.uint8), kernel) > 0)) & (
        steep >= max(min_steepness, MIN_EDGE_SLOPE)
    )
    lines, long = _long_lines(sharp)
    things = long.intersection(np.unique(lines[searched]).tolist())
    if len(long - things) > MAX_ARM_EDGES or float(sharp[searched].mean()) > MAX_SHARP_FRACTION:
        return None
    edged = np.isin(lines, [*things]) & searched
    return [
        (edges.grid.mm(*(box.T - 0.5)), int((sharp & searched & mask).sum()) * PITCH_MM**2)
        for box, mask in _grouped(edged, kernel)
    ]


def _grouped(edged: Mask, kernel: NDArray[np.uint8]) -> list[tuple[Array, Mask]]:
    """Return the boxes (4, 2), in squares, around edges that are near enough to be one thing's, each with its mask."""
    _, labels, stats, _ = cv2.connectedComponentsWithStats(cv2.dilate(edged.astype(np.uint8), kernel))
    masks = ((labels == label, around) for label, around in enumerate(stats[1:, :4].tolist(), start=1))
    return [(tight_box(mask, tuple(around)), mask) for mask, around in masks]


def _is_print(colour: Colour, plane: Plane, box: Array, steep: float) -> bool:
    """Return whether the box (4, 2), mm, around sharp edges contains letters: low, with the same ground on all sides.

    ``steep``: its area, mm², that is as steep as the edges of tiles.  A single line may be the edge of a thing as white
    as its ground; a thing as low as letters cannot hide a tile.
    """
    sides = [float(np.linalg.norm(box[index] - box[0])) for index in (1, 3)]
    high, long = sorted(side - 2 * FACE_MARGIN_MM for side in sides)
    if not (PRINT_MM[0] <= high <= PRINT_MM[1] and steep >= MIN_PRINT_FRACTION * high * long):
        return False
    columns, rows = (round(side / PITCH_MM) for side in sides)
    seen = overhead(colour, plane, SquareGrid.over(box, (columns, rows))).seen.astype(np.float32)
    rim, beyond = (round(mm / PITCH_MM) for mm in (PRINT_RIM_MM, FACE_MARGIN_MM - PRINT_RIM_MM))
    seen = seen[beyond:-beyond, beyond:-beyond]
    ends = [seen[:rim], seen[-rim:], seen[:, :rim], seen[:, -rim:]]
    usual = np.array([np.median(end.reshape(-1, 3), axis=0) for end in ends])
    return float(np.ptp(usual, axis=0).max()) <= MAX_PRINT_GREY


def _widened(where: Mask, shape: tuple[int, ...]) -> NDArray[np.uint8]:
    """Return a mask over an area as one of that shape that includes its surroundings, in which it is not set."""
    wide, margin = np.zeros(shape, np.uint8), round(SURROUNDINGS_MM / PITCH_MM)
    inside = wide[margin : shape[0] - margin, margin : shape[1] - margin]
    inside[:] = cv2.resize(where.astype(np.uint8), inside.shape[::-1], interpolation=cv2.INTER_NEAREST)
    return wide


def _long_lines(sharp: Mask) -> tuple[NDArray[np.int32], set[int]]:
    """Return a mask's connected lines, numbered, and the numbers of those as long as most of a tile's side."""
    wide = cv2.dilate(sharp.astype(np.uint8), np.ones((3, 3), np.uint8))
    _, lines, stats, _ = cv2.connectedComponentsWithStats(wide)
    long = {
        label
        for label, size in enumerate(stats[:, 2:4].max(axis=1).tolist())
        if label and size * PITCH_MM >= MIN_LINE_MM
    }
    return np.asarray(lines, np.int32), long
