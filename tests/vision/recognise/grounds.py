"""What may lie over tags: grain and mirrored light."""

from __future__ import annotations

import cv2
import numpy as np

from tabletop.vision.recognise.fit.shift import GRID_SIDE
from tabletop.vision.recognise.templates import Comparison

GREY = 30.0
"""Half the contrast of print, in grey levels."""
FINE = 2
"""Pixels per module of the pictures that are sampled."""


def grain(seed: int, count: int) -> np.ndarray:
    """Return samples (count, all) of noise softened like patches, with a standard deviation of 1."""
    rng, side = np.random.default_rng(seed), FINE * GRID_SIDE
    every = [cv2.GaussianBlur(rng.normal(0, 1, (side, side)), (0, 0), 0.5 * FINE)[::FINE, ::FINE] for _ in range(count)]
    samples = np.array(every, np.float32).reshape(count, -1)
    result: np.ndarray = samples / samples.std()
    return result


def mirrored() -> np.ndarray:
    """Return a window reflected over the right third of a tag, soft-edged and brighter than the print's contrast."""
    across = np.arange(GRID_SIDE) - GRID_SIDE / 2
    return np.tile(3 * GREY / (1 + np.exp(-(across - 4) / 1.5)), GRID_SIDE)


def together(comparison: Comparison, samples: np.ndarray, which: int) -> float:
    """Return the sum of score and lead of a tag, or 0 if another one leads."""
    scores = comparison.scores(samples[None].astype(np.float32))[0].max(axis=0)
    score = float(scores[which])
    scores[which] = 0
    return max(0.0, 2 * score - max(float(scores.max()), 0.0)) if score > scores.max() else 0.0
