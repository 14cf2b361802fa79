"""Finds things on a zone card and on the table beside it, each compared with its own ground."""

from __future__ import annotations

import cv2
import numpy as np

from tabletop.vision.frame import Floats
from tabletop.vision.geometry.plane import Array, Mask
from tabletop.vision.geometry.square_grid import SquareGrid
from tabletop.vision.image.rectify import channel_max
from tabletop.vision.photo.untagged.area_from_above import PITCH_MM, AreaFromAbove
from tabletop.vision.photo.untagged.card_end import beside_card, on_card
from tabletop.vision.photo.untagged.compact import compact
from tabletop.vision.photo.untagged.contrast import Things, things
from tabletop.vision.photo.untagged.familiar_ground import Compared

MIN_UNLIKE_FRACTION = 0.3
"""Least fraction of a tile-like outline that looks unlike the ground if it is a tile."""
MIN_CLOTH_HEIGHT, MIN_CLOTH_ODD, CLOTH_BREADTH_SQUARES = 0.95, 0.6, 40
"""Least fraction of an area's height that cloth beside a card spans, least fraction of it that is unlike the card, and
the breadth in squares of 1 mm over which that is measured: over a hand's breadth, 75 mm, it would be half as much."""
MAX_FAMILIAR_FRACTION = 0.15
"""Largest fraction of a card that may look like the table if the card ends where the table begins."""
PAPER_BLUR_MM, MIN_PAPER_LIGHT, MAX_PAPER_HUE = 4.0, 0.55, 0.06
"""Blur, mm, with which a card is compared with tags' paper, its least brightness relative to that, even in shadow, and
the largest difference of each of its colours from the paper's, as a fraction of its brightness."""


def split_at_card_end(above: AreaFromAbove, area: Array, compared: Compared, whole: Things) -> Things:
    """Return the things in an area, found on card and table separately if the card's end was missed; else ``whole``.

    The end is missed if the card is as white as the white squares of a cloth, or nearly as bright as all of the table.
    """
    one_ground = bool((whole.rough | ~above.free).all())
    if not one_ground and (whole.rough.any() or not whole.boxes):
        return whole
    familiar = ~compared.strange
    table = beside_card(familiar, above.free)
    # Between tiles too little of a card is visible to know its appearance.
    card = compared.judged & ~table
    # A part that looks like the table, such as a dark hand on dark cloth, is not its card.
    clear = bool(card.any()) and float(familiar[card].mean()) <= MAX_FAMILIAR_FRACTION
    both = _things_on_both(above, area, table if clear else beside_card(familiar, above.free, whole.odd))
    if both is None or not (both.rough.any() or (clear and not one_ground)):
        return whole
    return both


def on_cloth_beside(boxes: list[Array], area: Array, free: Mask, odd: Mask, strange: Mask) -> list[Array]:
    """Return the boxes (4, 2), mm, of things, with boxes of chequered cloth replaced by the things on the cloth.

    A box of cloth beside a card spans the area's height.  It is ``odd`` (unlike the card) all along, and hardly
    anywhere ``strange`` (unlike the cloth elsewhere); an arm across a card is not odd over so much of the height.
    """
    found: list[Array] = []
    for box in boxes:
        inside = SquareGrid.over(area, (free.shape[1], free.shape[0])).within([box])
        is_cloth = _spans(inside, free, odd) and float(strange[inside & free].mean()) <= MAX_FAMILIAR_FRACTION
        found += [other for other, _ in compact(strange & inside, area)] if is_cloth else [box]
    return found


def _spans(inside: Mask, free: Mask, odd: Mask) -> bool:
    """Return whether a part of an area spans its height and is odd over most of the height all along."""
    columns = inside.any(axis=0)
    if columns.sum() < CLOTH_BREADTH_SQUARES or inside.any(axis=1).mean() < MIN_CLOTH_HEIGHT:
        return False
    wide = np.ones(CLOTH_BREADTH_SQUARES)
    seen, unlike = (np.convolve(mask[:, columns].sum(axis=0), wide, "valid") for mask in (inside & free, inside & odd))
    return bool(((seen > 0) & (unlike >= MIN_CLOTH_ODD * seen)).all())


def _things_on_both(above: AreaFromAbove, area: Array, table: Mask) -> Things | None:
    """Return the things on the ``table`` and on the card beside it, None if an area shows only one of them."""
    both = (above.free & table).any() and (above.free & ~table).any()
    return things(above, area, parts=[~table, table]) if both else None


def unlike_both(above: AreaFromAbove, area: Array, strange: Mask, paper: Floats) -> list[Array]:
    """Return the things in an area that look neither like the ground elsewhere nor like a card of the tags' ``paper``.

    This finds a hand on wood, which may differ from its surroundings by less than the grain does.
    """
    light = cv2.GaussianBlur(above.soft, (0, 0), PAPER_BLUR_MM / PITCH_MM)
    bright = light.mean(axis=2)
    difference = channel_max(
        cv2.absdiff(light / np.maximum(bright, 1.0)[..., None], np.full_like(light, paper / paper.mean()))
    )
    is_paper = (difference < MAX_PAPER_HUE) & (bright > MIN_PAPER_LIGHT * paper.mean())
    return [box for box, _ in compact(strange & ~is_paper, area)]


def on_familiar_ground(
    boxes: list[Array], above: AreaFromAbove, area: Array, strange: Mask, sharp: list[Array] | None, one_ground: bool
) -> tuple[list[Array], bool]:
    """Return the things in an area whose surrounding ground is known, and whether the area is too busy to find them.

    ``strange``: the mask of what is unlike that ground; ``sharp``: the boxes found by their outlines; ``one_ground``:
    the card's end may have been missed.
    """
    paper = on_card(strange) if one_ground else np.zeros_like(strange)
    if paper.any():
        # Everything that is not ground is compared with the card.
        boxes, rough, _ = things(above, area, parts=[paper])
        return boxes + [box for box, _ in compact(strange & ~paper, area)], bool(rough.any())
    # Patches of a soft ground differ as much as things do, but do not have as sharp edges.
    return boxes + ([box for box, _ in compact(strange, area)] if sharp is None else sharp), False


def is_ground(box: Array, area: Array, familiar: Mask, table: Mask) -> bool:
    """Return whether most of a box (4, 2), mm, or of its part on the table if that is larger, looks like the ground.

    ``familiar``: the mask of an area where it looks like the ground; ``table``: where it is the table beside its card.
    """
    rows, columns = familiar.shape
    inside = SquareGrid.over(area, (columns, rows)).within([box])
    beside = inside & table
    judged = beside if 2 * beside.sum() >= inside.sum() else inside
    return bool(judged.any()) and float(familiar[judged].mean()) >= 1 - MIN_UNLIKE_FRACTION
