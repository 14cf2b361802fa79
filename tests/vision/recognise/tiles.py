"""A few tiles with tags, photographed by a simple camera."""

import cv2
import numpy as np

from bench.painting import Painter
from tabletop.vision.geometry.plane import Plane
from tests.vision.small_table import PATTERNS, SIZES

PIECES = {payload: pattern for payload, pattern in PATTERNS.items() if SIZES[payload] == 20}
NEAR = Plane(np.diag((0.65, 0.65, 1.0)), 0.0, (600, 800))
"""The plane of a camera straight above: 1.2 px per module of a 20 mm tag."""


def photographed(painter: Painter, seed: int = 0, blur: float = 0.5) -> np.ndarray:
    """Return the painter's table as ``NEAR`` sees it, slightly blurred and noisy."""
    small = cv2.resize(painter.canvas, (800, 600), interpolation=cv2.INTER_AREA)
    noise = np.random.default_rng(seed).normal(0, 3, small.shape)
    result: np.ndarray = np.clip(cv2.GaussianBlur(small, (0, 0), blur) + noise, 0, 255).astype(np.uint8)
    return result
