"""Finds things in a seat's area without a readable tag by their contrast: turned over, covered, without a sticker."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.vision.frame import Colour, Floats
from tabletop.vision.geometry.plane import Array, Mask, Plane
from tabletop.vision.geometry.square_grid import SquareGrid
from tabletop.vision.image.rectify import channel_max, overhead

PITCH_MM = 1.0
"""Side of the squares into which the area is divided, mm."""
BLUR_MM = 2.0
"""Standard deviation of the blur that removes grain, print and noise, mm."""
LIGHT_BLUR_MM = 45.0
"""Standard deviation of the blur that averages the surroundings, mm: light changes over such distances."""
SAMPLE_STEP, FIT_ROUNDS = 5, 10
"""One square in this many is used to fit even light, and the number of rounds that reduce the weight of outliers."""
GROUND_QUANTILE = 0.35
"""Fraction of an area that is ground, whatever lies there."""
MIN_FREE_FRACTION = 0.1
"""Least fraction of an area that has to be free of faces to judge it."""
MAX_PLAIN_GREY = 5.0
"""Largest median difference of a plain ground from even light, grey levels."""
MIN_DIFFERENCE_GREY = 16.0
"""Least difference of a thing from its ground, in grey levels …"""
DIFFERENCE_FACTOR = 5.0
"""… and as a multiple of the median difference there."""
ROUGH_GREY = 40.0
"""Required difference, grey levels, above which the ground is rough, because a thing may differ by less."""
DISC_MM = 16.0
"""Diameter, mm, of a disc that fits into a tile, but not into a line of print, the shadow of an edge or a finger."""
MIN_AREA_MM2 = 350.0
"""Least area of a thing, mm²: a third of a tile."""
MIN_STEP_GREY = 48.0
"""Least difference between a card and the table at a card's end, grey levels."""
CARD_END_MM = 18.0
"""Distance, mm, from the end of an area and from the table beside its card within which the card may end."""
MIN_CARD_FRACTION = 0.2
"""Least fraction of an area that a card takes up."""
SEAM_MM = 5.0
"""Distance, mm, from a card's end within which it is uncertain whether there is card or table."""
MIN_STRAIGHT_FRACTION = 0.85
"""Least fraction of a card's end along which the ground changes."""
MIN_ODD_FRACTION = 0.35
"""Least fraction of a row of a cloth's squares that differs from a card as white as the other squares: more than a
tile's breadth."""
MIN_WIDTH_MM = 23.0
"""Least width of a tile, mm: anything narrower is the table beside the seat's card."""
MIN_CUT_MM = 12.0
"""Least width of a thing that the edge of the picture cuts off, mm: a third of a tile."""
MAX_TURNED_FRACTION = 0.7
"""Largest area of the turned box around a thing, as a fraction of the upright one's, at which the turned one is
used."""
MIN_EDGE_SLOPE = 0.07
"""Least slope at the rim of a thing per mm, as a fraction of its difference: blurred edges have 0.1 to 0.2."""
MIN_EDGE_MM, EDGE_BREADTH_MM = 22.0, 4.0
"""Least length of such a rim of a thing, mm, and the breadth of blurred edges, mm."""


MIN_OPEN_FRACTION = 0.25
"""Least fraction of a thing's rim next to free ground at which its edges are judged."""


class Above(NamedTuple):
    """An area as seen from above.

    ``soft``: without small print; ``free``: the mask where no face covers it; ``sight``: the mask that the picture
    shows; ``even``: a fit of its ground with evenly changing light, None if the ground has more than one colour.
    """

    seen: Floats
    soft: Floats
    free: Mask
    sight: Mask
    even: Floats | None

    @property
    def covered(self) -> bool:
        """True if too little of the area is free to judge it."""
        return bool(self.free.mean() < MIN_FREE_FRACTION)

    @property
    def plain(self) -> bool:
        """True if most of the area outside the faces has one colour, so that things there can be seen."""
        return self.covered or self.even is not None


def from_above(colour: Colour, plane: Plane, area: Array, faces: Sequence[Array]) -> Above:
    """Return an area as seen from above.

    ``area``: its corners in mm, from its own top left, clockwise; ``faces``: the outlines (4, 2) mm of what was read.
    """
    across, along = area[1] - area[0], area[3] - area[0]
    size = (max(2, int(np.linalg.norm(across) / PITCH_MM)), max(2, int(np.linalg.norm(along) / PITCH_MM)))
    grid = SquareGrid.over(area, size)
    seen, inside = overhead(colour, plane, grid, PITCH_MM / 2)
    free = inside & ~grid.within(faces)
    bright = seen.astype(np.float32)
    soft = _mean(bright, free.astype(np.float32), BLUR_MM)
    return Above(bright, soft, free, inside, _fitted_ground(soft, free) if free.mean() >= MIN_FREE_FRACTION else None)


class Things(NamedTuple):
    """The things in an area: their boxes (4, 2) mm, the mask of too rough ground, and that of all that differs."""

    boxes: list[Array]
    rough: Mask
    odd: Mask


def things(above: Above, area: Array, *, card: bool = True, parts: Sequence[Mask] = ()) -> Things:
    """Return the things in an area outside all faces.

    ``area``: its corners in mm, from its own top left, clockwise.  ``card``: a card may lie in the area and end within
    it.  ``parts``: the masks of different ground if they are known, in which things are searched for.
    """
    rough = np.zeros(above.free.shape, np.bool_)
    if above.covered:
        return Things([], rough, rough)
    seen, soft, free, sight, even = above
    differences, odd = np.zeros(free.shape, np.float32), np.zeros(free.shape, np.bool_)
    for ground in parts or (_grounds(soft, free) if card else [np.ones(free.shape, np.bool_)]):
        part, limits = free & ground, []
        for expected in (_local_ground(seen, soft, part), even if ground.all() else _fitted_ground(soft, part)):
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


def on_card(strange: Mask) -> Mask:
    """Return the mask of the card among strange places: a large connected part that begins beside the marker.

    It covers the whole card, including things on it that look like the ground.
    """
    _, labels, stats, _ = cv2.connectedComponentsWithStats(strange.astype(np.uint8))
    card = np.zeros_like(strange)
    for label, (x, y, w, h, count) in enumerate(stats[1:], start=1):
        if x == 0 and h > len(strange) / 2 and count > MIN_CARD_FRACTION * strange.size:
            part = labels[y : y + h, :w] == label
            right = np.median(w - part[:, ::-1].argmax(axis=1)[part.any(axis=1)])
            above = np.median(part.argmax(axis=0)[part.any(axis=0)])
            card[y + int(above) : y + h, : int(right)] = True
            break
    return card


def beside_card(familiar: Mask, free: Mask, odd: Mask | None = None) -> Mask:
    """Return the mask of the table beside the card: the part on the right and at the top that looks like the table.

    ``familiar``: the mask that looks like the table, of what is ``free``.  If the card looks like it as well, a good
    part of the table has to be ``odd``, unlike the card.  Empty if the rest is too small for a card, such as a sleeve.
    """
    table, window = np.zeros_like(free), round(DISC_MM / PITCH_MM)
    for axis in (0, 1):
        free_counts, familiar_counts = (
            np.convolve(mask.sum(axis=axis), np.ones(window), "same") for mask in (free, familiar & free)
        )
        is_table = familiar_counts >= MIN_STRAIGHT_FRACTION * free_counts
        if odd is not None:
            is_table &= (odd & free).sum(axis=axis) >= MIN_ODD_FRACTION * free.sum(axis=axis)
        # Starting at the end away from the marker, the last columns or the first rows; the outermost ones are skipped,
        # because less is known of their looks.
        width = int(np.cumprod((is_table if axis else is_table[::-1])[window:].astype(int)).sum())
        if width:
            width += window
            table[(slice(width), slice(None)) if axis else (slice(None), slice(-width, None))] = True
    return table if float(table.mean()) <= 1 - MIN_CARD_FRACTION else np.zeros_like(table)


def card_alone(free: Mask, rough: Mask) -> Mask:
    """Return the mask of an area that is safely within its card, away from the table beside it, which is ``rough``.

    There a thing as pale as the card, such as a sheet with its shadow, shows by edges as sharp as those of tiles; the
    table may have such edges itself.
    """
    reach = 2 * round(CARD_END_MM / PITCH_MM) + 1
    kernel = np.ones((reach, reach), np.uint8)
    beside: Mask = cv2.dilate(rough.astype(np.uint8), kernel, borderType=cv2.BORDER_CONSTANT, borderValue=1) > 0
    return free & ~beside


def _grounds(soft: Floats, free: Mask) -> list[Mask]:
    """Return the masks of an area's different grounds: its card, and the table on which the card lies.

    The card begins at the marker, at the area's bottom left; it may end before the area does, on the right and at the
    top.
    """
    card = np.ones(free.shape, np.bool_)
    right = _seam(soft, free, 0)
    card[:, len(free[0]) if right is None else right :] = False
    above = _seam(soft, free & card, 1)
    card[: above or 0] = False
    return [part for part in (card, ~card) if (free & part).any()]


def _medians(soft: Floats, free: Mask, axis: int) -> Floats:
    """Return the median colour of every column (row), (n, 3); a wholly covered one gets that of the one before."""
    visible = free.any(axis=axis)
    colours = np.compress(visible, np.where(free[..., None], soft, np.nan), axis=1 - axis)
    medians = np.nanmedian(colours, axis=axis)
    return np.asarray(medians[np.maximum(np.cumsum(visible) - 1, 0)], dtype=np.float32)


def _seam(soft: Floats, free: Mask, axis: int) -> int | None:
    """Return the column (row) of an area at which one ground ends and another begins, None if there is only one."""
    medians = _medians(soft, free, axis)

    def spread(part: Floats) -> float:
        return float(np.abs(part - np.median(part, axis=0)).sum())

    margin, seam = round(DISC_MM / PITCH_MM), round(SEAM_MM / PITCH_MM)
    cuts = range(margin, len(medians) - margin)
    if not cuts:
        return None

    def cost(cut: int) -> float:
        return spread(medians[:cut]) + spread(medians[cut:])

    coarse = min(cuts[::seam], key=cost)
    cut = min(range(max(coarse - seam, cuts[0]), min(coarse + seam, cuts[-1]) + 1), key=cost)
    # Light fades over a hand's breadth; paper ends within some millimetres, though the card may lie a little crooked.
    contrast, edge_contrast = (
        float(np.abs(np.median(before, axis=0) - np.median(after, axis=0)).max())
        for before, after in (
            (medians[:cut], medians[cut:]),
            (medians[cut - 2 * seam : cut - seam], medians[cut + seam : cut + 2 * seam]),
        )
    )
    straight = _is_straight(soft, free, axis, cut, min(contrast, edge_contrast) / 2)
    return cut if min(contrast, edge_contrast) > MIN_STEP_GREY and edge_contrast > contrast / 2 and straight else None


def _is_straight(soft: Floats, free: Mask, axis: int, cut: int, step: float) -> bool:
    """Return whether the ground changes all along a cut, as at the end of a card, but not at an arm across it."""
    near = 2 * round(SEAM_MM / PITCH_MM)
    ground, visible = np.moveaxis(soft, 1 - axis, 0), np.moveaxis(free, 1 - axis, 0)
    sides = [
        _median(ground[part], visible[part])
        for part in (slice(max(cut - near, 0), cut - near // 2), slice(cut + near // 2, cut + near))
    ]
    known = np.isfinite(sides[0] + sides[1]).all(axis=-1)
    changed = np.abs(sides[0] - sides[1]).max(axis=-1)[known] > step
    return bool(changed.mean() > MIN_STRAIGHT_FRACTION) if len(changed) else False


def _median(ground: Floats, visible: Mask) -> Floats:
    """Return the median colour across some columns (n, m, 3), (m, 3), not a number where nothing is visible."""
    columns = visible.any(axis=0)
    medians = np.full(ground.shape[1:], np.nan, np.float32)
    medians[columns] = np.nanmedian(np.where(visible[:, columns, None], ground[:, columns], np.nan), axis=0)
    return medians


def _local_ground(seen: Floats, soft: Floats, part: Mask) -> Floats:
    """Return the estimated bare ground of a part, from the mean of each square's surroundings."""
    weight = part.astype(np.float32)
    bare = _mean(seen, weight, LIGHT_BLUR_MM)
    differences = channel_max(cv2.absdiff(soft, bare))
    # The second time, squares that differ much from their surroundings are left out.
    return _mean(seen, weight * (differences <= _max_difference(differences[part])), LIGHT_BLUR_MM)


def _fitted_ground(soft: Floats, part: Mask) -> Floats | None:
    """Return a robust fit of the ground with evenly changing light, None if the ground is not plain enough.

    A large thing such as an arm leaves little ground around it, but on paper it differs from the paper elsewhere.
    """
    y, x = (np.linspace(-1, 1, size) for size in part.shape)
    across, down = np.meshgrid(x, y)
    light = np.stack([np.ones_like(across), across, down, across**2, across * down, down**2], axis=-1)
    terms, colours = light[part][::SAMPLE_STEP], soft[part][::SAMPLE_STEP].astype(np.float64)
    residuals = np.abs(colours - np.median(colours, axis=0)).max(axis=-1)
    for _ in range(FIT_ROUNDS):
        weight = 1 / (1 + (residuals / (float(np.quantile(residuals, GROUND_QUANTILE)) + 1)) ** 2)
        weighted = (terms * (weight**2)[:, None]).T
        # Least squares find a solution however little of an area is visible.
        coefficients = np.linalg.lstsq(weighted @ terms, weighted @ colours, rcond=None)[0]
        residuals = np.abs(colours - terms @ coefficients).max(axis=-1)
    return np.asarray(light @ coefficients, dtype=np.float32) if float(np.median(residuals)) < MAX_PLAIN_GREY else None


def _mean(seen: Floats, weight: NDArray[np.float32], width: float) -> Floats:
    """Return the weighted mean of the surroundings of every square; ``width``: standard deviation, mm."""
    spread = cv2.GaussianBlur(weight, (0, 0), width / PITCH_MM)[..., None]
    return np.asarray(cv2.GaussianBlur(seen * weight[..., None], (0, 0), width / PITCH_MM) / np.maximum(spread, 1e-3))


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
