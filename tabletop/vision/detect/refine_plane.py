"""Improves the plane once more of the table is read: a few markers in one corner do not say enough about the other end.

A tag is recognised as a square on the plane as it is known, so that a wrong plane confirms itself a little; reading and
fitting by turns leads to the true one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple, TypeAlias

import numpy as np

from tabletop.vision.geometry.plane import Array, Plane, Square
from tabletop.vision.recognise.recogniser import RecognisedTag
from tabletop.vision.scene import Unreadable

SETTLED_MM = 1.0
"""A plane that a fit moves by less than this anywhere on the table, mm, is good."""
REREAD_SHIFT_MM = 12.0
"""A plane that a fit moves by this many mm may have hidden tags: the picture is read again."""

Squares: TypeAlias = dict[str, Square]
"""Tags by payload, for the fit of a plane."""


class OnPlane(NamedTuple):
    """What was recognised on a plane, and which places could not be identified."""

    plane: Plane
    found: Sequence[RecognisedTag] = ()
    doubts: Sequence[Unreadable] = ()

    def carried(self, better: Plane) -> OnPlane:
        """Return it as another plane of the same picture has it."""

        def moved(mm: Array) -> Array:
            return better.to_mm(self.plane.to_px(mm))

        corners = moved(np.array([tag.corners for tag in self.found]).reshape(-1, 4, 2))
        places = moved(np.array([doubt.place for doubt in self.doubts]).reshape(-1, 2)).tolist()
        return OnPlane(
            better,
            [tag._replace(corners=mm) for tag, mm in zip(self.found, corners, strict=True)],
            [replace(doubt, place=(x, y)) for doubt, (x, y) in zip(self.doubts, places, strict=True)],
        )


def refined(
    read: Callable[[Plane], OnPlane],
    squares: Callable[[OnPlane], Squares],
    fit: Callable[[Squares], Plane | None],
    plane: Plane,
    still: float,
    most: int,
    *,
    twice: bool = False,
) -> OnPlane:
    """Read and fit by turns, at most so often, and return the reading that shows most.

    It ends once a fit moves the plane by less than ``still`` mm, or if there is no ``fit`` to the ``squares`` that were
    read so far.  ``twice``: the plane that rests is read as well, and the search continues as long as more is read.
    """
    seen = best = read(plane)
    known: Squares = {}
    for _ in range(most):
        known |= squares(seen)
        better = fit(known)
        if better is None:
            break
        rests, before = moved(seen.plane, better) < still, len(best.found)
        if rests and (not twice or (best is seen and moved(seen.plane, better) < SETTLED_MM)):
            return seen.carried(better)
        seen = read(better)
        # From a few tags in a corner the plane of the whole picture comes out bit by bit.
        best = seen if len(seen.found) >= before else best
        if rests and len(seen.found) <= before:
            break
    return best


def moved(plane: Plane, better: Plane) -> float:
    """Return how far apart two planes of one picture have what is seen near its edges, from its middle, mm."""
    height, width = plane.shape
    x, y = np.meshgrid(np.linspace(0.1, 0.9, 5) * (width - 1), np.linspace(0.1, 0.9, 5) * (height - 1))
    px = np.stack([x.ravel(), y.ravel()], axis=1)
    apart = better.to_mm(px) - plane.to_mm(px)
    return float(np.abs(apart - apart[len(px) // 2]).max())


def is_sane(plane: Plane) -> bool:
    """Return whether the visible part of the table is of a size that a table has."""
    left, top, right, bottom = plane.bounds()
    return right - left < 6000 and bottom - top < 6000
