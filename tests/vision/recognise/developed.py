"""How a camera renders light: the lens blurs it linearly, then grey levels are its 2.2th root."""

from __future__ import annotations

import numpy as np

INK, PAPER = 0.03, 0.85
"""The shares of light that ink and paper reflect."""
GAMMA = 2.2


def developed(light: np.ndarray) -> np.ndarray:
    """Return the grey levels of light, both scaled so that ink is -1 and paper 1."""
    level = np.clip(INK + (PAPER - INK) * (1 + light) / 2, 0, None) ** (1 / GAMMA)
    dark, bright = INK ** (1 / GAMMA), PAPER ** (1 / GAMMA)
    result: np.ndarray = 2 * (level - dark) / (bright - dark) - 1
    return result
