"""Finds zone cards whose marker is hidden: paper that looks like the visible cards, with something lying on it.

If a thing covers all tiles of a seat and its marker, most of its card is still visible.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from tabletop.messages import Message
from tabletop.vision.frame import Floats
from tabletop.vision.geometry.boxes import Box
from tabletop.vision.geometry.marker_pose import MarkerPose
from tabletop.vision.geometry.outlines import wider
from tabletop.vision.geometry.plane import Array, Mask
from tabletop.vision.geometry.square_grid import SquareGrid
from tabletop.vision.geometry.zones import marker_poses, seat_areas
from tabletop.vision.image.rectify import whole_table
from tabletop.vision.photo.photo_contents import PhotoContents
from tabletop.vision.photo.shrunk_picture import ShrunkPicture
from tabletop.vision.photo.untagged.familiar_ground import FamiliarGround
from tabletop.vision.scene import Cause, Unreadable, corner_points

UNMARKED = Message("Something covers a sheet here that looks like a zone card: uncover its marker, or take it away.")
PITCH_MM = 3.0
"""Side of the squares into which the table is divided, mm."""
MARKER_BOX_MM, STRIP_BOX_MM = (-19.0, -19.0, 19.0, 19.0), (-18.0, -130.0, 18.0, -30.0)
"""Boxes relative to a marker, mm: the marker itself, and the unprinted part of its card above it."""
FINE_PITCH_MM, WHITE_QUANTILE, MIN_BLANK_FRACTION = 2.0, 0.9, 0.9
"""Side of the squares of both boxes, mm, the quantile of a marker's brightness that is its paper, and the least
fraction of the card above it that is as white."""
MAX_TINT, MAX_UNEVEN = 0.12, 0.18
"""Largest difference of paper's colours from those of cards, as fractions of the strongest of them, and the largest
change of its brightness within three squares, as a fraction of that of cards."""
LIGHT_RATIOS = 0.45, 2.0
"""Range of the brightness of paper relative to that of cards: in the shadow of things, and nearer to a lamp."""
SHEET_RATIOS = 0.7, 1.4
"""Range of the brightness of one sheet relative to its usual one."""
MIN_BREADTH_MM, MIN_SHEET_MM2, MAX_SHEET_MM = 36.0, 5_000.0, 330.0
"""Least breadth, mm, and area, mm², of the visible part of a card, and the longest side of its sheet, mm."""
MIN_THING_MM, REACH_MM = 30.0, 45.0
"""Least breadth of a thing that hides a marker, and its largest distance from the visible part of the card, mm."""
REPORTED_MM = 60.0
"""Largest distance of a marker, or of a tile on the card, from the visible part of its card, mm."""
AROUND_MM = 90.0
"""Distance around a sheet within which things are searched for, mm."""
MIN_RECTANGLE_FRACTION = 0.9
"""Least area inside an unbroken margin of paper, as a fraction of the smallest box around it, that is a sheet with
print: a thing that hides a marker and the tiles beside it reaches across the edge of its card."""
KNOWN_MARGIN_MM = 9.0
"""Margin around what was read within which something belongs to that, mm."""


def unmarked_cards(seen: PhotoContents, look: ShrunkPicture, reported: Sequence[Array]) -> list[Unreadable]:
    """Return doubts about sheets that look like the cards of visible seats and have something lying on them.

    ``look``: the picture, shrunk; ``reported``: the places (2,), mm, of covered markers and tags, which are reported
    already, so that their cards need not be.
    """
    paper = _paper(seen, look) if seen.tally.apart else None
    if paper is None:
        return []
    grid = whole_table(seen.plane, PITCH_MM, 3)
    colour, sight = look.over(grid)
    known = [*look.faces, *look.cards]
    free = sight & ~grid.within(wider(outline, KNOWN_MARGIN_MM) for outline in known)
    like = _is_like(colour, paper, LIGHT_RATIOS)
    _, labels, stats, _ = cv2.connectedComponentsWithStats(_opened(like & free, MIN_BREADTH_MM))
    prints = _printed(like & free)
    sheets = []
    for label in np.flatnonzero(stats[1:, cv2.CC_STAT_AREA] * PITCH_MM**2 >= MIN_SHEET_MM2) + 1:
        sheet: Mask = labels == label
        corners = cv2.boxPoints(cv2.minAreaRect(cv2.findNonZero(sheet.astype(np.uint8)))).astype(np.float64)
        outline = grid.mm(corners[:, 0], corners[:, 1])
        longest = max(np.linalg.norm(outline[1] - outline[0]), np.linalg.norm(outline[2] - outline[1]))
        is_reported = any(_distance(outline, place) <= REPORTED_MM for place in reported)
        if longest <= MAX_SHEET_MM and not is_reported and _is_covered(seen, grid, known, sheet, colour, prints):
            sheets.append(outline)
    return [Unreadable(Cause.HIDDEN_SEAT, UNMARKED, corner_points(seen.plane.to_px(sheet))) for sheet in sheets]


def _distance(outline: Array, place: Array) -> float:
    """Return the distance of a place (2,) from an outline (4, 2), negative inside."""
    return -cv2.pointPolygonTest(outline.astype(np.float32), (float(place[0]), float(place[1])), measureDist=True)


def _paper(seen: PhotoContents, look: ShrunkPicture) -> Floats | None:
    """Return the usual colour of the cards of visible seats, None if they have no cards.

    A seat has a card if the strip above its marker is as white as the marker's paper.
    """
    colours = []
    for pose in marker_poses(seen.sightings, seat_areas(seen.zones, seen.tally.zones).values()).values():
        marker, strip = (_part(look, pose, box) for box in (MARKER_BOX_MM, STRIP_BOX_MM))
        white = np.quantile(marker.reshape(-1, 3), WHITE_QUANTILE, axis=0).astype(np.float32)
        if _is_like(strip, white, SHEET_RATIOS).mean() >= MIN_BLANK_FRACTION:
            colours.append(np.median(strip.reshape(-1, 3), axis=0))
    return np.asarray(np.median(colours, axis=0), np.float32) if colours else None


def _part(look: ShrunkPicture, pose: MarkerPose, box: Box) -> Floats:
    """Return the colours of the squares of a box, given relative to a marker's pose."""
    columns, rows = (int(side / FINE_PITCH_MM) for side in (box[2] - box[0], box[3] - box[1]))
    return look.over(SquareGrid.over(pose.outline(box), (columns, rows)))[0]


def _is_like(colour: Floats, paper: Floats, ratios: tuple[float, float]) -> Mask:
    """Return the mask of even squares of paper's colour, with a brightness in the given range relative to it."""
    bright, brightest = colour.max(axis=2), float(paper.max())
    tint = np.abs(colour / np.maximum(bright, 1)[..., None] - paper / brightest).max(axis=2)
    square = np.ones((3, 3), np.uint8)
    uneven = cv2.dilate(bright, square) - cv2.erode(bright, square)
    low, high = (ratio * brightest for ratio in ratios)
    return np.asarray((tint <= MAX_TINT) & (uneven <= MAX_UNEVEN * brightest) & (bright >= low) & (bright <= high))


def _printed(paper: Mask) -> Mask:
    """Return the mask of the insides of rectangular sheets, each enclosed by squares that look like ``paper``.

    Whatever differs from paper there is printed on the sheet.
    """
    printed = np.zeros(paper.shape, np.uint8)
    contours, _ = cv2.findContours(paper.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    for contour in contours:
        _, (width, height), _ = cv2.minAreaRect(contour)
        area = cv2.contourArea(contour)
        if area * PITCH_MM**2 >= MIN_SHEET_MM2 and area >= MIN_RECTANGLE_FRACTION * width * height:
            cv2.drawContours(printed, [contour], 0, 1, cv2.FILLED)
    return printed > 0


def _is_covered(
    seen: PhotoContents, grid: SquareGrid, known: Sequence[Array], sheet: Mask, colour: Floats, printed: Mask
) -> bool:
    """Return whether a thing, unlike both the sheet and the ground, covers or touches a part of a sheet.

    ``printed``: where it is print.
    """
    rows, columns = np.nonzero(sheet)
    around = round(AROUND_MM / PITCH_MM)
    top, left = max(0, int(rows.min()) - around), max(0, int(columns.min()) - around)
    part = slice(top, int(rows.max()) + around + 1), slice(left, int(columns.max()) + around + 1)
    height, width = sheet[part].shape
    here = grid._replace(corner=grid.corner + left * grid.across + top * grid.down, size=(width, height))
    area = here.mm(np.array((-0.5, width - 0.5, width - 0.5, -0.5)), np.array((-0.5, -0.5, height - 0.5, height - 0.5)))
    ground = FamiliarGround(seen.picture.colour, seen.plane, [*known, area], seen.white())
    if not ground.is_familiar:
        return True
    strange = ground.strange(area, np.ones((height, width), np.bool_), known)
    paper = np.median(colour[sheet], axis=0).astype(np.float32)
    unlike = strange & ~_is_like(colour[part], paper, SHEET_RATIOS) & ~printed[part]
    things = _opened(unlike, MIN_THING_MM) > 0
    reach = np.ones((2 * round(REACH_MM / PITCH_MM) + 1,) * 2, np.uint8)
    return bool((things & (cv2.dilate(sheet[part].astype(np.uint8), reach) > 0)).any())


def _opened(mask: Mask, breadth: float) -> cv2.typing.MatLike:
    """Return the parts of a mask with room for a disc of that breadth, mm."""
    width = round(breadth / PITCH_MM)
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (width, width))
    return cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_OPEN, disc)
