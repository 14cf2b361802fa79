"""Places that look like tags and are printed on the ground: the same is seen again and again beside all areas."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.vision.frame import Colour
from tabletop.vision.geometry.plane import Array, Plane
from tabletop.vision.image.rectify import SquareGrid, overhead

PITCH, ACROSS = 1.0, 26
"""Side of the squares that are compared, mm, and how many of them are so along a side: a tag and what is around it."""
SOFT = 1.5
"""What is smaller does not matter, mm: no two places are found in quite the same spot of a print."""
ALIKE = 0.85
"""Correlation from which on two places look the same; two tags of one set have 0.3."""
OFTEN = 4
"""Places beside all areas that look the same, from which on it is a print."""


def printed(colour: Colour, plane: Plane, places: Sequence[Array], ground: Sequence[Array]) -> list[bool]:
    """Return for each place (its middle, mm) whether the bare ground looks the same in several other places."""
    if not places or len(ground) < OFTEN:
        return [False] * len(places)
    elsewhere = np.array([_look(colour, plane, place) for place in ground])
    return [int((elsewhere @ _look(colour, plane, place) >= ALIKE).sum()) >= OFTEN for place in places]


def _look(colour: Colour, plane: Plane, place: Array) -> NDArray[np.float32]:
    """Return what is seen around a place, without its light: numbers whose products add up to a correlation."""
    axes = np.eye(2) * PITCH
    seen = overhead(colour, plane, SquareGrid(place - ACROSS * PITCH / 2, axes[0], axes[1], (ACROSS, ACROSS))).seen
    grey = cv2.GaussianBlur(cv2.cvtColor(seen, cv2.COLOR_BGR2GRAY).astype(np.float32), (0, 0), SOFT / PITCH)
    off = np.asarray(grey - grey.mean(), np.float32).ravel()
    return np.asarray(off / max(float(np.linalg.norm(off)), 1e-6), np.float32)
