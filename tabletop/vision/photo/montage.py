"""Finds pictures that were put together from several, such as panoramas and collages.

Where two pictures meet, all along a row or column of pixels, light changes by more than anywhere near it.  Nothing on a
table lies as straight along the edge of a picture: even a line that leans by a tenth of a degree crosses several rows.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from tabletop.messages import Message
from tabletop.vision.frame import Grey
from tabletop.vision.geometry.plane import Array, Mask
from tabletop.vision.image.load import Picture
from tabletop.vision.scene import Cause, Sighting, Unreadable

PANORAMA = Message("This is a panorama: where its parts meet, pieces may be missing. Take an ordinary picture.")
COLLAGE = Message(
    "This picture is put together from several, which may show different tables: use each of them on its own."
)
MAX_SIDE_PX = 3000
"""Longest side to which a picture is shrunk to search it for seams, px."""
STEP_PX = 2
"""Distance over which light changes at a seam, px: compression blurs it."""
MAX_STEP_GREY, STEP_SCALE = 48, 4
"""Largest change that counts, grey levels, so that no single edge decides, and its scale in whole numbers."""
PART_COUNT, MAX_PARTS_WITHOUT = 16, 4
"""Number of parts of a row, and the largest number of them that may show nothing of a seam."""
NEAR_FRACTION = 0.035
"""Distance, as a fraction of the longer side, within which no other row changes as much: more than a square of most
chequered cloths."""
NOISE_GREY = 1.0
"""Change, grey levels, that is added to the strongest one near a row, because there is always noise."""
MIN_RATIO = 1.05
"""Least ratio of the change at a seam to the strongest one near it.  Of 45 photographs none had more than 0.98; of 14
collages all had 1.07 and more but one with 0.98."""


def put_together(picture: Picture, sightings: Sequence[Sighting]) -> list[Unreadable]:
    """Return a doubt if a picture is a panorama, or has a seam with tags that were read on both sides of it."""
    if picture.panorama:
        return [Unreadable(Cause.CUT_OFF, PANORAMA)]
    middles = np.array([each.corners for each in sightings]).reshape(-1, 4, 2).mean(axis=1)
    return [Unreadable(Cause.CUT_OFF, COLLAGE)] if has_seam(picture.grey, middles) else []


def has_seam(grey: Grey, places: Array) -> bool:
    """Return whether a row or column of a picture between ``places`` (n, 2), px, is the seam of two pictures."""
    factor = min(1.0, MAX_SIDE_PX / max(grey.shape))
    small = np.asarray(cv2.resize(grey, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA), np.uint8)
    for axis, image in enumerate((small.T, small)):
        ends = np.sort(places[:, axis] * factor)[[0, -1]].astype(int) if len(places) else (0, 0)
        if _seams(np.ascontiguousarray(image))[ends[0] : ends[1]].any():
            return True
    return False


def _seams(image: Grey) -> Mask:
    """Return which rows of a picture are seams."""
    step = np.minimum(cv2.absdiff(image[STEP_PX:], image[:-STEP_PX]), np.uint8(MAX_STEP_GREY)) * np.uint8(STEP_SCALE)
    change = cv2.resize(step, (PART_COUNT, len(step)), interpolation=cv2.INTER_AREA).astype(np.float32) / STEP_SCALE
    reach = round(NEAR_FRACTION * max(image.shape))
    near = np.ones((2 * reach + 1, 1), np.uint8)
    near[reach - STEP_PX : reach + STEP_PX + 1] = 0
    ratio = change / (cv2.dilate(change, near) + NOISE_GREY)
    return np.asarray(np.partition(ratio, MAX_PARTS_WITHOUT, axis=1)[:, MAX_PARTS_WITHOUT] >= MIN_RATIO)
