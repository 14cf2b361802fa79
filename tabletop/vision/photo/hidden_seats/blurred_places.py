"""Finds places where things lie that the picture shows blurred although it is sharp elsewhere.

A fingerprint on the lens, a shake, or a portrait's background may blur all that a seat has, so that neither a corner of
a tag nor an edge is left.  Where a thing begins, light changes within a millimetre; in a blurred place it changes by as
much, but slowly.  So the steepest change of each place is compared with its contrast over the breadth of a tile.

In many photographs the room behind the table is out of focus.  It has other colours than the table, so it is left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.messages import Message
from tabletop.vision.frame import Colour, Floats, Grey
from tabletop.vision.geometry.boxes import Box, corners_of
from tabletop.vision.geometry.plane import Array, Mask
from tabletop.vision.photo.photo_contents import PhotoContents
from tabletop.vision.photo.shrunk_picture import ShrunkPicture
from tabletop.vision.scene import Cause, Unreadable, corner_points

BLURRED = Message("The picture is blurred here, where something lies: wipe the lens, hold still, and take it again.")
SQUARE_PX = 4
"""Side of the squares in which places are judged, px of about 1 mm."""
FINE_BLUR_PX = 1.5
"""Blur that removes sharp edges, px."""
COARSE_BLURS = 1.5, 3.5
"""Blurs between which contrast over the breadth of a tile remains, squares."""
CONTRAST_SQUARES, EDGE_SQUARES = 7, 13
"""Sides of the windows, squares, in which the strongest contrast and the sharpest edge of a place are searched for: an
edge is felt in the contrast of squares far beside it."""
MIN_CONTRAST_RATIO, MIN_TEXTURE_RATIO = 0.06, 0.04
"""Least contrast of a place with a thing, and of any texture, as fractions of the grey level of paper."""
MAX_SHARPNESS, SOFT_SHARPNESS = 0.25, 0.45
"""Largest ratio of the sharpest edge to the contrast in a blurred place, and in a soft texture.  Sharp things have 0.5
and more, what is blurred by a module of a tag or more at most 0.2."""
MIN_SPOT_RATIO = 0.03
"""Least difference of a spot from its surroundings, as a fraction of the grey level of paper: the reflection of a lamp
is one spot, a seat has a marker and tiles."""
MIN_BREADTH_SQUARES = 9
"""Least breadth of a blurred place, squares: a tile with its blurred edges; the edge of a shadow is narrower."""
MARGIN_SQUARES = 13
"""Side of the square around everything that was read in which nothing is judged, squares."""
PARTS, MIN_SOFT_FRACTION, MAX_SOFT_PARTS = (6, 4), 0.01, 0.5
"""Columns and rows of parts of a picture, the least fraction of a part with a soft texture, and the largest fraction of
parts with that much of it: on a ground that is printed softly all over, blurred things cannot be told."""
NEAR_SQUARES, RING_SQUARES = 31, 8
"""Side of the square around everything that was read in which the table is seen, and breadth of the surroundings of a
blurred place, squares."""
COLOUR_STEP, MIN_COLOUR_FRACTION = 16, 0.003
"""Grey levels per step of blue, green and red, and the least fraction of the table that has a colour of it."""
MIN_TABLE_FRACTION, MIN_BORDER_FRACTION = 0.65, 0.95
"""Least fraction of the surroundings of a blurred place with the table's colours, and the same at the border of the
picture, where rooms are.  Around seats under fingerprints it was 0.67 and more, at the border 0.91 and more; around
things in 24 rooms at most 0.57, at the border 0.94, except for two as dark and green as the felt."""


class _Sharpness(NamedTuple):
    """For each square: how much brighter than its surroundings it is, the strongest contrast around it, both in grey
    levels, and the sharpness of the edges around it relative to that."""

    brighter: Floats
    contrast: Floats
    sharpness: Floats


def blurred_places(seen: PhotoContents, look: ShrunkPicture) -> list[Unreadable]:
    """Return doubts about blurred places outside everything that was read; ``look``: the picture, shrunk."""
    if not seen.tally.apart:
        return []
    grey = np.asarray(cv2.cvtColor(look.colour, cv2.COLOR_BGR2GRAY), np.uint8)
    shrink = min(1.0, look.plane.mm_per_px((np.array(grey.shape[::-1]) - 1) / 2))
    grey = np.asarray(cv2.resize(grey, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA), np.uint8)
    places, scale = _places(grey), shrink / SQUARE_PX
    taken = look.read_places(places.contrast.shape)
    boxes = _blurred(places, cv2.dilate(taken, _square(MARGIN_SQUARES)) == 0, look.white)
    boxes = _on_table(boxes, look.colour, taken > 0)
    outlines = [seen.plane.to_px(look.plane.to_mm(box / scale)) for box in boxes]
    return [Unreadable(Cause.BLURRED, BLURRED, corner_points(outline)) for outline in outlines]


def _places(grey: Grey) -> _Sharpness:
    """Return the contrast and the sharpness of the squares of a picture with about 1 px per mm."""
    small = cv2.resize(grey, None, fx=1 / SQUARE_PX, fy=1 / SQUARE_PX, interpolation=cv2.INTER_AREA).astype(np.float32)
    near, far = (cv2.GaussianBlur(small, (0, 0), blur) for blur in COARSE_BLURS)
    brighter = np.asarray(near - far, np.float32)
    fine = cv2.dilate(cv2.absdiff(grey, cv2.GaussianBlur(grey, (0, 0), FINE_BLUR_PX)), _square(SQUARE_PX + 1))
    edges = cv2.resize(fine, small.shape[::-1], interpolation=cv2.INTER_NEAREST).astype(np.float32)
    contrast = np.asarray(cv2.dilate(np.abs(brighter), _square(CONTRAST_SQUARES)), np.float32)
    sharpest = np.asarray(cv2.dilate(edges, _square(EDGE_SQUARES)), np.float32)
    return _Sharpness(brighter, contrast, np.asarray(sharpest / np.maximum(contrast, 1), np.float32))


def _blurred(places: _Sharpness, free: Mask, white: float) -> list[Array]:
    """Return the boxes (4, 2), squares, around blurred places, none if the ground itself looks blurred."""
    _, contrast, sharpness = places
    soft = free & (contrast >= MIN_TEXTURE_RATIO * white) & (sharpness < SOFT_SHARPNESS)
    parts = cv2.resize(soft.astype(np.float32), PARTS, interpolation=cv2.INTER_AREA)
    if float((parts > MIN_SOFT_FRACTION).mean()) > MAX_SOFT_PARTS:
        return []
    blurred = free & (contrast >= MIN_CONTRAST_RATIO * white) & (sharpness < MAX_SHARPNESS)
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (MIN_BREADTH_SQUARES, MIN_BREADTH_SQUARES))
    opened = cv2.morphologyEx(blurred.astype(np.uint8), cv2.MORPH_OPEN, disc)
    _, _, stats, _ = cv2.connectedComponentsWithStats(opened)
    boxes = ((x, y, x + w, y + h) for x, y, w, h in stats[1:, :4].tolist())
    return [corners_of(box) for box in boxes if _spots(places.brighter, box, MIN_SPOT_RATIO * white) > 1]


def _spots(brighter: Floats, box: Box, least: float) -> int:
    """Return the number of spots around a box that are brighter, or darker, than their surroundings by so much."""
    left, top, right, bottom = (round(side) for side in box)
    around = CONTRAST_SQUARES
    part = brighter[max(0, top - around) : bottom + around, max(0, left - around) : right + around]
    return sum(cv2.connectedComponents((sign * part >= least).astype(np.uint8))[0] - 1 for sign in (-1, 1))


def _on_table(boxes: Sequence[Array], colour: Colour, taken: Mask) -> list[Array]:
    """Return the boxes around which a picture has colours of the table beside what was read (``taken``)."""
    near = (cv2.dilate(taken.astype(np.uint8), _square(NEAR_SQUARES)) > 0) & ~taken
    if not boxes or not near.any():
        return [*boxes]
    small = cv2.resize(colour, taken.shape[::-1], interpolation=cv2.INTER_AREA)
    steps = (small // COLOUR_STEP).astype(np.intp)
    palette, counts = np.unique(steps[near], axis=0, return_counts=True)
    palette = palette[counts > MIN_COLOUR_FRACTION * counts.sum()]

    def table_fraction(box: Array) -> float:
        apart = np.abs(steps[_ring(taken.shape, box)][:, None] - palette).max(axis=-1, initial=0)
        return float((apart <= 1).any(axis=1).mean()) if len(apart) else 1.0

    def least_fraction(box: Array) -> float:
        inside = np.minimum(box.min(axis=0), np.array(taken.shape[::-1]) - box.max(axis=0)).min() > EDGE_SQUARES // 2
        return MIN_TABLE_FRACTION if inside else MIN_BORDER_FRACTION

    return [box for box in boxes if table_fraction(box) >= least_fraction(box)]


def _ring(shape: tuple[int, ...], box: Array) -> Mask:
    """Return the mask of the squares around a box."""
    low, high = (corner.round().astype(int) for corner in (box.min(axis=0), box.max(axis=0)))
    around = np.zeros(shape, np.uint8)
    for breadth, value in ((RING_SQUARES, 1), (0, 0)):
        cv2.rectangle(around, (low - breadth).tolist(), (high + breadth).tolist(), value, cv2.FILLED)
    return around > 0


def _square(side: int) -> NDArray[np.uint8]:
    return np.ones((side, side), np.uint8)
