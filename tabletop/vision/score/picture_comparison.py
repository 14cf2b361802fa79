"""Whether a place looks different in another picture: what lies there in both looks the same, whatever the light.

Of what something lies over in one of them, the rest still looks the same.
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
"""How far around a place its surroundings show how the light differs, mm."""
LIGHT_ROUNDS = 3
"""How often that is estimated, each time without what differs most."""
MIN_DIFFERENCE_GREY, DIFFERENCE_FACTOR = 24.0, 3.0
"""Grey levels by which a square looks otherwise, at least, and as this many times what is usual around it."""
MAX_LIGHT_RATIO = 4.0
"""How many times as bright as the other a picture may be."""
NOISE_VARIANCE = 25.0
"""Variance of grey levels that is left to noise."""
MIN_BREADTH_MM = 8.0
"""What is narrower, mm, comes from edges of pieces that do not lie quite where the other picture has them."""
MIN_AREA_MM2 = 350.0
"""Least area that looks otherwise, mm²: a third of a tile."""
MIN_INSIDE_FRACTION = 0.5
"""The part of it that lies within the outline itself: of fingers whose edges were noticed, 0.7 to 0.95, of one that lay
beside a patch of a mat that looked like a tile, 0.4."""
PRINT_PITCH_MM, BLOCK_SQUARES, MAX_SLIP_SQUARES = 0.5, 11, 3
"""Side of the squares in which print is compared, mm; how many of them, side by side, are compared at a time, and by
how many the pictures may lie beside each other."""
MIN_ALIKE, MIN_ALIKE_FRACTION = 0.62, 0.15
"""Correlation from which on print looks the same, and the part of a tag that has to: tags half under a finger have 0.63
to 0.84, of a hundred places of bare ground at most one comes so near to a tag."""


def is_otherwise(one: ShrunkPicture, other: ShrunkPicture, outline: Array, around: Array) -> bool:
    """Return whether the other picture does not show a good part of what lies within an outline (4, 2), mm.

    What lies there may be the edge of a thing of which the rest lies beside it, within the outline (4, 2) ``around``
    it.  Both planes have the table's places at the same mm.
    """
    there = differing(one, other, around)
    if there is None:
        return False
    rows, columns = there.shape
    within = SquareGrid.upright(around.min(axis=0), PITCH_MM, (columns, rows)).within([outline])
    _, parts, stats, _ = cv2.connectedComponentsWithStats(there.astype(np.uint8))
    inside = np.bincount(parts[within], minlength=len(stats))[1:] * PITCH_MM**2
    whole = stats[1:, cv2.CC_STAT_AREA] * PITCH_MM**2
    own = inside >= MIN_INSIDE_FRACTION * MIN_AREA_MM2
    return float(whole[own].sum()) >= MIN_AREA_MM2 or float(inside.sum()) >= MIN_AREA_MM2


def differing(one: ShrunkPicture, other: ShrunkPicture, outline: Array, most: float = np.inf) -> Mask | None:
    """Return which squares of the upright box around an outline (n, 2), mm, look otherwise within it.

    None if too little is seen around it.  ``most`` is how far the pictures may differ by themselves, grey levels.
    """
    low, high = outline.min(axis=0) - SURROUNDINGS_MM, outline.max(axis=0) + SURROUNDINGS_MM
    columns, rows = np.ceil((high - low) / PITCH_MM).astype(int).tolist()
    grid = SquareGrid.upright(low, PITCH_MM, (columns, rows))
    (here, sight), (there, also) = one.over(grid), other.over(grid)
    inside, seen = grid.within([outline]), sight & also
    ring = seen & ~inside
    if int(ring.sum()) * PITCH_MM**2 < MIN_AREA_MM2:
        return None
    apart = _grey_difference(here, there, ring)
    usual = DIFFERENCE_FACTOR * float(np.median(apart[ring]))
    odd = seen & inside & (apart > min(most, max(MIN_DIFFERENCE_GREY, usual)))
    side = round(MIN_BREADTH_MM / PITCH_MM)
    broad = cv2.morphologyEx(odd.astype(np.uint8), cv2.MORPH_OPEN, np.ones((side, side), np.uint8))
    around = round(SURROUNDINGS_MM / PITCH_MM)
    return np.asarray(broad[around:-around, around:-around] > 0)


def is_partly_seen(one: ShrunkPicture, other: ShrunkPicture, outline: Array) -> bool:
    """Return whether the other picture shows a part of the print that one shows within an outline (4, 2), mm.

    Both planes have the table's places at the same mm, but for a millimetre or two.
    """
    sides = outline[1] - outline[0], outline[3] - outline[0]
    columns, rows = (max(BLOCK_SQUARES, int(np.linalg.norm(side) / PRINT_PITCH_MM)) for side in sides)
    grid = SquareGrid.over(outline, (columns, rows))
    here, there = _grey(one, grid), _grey(other, grid.widened(MAX_SLIP_SQUARES))
    return any(
        float(np.mean(_alike(here, there[y : y + rows, x : x + columns]) >= MIN_ALIKE)) >= MIN_ALIKE_FRACTION
        for y in range(2 * MAX_SLIP_SQUARES + 1)
        for x in range(2 * MAX_SLIP_SQUARES + 1)
    )


def _grey(picture: ShrunkPicture, grid: SquareGrid) -> Floats:
    seen = cv2.cvtColor(picture.over(grid)[0], cv2.COLOR_BGR2GRAY)
    return np.asarray(seen, np.float32)


def _alike(here: Floats, there: Floats) -> Floats:
    """Return the correlation of two prints around each square that has a whole block around it."""

    def mean(print_: Floats) -> Floats:
        return np.asarray(cv2.blur(print_, (BLOCK_SQUARES, BLOCK_SQUARES)), np.float32)

    both = mean(here * there) - mean(here) * mean(there)
    spread = [mean(print_ * print_) - mean(print_) ** 2 + NOISE_VARIANCE for print_ in (here, there)]
    half = BLOCK_SQUARES // 2
    return np.asarray((both / np.sqrt(np.maximum(spread[0] * spread[1], 1.0)))[half:-half, half:-half], np.float32)


def _grey_difference(here: Floats, there: Floats, ring: Mask) -> Floats:
    """Return by how many grey levels each square differs once the light is made the same, judged by the squares of the
    ring."""
    usual = np.median(here[ring], axis=0), np.median(there[ring], axis=0)
    # If all is of one colour, that alone shows how much brighter the light is.
    brighter: Floats = np.clip(usual[1] / np.maximum(usual[0], 1.0), 1 / MAX_LIGHT_RATIO, MAX_LIGHT_RATIO)
    apart = _off(here, there, usual, brighter)
    for _ in range(LIGHT_ROUNDS):
        known = ring & (apart <= 2 * max(1.0, float(np.median(apart[ring]))))
        means = here[known].mean(axis=0), there[known].mean(axis=0)
        off, noise = (here[known] - means[0], there[known] - means[1]), int(known.sum()) * NOISE_VARIANCE
        gain = ((off[0] * off[1]).sum(axis=0) + noise * brighter) / ((off[0] ** 2).sum(axis=0) + noise)
        apart = _off(here, there, means, gain)
    return apart


def _off(here: Floats, there: Floats, usual: tuple[Floats, Floats], gain: Floats) -> Floats:
    """Return by how many grey levels each square differs, usual colours and contrast made the same."""
    return np.asarray(np.abs(gain * (here - usual[0]) - (there - usual[1])).max(axis=-1), np.float32)
