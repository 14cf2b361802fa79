"""A photograph of tags that lie flat, straight below the camera."""

from __future__ import annotations

import cv2
import numpy as np

from tabletop.vision.tags import patterns


def laid(placed: dict[str, tuple[int, int]], size: tuple[int, int] = (1600, 900)) -> np.ndarray:
    """Return a table from above with tags at ``placed``, payload → (left, top); 8 px per module, for markers 16."""
    canvas = np.full((size[1], size[0]), 170, np.uint8)
    for payload, (left, top) in placed.items():
        tag = patterns.draw(patterns.pattern(payload), 16 if payload.startswith("TT") else 8)
        canvas[top : top + tag.shape[0], left : left + tag.shape[1]] = tag
    return canvas


def jpeg(canvas: np.ndarray) -> bytes:
    return cv2.imencode(".jpg", cv2.GaussianBlur(canvas, (0, 0), 1.2))[1].tobytes()
