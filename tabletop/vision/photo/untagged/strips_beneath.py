"""Finds tiles that lie beneath others, so that only a strip of them is visible."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from tabletop.vision.frame import Colour
from tabletop.vision.geometry.boxes import axes_at
from tabletop.vision.geometry.columns import Placed
from tabletop.vision.geometry.plane import Array, Plane
from tabletop.vision.photo.untagged.edge_map import (
    MIN_EDGE_RATIO,
    MIN_EDGE_SLOPE,
    MIN_GROUND_RATIO,
    PITCH_MM,
    EdgeMap,
    edge_map,
    median_steepness,
)
from tabletop.vision.photo.untagged.tile_rims import MIN_SIDE_FRACTION, SIDE_FRACTION, SLACK_MM, faces_beside

STRIP_MM, STRIP_MARGIN_MM = (6.0, 11.0), 4.0
"""Range of the height of the strip of a tile that another one leaves visible, mm: more than the side of a tile seen at
an angle or a gap between tiles, and less than what shows enough of its tag; and the margin around the strip that is
examined, mm."""
MIN_STRIP_FREE = 0.9
"""Least fraction of such a strip that no other tile covers."""


def strips_beneath(
    colour: Colour,
    plane: Plane,
    tiles: Sequence[Placed],
    size: tuple[float, float],
    usual: float | None,
    faces: Sequence[Array],
) -> list[Array]:
    """Return the outlines (4, 2) mm of strips above and below tiles that are parts of other tiles beneath them.

    A strip has an edge like those of tiles on every side, and is as wide as one.  ``size``: a tile's height and
    width, mm; ``usual``: the steepness of tiles' edges; ``faces``: the outlines (4, 2) mm of everything that was read.
    """
    if usual is None:
        return []
    (height, width), (_, far) = size, STRIP_MM
    half = np.array((width / 2, far / 2)) + STRIP_MARGIN_MM
    found = []
    for tile in tiles:
        middle = np.array((tile.x, tile.y))
        others = faces_beside(middle, height, faces)
        for turn in (0.0, np.pi):
            axes = axes_at(np.radians(tile.angle) + turn)
            edges = edge_map(colour, plane, middle + axes[1] * (height + far) / 2, axes, half)
            # Among noise as steep as the tiles' own edges, a strip would be found anywhere.
            is_clear = usual >= MIN_GROUND_RATIO * median_steepness(edges)
            high = _strip_height(edges, others, width, max(MIN_EDGE_RATIO * usual, MIN_EDGE_SLOPE))
            if high is not None and is_clear:
                ends = np.array([(-1, 0), (1, 0), (1, 1), (-1, 1)]) * (width / 2, high) + (0, height / 2)
                found.append(middle + ends @ axes)
    return found


def _strip_height(edges: EdgeMap, others: Sequence[Array], width: float, min_slope: float) -> float | None:
    """Return the height, mm, of a strip with edges on both sides and at both ends, None if there is none.

    The map begins ``STRIP_MARGIN_MM`` above the strip and beside its ends.
    """
    slack, first, middle = (round(mm / PITCH_MM) for mm in (SLACK_MM, STRIP_MARGIN_MM, width / 2 + STRIP_MARGIN_MM))
    reach, across = round(SIDE_FRACTION * width / 2 / PITCH_MM), round(width / 2 / PITCH_MM)
    flat = cv2.dilate(edges.down, np.ones((2 * slack + 1, 1), np.uint8)) >= min_slope
    steep = cv2.dilate(edges.across, np.ones((1, 2 * slack + 3), np.uint8)) >= min_slope
    free = (edges.sight & ~edges.grid.within(others))[:, middle - reach : middle + reach].mean(axis=1)
    far = flat[:, middle - reach : middle + reach].mean(axis=1)
    ends = steep[:, (middle - across, middle + across)]
    if far[first] < MIN_SIDE_FRACTION:
        return None
    low, high = (first + round(mm / PITCH_MM) for mm in STRIP_MM)
    for row in range(low, min(high, len(far))):
        inside = slice(first + slack, row - slack)
        if free[inside].mean() < MIN_STRIP_FREE:
            return None
        if min(float(far[row]), float(ends[inside].mean(axis=0).min())) >= MIN_SIDE_FRACTION:
            return (row - first) * PITCH_MM
    return None
