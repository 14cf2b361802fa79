"""How far a pattern lies from where it was looked for, told by a single look: least squares on its slopes.

A camera's blur makes a pattern smooth, so that a small shift adds the pattern's slopes to what is seen.  What light and
its ramps add as well is left out, and samples count as little as noise and what lies beside the tag make them sure.
All of that is worked out before any picture is taken.
"""

from __future__ import annotations

from functools import cache
from math import erf, pi, sqrt
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from tabletop.vision.tags import ACROSS, MODULES

Array: TypeAlias = NDArray[np.float64]
Floats: TypeAlias = NDArray[np.float32]
Which: TypeAlias = NDArray[np.intp]

RING = 1
"""Rings of quiet zone that are compared beside the modules."""
GRID = MODULES + 2 * RING
"""Samples along a side: the centre of every module and of one ring of quiet zone."""
BLURS = (0.75, 1.0, 1.35)
"""Widths (modules) of the blur with which tags are seen; the one that fits is taken."""
NOISE, SPREAD, ALONE = 0.25, 0.6, 0.1
"""Noise as a part of half a contrast, how far (modules) softening spreads it, and what it leaves as it was."""
BESIDE, GRAIN, FAR = 0.3, 2.0, 4
"""How much what lies beside a tag differs from paper, over how many modules it is alike, how many shine in."""


class Shifts:
    """Tells of samples how far they lie off patterns, whole ones (n, 25, 25), each seen with any of the blurs."""

    def __init__(self, patterns: Floats) -> None:
        rows = np.stack([_rows(patterns.astype(np.float64), blur) for blur in BLURS], axis=1)
        self._told = rows[:, :, :5].reshape(-1, 5, GRID * GRID).astype(np.float32)
        self._fits = np.ascontiguousarray(rows[:, :, 5].reshape(-1, GRID * GRID).T, dtype=np.float32)

    def best(self, samples: Floats) -> tuple[Which, Which]:
        """Return the pattern and the blur that fit each of some samples (n, s) best."""
        pattern, blur = np.divmod((samples @ self._fits).argmax(axis=1), len(BLURS))
        return pattern, blur

    def told(self, samples: Floats, pattern: Which, blur: Which) -> Floats:
        """Return how far samples (n, s) lie off patterns: x, y in modules, radians, part of the size, (n, 4)."""
        told = np.einsum("nks,ns->nk", self._told[pattern * len(BLURS) + blur], samples)
        shifts: Floats = told[:, :4] / np.maximum(told[:, 4:], 1e-3)
        return shifts


def _rows(patterns: Array, blur: float) -> Array:
    """Return for each pattern what gives shift, turn, growth, strength and likeness of samples, (n, 6, samples)."""
    x, y = _square(GRID).T
    light, across, down = seen(patterns, blur, _line(GRID))
    turn, growth = x * down - y * across, x * across + y * down
    wide, narrow = (seen(patterns, each, _line(GRID))[0] for each in (blur * 1.15, blur / 1.15))
    ramps = [np.broadcast_to(each, light.shape) for each in (np.ones_like(x), x, y)]
    parts = [light, across, down, turn, growth, wide - narrow, light * x, light * y, *ramps]
    rows, _ = _told(np.stack(parts, axis=1), blur)
    plain, unsure = _told(np.stack([light, *ramps], axis=1), blur)
    likeness = plain[:, 0] / np.sqrt(unsure)[:, None]
    every: Array = np.concatenate([rows[:, 1:5], rows[:, :1], likeness[:, None]], axis=1)
    return every


def _told(parts: Array, blur: float) -> tuple[Array, Array]:
    """Return what gives the strength of each part (n, parts, samples) in samples, and how unsure the first one is."""
    # One product of two matrices: a product for each pattern takes twenty times as long, at every start.
    weighed = (parts.reshape(-1, parts.shape[2]).astype(np.float32) @ _sureness(blur).T).reshape(parts.shape)
    weighed = weighed.astype(np.float64)
    spread = np.linalg.inv(weighed @ parts.transpose(0, 2, 1)).astype(np.float64, copy=False)
    return spread @ weighed, spread[:, 0, 0]


def seen(patterns: Array, blur: float, places: Array) -> tuple[Array, Array, Array]:
    """Return how patterns look blurred, and their slopes across and down, each (n, samples).

    The samples lie on a square grid; ``places``: those of each of its rows, modules from the middle.
    """
    line, slope = _lines(blur, ACROSS, places)
    # Paper goes on beyond the quiet zone: only what is dark is smeared.
    dark = patterns - 1
    light, across, down = (
        (along @ dark @ other.T).reshape(len(dark), -1) for along, other in ((line, line), (line, slope), (slope, line))
    )
    return light + 1, across, down


@cache
def _sureness(blur: float) -> Floats:
    """Return the inverse of how samples err together, (samples, samples)."""
    spots = _square(GRID)
    noise = NOISE**2 * (np.exp(-_apart(spots) / 4 / SPREAD**2) + ALONE * np.eye(len(spots)))
    wide = ACROSS + 2 * FAR
    around = _square(wide)
    outside = (np.abs(around) > ACROSS / 2).any(axis=1)
    line, _ = _lines(blur, wide, _line(GRID))
    shining = np.kron(line, line)[:, outside]
    alike = 0.5 + np.exp(-_apart(around[outside]) / 2 / GRAIN**2)
    return np.linalg.inv(noise + BESIDE * shining @ alike @ shining.T).astype(np.float32)


def _lines(blur: float, count: int, places: Array) -> tuple[Array, Array]:
    """Return how much each of a row of modules shows at places along it, and the slope of that, (places, count)."""
    far = (places[:, None] - np.arange(count + 1) + count / 2) / blur
    steps = np.array([[0.5 * (1 + erf(each / sqrt(2))) for each in row] for row in far])
    bells = np.exp(-(far**2) / 2) / sqrt(2 * pi) / blur
    return steps[:, :-1] - steps[:, 1:], bells[:, :-1] - bells[:, 1:]


def _line(count: int) -> Array:
    """Return the middles of a row of modules from its own middle."""
    return np.arange(count, dtype=np.float64) - (count - 1) / 2


def homogeneous(places: Array) -> Floats:
    """Return a square grid of samples, row after row, (3, n): x, y and ones; ``places``: those of each of its rows."""
    x, y = np.meshgrid(places, places)
    grid: Floats = np.stack([x.ravel(), y.ravel(), np.ones(x.size)]).astype(np.float32)
    return grid


def _square(count: int) -> Array:
    """Return the middles of a square of modules from its own middle, row after row, x and y, (count * count, 2)."""
    x, y = np.meshgrid(_line(count), _line(count))
    return np.stack([x.ravel(), y.ravel()], axis=1)


def _apart(spots: Array) -> Array:
    """Return the squared distances between all spots."""
    square = (spots**2).sum(axis=1)
    apart: Array = square[:, None] + square - 2 * spots @ spots.T
    return apart
