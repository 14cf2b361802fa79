"""Finds where a zone card ends within a seat's area and the table beside it begins."""

from __future__ import annotations

import cv2
import numpy as np

from tabletop.vision.frame import Floats
from tabletop.vision.geometry.plane import Mask
from tabletop.vision.photo.untagged.area_from_above import PITCH_MM
from tabletop.vision.photo.untagged.compact import DISC_MM

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


def grounds(soft: Floats, free: Mask) -> list[Mask]:
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
