"""Finds things in a seat's area without a readable tag by their contrast: turned over, covered, without a sticker."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import cv2
import numpy as np

from tabletop.vision.frame import Floats
from tabletop.vision.geometry.plane import Array, Mask
from tabletop.vision.image.rectify import channel_max
from tabletop.vision.photo.untagged.area_from_above import PITCH_MM, AreaFromAbove, fitted_ground, weighted_mean
from tabletop.vision.photo.untagged.card_end import grounds
from tabletop.vision.photo.untagged.compact import compact

LIGHT_BLUR_MM = 45.0
"""Standard deviation of the blur that averages the surroundings, mm: light changes over such distances."""
MIN_DIFFERENCE_GREY = 16.0
"""Least difference of a thing from its ground, in grey levels …"""
DIFFERENCE_FACTOR = 5.0
"""… and as a multiple of the median difference there."""
ROUGH_GREY = 40.0
"""Required difference, grey levels, above which the ground is rough, because a thing may differ by less."""
MIN_EDGE_SLOPE = 0.07
"""Least slope at the rim of a thing per mm, as a fraction of its difference: blurred edges have 0.1 to 0.2."""
MIN_EDGE_MM, EDGE_BREADTH_MM = 22.0, 4.0
"""Least length of such a rim of a thing, mm, and the breadth of blurred edges, mm."""
MIN_OPEN_FRACTION = 0.25
"""Least fraction of a thing's rim next to free ground at which its edges are judged."""


class Things(NamedTuple):
    """The things in an area: their boxes (4, 2) mm, the mask of too rough ground, and that of all that differs."""

    boxes: list[Array]
    rough: Mask
    odd: Mask


def things(above: AreaFromAbove, area: Array, *, card: bool = True, parts: Sequence[Mask] = ()) -> Things:
    """Return the things in an area outside all faces.

    ``area``: its corners in mm, from its own top left, clockwise.  ``card``: a card may lie in the area and end within
    it.  ``parts``: the masks of different ground if they are known, in which things are searched for.
    """
    rough = np.zeros(above.free.shape, np.bool_)
    if above.covered:
        return Things([], rough, rough)
    seen, soft, free, sight, even = above
    differences, odd = np.zeros(free.shape, np.float32), np.zeros(free.shape, np.bool_)
    for ground in parts or (grounds(soft, free) if card else [np.ones(free.shape, np.bool_)]):
        part, limits = free & ground, []
        for expected in (_local_ground(seen, soft, part), even if ground.all() else fitted_ground(soft, part)):
            if expected is not None:
                difference = channel_max(cv2.absdiff(soft, expected))
                limits.append(_max_difference(difference[part]))
                odd |= part & (difference > limits[-1])
                differences[part] = np.maximum(differences, difference)[part]
        # If an arm lies over much of a card, its surroundings tell little about it, but the fit shows that it is plain;
        # of a whole area with card and table, either may be.
        if (max if ground.all() else min)(limits) > ROUGH_GREY:
            rough |= part
    return Things(
        [box for box, mask in compact(odd, area, sight) if _has_an_edge(soft, differences, mask, free)], rough, odd
    )


def _local_ground(seen: Floats, soft: Floats, part: Mask) -> Floats:
    """Return the estimated bare ground of a part, from the mean of each square's surroundings."""
    weight = part.astype(np.float32)
    bare = weighted_mean(seen, weight, LIGHT_BLUR_MM)
    differences = channel_max(cv2.absdiff(soft, bare))
    # The second time, squares that differ much from their surroundings are left out.
    return weighted_mean(seen, weight * (differences <= _max_difference(differences[part])), LIGHT_BLUR_MM)


def _max_difference(differences: Floats) -> float:
    """Return the largest difference of the bare table from its surroundings, grey levels."""
    return max(MIN_DIFFERENCE_GREY, DIFFERENCE_FACTOR * float(np.median(differences)))


def _has_an_edge(soft: Floats, differences: Floats, thing: Mask, free: Mask) -> bool:
    """Return whether something has sharp edges along a part of its rim at least; reflections and shadows fade.

    Only a part, because a cup's shadow fades on one side of it, and its rim may be as pale as its ground.  Something
    that fills the room between faces and the end of an area is accepted, because its edges are not visible.
    """
    breadth = round(EDGE_BREADTH_MM / PITCH_MM)
    wide, ground = (np.pad(mask, breadth).astype(np.uint8) for mask in (thing, free))
    near, far = (cv2.dilate(wide, np.ones((2 * reach + 1,) * 2, np.uint8)) for reach in (breadth - 1, breadth))
    open_around = ground[np.asarray(far > near)]
    if float(open_around.mean()) < MIN_OPEN_FRACTION:
        return True
    around = cv2.dilate(thing.astype(np.uint8), np.ones((5, 5), np.uint8)).astype(np.bool_)
    slope = np.hypot(cv2.Sobel(soft, cv2.CV_32F, 1, 0, scale=0.125), cv2.Sobel(soft, cv2.CV_32F, 0, 1, scale=0.125))
    steep = slope.max(axis=-1) / PITCH_MM > MIN_EDGE_SLOPE * float(np.quantile(differences[thing], 0.75))
    return int((steep & around).sum()) * PITCH_MM**2 >= MIN_EDGE_MM * EDGE_BREADTH_MM
