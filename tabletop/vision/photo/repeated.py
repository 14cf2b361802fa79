"""Places that look like tags and are printed on the ground: the same is seen again and again beside all areas."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.vision.frame import Colour
from tabletop.vision.geometry.plane import Array, Plane
from tabletop.vision.image.rectify import SquareGrid, overhead

PITCH_MM, SQUARES_ACROSS = 1.0, 26
"""Side of the squares that are compared, mm, and how many of them are so along a side: a tag and what is around it."""
BLUR_MM = 1.5
"""Smaller details do not matter, mm: two places are never found at exactly the same spot of a print."""
MIN_CORRELATION = 0.85
"""Correlation from which on two places look the same; two tags of one set have 0.3."""
MIN_REPEATS = 4
"""Places beside all areas that look the same, from which on it is a print."""


def printed(colour: Colour, plane: Plane, places: Sequence[Array], ground: Sequence[Array]) -> list[bool]:
    """Return for each place (its middle, mm) whether the bare ground looks the same in several other places."""
    if not places or len(ground) < MIN_REPEATS:
        return [False] * len(places)
    elsewhere = np.array([_look(colour, plane, place) for place in ground])
    return [int((elsewhere @ _look(colour, plane, place) >= MIN_CORRELATION).sum()) >= MIN_REPEATS for place in places]


def _look(colour: Colour, plane: Plane, place: Array) -> NDArray[np.float32]:
    """Return what is seen around a place, without its light: numbers whose products add up to a correlation."""
    axes = np.eye(2) * PITCH_MM
    seen = overhead(
        colour,
        plane,
        SquareGrid(place - SQUARES_ACROSS * PITCH_MM / 2, axes[0], axes[1], (SQUARES_ACROSS, SQUARES_ACROSS)),
    ).seen
    grey = cv2.GaussianBlur(cv2.cvtColor(seen, cv2.COLOR_BGR2GRAY).astype(np.float32), (0, 0), BLUR_MM / PITCH_MM)
    off = np.asarray(grey - grey.mean(), np.float32).ravel()
    return np.asarray(off / max(float(np.linalg.norm(off)), 1e-6), np.float32)
