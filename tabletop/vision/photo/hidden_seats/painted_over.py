"""Finds places that were painted over or blurred after a picture was taken, as by a sticker or to hide a name.

A camera's noise is everywhere in a photograph, except where paper is overexposed or the picture was edited: a sticker,
a pixelated place or an artificial blur has none.  If a camera or a messenger removed the noise, whatever is smooth has
none, so then nothing is judged.
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
SMOOTH_SQUARES, MAX_CLEAN_FRACTION = 3, 0.005
"""Breadth, squares, of smooth places, in which weak noise is hardly missing by chance, and the largest fraction of the
rest of the picture, with pieces and cards, that such places without noise may be if its absence shows anything.  In 26
of 30 edited pictures as a camera made them it was at most 0.002; in 58 of 60 from which noise was removed, with smooth
things on the table, at least 0.01."""
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
    free = look.read_places(clean.shape) == 0
    mm = SQUARE_PX * seen.plane.mm_per_px((np.array(grey.shape[::-1]) - 1) / 2)
    breadth = max(MIN_BREADTH_SQUARES, round(MIN_BREADTH_MM / mm))
    boxes = _inner_parts(clean, free, _neither_paper_nor_shadow(seen), breadth, MIN_AREA_MM2 / mm**2)
    outlines = [corners_of(box) * SQUARE_PX for box in boxes]
    return [Unreadable(Cause.HIDDEN_SEAT, PAINTED_OVER, corner_points(outline)) for outline in outlines]


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


def _inner_parts(clean: Mask, free: Mask, judged: Mask, breadth: int, min_area: float) -> list[Box]:
    """Return the boxes, squares, of clean parts that have such a breadth in ``free`` squares and that no edge cuts off.

    Parts at an edge of the picture may be bars of a screenshot.  There is none if all have less than an area in free
    squares, or too many of the other ``judged`` squares are in smooth clean places as well.
    """
    squares, disc = (clean & judged).astype(np.uint8), _disc(breadth)
    _, parts, stats, _ = cv2.connectedComponentsWithStats(cv2.morphologyEx(squares, cv2.MORPH_OPEN, disc))
    free_parts = parts[cv2.morphologyEx(squares * free, cv2.MORPH_OPEN, disc) > 0]
    areas = np.bincount(free_parts, minlength=len(stats))
    (left, top, width, height), (rows, columns) = stats[:, :4].T, clean.shape
    inner = (left > 0) & (top > 0) & (left + width < columns) & (top + height < rows) & (areas > 0)
    others = judged & (cv2.dilate(inner[parts].astype(np.uint8), _disc(2 * breadth)) == 0)
    smooth = cv2.morphologyEx(squares, cv2.MORPH_OPEN, np.ones((SMOOTH_SQUARES, SMOOTH_SQUARES), np.uint8))
    too_clean = np.count_nonzero(smooth[others]) > MAX_CLEAN_FRACTION * np.count_nonzero(others)
    if too_clean or areas[inner].sum() < min_area:
        return []
    return [(x, y, x + w, y + h) for x, y, w, h in stats[inner, :4].tolist()]


def _disc(breadth: int) -> NDArray[np.uint8]:
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (breadth, breadth)), np.uint8)
