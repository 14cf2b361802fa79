"""Final tables of Palazzo, drawn and photographed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from math import cos, radians, sin
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.vision.tags import patterns

FIRST = (("S3.3",), ("B2.3", "B4.2"), ("B1.3", "S2.1", "B5.2"))
SECOND = (("M1.3", "M2.1", "M3.2", "S4.3", "M5.2"), ("M2.2", "M3.1a", "M4.2"))
DENSITY = 4.0
"""Pixels per mm of the drawn table."""
Laid: TypeAlias = tuple[str, float, float, float, float]
"""A tag on a table: its payload, x and y in mm, its angle, and its side in mm."""


def stand(
    palazzi: tuple[tuple[str, ...], ...],
    x: float = 0.0,
    y: float = 0.0,
    turn: float = 0.0,
    height: float = 28.0,
    width: float = 36.0,
) -> Iterator[Laid]:
    """Iterate over the tiles of palazzi side by side, slightly crooked; the first one's bottom tile is at x, y, mm."""
    c, s = cos(radians(turn)), sin(radians(turn))
    lean = np.random.default_rng(5)
    for column, tiles in enumerate(palazzi):
        for floor, tile in enumerate(tiles):
            across, up = column * (width + 8) + lean.normal(0, 0.8), floor * (height + 1)
            yield f"PZ:{tile.upper()}", x + across * c + up * s, y + across * s - up * c, turn + lean.normal(0, 2), 20.0


@lru_cache(maxsize=2)
def grain(seed: int, spread: float, shape: tuple[int, int]) -> NDArray[np.float32]:
    """Return wood grain, or noise, which takes as long to draw as the rest of a picture and so is kept."""
    return np.random.default_rng(seed).normal(0, spread, shape).astype(np.float32)


def table(laid: Iterable[Laid], size: tuple[int, int] = (400, 300), set_letter: str = "") -> NDArray[np.uint8]:
    """Return a wooden table with grain, seen from above, with tags (payload, x, y, angle, mm) on it."""
    wood = 150 + grain(2, 8, (int(size[1] * DENSITY), int(size[0] * DENSITY)))
    picture = np.clip(wood, 0, 255).astype(np.uint8)
    for payload, x, y, angle, mm in laid:
        head, _, piece = payload.partition(":")
        tag = patterns.draw(patterns.pattern(f"{head}{set_letter}:{piece}"), 8)
        scale = mm * DENSITY / tag.shape[0]
        matrix = cv2.getRotationMatrix2D(((tag.shape[1] - 1) / 2, (tag.shape[0] - 1) / 2), -angle, scale)
        # Only what is around the tag is drawn.
        middle, reach = np.array([x, y]) * DENSITY, mm * DENSITY
        left, top = np.maximum(middle - reach, 0).astype(int).tolist()
        part = picture[top : int(middle[1] + reach), left : int(middle[0] + reach)]
        matrix[:, 2] += middle - (left, top) - (tag.shape[1] - 1) / 2
        there = cv2.warpAffine(np.full_like(tag, 255), matrix, part.shape[::-1])
        ink = cv2.warpAffine(tag, matrix, part.shape[::-1], flags=cv2.INTER_AREA)
        part[there > 127] = (30 + ink * 0.8).astype(np.uint8)[there > 127]
    return picture


def photographed(
    picture: NDArray[np.uint8], tilt: float = 0.0, size: tuple[int, int] = (1600, 1200)
) -> NDArray[np.uint8]:
    """Return the table as a phone tilted by degrees sees it, with perspective, blur and noise."""
    height, width = picture.shape
    focal = 1.2 * size[0]
    flat = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float64) - (width / 2, height / 2)
    flat *= 0.8 * size[0] / width
    t = radians(tilt)
    deep = focal + flat[:, 1] * -sin(t)
    seen = np.stack([flat[:, 0], flat[:, 1] * cos(t)], 1) * (focal / deep)[:, None] + (size[0] / 2, size[1] / 2)
    corners = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    matrix = cv2.getPerspectiveTransform(corners, seen.astype(np.float32))
    taken = cv2.GaussianBlur(
        cv2.warpPerspective(picture, matrix, size, flags=cv2.INTER_AREA, borderValue=90), (0, 0), 0.7
    )
    result: NDArray[np.uint8] = np.clip(taken + grain(4, 3, (size[1], size[0])), 0, 255).astype(np.uint8)
    return result
