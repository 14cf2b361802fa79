"""What lies on a card, and on the table beside it: each is compared with its own ground."""

from __future__ import annotations

import cv2
import numpy as np

from tabletop.vision.frame import Floats
from tabletop.vision.geometry.plane import Array, Mask
from tabletop.vision.geometry.square_grid import SquareGrid
from tabletop.vision.image.rectify import most
from tabletop.vision.photo.familiar_ground import Compared
from tabletop.vision.photo.untagged_contrast import PITCH_MM, Above, Things, beside_card, compact, on_card, things

MIN_UNLIKE_FRACTION = 0.3
"""The share of a tile-like outline that must look unlike the ground for it to be a tile."""
MIN_CLOTH_HEIGHT, MIN_CLOTH_ODD, CLOTH_BREADTH_SQUARES = 0.95, 0.6, 40
"""The part of an area's height over which cloth beside a card reaches, how much of it is unlike the card, and over how
many squares of 1 mm that is looked at: of a hand's breadth, 75 mm, it would be half as much."""
MAX_FAMILIAR_FRACTION = 0.15
"""The most of a card that may look like the table if its end is where that begins."""
PAPER_BLUR_MM, MIN_PAPER_LIGHT, MAX_PAPER_HUE = 4.0, 0.55, 0.06
"""Over what breadth, mm, a card is as bright as this part of tags' paper at least, in shadow as well, and by how much,
as a part of its brightness, each of its colours differs from theirs at most."""


def parted(above: Above, area: Array, compared: Compared, whole: Things) -> Things:
    """Return what lies in an area if its card ends unnoticed in what looks familiar; else what the ``whole`` shows.

    A card may be as white as the white squares of a cloth, or nearly as bright as all of the table.
    """
    one_ground = bool((whole.rough | ~above.free).all())
    if not one_ground and (whole.rough.any() or not whole.boxes):
        return whole
    familiar = ~compared.strange
    table = beside_card(familiar, above.free)
    # Between tiles too little of a card is seen to tell what it looks like.
    card = compared.told & ~table
    # What looks like the table, a dark hand on dark cloth for example, is not its card.
    clear = bool(card.any()) and float(familiar[card].mean()) <= MAX_FAMILIAR_FRACTION
    both = _things_on_both(above, area, table if clear else beside_card(familiar, above.free, whole.odd))
    if both is None or not (both.rough.any() or (clear and not one_ground)):
        return whole
    return both


def on_cloth_beside(there: list[Array], area: Array, free: Mask, odd: Mask, strange: Mask) -> list[Array]:
    """Return what lies in an area: of a box (4, 2), mm, that is chequered cloth beside a card, what lies on the cloth.

    Such a box reaches over all of the area's height.  All along it is ``odd``, unlike the card, and hardly anywhere
    ``strange``, unlike the cloth elsewhere; an arm across a card is not odd over so much of that.
    """
    found: list[Array] = []
    for box in there:
        inside = SquareGrid.over(area, (free.shape[1], free.shape[0])).within([box])
        is_cloth = _spans(inside, free, odd) and float(strange[inside & free].mean()) <= MAX_FAMILIAR_FRACTION
        found += [other for other, _ in compact(strange & inside, area)] if is_cloth else [box]
    return found


def _spans(inside: Mask, free: Mask, odd: Mask) -> bool:
    """Return whether a part of an area reaches over all of its height, and is odd over most of that all along."""
    columns = inside.any(axis=0)
    if columns.sum() < CLOTH_BREADTH_SQUARES or inside.any(axis=1).mean() < MIN_CLOTH_HEIGHT:
        return False
    wide = np.ones(CLOTH_BREADTH_SQUARES)
    seen, unlike = (np.convolve(one[:, columns].sum(axis=0), wide, "valid") for one in (inside & free, inside & odd))
    return bool(((seen > 0) & (unlike >= MIN_CLOTH_ODD * seen)).all())


def _things_on_both(above: Above, area: Array, table: Mask) -> Things | None:
    """Return what lies on the ``table`` and on the card beside it, None if an area shows but one of them."""
    both = (above.free & table).any() and (above.free & ~table).any()
    return things(above, area, parts=[~table, table]) if both else None


def unlike_both(above: Above, area: Array, strange: Mask, paper: Floats) -> list[Array]:
    """Return what lies in an area and is neither like the ground elsewhere nor like a card of the tags' ``paper``.

    On wood a hand may differ from its surroundings by less than the grain does.
    """
    light = cv2.GaussianBlur(above.soft, (0, 0), PAPER_BLUR_MM / PITCH_MM)
    bright = light.mean(axis=2)
    off = most(cv2.absdiff(light / np.maximum(bright, 1.0)[..., None], np.full_like(light, paper / paper.mean())))
    is_paper = (off < MAX_PAPER_HUE) & (bright > MIN_PAPER_LIGHT * paper.mean())
    return [box for box, _ in compact(strange & ~is_paper, area)]


def on_familiar_ground(
    there: list[Array], above: Above, area: Array, strange: Mask, sharp: list[Array] | None, one_ground: bool
) -> tuple[list[Array], bool]:
    """Return what lies in an area whose surrounding ground is known, and whether it is too busy to tell.

    ``strange`` is where it is not that ground, ``sharp`` what was found by its outline; ``one_ground``: the card's end
    may have been missed.
    """
    paper = on_card(strange) if one_ground else np.zeros_like(strange)
    if paper.any():
        # Everything that is not ground is compared with the card.
        there, rough, _ = things(above, area, parts=[paper])
        return there + [box for box, _ in compact(strange & ~paper, area)], bool(rough.any())
    # Patches of a soft ground differ as things do, but do not end as sharply.
    return there + ([box for box, _ in compact(strange, area)] if sharp is None else sharp), False


def is_ground(box: Array, area: Array, familiar: Mask, table: Mask) -> bool:
    """Return whether most of a box (4, 2), mm, looks like the ground; of one across the end of a card its larger part.

    ``familiar`` and ``table`` are where an area looks like the ground, and where it is the table beside its card.
    """
    rows, columns = familiar.shape
    here = SquareGrid.over(area, (columns, rows)).within([box])
    beside = here & table
    there = beside if 2 * beside.sum() >= here.sum() else here
    return bool(there.any()) and float(familiar[there].mean()) >= 1 - MIN_UNLIKE_FRACTION
