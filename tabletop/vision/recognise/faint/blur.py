"""Estimates the width of a picture's blur from the tags that were surely read in it.

Each of them shows how the camera rendered a known pattern, and a picture blurs all tags of one size much alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np

from tabletop.vision.frame import Floats
from tabletop.vision.geometry.plane import Array
from tabletop.vision.recognise.faint.tone import bent, steepness
from tabletop.vision.recognise.fit.shift import GRID_SIDE, rendered_with_slopes, row_places, square_places

BLUR_STEP = 0.15
"""Step between the widths of the blur that are distinguished, modules."""
WIDTHS: Sequence[float] = tuple(0.8 + BLUR_STEP * number for number in range(11))
"""Possible widths, modules, of a softened tag's blur: from that of softening alone to that of tags so small that single
modules are hardly visible."""
USUAL_WIDTH_INDEX = 2
"""Index of the width with which the search begins."""
MIN_KNOWN_TAGS, MAX_KNOWN_TAGS = 8, 20
"""Least number of surely read tags to learn from, and the number that is enough."""


def learnt_blurs(samples: Floats, patterns: Floats) -> tuple[float, float]:
    """Return the two neighbouring widths that enclose the blur of upright samples (n, all) of patterns (n, 25, 25).

    One of them leaves the least unexplained, with light, contrast and place fitted freely.
    """
    exact, whole = samples.astype(np.float64), patterns.astype(np.float64)

    @cache
    def unexplained(number: int) -> float:
        return _unexplained(exact, whole, WIDTHS[number])

    # In 40 pictures of two renderers, the rest only fell up to the best width, and only rose beyond it.
    best, better = -1, USUAL_WIDTH_INDEX
    while better != best:
        best = better
        better = min(range(max(1, best - 1), min(best + 1, len(WIDTHS) - 2) + 1), key=unexplained)
    other = min(best - 1, best + 1, key=unexplained)
    return WIDTHS[min(best, other)], WIDTHS[max(best, other)]


def _unexplained(samples: Array, patterns: Array, width: float) -> float:
    """Return how much a blur of that width leaves unexplained: the sum of logarithms over all tags."""
    light, across, down = rendered_with_slopes(patterns, width, row_places(GRID_SIDE))
    across, down = (slope * steepness(light) for slope in (across, down))
    light = bent(light, np.square(light))
    x, y = square_places(GRID_SIDE).T / GRID_SIDE
    even = [np.broadcast_to(each, light.shape) for each in (np.ones_like(x), x, y, x * x, x * y, y * y)]
    parts = np.stack([light, across, down, light * x, light * y, *even], axis=1)
    projected = (parts @ samples[..., None])[..., 0]
    explained = np.linalg.solve(parts @ parts.transpose(0, 2, 1), projected[..., None])[..., 0]
    left = np.einsum("ns,ns->n", samples, samples) - np.einsum("np,np->n", projected, explained)
    return float(np.log(np.maximum(left, 1e-6)).sum())
