"""Recognises places that look like a tag but are part of something longer, such as the wood between two cards."""

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
from tabletop.vision.recognise.recogniser import RecognisedTag

SQUARES_PER_SIDE, BLUR_SIDES = 20, 0.075
"""How many of the squares that are compared lie along a tag's side, and below what share of that nothing matters: grain
and noise."""
WINDOW_SIDES = 1.2
"""The side of the compared square, as a share of a tag's: the tag and the edge of its neighbours."""
SHIFT_SIDES = 0.5
"""How far something has to run on to both sides, as a share of a tag's side: a tag shifted this far is unlike
itself."""
DIRECTION_COUNT = 18
"""Directions that are tried, over half a turn."""
MIN_CORRELATION = 0.7
"""The correlation from which two places look the same: unread tags of 20 mm reached 0.45, stripes at least
0.74, and grain that got a name 0.93."""


def runs_on(grey: Grey, plane: Plane, place: Place, side: float) -> bool:
    """Return whether a place, mm, looks the same on both sides of it, half a tag's ``side`` away, in some direction."""
    return likeness(grey, plane, place, side) >= MIN_CORRELATION


def unlike_stripes(grey: Grey, plane: Plane, tags: Iterable[RecognisedTag], side: float) -> list[RecognisedTag]:
    """Return the tags, with that ``side`` in mm, that are sure by themselves or do not run on.

    In a sharp picture, grain that hardly resembles any of our tags may still be likelier one of them than any other
    code.  Such a place is not reported as doubtful either.
    """
    return [tag for tag in tags if tag.is_sure or not runs_on(grey, plane, tag.place, side)]


def likeness(grey: Grey, plane: Plane, place: Place, side: float) -> float:
    """Return how much a place looks like what is on both sides of it in the direction in which it does most."""
    half, step = round(WINDOW_SIDES * SQUARES_PER_SIDE / 2), SHIFT_SIDES * SQUARES_PER_SIDE
    pitch = side / SQUARES_PER_SIDE
    reach = half + int(np.ceil(step))
    grid = SquareGrid.upright(np.array(place) - (reach + 0.5) * pitch, pitch, (2 * reach + 1, 2 * reach + 1))
    seen, sight = overhead(grey, plane, grid, BLUR_SIDES * side)
    if not sight.all():
        return 0.0
    around, flat = seen.astype(np.float32), _flat(2 * half + 1)

    def look(x: float, y: float) -> NDArray[np.float32]:
        left, top = reach - half + round(x), reach - half + round(y)
        part = around[top : top + 2 * half + 1, left : left + 2 * half + 1].ravel()
        rest = part - flat @ (flat.T @ part)
        return np.asarray(rest / max(float(np.linalg.norm(rest)), 1e-6), np.float32)

    here, turns = look(0, 0), np.arange(DIRECTION_COUNT) * (np.pi / DIRECTION_COUNT)
    ways = [(step * float(np.cos(turn)), step * float(np.sin(turn))) for turn in turns]
    most = -1.0
    for x, y in ways:
        # Of most directions one side tells enough.
        if (one := float(here @ look(x, y))) > most:
            most = max(most, min(one, float(here @ look(-x, -y))))
    return most


@lru_cache(maxsize=4)
def _flat(side: int) -> Array:
    """Return what light that changes steadily looks like in a square, as columns that stand upright on each other."""
    x, y = np.meshgrid(np.arange(side), np.arange(side))
    columns = np.stack([np.ones(side * side), x.ravel(), y.ravel()], axis=1)
    return np.linalg.qr(columns)[0]
