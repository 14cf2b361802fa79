"""How much places look like a tag with one side or corner hidden, and how such a tag lies.

What lies over a tag looks like nothing that tags share, and draws its place to the side.  So it is left out: any one
side or corner, whichever leaves the most alike.
"""

from __future__ import annotations

from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from tabletop.vision.frame import Floats
from tabletop.vision.geometry.plane import Array
from tabletop.vision.recognise.shift import BLUR_WIDTHS, partly_seen

Which: TypeAlias = NDArray[np.intp]

MASK_COUNT = 8
"""Ways in which something may lie over a part of a tag: from each side and each corner."""
HIDDEN_FRACTION = 0.5
"""How much of a tag is left out when it is looked for: half a tag also shows that it is there, and where."""
MIN_VARYING_PART = 1e-5
"""What varies in a part by less than this share of its squared light is taken to vary by as much: in paper that is
burnt out, rounding is all that varies."""


class MaskedCorrelation:
    """Correlates samples with pictures (n, samples), of each only what some masks (ways, samples) leave."""

    def __init__(self, pictures: Floats, used: NDArray[np.bool_]) -> None:
        counts = used.sum(axis=1)
        some = pictures * used[:, None]
        some -= some.sum(axis=2, keepdims=True) / counts[:, None, None] * used[:, None]
        some /= np.linalg.norm(some, axis=2, keepdims=True)
        self.counts: Floats = counts.astype(np.float32)
        self._shape = some.shape[:2]
        self._parts: Floats = np.ascontiguousarray(some.reshape(-1, pictures.shape[1]).T, dtype=np.float32)
        self._shares: Floats = np.ascontiguousarray(used.T / np.sqrt(counts), dtype=np.float32)
        self._used: Floats = np.ascontiguousarray(used.T, dtype=np.float32)

    def squares(self, samples: Floats) -> tuple[Floats, Floats]:
        """Return the squared light of samples (n, samples) in what each mask leaves, and that of what varies there."""
        total: Floats = np.square(samples) @ self._used
        return total, total - (samples @ self._shares) ** 2

    def alike(self, samples: Floats, length: Floats) -> Floats:
        """Return the correlation of samples with every picture, (n, ways, pictures), by their ``length`` (n, ways)."""
        return (samples @ self._parts).reshape(len(samples), *self._shape) / length[..., None]


class PartlyAlike:
    """Tells how much samples look like any of some pictures (n, samples) with one side or corner left out.

    ``places`` (2, samples) tell how far to the right and down each sample lies from a tag's middle.
    """

    def __init__(self, pictures: Floats, places: Floats) -> None:
        self._masked, self._pictures = MaskedCorrelation(pictures, seen_parts(places, HIDDEN_FRACTION)), len(pictures)

    def best(self, samples: Floats) -> tuple[Floats, Which, Which]:
        """Return the best likeness of samples (n, samples) to a picture, the part left out for it, and that picture."""
        total, rest = self._masked.squares(samples)
        length = np.sqrt(np.maximum(rest, MIN_VARYING_PART * total)) + 1e-3
        alike = self._masked.alike(samples, length).reshape(len(samples), MASK_COUNT * self._pictures)
        most = alike.argmax(axis=1)
        part, picture = np.divmod(most, self._pictures)
        return alike[np.arange(len(samples)), most], part, picture


class PartlyHidden:
    """Tells where patterns, whole ones (n, 25, 25), lie of which one side or corner is hidden."""

    def __init__(self, patterns: Floats, places: Floats) -> None:
        self._patterns, self._used = patterns.astype(np.float64), seen_parts(places, HIDDEN_FRACTION)

    def shift(self, samples: Floats, part: Which, pattern: Which) -> Floats:
        """Return how far samples (n, s) lie off patterns without some parts: modules, radians, part of the size."""
        weights, likeness = self._sums
        blur = np.einsum("nbs,ns->nb", likeness[part, pattern], samples).argmax(axis=1)
        sums = np.einsum("nks,ns->nk", weights[part, pattern, blur], samples)
        shifts: Floats = sums[:, :4] / np.maximum(sums[:, 4:], 1e-3)
        return shifts

    @cached_property
    def _sums(self) -> tuple[Floats, Floats]:
        """What tells shifts and strength, (parts, patterns, blurs, 5, samples), and likeness, without the fourth."""
        every = np.stack([partly_seen(self._patterns, blur, self._used) for blur in BLUR_WIDTHS], axis=2)
        return np.ascontiguousarray(every[..., :5, :]), np.ascontiguousarray(every[..., 5, :])


def far_each_way(places: Floats) -> Array:
    """Return how far each sample lies to the right, and to every other side and corner, clockwise, (ways, samples)."""
    ways = 2 * np.pi * np.arange(MASK_COUNT) / MASK_COUNT
    far: Array = np.cos(ways)[:, None] * places[0] + np.sin(ways)[:, None] * places[1]
    return far


def seen_parts(places: Floats, cover: float) -> NDArray[np.bool_]:
    """Return the samples that are left if this much is covered at each side and corner, (ways, samples)."""
    far = far_each_way(places)
    seen: NDArray[np.bool_] = far < np.quantile(far, 1 - cover, axis=1, keepdims=True)
    return seen
