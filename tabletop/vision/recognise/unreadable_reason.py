"""Finds the reason why a tag cannot be read, if picture and plane show it."""

from __future__ import annotations

import numpy as np

from tabletop.vision.frame import Grey
from tabletop.vision.geometry.plane import Array, Plane
from tabletop.vision.image.glare import is_glare
from tabletop.vision.scene import Cause
from tabletop.vision.tags.patterns import TAG_MODULES

MIN_MODULE_PX = 0.75
"""Px per module below which a tag counts as too small: in hard light such tags are lost."""
MIN_PATCHINESS = 0.38
"""How much more the rest of a tag must look like one than one side or corner if that part counts as covered."""


def find_reason(plane: Plane, outline: Array, light: Grey, patchiness: float) -> Cause:
    """Return the reason, or ``UNKNOWN`` if none is found.

    ``outline``: the whole tag's corners (4, 2), mm; ``light``: its grey levels; ``patchiness``: how much more it looks
    like a tag without one side or corner than that side or corner does by itself.
    """
    px = plane.to_px(outline)
    height, width = plane.shape
    if is_glare(light):
        return Cause.GLARE
    if ((px < -0.5) | (px > np.array((width, height)) - 0.5)).any():
        return Cause.CUT_OFF
    across, along = px[1] - px[0], px[3] - px[0]
    if np.sqrt(abs(across[0] * along[1] - across[1] * along[0])) / TAG_MODULES < MIN_MODULE_PX:
        return Cause.TOO_SMALL
    return Cause.COVERED if patchiness > MIN_PATCHINESS else Cause.UNKNOWN
