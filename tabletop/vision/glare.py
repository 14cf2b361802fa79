"""Where light is mirrored so that nothing can be read: burnt spots that are large enough to hide a tag."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.vision.frame import Grey
from tabletop.vision.plane import Array, Plane

BURNT = 250
"""Grey level from which on nothing is told apart any more."""
WASHED = 240
"""Grey level at which a tag is washed out where paper is darker by :data:`ABOVE`."""
ABOVE = 14
PATCH = 80.0
"""Burnt spots smaller than this hide no tag, mm²."""
WIDTH = 1000
"""Width at which a photograph is searched for spots, px."""

Mask = NDArray[np.bool_]


def burnt(small: Grey, level: float, least: float) -> tuple[Mask, list[tuple[int, int, int, int]]]:
    """Return where a picture is at least that bright in spots of at least so many px, and the spots' boxes.

    A box is left, top, width, height.
    """
    _, labels, stats, _ = cv2.connectedComponentsWithStats((small >= level).astype(np.uint8))
    large = stats[:, cv2.CC_STAT_AREA] >= max(least, 1.0)
    large[0] = False
    boxes = [(int(x), int(y), int(w), int(h)) for x, y, w, h, _ in stats[large]]
    mask: Mask = large[labels]
    return mask, boxes


def spots(grey: Grey, plane: Plane, paper: float) -> list[Array]:
    """Return the boxes (4, 2) px around what light washes out in a photograph in which paper has that grey level.

    None where paper itself is nearly burnt: then a spot cannot be told from a card.
    """
    level = max(WASHED, paper + ABOVE)
    if level > 255:
        return []
    factor = min(1.0, WIDTH / grey.shape[1])
    small = cv2.resize(grey, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
    pitch = plane.mm_per_px(np.array(grey.shape[::-1]) / 2) / factor
    _, boxes = burnt(np.asarray(small, dtype=np.uint8), level, PATCH / pitch**2)
    return [
        np.array([(x, y), (x + w, y), (x + w, y + h), (x, y + h)], dtype=np.float64) / factor for x, y, w, h in boxes
    ]
