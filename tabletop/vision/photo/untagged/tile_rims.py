"""The edges of the tiles that were read: how steep they are, and which of them something lies over."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np

from tabletop.vision.frame import Colour, Floats
from tabletop.vision.geometry.boxes import axes_at
from tabletop.vision.geometry.columns import Placed
from tabletop.vision.geometry.outlines import rectangle_of
from tabletop.vision.geometry.plane import Array, Mask, Plane
from tabletop.vision.photo.untagged.edge_map import MIN_EDGE_RATIO, PITCH_MM, edge_map

SLACK_MM = 1.5
"""Largest offset of an edge, mm: tiles are cut, laid and seen slightly crooked."""
SIDE_FRACTION = 0.8
"""Fraction of a side that is compared: corners are round."""
MIN_SIDE_FRACTION = 0.75
"""Least fraction of each of the four sides with such an edge: tiles have nine tenths, mats half."""
MIN_OVERLAID_MM = 8.0
"""Least length, mm, of the part of a side without an edge that shows that something lies over it.  The ground, uneven
light and neighbours account for 5 mm, seldom more."""
MIN_REST_MM = 6.0
"""Least length, mm, of the rest of the side, with an edge; otherwise the edge is invisible, such as white on white."""

Rim: TypeAlias = list[tuple[Floats, Mask]]
"""The steepness of each of the four sides of a tile along its length, and the mask where no other face touches it."""


def rims(
    colour: Colour, plane: Plane, size: tuple[float, float], tiles: Sequence[Placed], faces: Sequence[Array]
) -> list[Rim]:
    """Return the rim of each tile that was read.

    ``size``: a tile's height and width, mm; ``faces``: the outlines (4, 2) mm of everything that was read.
    """
    return [_rim(colour, plane, tile, size, faces) for tile in tiles]


def steepness(seen: Sequence[Rim]) -> float | None:
    """Return the usual steepness of tiles' edges, grey levels per mm, None if there are no tiles.

    A tile's steepness is the median over its four sides of the one that most of a side reaches.
    """
    edges = [np.median([np.quantile(side, 1 - MIN_SIDE_FRACTION) for side, _ in rim]) for rim in seen]
    return float(np.median(edges)) if edges else None


def overlaid(size: tuple[float, float], tiles: Sequence[Placed], seen: Sequence[Rim]) -> list[Array]:
    """Return the outlines (4, 2) mm of the tiles that were read and have an edge on only a part of a side.

    ``seen``: the rims of the ``tiles``.  A thing that covers a part of a tile may hide others completely.
    """
    steep = [
        float(np.quantile(side[free], 1 - MIN_SIDE_FRACTION)) for rim in seen for side, free in rim if free.mean() > 0.5
    ]
    if not steep:
        return []
    min_slope = MIN_EDGE_RATIO * float(np.median(steep))
    outlines = []
    for tile, rim in zip(tiles, seen, strict=True):
        if any(
            _longest_run(free & (side < min_slope)) * PITCH_MM >= MIN_OVERLAID_MM
            and (free & (side >= min_slope)).sum() * PITCH_MM >= MIN_REST_MM
            for side, free in rim
        ):
            outlines.append(rectangle_of(tile, *size))
    return outlines


def faces_beside(tile: Array, height: float, faces: Sequence[Array]) -> list[Array]:
    """Return the faces (4, 2) that are not that of a tile itself, given by its middle, mm, and its height, mm."""
    return [face for face in faces if np.hypot(*(face.mean(axis=0) - tile)) > height / 2]


def _rim(colour: Colour, plane: Plane, tile: Placed, size: tuple[float, float], faces: Sequence[Array]) -> Rim:
    height, width = size
    middle, around = np.array((tile.x, tile.y)), np.array((width, height)) / 2 + 2 * SLACK_MM
    edges = edge_map(colour, plane, middle, axes_at(np.radians(tile.angle)), around)
    free: Mask = edges.sight & ~edges.grid.within(faces_beside(middle, height, faces))
    slack, x, y = round(SLACK_MM / PITCH_MM), edges.across.shape[1] // 2, edges.across.shape[0] // 2
    wide, high = round(SIDE_FRACTION * width / 2 / PITCH_MM), round(SIDE_FRACTION * height / 2 / PITCH_MM)
    sides: Rim = []
    for sign in (-1, 1):
        row, column = y + round(sign * height / 2 / PITCH_MM), x + round(sign * width / 2 / PITCH_MM)
        flat = slice(row - slack, row + slack + 1), slice(x - wide, x + wide)
        steep = slice(y - high, y + high), slice(column - slack, column + slack + 1)
        sides.append((edges.down[flat].max(axis=0), np.asarray(free[flat].all(axis=0))))
        sides.append((edges.across[steep].max(axis=1), np.asarray(free[steep].all(axis=1))))
    return sides


def _longest_run(mask: Mask) -> int:
    """Return the length of the longest run that is set."""
    ends = np.flatnonzero(np.diff(np.pad(mask.astype(np.int8), 1)))
    return int((ends[1::2] - ends[::2]).max(initial=0))
