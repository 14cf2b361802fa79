"""Improves the plane as more of the table is read: a few markers in one corner say too little about the other end.

A tag is recognised as a square on the assumed plane, so a wrong plane confirms itself to some degree; alternating
between reading and fitting leads to the true one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple, TypeAlias

import numpy as np

from tabletop.vision.geometry.plane import Array, Plane
from tabletop.vision.geometry.plane_fit import Square
from tabletop.vision.recognise.recognised import RecognisedTag
from tabletop.vision.scene import Unreadable

MAX_FITS = 6
"""Most fits of a plane; most planes that were off by a third at one end were right after five fits."""
SETTLED_MM = 1.0
"""Largest shift by a fit, anywhere on the table, of a plane that counts as final, mm."""
REREAD_SHIFT_MM = 12.0
"""Shift of a plane by a fit, mm, from which the picture is read again, because tags may have been missed before."""
MIN_STRETCH = 0.001
"""Least change of lengths by a fit, as a fraction, that may make a place identifiable: of 50 photographs that were read
again after a fit, eleven showed another tag, and lengths at their unidentified places had changed by 0.0011 or more."""

Squares: TypeAlias = dict[str, Square]
"""Tags as squares to fit a plane, by payload."""


class OnPlane(NamedTuple):
    """A reading of a picture on one plane: the recognised tags, and the places that could not be identified."""

    plane: Plane
    found: Sequence[RecognisedTag] = ()
    doubts: Sequence[Unreadable] = ()

    def carried(self, better: Plane) -> OnPlane:
        """Return this reading in the coordinates of another plane of the same picture."""

        def moved(mm: Array) -> Array:
            return better.to_mm(self.plane.to_px(mm))

        corners = moved(np.array([tag.corners for tag in self.found]).reshape(-1, 4, 2))
        places = moved(np.array([doubt.place for doubt in self.doubts]).reshape(-1, 2)).tolist()
        return OnPlane(
            better,
            [tag._replace(corners=mm) for tag, mm in zip(self.found, corners, strict=True)],
            [replace(doubt, place=(x, y)) for doubt, (x, y) in zip(self.doubts, places, strict=True)],
        )

    def stretched(self, better: Plane) -> float:
        """Return the largest change of lengths, as a fraction, that another plane makes at any of the doubts."""
        places = np.array([doubt.place for doubt in self.doubts]).reshape(-1, 1, 2)
        ends = better.to_mm(self.plane.to_px(places + np.array([(-0.5, 0), (0.5, 0), (0, -0.5), (0, 0.5)])))
        lengths = np.linalg.svd(np.stack([ends[:, 1] - ends[:, 0], ends[:, 3] - ends[:, 2]], axis=-1), compute_uv=False)
        return float(np.abs(lengths - 1).max(initial=0.0))


def refined(
    read: Callable[[Plane], OnPlane],
    squares: Callable[[OnPlane], Squares],
    fit: Callable[[Squares], Plane | None],
    plane: Plane,
    settled_mm: float,
    max_rounds: int,
    *,
    twice: bool = False,
) -> OnPlane:
    """Alternate between reading and fitting, at most ``max_rounds`` times, and return the reading with the most tags.

    This ends once a fit moves the plane by less than ``settled_mm`` mm, or if there is no ``fit`` to the ``squares``
    that were read so far.  ``twice``: if places that could not be identified look different on the final plane, read
    that as well, and continue as long as that shows more tags.
    """
    seen = best = read(plane)
    known: Squares = {}
    for _ in range(max_rounds):
        known |= squares(seen)
        better = fit(known)
        if better is None:
            break
        shift, before = moved(seen.plane, better), len(best.found)
        is_settled = shift < settled_mm
        is_final = best is seen and (shift < SETTLED_MM or seen.stretched(better) < MIN_STRETCH)
        if is_settled and (is_final or not twice):
            return seen.carried(better)
        seen = read(better)
        # Starting from a few tags in a corner, the plane of the whole picture emerges step by step.
        best = seen if len(seen.found) >= before else best
        if is_settled and len(seen.found) <= before:
            break
    return best


def moved(plane: Plane, better: Plane) -> float:
    """Return the largest difference, mm, between two planes of one picture in the offsets of points from its middle.

    The points cover the picture up to near its edges.
    """
    height, width = plane.shape
    x, y = np.meshgrid(np.linspace(0.1, 0.9, 5) * (width - 1), np.linspace(0.1, 0.9, 5) * (height - 1))
    px = np.stack([x.ravel(), y.ravel()], axis=1)
    apart = better.to_mm(px) - plane.to_mm(px)
    return float(np.abs(apart - apart[len(px) // 2]).max())


def is_sane(plane: Plane) -> bool:
    """Return whether the visible part of the table has a plausible size."""
    left, top, right, bottom = plane.bounds()
    return right - left < 6000 and bottom - top < 6000
