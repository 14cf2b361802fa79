"""Things that lie in a seat's area and have no tag that can be read: turned over, covered, without a sticker."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.vision.frame import Colour, Floats
from tabletop.vision.geometry.plane import Array, Mask, Plane
from tabletop.vision.geometry.square_grid import SquareGrid
from tabletop.vision.image.rectify import most, overhead

PITCH_MM = 1.0
"""Side of the squares of the table that are looked at, mm."""
BLUR_MM = 2.0
"""What is smaller than this (grain, print, noise) does not matter: standard deviation of a blur, mm."""
LIGHT_BLUR_MM = 45.0
"""Light changes over such distances, mm."""
SAMPLE_STEP, FIT_ROUNDS = 5, 10
"""One square in this many is used to estimate even light, and how often that is repeated without the outliers."""
GROUND_QUANTILE = 0.35
"""Part of an area that is ground, whatever lies there."""
MIN_FREE_FRACTION = 0.1
"""Part of an area that is free of faces, without which nothing can be said of it."""
MAX_PLAIN_GREY = 5.0
"""Grey levels by which half of a plain ground differs less from even light."""
MIN_DIFFERENCE_GREY = 16.0
"""Grey levels by which a thing differs from what it lies on, at least …"""
DIFFERENCE_FACTOR = 5.0
"""… and by this many times what is usual there."""
ROUGH_GREY = 40.0
"""If this comes to more than this many grey levels, a thing may differ by less."""
DISC_MM = 16.0
"""A disc of this width, mm, fits into a tile, and into no line of print, shadow of an edge or finger's breadth."""
MIN_AREA_MM2 = 350.0
"""Least area of a thing, mm²: a third of a tile."""
MIN_STEP_GREY = 48.0
"""Least difference between a card and the table under it that matters, grey levels."""
CARD_END_MM = 18.0
"""How far from the end of an area, and from where the table beside its card begins, that card may end, mm."""
MIN_CARD_FRACTION = 0.2
"""Part of an area that a card takes up at least."""
SEAM_MM = 5.0
"""Beside the end of a card, within this many mm, it may be either."""
MIN_STRAIGHT_FRACTION = 0.85
"""Part of a card's end along which the ground changes there."""
MIN_ODD_FRACTION = 0.35
"""Part of a row of a cloth's squares that differs from a card as white as the others: more than a tile's breadth."""
MIN_WIDTH_MM = 23.0
"""Anything narrower than this, mm, is not a tile but the table beside the seat's card."""
MIN_CUT_MM = 12.0
"""What the edge of the picture cuts off may be this narrow, mm: a third of a tile."""
MAX_TURNED_FRACTION = 0.7
"""How large the box around a thing may be at most, as a part of one that is not turned, to be turned as it is."""
MIN_EDGE_SLOPE = 0.07
"""Steepness of the rim of a thing, as a part of how much it differs, per mm: softened edges have 0.1 to 0.2."""
MIN_EDGE_MM, EDGE_BREADTH_MM = 22.0, 4.0
"""Length, mm, along which something ends so steeply to be a thing, and how broad softened edges are."""


MIN_OPEN_FRACTION = 0.25
"""The part of the rim of a thing that has ground beside it from which on its edges show whether it is one."""


class Above(NamedTuple):
    """An area as it is seen from above; ``soft``: without its small print; ``free``: where no face covers it.

    ``sight`` is where the picture shows it.
    ``even`` is its ground as it would be if its light changed evenly, None if it is of more than one colour.
    """

    seen: Floats
    soft: Floats
    free: Mask
    sight: Mask
    even: Floats | None

    @property
    def covered(self) -> bool:
        """True if too little of the area is free to say anything of it."""
        return bool(self.free.mean() < MIN_FREE_FRACTION)

    @property
    def plain(self) -> bool:
        """True if most of the area is of one colour beside the faces, so that what lies there can be seen."""
        return self.covered or self.even is not None


def from_above(colour: Colour, plane: Plane, area: Array, faces: Sequence[Array]) -> Above:
    """Return an area as it is seen from above.

    ``area`` are its corners in mm, from its own top left, clockwise; ``faces`` the outlines (4, 2) mm of what was read.
    """
    across, along = area[1] - area[0], area[3] - area[0]
    size = (max(2, int(np.linalg.norm(across) / PITCH_MM)), max(2, int(np.linalg.norm(along) / PITCH_MM)))
    grid = SquareGrid.over(area, size)
    seen, inside = overhead(colour, plane, grid, PITCH_MM / 2)
    free = inside & ~grid.within(faces)
    bright = seen.astype(np.float32)
    soft = _mean(bright, free.astype(np.float32), BLUR_MM)
    return Above(bright, soft, free, inside, _even(soft, free) if free.mean() >= MIN_FREE_FRACTION else None)


class Things(NamedTuple):
    """What lies in an area: boxes (4, 2) mm, where the ground is too rough for contrast alone, and all that differs."""

    boxes: list[Array]
    rough: Mask
    odd: Mask


def things(above: Above, area: Array, *, card: bool = True, parts: Sequence[Mask] = ()) -> Things:
    """Return what lies in an area and within no face.

    ``area`` are its corners in mm, from its own top left, clockwise.  ``card``: a card may lie in the area, and end
    within it; where it is known already, it is one of the ``parts``, and no others are looked at.
    """
    rough = np.zeros(above.free.shape, np.bool_)
    if above.covered:
        return Things([], rough, rough)
    seen, soft, free, sight, even = above
    off, odd = np.zeros(free.shape, np.float32), np.zeros(free.shape, np.bool_)
    for ground in parts or (_grounds(soft, free) if card else [np.ones(free.shape, np.bool_)]):
        here, usual = free & ground, []
        for bare in (_bare(seen, soft, here), even if ground.all() else _even(soft, here)):
            if bare is not None:
                apart = most(cv2.absdiff(soft, bare))
                usual.append(_most(apart[here]))
                odd |= here & (apart > usual[-1])
                off[here] = np.maximum(off, apart)[here]
        # Where an arm lies over much of a card, its surroundings say little of it, but it is plain; of a card and the
        # table under it together, each may be.
        if (max if ground.all() else min)(usual) > ROUGH_GREY:
            rough |= here
    return Things([box for box, thing in compact(odd, area, sight) if _has_an_edge(soft, off, thing, free)], rough, odd)


def compact(odd: Mask, area: Array, sight: Mask | None = None) -> list[tuple[Array, Mask]]:
    """Return the boxes (4, 2) mm around what is odd in an area and as compact as a tile, and where each of them is.

    What is long and lies askew, as a finger does, has a box that lies as it does.  ``sight`` is where the picture shows
    the area: a tile may lie across its edge, so beyond it whatever ends there may go on.
    """
    width, beyond = round(DISC_MM / PITCH_MM), np.zeros_like(odd) if sight is None else ~sight
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (width, width))
    opened = cv2.morphologyEx((odd | beyond).astype(np.uint8), cv2.MORPH_OPEN, disc) * odd
    _, labels, stats, _ = cv2.connectedComponentsWithStats(opened)
    cut = np.unique(labels[cv2.dilate(beyond.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0])
    steps = np.stack([(area[1] - area[0]) / odd.shape[1], (area[3] - area[0]) / odd.shape[0]])
    boxes = []
    for label, (x, y, w, h, count) in enumerate(stats[1:], start=1):
        least = MIN_CUT_MM if label in cut else MIN_WIDTH_MM
        if min(w, h) * PITCH_MM >= least and count * PITCH_MM**2 >= MIN_AREA_MM2:
            there: Mask = labels == label
            boxes.append((area[0] + tight_box(there, (x, y, w, h)) @ steps, there))
    return boxes


def tight_box(there: Mask, around: tuple[int, int, int, int]) -> Array:
    """Return the corners (4, 2) of the box around what is there, in squares, turned if that is much smaller.

    ``around`` are left, top, width and height of the one that is not turned.
    """
    x, y, w, h = around
    part = there[y : y + h, x : x + w].astype(np.uint8)
    middle, (width, height), turn = cv2.minAreaRect(cv2.findNonZero(part))
    if (width + 1) * (height + 1) > MAX_TURNED_FRACTION * w * h:
        return np.array([(x, y), (x + w, y), (x + w, y + h), (x, y + h)], np.float64)
    corners = cv2.boxPoints((middle, (width + 1, height + 1), turn)).astype(np.float64)
    box: Array = corners + np.array((x + 0.5, y + 0.5))
    return box


def on_card(strange: Mask) -> Mask:
    """Return where places that look unlike the ground are one card: large, and beginning beside the marker.

    All of the card is meant: what lies on it may look like the ground.
    """
    _, labels, stats, _ = cv2.connectedComponentsWithStats(strange.astype(np.uint8))
    card = np.zeros_like(strange)
    for label, (x, y, w, h, count) in enumerate(stats[1:], start=1):
        if x == 0 and h > len(strange) / 2 and count > MIN_CARD_FRACTION * strange.size:
            there = labels[y : y + h, :w] == label
            right = np.median(w - there[:, ::-1].argmax(axis=1)[there.any(axis=1)])
            above = np.median(there.argmax(axis=0)[there.any(axis=0)])
            card[y + int(above) : y + h, : int(right)] = True
            break
    return card


def beside_card(familiar: Mask, free: Mask, odd: Mask | None = None) -> Mask:
    """Return the part of an area, to the right and above, that looks like the table along all of the area's side.

    ``familiar`` is where it looks so, of what is ``free``.  Where the card looks so as well, a good part of the table
    has to be ``odd``: unlike the card.  Nothing is beside a card if the rest is too small for one, such as a sleeve.
    """
    table, least = np.zeros_like(free), round(DISC_MM / PITCH_MM)
    for axis in (0, 1):
        there, looks = (np.convolve(one.sum(axis=axis), np.ones(least), "same") for one in (free, familiar & free))
        like = looks >= MIN_STRAIGHT_FRACTION * there
        if odd is not None:
            like &= (odd & free).sum(axis=axis) >= MIN_ODD_FRACTION * free.sum(axis=axis)
        # From the end that lies away from the marker on, the last columns, the first rows; so near that end, less is
        # known of how it looks.
        width = int(np.cumprod((like if axis else like[::-1])[least:].astype(int)).sum())
        if width:
            width += least
            table[(slice(width), slice(None)) if axis else (slice(None), slice(-width, None))] = True
    return table if float(table.mean()) <= 1 - MIN_CARD_FRACTION else np.zeros_like(table)


def card_alone(free: Mask, rough: Mask) -> Mask:
    """Return where an area shows its card and nothing of the table beside it, which is ``rough``.

    A thing as pale as the card, such as a sheet with its shadow, ends there as sharply as tiles do; the table beside it
    may have such edges itself.
    """
    reach = 2 * round(CARD_END_MM / PITCH_MM) + 1
    near = np.ones((reach, reach), np.uint8)
    beside: Mask = cv2.dilate(rough.astype(np.uint8), near, borderType=cv2.BORDER_CONSTANT, borderValue=1) > 0
    return free & ~beside


def _grounds(soft: Floats, free: Mask) -> list[Mask]:
    """Return the parts of an area that look different when bare: its card, and the table on which the card lies.

    The card begins at the marker, at the area's bottom left; paper is smaller than the area, to the right and above.
    """
    card = np.ones(free.shape, np.bool_)
    right = _seam(soft, free, 0)
    card[:, len(free[0]) if right is None else right :] = False
    above = _seam(soft, free & card, 1)
    card[: above or 0] = False
    return [part for part in (card, ~card) if (free & part).any()]


def _medians(soft: Floats, free: Mask, axis: int) -> Floats:
    """Return the usual colour of every column (row), (n, 3); of one that is wholly covered that of the one before."""
    there = free.any(axis=axis)
    some = np.compress(there, np.where(free[..., None], soft, np.nan), axis=1 - axis)
    known = np.nanmedian(some, axis=axis)
    return np.asarray(known[np.maximum(np.cumsum(there) - 1, 0)], dtype=np.float32)


def _seam(soft: Floats, free: Mask, axis: int) -> int | None:
    """Return the column (row) of an area at which one ground ends and another begins, None if there is but one."""
    line = _medians(soft, free, axis)

    def spread(part: Floats) -> float:
        return float(np.abs(part - np.median(part, axis=0)).sum())

    least, near = round(DISC_MM / PITCH_MM), round(SEAM_MM / PITCH_MM)
    cuts = range(least, len(line) - least)
    if not cuts:
        return None

    def parted(cut: int) -> float:
        return spread(line[:cut]) + spread(line[cut:])

    about = min(cuts[::near], key=parted)
    cut = min(range(max(about - near, cuts[0]), min(about + near, cuts[-1]) + 1), key=parted)
    # Light fades over a hand's breadth; paper ends within some millimetres, though the card may lie a little crooked.
    step, edge = (
        float(np.abs(np.median(one, axis=0) - np.median(two, axis=0)).max())
        for one, two in (
            (line[:cut], line[cut:]),
            (line[cut - 2 * near : cut - near], line[cut + near : cut + 2 * near]),
        )
    )
    straight = _straight(soft, free, axis, cut, min(step, edge) / 2)
    return cut if min(step, edge) > MIN_STEP_GREY and edge > step / 2 and straight else None


def _straight(soft: Floats, free: Mask, axis: int, cut: int, step: float) -> bool:
    """Return whether the ground changes at a cut all along it, as at the end of a card; an arm lies across."""
    near = 2 * round(SEAM_MM / PITCH_MM)
    ground, there = np.moveaxis(soft, 1 - axis, 0), np.moveaxis(free, 1 - axis, 0)
    sides = [
        _median(ground[part], there[part])
        for part in (slice(max(cut - near, 0), cut - near // 2), slice(cut + near // 2, cut + near))
    ]
    known = np.isfinite(sides[0] + sides[1]).all(axis=-1)
    changed = np.abs(sides[0] - sides[1]).max(axis=-1)[known] > step
    return bool(changed.mean() > MIN_STRAIGHT_FRACTION) if len(changed) else False


def _median(ground: Floats, there: Mask) -> Floats:
    """Return the usual colour across some columns (n, m, 3) where it is seen, (m, 3), not a number where it is not."""
    some = there.any(axis=0)
    found = np.full(ground.shape[1:], np.nan, np.float32)
    found[some] = np.nanmedian(np.where(there[:, some, None], ground[:, some], np.nan), axis=0)
    return found


def _bare(seen: Floats, soft: Floats, here: Mask) -> Floats:
    """Return the bare ground of a part as the light lets it come out there."""
    weight = here.astype(np.float32)
    bare = _mean(seen, weight, LIGHT_BLUR_MM)
    off = most(cv2.absdiff(soft, bare))
    # The bare ground is what most of the surroundings look like: what differs much is left out the second time.
    return _mean(seen, weight * (off <= _most(off[here])), LIGHT_BLUR_MM)


def _even(soft: Floats, here: Mask) -> Floats | None:
    """Return the ground as most of it suggests, as if its light changed evenly; None if it is not that plain.

    An arm is so large that the ground around it is hardly known; but on paper it differs from the paper elsewhere.
    """
    y, x = (np.linspace(-1, 1, size) for size in here.shape)
    across, down = np.meshgrid(x, y)
    light = np.stack([np.ones_like(across), across, down, across**2, across * down, down**2], axis=-1)
    kinds, seen = light[here][::SAMPLE_STEP], soft[here][::SAMPLE_STEP].astype(np.float64)
    off = np.abs(seen - np.median(seen, axis=0)).max(axis=-1)
    for _ in range(FIT_ROUNDS):
        weight = 1 / (1 + (off / (float(np.quantile(off, GROUND_QUANTILE)) + 1)) ** 2)
        weighted = (kinds * (weight**2)[:, None]).T
        # Whatever is seen of an area, there is a light that fits it best.
        usual = np.linalg.lstsq(weighted @ kinds, weighted @ seen, rcond=None)[0]
        off = np.abs(seen - kinds @ usual).max(axis=-1)
    return np.asarray(light @ usual, dtype=np.float32) if float(np.median(off)) < MAX_PLAIN_GREY else None


def _mean(seen: Floats, weight: NDArray[np.float32], width: float) -> Floats:
    """Return the mean of the surroundings of every square, weighted."""
    spread = cv2.GaussianBlur(weight, (0, 0), width / PITCH_MM)[..., None]
    return np.asarray(cv2.GaussianBlur(seen * weight[..., None], (0, 0), width / PITCH_MM) / np.maximum(spread, 1e-3))


def _most(off: Floats) -> float:
    """Return by how much the bare table may differ from its surroundings, grey levels."""
    return max(MIN_DIFFERENCE_GREY, DIFFERENCE_FACTOR * float(np.median(off)))


def _has_an_edge(soft: Floats, off: Floats, thing: Mask, free: Mask) -> bool:
    """Return whether something ends as a thing does, along a part of it at least; mirrored light and shadows fade.

    A cup's shadow fades to one side of it, and its rim may be as pale as what it stands on.  Of what fills the room
    between faces and the end of an area nobody can see how it ends.
    """
    breadth = round(EDGE_BREADTH_MM / PITCH_MM)
    wide, ground = (np.pad(mask, breadth).astype(np.uint8) for mask in (thing, free))
    near, far = (cv2.dilate(wide, np.ones((2 * reach + 1,) * 2, np.uint8)) for reach in (breadth - 1, breadth))
    beside = ground[np.asarray(far > near)]
    if float(beside.mean()) < MIN_OPEN_FRACTION:
        return True
    around = cv2.dilate(thing.astype(np.uint8), np.ones((5, 5), np.uint8)).astype(np.bool_)
    slope = np.hypot(cv2.Sobel(soft, cv2.CV_32F, 1, 0, scale=0.125), cv2.Sobel(soft, cv2.CV_32F, 0, 1, scale=0.125))
    steep = slope.max(axis=-1) / PITCH_MM > MIN_EDGE_SLOPE * float(np.quantile(off[thing], 0.75))
    return int((steep & around).sum()) * PITCH_MM**2 >= MIN_EDGE_MM * EDGE_BREADTH_MM
