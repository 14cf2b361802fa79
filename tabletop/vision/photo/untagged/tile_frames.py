"""Finds tiles without a tag on a ground of many colours by four straight edges as far apart as a tile's.

On a ground of one colour, anything that differs from it is a thing (`contrast`); on a printed mat nearly
everything differs.  A tile that is turned over still has four straight edges, and the tiles that were read show how
strong such edges are in this picture (`tile_rims`).
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from tabletop.vision.frame import Colour, Floats
from tabletop.vision.geometry.boxes import axes_at, rectangle
from tabletop.vision.geometry.plane import Array, Mask, Plane
from tabletop.vision.geometry.square_grid import SquareGrid
from tabletop.vision.photo.untagged.edge_map import (
    MIN_EDGE_RATIO,
    MIN_EDGE_SLOPE,
    MIN_GROUND_RATIO,
    PITCH_MM,
    EdgeMap,
    edge_map,
    median_steepness,
    pose_of,
)
from tabletop.vision.photo.untagged.tile_rims import MIN_SIDE_FRACTION, SIDE_FRACTION, SLACK_MM

TURNS_DEG = (0.0, -5.0, 5.0, -10.0, 10.0)
"""Angles of a tile relative to the others that are tried, degrees; each finds edges some degrees around it."""
MAX_EXPLAINED_FRACTION = 0.12
"""Largest fraction of a tile's middle that may be explained by what was read."""
RIM_MM = 3.0
"""Width of a tile's rim, mm, that is not part of its middle."""
BESIDE_MM = (3.0, 6.0)
"""Distances from a frame between which its surroundings are examined, mm: it is found up to 3 mm off its place."""
MIN_BARE_FRACTION, MAX_BARE_FRACTION = 0.6, 0.25
"""If a frame is a gap, the least fraction of it that is ground, and the largest of the strip beside each of its
sides."""
MAX_TILES = 40
"""Most tiles in an area."""


def untagged_tiles(
    colour: Colour,
    plane: Plane,
    area: Array,
    size: tuple[float, float],
    usual: float | None,
    faces: Sequence[Array],
) -> list[Array]:
    """Return the outlines (4, 2) mm of things in an area and outside all faces whose edges are those of a tile.

    ``area``: its corners in mm, from its own top left, clockwise; ``size``: a tile's height and width; ``usual``: the
    steepness of the edges of those that were read (see :func:`steepness`); ``faces``: the outlines (4, 2) mm of
    everything that was read.
    """
    if usual is None:
        return []
    height, width = size
    middle, turn, half = pose_of(area)
    candidates: list[tuple[float, Array]] = []
    for angle in turn + np.radians(TURNS_DEG):
        axes = axes_at(angle)
        edges = edge_map(colour, plane, middle, axes, half)
        scores = _frame_scores(
            edges,
            height,
            width,
            max(MIN_EDGE_RATIO * usual, MIN_GROUND_RATIO * median_steepness(edges), MIN_EDGE_SLOPE),
        )
        scores[~edges.sight | (_covered_fraction(edges.grid.within(faces), size) > MAX_EXPLAINED_FRACTION)] = 0
        for _ in range(MAX_TILES):
            row, column = np.unravel_index(scores.argmax(), scores.shape)
            score = float(scores[row, column])
            if score < MIN_SIDE_FRACTION:
                break
            place = middle + (np.array((column, row)) * PITCH_MM - half) @ axes
            candidates.append((score, place + rectangle(height, width) @ axes))
            cv2.circle(scores, (int(column), int(row)), int(height / PITCH_MM), 0.0, -1)
    return _without_repeats(candidates, height)


def is_gap(box: Array, area: Array, bare: Mask) -> bool:
    """Return whether a box (4, 2), mm, is ground framed by the edges of other things.

    ``bare``: the mask of an area that shows its plain ground.  A tile as white as its card is not a gap, because some
    of the card is visible beside it.
    """
    rows, columns = bare.shape
    grid = SquareGrid.over(area, (columns, rows))

    def bareness(outline: Array) -> float:
        inside = bare[grid.within([outline])]
        return float(inside.mean()) if len(inside) else 0.0

    middle, sides = box.mean(axis=0), zip(box, np.roll(box, -1, axis=0), strict=True)
    beyond = []
    for start, end in sides:
        half_side, away = SIDE_FRACTION * (end - start) / 2, (start + end) / 2 - middle
        near, far = (middle + away * (1 + reach / np.hypot(*away)) for reach in BESIDE_MM)
        beyond.append(bareness(np.array([near - half_side, near + half_side, far + half_side, far - half_side])))
    return bareness(box) >= MIN_BARE_FRACTION and max(beyond) <= MAX_BARE_FRACTION


def too_busy(colour: Colour, plane: Plane, area: Array, usual: float | None) -> bool:
    """Return whether an area's ground is so steep that not even the tiles that were read would be found by their edges.

    The arguments are those of :func:`untagged_tiles`.
    """
    if usual is None:
        return False
    middle, turn, half = pose_of(area)
    return MIN_GROUND_RATIO * median_steepness(edge_map(colour, plane, middle, axes_at(turn), half)) > usual


def _frame_scores(edges: EdgeMap, height: float, width: float, min_slope: float) -> Floats:
    """Return for every place the fraction of the weakest side of a tile around it that is an edge."""
    slack = 2 * round(SLACK_MM / PITCH_MM) + 1
    wide, high = round(SIDE_FRACTION * width / PITCH_MM), round(SIDE_FRACTION * height / PITCH_MM)
    flat = cv2.dilate(np.minimum(edges.down / min_slope, 1), np.ones((slack, 1), np.uint8))
    steep = cv2.dilate(np.minimum(edges.across / min_slope, 1), np.ones((1, slack), np.uint8))
    flat, steep = cv2.blur(flat, (wide, 1)), cv2.blur(steep, (1, high))
    up, aside = height / 2 / PITCH_MM, width / 2 / PITCH_MM
    moved = ((flat, 0, up), (flat, 0, -up), (steep, aside, 0), (steep, -aside, 0))
    weakest: Floats = np.minimum.reduce([_shifted(*each) for each in moved])
    return weakest


def _shifted(picture: cv2.typing.MatLike, x: float, y: float) -> Floats:
    matrix = np.array([(1, 0, round(x)), (0, 1, round(y))], dtype=np.float32)
    return np.asarray(cv2.warpAffine(picture, matrix, picture.shape[1::-1]), dtype=np.float32)


def _covered_fraction(covered: Mask, size: tuple[float, float]) -> Floats:
    """Return for every place the fraction of the middle of a tile there that is ``covered`` by faces."""
    height, width = (max(1, round((side - 2 * RIM_MM) / PITCH_MM)) for side in size)
    return np.asarray(cv2.blur(covered.astype(np.float32), (width, height)), dtype=np.float32)


def _without_repeats(candidates: Sequence[tuple[float, Array]], min_distance: float) -> list[Array]:
    """Return the outlines, the clearest first, whose middles are at least ``min_distance`` mm from each other."""
    kept: list[Array] = []
    for _, outline in sorted(candidates, key=lambda each: -each[0]):
        if all(float(np.hypot(*(outline.mean(axis=0) - other.mean(axis=0)))) >= min_distance for other in kept):
            kept.append(outline)
    return kept
