"""Measures how much places look like a tag with one side or corner hidden, and estimates the pose of such a tag.

A cover looks like nothing that tags share, and shifts a tag's apparent place to the side.  So one side or corner is
left out: the one without which the rest looks most like a tag.
"""

from __future__ import annotations

from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from tabletop.vision.frame import Floats
from tabletop.vision.geometry.plane import Array
from tabletop.vision.recognise.fit.shift import BLUR_WIDTHS, masked_shift_weights

Which: TypeAlias = NDArray[np.intp]

MASK_COUNT = 8
"""Number of masks that leave out a part of a tag: one for each side and each corner."""
HIDDEN_FRACTION = 0.5
"""Fraction of a tag that is left out in the search for it: half a tag is enough to show that it is there, and where."""
MIN_VARYING_PART = 1e-5
"""Lower limit for the variation in a part, as a fraction of its squared light: in overexposed paper only rounding
varies."""


class MaskedCorrelation:
    """Correlates samples with pictures (n, samples), using in turn only the samples that each mask keeps.

    ``used`` (ways, samples): the masks.
    """

    def __init__(self, pictures: Floats, used: NDArray[np.bool_]) -> None:
        counts = used.sum(axis=1)
        masked = pictures * used[:, None]
        masked -= masked.sum(axis=2, keepdims=True) / counts[:, None, None] * used[:, None]
        masked /= np.linalg.norm(masked, axis=2, keepdims=True)
        self.counts: Floats = counts.astype(np.float32)
        self._shape = masked.shape[:2]
        self._parts: Floats = np.ascontiguousarray(masked.reshape(-1, pictures.shape[1]).T, dtype=np.float32)
        self._shares: Floats = np.ascontiguousarray(used.T / np.sqrt(counts), dtype=np.float32)
        self._used: Floats = np.ascontiguousarray(used.T, dtype=np.float32)

    def squares(self, samples: Floats) -> tuple[Floats, Floats]:
        """Return the sum of squares of samples (n, samples) under each mask, and the same about their mean there."""
        total: Floats = np.square(samples) @ self._used
        return total, total - (samples @ self._shares) ** 2

    def alike(self, samples: Floats, length: Floats) -> Floats:
        """Return the correlation of samples with every picture under each mask, (n, ways, pictures).

        ``length`` (n, ways): the norm of the samples under each mask, by which it is divided.
        """
        return (samples @ self._parts).reshape(len(samples), *self._shape) / length[..., None]


class PartlyAlike:
    """Measures how much samples look like any of some pictures (n, samples) with one side or corner left out.

    ``places`` (2, samples): how far to the right of and below a tag's middle each sample lies.
    """

    def __init__(self, pictures: Floats, places: Floats) -> None:
        self._masked, self._pictures = MaskedCorrelation(pictures, seen_parts(places, HIDDEN_FRACTION)), len(pictures)

    def best(self, samples: Floats) -> tuple[Floats, Which, Which]:
        """Return the greatest likeness of samples (n, samples) to a picture, the part left out, and the picture."""
        total, rest = self._masked.squares(samples)
        length = np.sqrt(np.maximum(rest, MIN_VARYING_PART * total)) + 1e-3
        alike = self._masked.alike(samples, length).reshape(len(samples), MASK_COUNT * self._pictures)
        greatest = alike.argmax(axis=1)
        part, picture = np.divmod(greatest, self._pictures)
        return alike[np.arange(len(samples)), greatest], part, picture


class PartlyHidden:
    """Estimates the pose of whole patterns (n, 25, 25) with one side or corner hidden."""

    def __init__(self, patterns: Floats, places: Floats) -> None:
        self._patterns, self._used = patterns.astype(np.float64), seen_parts(places, HIDDEN_FRACTION)

    def shift(self, samples: Floats, part: Which, pattern: Which) -> Floats:
        """Return how far samples (n, s) lie off their patterns without the hidden parts, (n, 4).

        ``part``, ``pattern``: the hidden part and the pattern of each.  A shift is x and y in modules, radians, and a
        fraction of the size.
        """
        weights, likeness = self._sums
        blur = np.einsum("nbs,ns->nb", likeness[part, pattern], samples).argmax(axis=1)
        sums = np.einsum("nks,ns->nk", weights[part, pattern, blur], samples)
        shifts: Floats = sums[:, :4] / np.maximum(sums[:, 4:], 1e-3)
        return shifts

    @cached_property
    def _sums(self) -> tuple[Floats, Floats]:
        """Weights that give shifts and strength, (parts, patterns, blurs, 5, samples), and the likeness.

        Those of the likeness are (parts, patterns, blurs, samples).
        """
        weights = np.stack([masked_shift_weights(self._patterns, blur, self._used) for blur in BLUR_WIDTHS], axis=2)
        return np.ascontiguousarray(weights[..., :5, :]), np.ascontiguousarray(weights[..., 5, :])


def far_each_way(places: Floats) -> Array:
    """Return how far each sample lies towards each side and corner, clockwise from the right, (ways, samples)."""
    angles = 2 * np.pi * np.arange(MASK_COUNT) / MASK_COUNT
    far: Array = np.cos(angles)[:, None] * places[0] + np.sin(angles)[:, None] * places[1]
    return far


def seen_parts(places: Floats, cover: float) -> NDArray[np.bool_]:
    """Return masks of the samples left with a fraction ``cover`` hidden at each side and corner, (ways, samples)."""
    far = far_each_way(places)
    seen: NDArray[np.bool_] = far < np.quantile(far, 1 - cover, axis=1, keepdims=True)
    return seen
