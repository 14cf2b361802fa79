"""The wood of the table, as a periodic square of linear reflectance."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from tabletop.simulator.camera.lens import Floats

SIDE_PX = 1024
"""The side of the texture, a square that is repeated over the table."""
PX_PER_MM = 3.0
"""The resolution of the texture."""
WOOD_GLOSS = 0.35
"""The share of the lamp's light that the wood mirrors."""


@lru_cache(maxsize=1)  # used again after a camera was bumped, and for the next game
def wood(seed: int) -> Floats:
    """Return the seamless texture as read-only linear reflectance, (SIDE_PX, SIDE_PX, 3)."""
    rng = np.random.default_rng(abs(seed))
    rows = np.arange(SIDE_PX, dtype=np.float32)[:, None]
    warp = _smooth(rng, 90, 25) * 18
    rings = np.sin((rows + warp) * (2 * math.pi * 26 / SIDE_PX)) + 0.5 * np.sin(
        (rows + warp) * (2 * math.pi * 61 / SIDE_PX)
    )
    pores = np.minimum(_smooth(rng, 14, 0.8), 0.4)
    brown = np.array([0.085, 0.165, 0.27], np.float32)
    tone = 1 + 0.14 * rings + 0.16 * pores + 0.10 * _smooth(rng, 120, 60)
    # Boards of 85 mm with a dark joint between them.
    joint = 1 - 0.6 * np.exp(-((((rows % (SIDE_PX / 4)) - SIDE_PX / 8) / 1.6) ** 2))
    square: Floats = (brown * np.clip(tone * joint, 0.15, 2)[..., None]).astype(np.float32)
    square.setflags(write=False)
    return square


def _smooth(rng: np.random.Generator, wide: float, high: float) -> Floats:
    """Return periodic noise of standard deviation 1, smoothed over ``wide`` × ``high`` px."""
    field = rng.standard_normal((SIDE_PX, SIDE_PX)).astype(np.float32)
    spectrum = np.fft.rfft2(field)
    fy, fx = np.fft.fftfreq(SIDE_PX)[:, None], np.fft.rfftfreq(SIDE_PX)[None, :]
    spectrum *= np.exp(-2 * math.pi**2 * ((fx * wide) ** 2 + (fy * high) ** 2))
    field = np.fft.irfft2(spectrum, s=(SIDE_PX, SIDE_PX)).astype(np.float32)
    even: Floats = field / field.std()
    return even
