"""Measures how sharp and how bright a picture is, by the tags in it, whose patterns are known."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import cv2
import numpy as np

from tabletop.vision.frame import Grey
from tabletop.vision.geometry.plane import Array
from tabletop.vision.image.parabola import vertex
from tabletop.vision.tags.patterns import CODE_MODULES, QUIET_MODULES, TAG_MODULES, Pattern

BLURS_PX = 0.25 * 1.15 ** np.arange(24)
"""Standard deviations of blur that are tried, px: from none to one that leaves nothing of any tag."""
SAMPLES_PER_PX = 4
"""Samples per px and side with which a tag is drawn without blur, if there are at most ``MAX_SAMPLES`` along the
tag."""
MAX_SAMPLES = 1600
"""Most samples along a tag, but at least one per px: more for a card close to the lens would take gigabytes."""


class TagSharpness(NamedTuple):
    """How sharp and bright a tag is: standard deviation of its blur, px, and the grey levels of its ink and paper."""

    blur: float
    dark: float
    light: float


def tag_sharpness(grey: Grey, corners: Array, pattern: Pattern) -> TagSharpness | None:
    """Return the sharpness of a tag, given the corners (4, 2) px of its code; None if the picture cuts it off."""
    low = np.floor(corners.min(axis=0)).astype(int) - 1
    high = np.ceil(corners.max(axis=0)).astype(int) + 2
    if (low < 0).any() or (high > np.array(grey.shape[::-1])).any():
        return None
    seen = grey[low[1] : high[1], low[0] : high[0]].astype(np.float32)
    sharp, inside = _drawn(pattern, corners - low, seen.shape)
    if inside.sum() < TAG_MODULES:
        return None
    shown = seen[inside] - seen[inside].mean()
    likeness = []
    for blur in BLURS_PX:
        soft = cv2.GaussianBlur(sharp, (0, 0), float(blur), borderType=cv2.BORDER_REPLICATE)[inside]
        soft = soft - soft.mean()
        likeness.append(float(shown @ soft) / float(np.linalg.norm(soft) * np.linalg.norm(shown) + 1e-9))
    dark, light = np.quantile(seen[inside], (0.05, 0.95))
    return TagSharpness(_most_alike(likeness), float(dark), float(light))


def _most_alike(likeness: Sequence[float]) -> float:
    """Return the blur, px, at which the correlation peaks, interpolated between those that were tried."""
    top = min(max(int(np.argmax(likeness)), 1), len(likeness) - 2)
    shift = float(np.clip(vertex(*np.array(likeness[top - 1 : top + 2])), -1, 1))
    return float(BLURS_PX[top] * (BLURS_PX[1] / BLURS_PX[0]) ** shift)


def _drawn(pattern: Pattern, corners: Array, shape: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
    """Return a tag as a camera without blur would see it, paper 1 and ink 0, and the mask of px on its code."""
    height, width = shape
    square = np.array([(0, 0), (CODE_MODULES, 0), (CODE_MODULES, CODE_MODULES), (0, CODE_MODULES)], dtype=np.float32)
    samples = max(1, min(SAMPLES_PER_PX, MAX_SAMPLES // max(shape)))
    to_modules = cv2.getPerspectiveTransform(corners.astype(np.float32), square)
    across = ((np.arange(width * samples) + 0.5) / samples - 0.5).astype(np.float32)
    along = ((np.arange(height * samples) + 0.5) / samples - 0.5).astype(np.float32)
    places = np.stack(np.meshgrid(across, along), axis=-1)
    spots = np.floor(cv2.perspectiveTransform(places, to_modules)).astype(np.int32) + QUIET_MODULES
    paper = np.pad(~pattern, QUIET_MODULES, constant_values=True).astype(np.float32)
    column, row = np.clip(spots, 0, TAG_MODULES - 1).transpose(2, 0, 1)
    fine = paper[row, column]
    on_symbol = np.asarray(
        ((spots >= QUIET_MODULES) & (spots < QUIET_MODULES + CODE_MODULES)).all(axis=-1), dtype=np.float32
    )
    size = (width, height)
    drawn = cv2.resize(fine, size, interpolation=cv2.INTER_AREA)
    inside = cv2.resize(on_symbol, size, interpolation=cv2.INTER_AREA) > 0.5
    return drawn, inside
