"""Finds fingers over the lens and other things right in front of it, which may hide a seat completely.

Such a thing is so far out of focus that it shows no texture and ends without an edge, and it reaches in from the edge
of the picture.  A thing on the table ends sharply, and so does the table in front of a room.
"""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.messages import Message
from tabletop.vision.frame import Colour
from tabletop.vision.geometry.boxes import corners_of
from tabletop.vision.geometry.plane import Array, Mask
from tabletop.vision.photo.photo_contents import PhotoContents
from tabletop.vision.photo.shrunk_picture import ShrunkPicture
from tabletop.vision.scene import Cause, Unreadable, corner_points

LENS_COVERED = Message("Something right in front of the lens, such as a finger, may hide a seat here: take it again.")
SQUARE_MM, FINE_MM = 4.0, 2.0
"""Sides of the squares in which textures and edges are judged, mm."""
MAX_TEXTURE_GREY = 3.0
"""Largest difference of a square from the squares around it if there is no texture, grey levels."""
TEXTURE_BLURS = 1.0, 3.5
"""Blurs, squares, that remove the texture of cloth and that of wood or print."""
MIN_BREADTH_SQUARES, MIN_AREA_SQUARES = 15, 110
"""Least breadth, squares, of what may hide a seat, a marker and a tile; and least area that the picture shows of it."""
REACH_SQUARES = 25
"""Side of the square around each square of a thing that its soft edge may fill, squares."""
NEAR_SQUARES, GAP_SQUARES = 31, 5
"""Side of the square around everything that was read in which the table is seen, and of that in which it is not."""
SAME_GREY, MAX_SAME_FRACTION = 20.0, 0.3
"""Largest difference between the same colours, grey levels, and the largest fraction of the table with the colour of a
thing.  Fingers had at most 0.24, parts of the table at least 0.56."""
RIM_SQUARES = 17
"""Side of the square around each square of a thing in which its rim lies, squares."""
MIN_STEP_GREY, MAX_SHARPNESS, MAX_SHARP_FRACTION = 8.0, 0.4, 0.5
"""Least change of light within ``RIM_SQUARES`` at a rim, grey levels, the largest part of it between two squares of
``FINE_MM`` if the rim is soft, and the largest fraction of it that may be sharper, because the table's texture shows
through.  Around fingers the median was 0.15 to 0.3, on chequers 0.6, without their pattern 0.25 to 0.4; at edges of
tables 0.6 and more."""


def lens_covers(seen: PhotoContents, look: ShrunkPicture) -> list[Unreadable]:
    """Return doubts about things right in front of the lens; ``look``: the picture, shrunk."""
    if not seen.tally.apart:
        return []
    middle = (np.array(look.colour.shape[1::-1]) - 1) / 2
    per_square = SQUARE_MM / look.plane.mm_per_px(middle)
    half = _shrunk(look.colour, 2)  # halving is fast, other factors are not
    squares = _shrunk(half, per_square / 2)
    taken = look.read_places(squares.shape[:2])
    table = (_grown(taken, NEAR_SQUARES) > 0) & (_grown(taken, GAP_SQUARES) == 0)
    outlines = []
    for thing in _things(squares, taken, table):
        fine = _shrunk(half, per_square / 2 * FINE_MM / SQUARE_MM)
        if any(_ends_softly(thing, taken, each) for each in (fine, _without_pattern(fine, squares[table]))):
            left, top, width, height = cv2.boundingRect(thing)
            outlines.append(look.plane.to_mm(corners_of((left, top, left + width, top + height)) * per_square))
            reach = _grown(thing, REACH_SQUARES)
            outlines += [seat for seat in seen.seats() if _reaches(reach, look.plane.to_px(seat) / per_square)]
    return [
        Unreadable(Cause.HIDDEN_SEAT, LENS_COVERED, corner_points(seen.plane.to_px(outline))) for outline in outlines
    ]


def _reaches(thing: NDArray[np.uint8], seat: Array) -> bool:
    """Return whether a thing reaches into the outline (n, 2), squares, of a seat's area."""
    area = np.zeros_like(thing)
    cv2.fillPoly(area, [np.round(seat).astype(np.int32)], 1)
    return bool((area & thing).any())


def _things(squares: Colour, taken: NDArray[np.uint8], table: Mask) -> Iterator[NDArray[np.uint8]]:
    """Iterate over masks of parts without texture that reach in from an edge and do not have the table's colours."""
    smooth = _smooth(squares) & (_grown(taken, GAP_SQUARES) == 0)
    beyond = MIN_BREADTH_SQUARES  # the edge of the picture cuts things off
    wide = cv2.copyMakeBorder(smooth.astype(np.uint8), *(beyond,) * 4, cv2.BORDER_REPLICATE)
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (MIN_BREADTH_SQUARES, MIN_BREADTH_SQUARES))
    opened = cv2.morphologyEx(wide, cv2.MORPH_OPEN, disc)[beyond:-beyond, beyond:-beyond]
    _, labels, stats, _ = cv2.connectedComponentsWithStats(opened)
    for label in np.flatnonzero(stats[:, cv2.CC_STAT_AREA] >= MIN_AREA_SQUARES):
        thing = (labels == label) & (opened > 0)
        corners = np.count_nonzero(thing[np.ix_((0, -1), (0, -1))])  # a room behind the table has two
        touching = thing[[0, -1]].any() or thing[:, [0, -1]].any()
        if touching and corners < 2 and table.any() and _is_strange(squares, thing, table):
            yield thing.astype(np.uint8)


def _smooth(squares: Colour) -> Mask:
    """Return the mask of squares that differ little from those around them."""
    fine, coarse = (cv2.GaussianBlur(squares, (0, 0), blur) for blur in TEXTURE_BLURS)
    texture = np.maximum(cv2.absdiff(squares, fine), cv2.absdiff(fine, coarse)).max(axis=-1)
    return np.asarray(texture <= MAX_TEXTURE_GREY, np.bool_)


def _is_strange(squares: Colour, thing: Mask, table: Mask) -> bool:
    """Return whether few squares of the table have the colour of a thing; on a smooth table, it may be its shadow."""
    colour, colours = squares[thing].mean(axis=0), squares[table].astype(np.float32)
    same = np.abs(colours - colour).max(axis=-1) < SAME_GREY
    if _smooth(squares)[table].mean() > MAX_SAME_FRACTION:
        shades = colours * np.minimum(1, colour.sum() / np.maximum(colours.sum(axis=-1, keepdims=True), 1))
        same |= np.abs(shades - colour).max(axis=-1) < SAME_GREY / 2
    return bool(same.mean() <= MAX_SAME_FRACTION)


def _without_pattern(colour: Colour, table: Colour) -> Colour:
    """Return a picture without the colour differences that are those of the ``table``, (n, 3), mostly.

    A cloth of two colours shows through the soft rim of a finger; in the colours across that between its two, it has no
    edges.
    """
    middle = table.mean(axis=0)
    _, axes = np.linalg.eigh(np.cov(table.T))
    across = (colour - middle) @ axes[:, :2]
    return np.asarray(np.clip(np.rint(across @ axes[:, :2].T + 128), 0, 255), np.uint8)


def _ends_softly(thing: NDArray[np.uint8], taken: NDArray[np.uint8], fine: Colour) -> bool:
    """Return whether most of the rim of a thing shows no edge; ``fine``: the picture in squares of ``FINE_MM``."""
    size = fine.shape[1::-1]
    side = np.ones((RIM_SQUARES, RIM_SQUARES), np.uint8)
    rim = (_grown(thing, RIM_SQUARES) > 0) & (thing == 0) & (_grown(taken, RIM_SQUARES) == 0)
    rim = cv2.resize(rim.astype(np.uint8), size, interpolation=cv2.INTER_NEAREST) > 0
    step = cv2.subtract(cv2.dilate(fine, side), cv2.erode(fine, side)).max(axis=-1)
    edge = cv2.dilate(cv2.morphologyEx(fine, cv2.MORPH_GRADIENT, np.ones((2, 2), np.uint8)), side).max(axis=-1)
    clear = rim & (step >= MIN_STEP_GREY)
    return bool(clear.any() and (edge[clear] > MAX_SHARPNESS * step[clear]).mean() <= MAX_SHARP_FRACTION)


def _shrunk(colour: Colour, factor: float) -> Colour:
    """Return a picture shrunk by a factor along each side."""
    return np.asarray(cv2.resize(colour, None, fx=1 / factor, fy=1 / factor, interpolation=cv2.INTER_AREA), np.uint8)


def _grown(mask: NDArray[np.uint8], side: int) -> NDArray[np.uint8]:
    return np.asarray(cv2.dilate(mask, np.ones((side, side), np.uint8)), np.uint8)
