"""Detects places that look like a tag but are part of a longer stripe, such as the wood between two cards."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from tabletop.vision.frame import Grey
from tabletop.vision.geometry.boxes import Place
from tabletop.vision.geometry.plane import Array, Plane
from tabletop.vision.geometry.square_grid import SquareGrid
from tabletop.vision.image.rectify import overhead
from tabletop.vision.recognise.recognised import RecognisedTag

SQUARES_PER_SIDE, BLUR_SIDES = 20, 0.075
"""Number of samples along a tag's side, and the blur as a fraction of that side, which removes grain and noise."""
WINDOW_SIDES = 1.2
"""Side of the compared window, as a fraction of a tag's: the tag and the edge of its neighbours."""
SHIFT_SIDES = 0.5
"""How far a stripe has to extend to both sides, as a fraction of a tag's side: a tag shifted this far is unlike
itself."""
DIRECTION_COUNT = 18
"""Number of directions that are tried, over half a turn."""
MIN_CORRELATION = 0.7
"""Least correlation of an unread place with both sides that look the same: tags of 20 mm reached 0.45, stripes at least
0.74 …"""
MIN_NAMED_CORRELATION = 0.8
"""… and of a place that got a name: tags of ours under a mirrored window reached 0.72, grain 0.93."""


def continues_as_stripe(
    grey: Grey, plane: Plane, place: Place, side: float, min_correlation: float = MIN_CORRELATION
) -> bool:
    """Return whether a place, mm, looks the same as half a tag's ``side`` away on both sides, in some direction."""
    return likeness(grey, plane, place, side) >= min_correlation


def unlike_stripes(grey: Grey, plane: Plane, tags: Iterable[RecognisedTag], side: float) -> list[RecognisedTag]:
    """Return the tags, with that ``side`` in mm, that are sure by themselves or are not part of a stripe.

    In a sharp picture, grain that hardly resembles any of our tags may still be likelier to be one of them than any
    other code.  Such a place is not reported as doubtful either.
    """
    return [
        tag
        for tag in tags
        if tag.is_sure or not continues_as_stripe(grey, plane, tag.place, side, MIN_NAMED_CORRELATION)
    ]


def likeness(grey: Grey, plane: Plane, place: Place, side: float) -> float:
    """Return the correlation of a place with both sides of it, in the direction in which it is highest."""
    half, step = round(WINDOW_SIDES * SQUARES_PER_SIDE / 2), SHIFT_SIDES * SQUARES_PER_SIDE
    pitch = side / SQUARES_PER_SIDE
    reach = half + int(np.ceil(step))
    grid = SquareGrid.upright(np.array(place) - (reach + 0.5) * pitch, pitch, (2 * reach + 1, 2 * reach + 1))
    seen, sight = overhead(grey, plane, grid, BLUR_SIDES * side)
    if not sight.all():
        return 0.0
    around, ramps = seen.astype(np.float32), _ramps(2 * half + 1)

    def normalised(x: float, y: float) -> NDArray[np.float32]:
        left, top = reach - half + round(x), reach - half + round(y)
        part = around[top : top + 2 * half + 1, left : left + 2 * half + 1].ravel()
        rest = part - ramps @ (ramps.T @ part)
        return np.asarray(rest / max(float(np.linalg.norm(rest)), 1e-6), np.float32)

    middle, turns = normalised(0, 0), np.arange(DIRECTION_COUNT) * (np.pi / DIRECTION_COUNT)
    shifts = [(step * float(np.cos(turn)), step * float(np.sin(turn))) for turn in turns]
    highest = -1.0
    for x, y in shifts:
        # In most directions one side is enough to rule them out.
        if (correlation := float(middle @ normalised(x, y))) > highest:
            highest = max(highest, min(correlation, float(middle @ normalised(-x, -y))))
    return highest


@lru_cache(maxsize=4)
def _ramps(side: int) -> Array:
    """Return an orthonormal basis, as columns, of even light and linear ramps in a square."""
    x, y = np.meshgrid(np.arange(side), np.arange(side))
    columns = np.stack([np.ones(side * side), x.ravel(), y.ravel()], axis=1)
    return np.linalg.qr(columns)[0]
