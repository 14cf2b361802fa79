"""Finds places that were painted over or blurred after a picture was taken, as by a sticker or to hide a name.

A camera's noise is everywhere in a photograph, except where paper is overexposed or the picture was edited: a sticker,
a pixelated place or an artificial blur has none.  A camera or compression that removes noise leaves none in many places
of all sizes, so then nothing is judged.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.messages import Message
from tabletop.vision.frame import Grey
from tabletop.vision.geometry.boxes import Box, corners_of
from tabletop.vision.geometry.plane import Mask
from tabletop.vision.photo.photo_contents import PhotoContents
from tabletop.vision.photo.shrunk_picture import ShrunkPicture
from tabletop.vision.scene import Cause, Unreadable, corner_points

PAINTED_OVER = Message("The picture seems to be painted over or blurred here, where a seat may be: use the original.")
SQUARE_PX, NEAR_PX = 8, 5
"""Sides of the squares that are judged, and of those around each pixel from whose mean noise makes it differ, px."""
NOISE_GREY = 1
"""Largest difference of a pixel without noise, grey levels."""
MIN_BREADTH_MM, MIN_BREADTH_SQUARES = 21.0, 5
"""Least breadth of what may hide a marker or a tile, mm and squares."""
MIN_AREA_MM2 = 4000.0
"""Least area of all such places: a marker and two tiles.  Of 72 smooth things on the table one had more."""
MAX_CLEAN_FRACTION, MAX_ELSEWHERE_FRACTION = 0.45, 0.25
"""Largest fraction of the picture without noise if its absence shows anything, and the largest area of other places, of
three quarters of the breadth, as a fraction of the area of those in doubt."""
PAPER_FRACTION, WHITER_GREY = 0.9, 4.0
"""Least brightness of paper, as a fraction of the usual one, and the largest, grey levels above it: a bright sheet of
paper on the table may show no noise."""
MIN_INK_GREY = 12.0
"""Least grey level of ink for what is black to count: if ink is darker, the camera shows dark things without noise."""


def painted_over(seen: PhotoContents, look: ShrunkPicture) -> list[Unreadable]:
    """Return doubts about places without noise outside everything that was read; ``look``: the picture, shrunk."""
    if not seen.tally.apart:
        return []
    grey = seen.picture.grey
    clean = _clean(grey)
    taken = np.zeros(clean.shape, np.uint8)
    for outline in (*look.faces, *look.cards):
        cv2.fillPoly(taken, [np.round(seen.plane.to_px(outline) / SQUARE_PX).astype(np.int32)], 1)
    free = taken == 0
    if not free.any() or clean[free].mean() > MAX_CLEAN_FRACTION:
        return []
    mm = SQUARE_PX * seen.plane.mm_per_px((np.array(grey.shape[::-1]) - 1) / 2)
    breadth = max(MIN_BREADTH_SQUARES, round(MIN_BREADTH_MM / mm))
    judged = clean & free & _neither_paper_nor_shadow(seen)
    boxes = [corners_of(box) * SQUARE_PX for box in _inner_parts(judged, breadth, MIN_AREA_MM2 / mm**2)]
    return [Unreadable(Cause.HIDDEN_SEAT, PAINTED_OVER, corner_points(box)) for box in boxes]


def _clean(grey: Grey) -> Mask:
    """Return the mask of the squares of a picture without noise."""
    noisy = (cv2.absdiff(grey, cv2.blur(grey, (NEAR_PX, NEAR_PX))) > NOISE_GREY).astype(np.uint8)
    size = (grey.shape[1] // SQUARE_PX, grey.shape[0] // SQUARE_PX)
    part = noisy[: size[1] * SQUARE_PX, : size[0] * SQUARE_PX] * np.uint8(255)
    return np.asarray(cv2.resize(part, size, interpolation=cv2.INTER_AREA) == 0)


def _neither_paper_nor_shadow(seen: PhotoContents) -> Mask:
    """Return the mask of the squares of a picture that are neither as white as paper nor as black as dark ink."""
    papers, white = seen.papers(), seen.white()
    ink = float(np.median(papers[:, 3])) if len(papers) else 0.0
    size = tuple(side // SQUARE_PX for side in seen.picture.grey.shape[::-1])
    colour = seen.picture.colour[: size[1] * SQUARE_PX, : size[0] * SQUARE_PX]
    small = cv2.resize(colour, size, interpolation=cv2.INTER_AREA)
    palest = small.min(axis=-1)
    is_paper = (palest >= PAPER_FRACTION * white) & (palest <= white + WHITER_GREY)
    return np.asarray(~is_paper & ((small.max(axis=-1) >= MIN_INK_GREY) | (ink >= MIN_INK_GREY)))


def _inner_parts(clean: Mask, breadth: int, min_area: float) -> list[Box]:
    """Return the boxes, squares, of parts of such a breadth that the edges of the picture do not cut off.

    Parts at an edge may be bars of a screenshot.  There is none if all have less than an area, or other places look
    alike.
    """
    squares = clean.astype(np.uint8)
    broad = cv2.morphologyEx(squares, cv2.MORPH_OPEN, _disc(breadth))
    _, _, stats, _ = cv2.connectedComponentsWithStats(broad)
    (left, top, width, height), (rows, columns) = stats[:, :4].T, clean.shape
    inner = (left > 0) & (top > 0) & (left + width < columns) & (top + height < rows) & (np.arange(len(stats)) > 0)
    narrower = cv2.morphologyEx(squares, cv2.MORPH_OPEN, _disc(breadth * 3 // 4))
    elsewhere = np.count_nonzero((narrower > 0) & (cv2.dilate(broad, _disc(2 * breadth)) == 0))
    area = stats[inner, cv2.CC_STAT_AREA].sum()
    if area < min_area or elsewhere > MAX_ELSEWHERE_FRACTION * area:
        return []
    return [(x, y, x + w, y + h) for x, y, w, h in stats[inner, :4].tolist()]


def _disc(breadth: int) -> NDArray[np.uint8]:
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (breadth, breadth)), np.uint8)
