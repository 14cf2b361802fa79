"""Finds the parts of a mask that are as compact as a tile, and the boxes around them."""

from __future__ import annotations

import cv2
import numpy as np

from tabletop.vision.geometry.plane import Array, Mask
from tabletop.vision.photo.untagged.area_from_above import PITCH_MM

DISC_MM = 16.0
"""Diameter, mm, of a disc that fits into a tile, but not into a line of print, the shadow of an edge or a finger."""
MIN_AREA_MM2 = 350.0
"""Least area of a thing, mm²: a third of a tile."""
MIN_WIDTH_MM = 23.0
"""Least width of a tile, mm: anything narrower is the table beside the seat's card."""
MIN_CUT_MM = 12.0
"""Least width of a thing that the edge of the picture cuts off, mm: a third of a tile."""
MAX_TURNED_FRACTION = 0.7
"""Largest area of the turned box around a thing, as a fraction of the upright one's, at which the turned one is
used."""


def compact(odd: Mask, area: Array, sight: Mask | None = None) -> list[tuple[Array, Mask]]:
    """Return the boxes (4, 2) mm around odd parts of an area that are as compact as a tile, each with its mask.

    A long thing at an angle, such as a finger, has a turned box.  ``sight``: the mask that the picture shows; a tile
    may lie across the edge of the picture, so odd parts that end there are assumed to continue.
    """
    width, beyond = round(DISC_MM / PITCH_MM), np.zeros_like(odd) if sight is None else ~sight
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (width, width))
    opened = cv2.morphologyEx((odd | beyond).astype(np.uint8), cv2.MORPH_OPEN, disc) * odd
    _, labels, stats, _ = cv2.connectedComponentsWithStats(opened)
    cut = np.unique(labels[cv2.dilate(beyond.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0])
    steps = np.stack([(area[1] - area[0]) / odd.shape[1], (area[3] - area[0]) / odd.shape[0]])
    boxes = []
    for label, (x, y, w, h, count) in enumerate(stats[1:], start=1):
        min_side = MIN_CUT_MM if label in cut else MIN_WIDTH_MM
        if min(w, h) * PITCH_MM >= min_side and count * PITCH_MM**2 >= MIN_AREA_MM2:
            part: Mask = labels == label
            boxes.append((area[0] + tight_box(part, (x, y, w, h)) @ steps, part))
    return boxes


def tight_box(mask: Mask, around: tuple[int, int, int, int]) -> Array:
    """Return the corners (4, 2) of the box around a mask, in squares, turned if that is much smaller.

    ``around``: left, top, width and height of the upright box.
    """
    x, y, w, h = around
    part = mask[y : y + h, x : x + w].astype(np.uint8)
    middle, (width, height), turn = cv2.minAreaRect(cv2.findNonZero(part))
    if (width + 1) * (height + 1) > MAX_TURNED_FRACTION * w * h:
        return np.array([(x, y), (x + w, y), (x + w, y + h), (x, y + h)], np.float64)
    corners = cv2.boxPoints((middle, (width + 1, height + 1), turn)).astype(np.float64)
    box: Array = corners + np.array((x + 0.5, y + 0.5))
    return box
