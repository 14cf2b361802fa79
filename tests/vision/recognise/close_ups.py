"""Single places, seen close up, with tags and with foreign codes."""

from __future__ import annotations

import cv2
import numpy as np

from tabletop.vision.recognise.patches import FINE_MODULE_PX, PATCH_MODULES, Patches
from tabletop.vision.tags import patterns
from tabletop.vision.tags.patterns import TAG_MODULES
from tests.vision.recognise.developed import developed
from tests.vision.recognise.grounds import GREY


def foreign(text: str, mask: int | None) -> np.ndarray:
    """Return the whole pattern of a foreign code."""
    return np.pad(np.where(patterns.encode(text, mask), -1.0, 1.0), patterns.QUIET_MODULES, constant_values=1)


def close_up(whole: np.ndarray, hidden: float) -> Patches:
    """Return a patch of a whole pattern, a share of which is hidden by something grey."""
    side, fine = PATCH_MODULES * FINE_MODULE_PX, FINE_MODULE_PX
    light, rest = np.ones((side, side)), (PATCH_MODULES - TAG_MODULES) * fine // 2
    tag = light[rest : rest + TAG_MODULES * fine, rest : rest + TAG_MODULES * fine]
    tag[:] = np.kron(whole, np.ones((fine, fine)))
    tag[:, round(tag.shape[1] * (1 - hidden)) :] = 0.4
    seen_ = developed(cv2.GaussianBlur(light, (0, 0), 0.8 * fine))
    grey = 120 + GREY * seen_ + np.random.default_rng(0).normal(0, 7, light.shape)
    return Patches(np.clip(grey, 0, 255).astype(np.uint8), np.zeros((1, 2)), np.zeros(1), 1.0, fine)
