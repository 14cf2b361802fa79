"""The vertex of the parabola through a value and its two neighbours: where between samples a peak lies."""

from __future__ import annotations

import numpy as np

from tabletop.vision.frame import Floats


def vertex(
    before: Floats, middle: Floats, after: Floats, min_bend: float = 1e-9, without_peak: Floats | float = 0
) -> Floats:
    """Return the offset of the vertex from the middle value, in steps between values.

    ``without_peak`` is returned where the values do not curve downwards, by at least ``min_bend``.
    """
    bend = before + after - 2 * middle
    return np.where(bend < -min_bend, 0.5 * (before - after) / np.minimum(bend, -min_bend), without_peak)
