"""What a camera makes of light: a lens mixes it in proportion, and then grey levels follow its 2.2th root."""

from __future__ import annotations

import numpy as np

INK, PAPER = 0.03, 0.85
"""Light that ink and paper give back."""
GAMMA = 2.2


def developed(light: np.ndarray) -> np.ndarray:
    """Return grey levels, -1 for ink and 1 for paper, of light of which the same is said."""
    level = np.clip(INK + (PAPER - INK) * (1 + light) / 2, 0, None) ** (1 / GAMMA)
    dark, bright = INK ** (1 / GAMMA), PAPER ** (1 / GAMMA)
    result: np.ndarray = 2 * (level - dark) / (bright - dark) - 1
    return result
