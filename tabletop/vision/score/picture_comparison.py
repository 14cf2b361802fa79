"""Compares a place in two pictures: a thing that lies there in both looks the same, whatever the light.

If something covers a part of it in one of them, the rest still looks the same.
"""

from __future__ import annotations

import cv2
import numpy as np

from tabletop.vision.frame import Floats
from tabletop.vision.geometry.plane import Array, Mask
from tabletop.vision.geometry.square_grid import SquareGrid
from tabletop.vision.photo.shrunk_picture import ShrunkPicture

PITCH_MM = 2.0
"""Side of the squares of the table that are compared, mm."""
SURROUNDINGS_MM = 30.0
"""Distance around a place, mm, within which its surroundings show how the light differs."""
LIGHT_ROUNDS = 3
"""Rounds of estimating the light, each without the squares that differ most."""
MIN_DIFFERENCE_GREY, DIFFERENCE_FACTOR = 24.0, 3.0
"""Least difference of a square that looks different, in grey levels, and as a multiple of the median around it."""
MAX_LIGHT_RATIO = 4.0
"""Largest ratio of the brightness of two pictures."""
NOISE_VARIANCE = 25.0
"""Variance of grey levels that is attributed to noise."""
MIN_BREADTH_MM = 8.0
"""Least breadth of a difference, mm: narrower ones come from edges of pieces that are slightly misaligned."""
MIN_AREA_MM2 = 350.0
"""Least area that looks different, mm²: a third of a tile."""
MIN_INSIDE_FRACTION = 0.5
"""Least fraction of that area within the outline itself: fingers whose edges were noticed had 0.7 to 0.95, one beside a
patch of a mat that looked like a tile 0.4."""
PRINT_PITCH_MM, BLOCK_SQUARES, MAX_SLIP_SQUARES = 0.5, 11, 3
"""Side of the squares in which print is compared, mm; side of a block that is compared at a time, and the largest
misalignment of the pictures, both in squares."""
MIN_ALIKE, MIN_ALIKE_FRACTION = 0.62, 0.15
"""Least correlation of print that looks the same, and the least fraction of a tag that does: tags half under a finger
have 0.63 to 0.84, and at most one in a hundred places of bare ground looks so much like a tag."""


def is_otherwise(one: ShrunkPicture, other: ShrunkPicture, outline: Array, around: Array) -> bool:
    """Return whether a good part of what lies within an outline (4, 2), mm, looks different in the other picture.

    It may be the edge of a thing whose rest is within the larger outline ``around`` (4, 2).  Both planes map the same
    place of the table to the same mm.
    """
    different = differing(one, other, around)
    if different is None:
        return False
    rows, columns = different.shape
    within = SquareGrid.upright(around.min(axis=0), PITCH_MM, (columns, rows)).within([outline])
    _, parts, stats, _ = cv2.connectedComponentsWithStats(different.astype(np.uint8))
    inside = np.bincount(parts[within], minlength=len(stats))[1:] * PITCH_MM**2
    whole = stats[1:, cv2.CC_STAT_AREA] * PITCH_MM**2
    mostly_inside = inside >= MIN_INSIDE_FRACTION * MIN_AREA_MM2
    return float(whole[mostly_inside].sum()) >= MIN_AREA_MM2 or float(inside.sum()) >= MIN_AREA_MM2


def differing(one: ShrunkPicture, other: ShrunkPicture, outline: Array, max_threshold: float = np.inf) -> Mask | None:
    """Return the mask, over the box around an outline (n, 2), mm, of squares within it that look different.

    None if too little is visible around it.  ``max_threshold``: the largest required difference, grey levels.
    """
    low, high = outline.min(axis=0) - SURROUNDINGS_MM, outline.max(axis=0) + SURROUNDINGS_MM
    columns, rows = np.ceil((high - low) / PITCH_MM).astype(int).tolist()
    grid = SquareGrid.upright(low, PITCH_MM, (columns, rows))
    (own, own_sight), (others, other_sight) = one.over(grid), other.over(grid)
    inside, visible = grid.within([outline]), own_sight & other_sight
    ring = visible & ~inside
    if int(ring.sum()) * PITCH_MM**2 < MIN_AREA_MM2:
        return None
    difference = _grey_difference(own, others, ring)
    usual = DIFFERENCE_FACTOR * float(np.median(difference[ring]))
    odd = visible & inside & (difference > min(max_threshold, max(MIN_DIFFERENCE_GREY, usual)))
    side = round(MIN_BREADTH_MM / PITCH_MM)
    broad = cv2.morphologyEx(odd.astype(np.uint8), cv2.MORPH_OPEN, np.ones((side, side), np.uint8))
    around = round(SURROUNDINGS_MM / PITCH_MM)
    return np.asarray(broad[around:-around, around:-around] > 0)


def is_partly_seen(one: ShrunkPicture, other: ShrunkPicture, outline: Array) -> bool:
    """Return whether the other picture shows a part of the print that this one shows within an outline (4, 2), mm.

    Both planes map the same place of the table to the same mm, except for a millimetre or two.
    """
    sides = outline[1] - outline[0], outline[3] - outline[0]
    columns, rows = (max(BLOCK_SQUARES, int(np.linalg.norm(side) / PRINT_PITCH_MM)) for side in sides)
    grid = SquareGrid.over(outline, (columns, rows))
    own, others = _grey(one, grid), _grey(other, grid.widened(MAX_SLIP_SQUARES))
    return any(
        float(np.mean(_correlation(own, others[y : y + rows, x : x + columns]) >= MIN_ALIKE)) >= MIN_ALIKE_FRACTION
        for y in range(2 * MAX_SLIP_SQUARES + 1)
        for x in range(2 * MAX_SLIP_SQUARES + 1)
    )


def _grey(picture: ShrunkPicture, grid: SquareGrid) -> Floats:
    seen = cv2.cvtColor(picture.over(grid)[0], cv2.COLOR_BGR2GRAY)
    return np.asarray(seen, np.float32)


def _correlation(own: Floats, others: Floats) -> Floats:
    """Return the correlation of two prints around each square that has a whole block around it."""

    def mean(print_: Floats) -> Floats:
        return np.asarray(cv2.blur(print_, (BLOCK_SQUARES, BLOCK_SQUARES)), np.float32)

    covariance = mean(own * others) - mean(own) * mean(others)
    spread = [mean(print_ * print_) - mean(print_) ** 2 + NOISE_VARIANCE for print_ in (own, others)]
    half = BLOCK_SQUARES // 2
    return np.asarray(
        (covariance / np.sqrt(np.maximum(spread[0] * spread[1], 1.0)))[half:-half, half:-half], np.float32
    )


def _grey_difference(own: Floats, others: Floats, ring: Mask) -> Floats:
    """Return the difference of each square, grey levels, after matching the light by the squares in ``ring``."""
    usual = np.median(own[ring], axis=0), np.median(others[ring], axis=0)
    # If everything has one colour, its brightness is the only measure of the light.
    brightness_ratio: Floats = np.clip(usual[1] / np.maximum(usual[0], 1.0), 1 / MAX_LIGHT_RATIO, MAX_LIGHT_RATIO)
    difference = _residual(own, others, usual, brightness_ratio)
    for _ in range(LIGHT_ROUNDS):
        known = ring & (difference <= 2 * max(1.0, float(np.median(difference[ring]))))
        means = own[known].mean(axis=0), others[known].mean(axis=0)
        deviations, noise = (own[known] - means[0], others[known] - means[1]), int(known.sum()) * NOISE_VARIANCE
        gain = ((deviations[0] * deviations[1]).sum(axis=0) + noise * brightness_ratio) / (
            (deviations[0] ** 2).sum(axis=0) + noise
        )
        difference = _residual(own, others, means, gain)
    return difference


def _residual(own: Floats, others: Floats, usual: tuple[Floats, Floats], gain: Floats) -> Floats:
    """Return the difference of each square, grey levels, after matching the usual colours and the contrast."""
    return np.asarray(np.abs(gain * (own - usual[0]) - (others - usual[1])).max(axis=-1), np.float32)
