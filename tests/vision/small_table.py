"""A small table top for tests: four markers and some tiles, seen by a camera at 1.4 px per module."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import replace
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from bench.painting import Lying, Painter
from bench.renderers.grey_levels import LEVELS, Camera
from tabletop.rules import registry
from tabletop.vision.frame import Frame
from tabletop.vision.kit import Kit

GAME = registry.game("palazzo")
KIT = Kit(GAME)
PATTERNS = KIT.patterns
SIZES = KIT.sides
SIZE = (960, 540)
SMALL_SIZE = (640, 360)
NOISE_MARGIN_PX = 64
"""How much larger than a picture the noise is from which each frame takes a part, in px."""
MARKERS = [
    Lying("TT:Q1", -150, -80, 5, 40),
    Lying("TT:Q2", 150, -85, -20, 40),
    Lying("TT:Q3", 145, 85, 180, 40),
    Lying("TT:Q4", -150, 80, 90, 40),
]
TILES = [
    Lying("PZ:B1.2", -70, -60, 0, 20),
    Lying("PZ:S2.1", 0, -55, 33, 20),
    Lying("PZ:M3.3", 70, -50, 180, 20),
    Lying("PZ:G7B", -60, 50, 271, 20),
    Lying("PZ:C2A", 60, 55, 12, 20),
]


def camera(tilt: float = 8, turn: float = 2) -> Camera:
    return Camera(SIZE, high=310, tilt=tilt, turn=turn, lens=0.03)


@cache
def bare_table() -> Painter:
    """Return the wood on which every picture begins, kept because painting it takes half of a picture's time."""
    return Painter(np.random.default_rng(1), 600, 400)


def picture(
    lying: Sequence[Lying],
    *,
    seed: int = 1,
    level: str = "clean",
    view: Camera | None = None,
    hand: tuple[float, float] | None = None,
    face_down: Sequence[Lying] = (),
    bright: float = 1.0,
    art: bool = True,
    pasted: Sequence[tuple[np.ndarray, float, float, float, float]] = (),
) -> np.ndarray:
    """Return what the camera sees; the wood and the tiles' art stay the same whatever lies there.

    ``pasted`` are pictures with x, y in mm, degrees and width in mm.
    """
    painter = deepcopy(bare_table())
    for one in lying:
        if art and one.side < 30:
            painter.rng = np.random.default_rng(sum(one.payload.encode()))
            painter.art(one.x, one.y, one.angle, 36, 28)
    for one in lying:
        painter.tag(PATTERNS[one.payload], one)
    for one in face_down:
        painter.paste(np.full((280, 360), 235, np.uint8), one.x, one.y, one.angle, 36)
    for drawn in pasted:
        painter.paste(*drawn)
    if hand is not None:
        painter.hand(*hand, width=60)
    seen = (view or camera()).see(painter, LEVELS[level], np.random.default_rng(seed))
    return np.clip(seen * bright, 0, 255).astype(np.uint8)


@cache
def noise(height: int, width: int) -> NDArray[np.int8]:
    """Return the noise from which frames of a size take theirs, since drawing it for each would take too long."""
    drawn = np.random.default_rng(0).normal(0, 1.5, (height + NOISE_MARGIN_PX, width + NOISE_MARGIN_PX))
    return np.floor(drawn).astype(np.int8)


def frame(grey: np.ndarray, number: int) -> Frame:
    """Return a frame a fifth of a second after the one before, with its own noise."""
    height, width = grey.shape
    top, left = np.random.default_rng(number).integers(0, NOISE_MARGIN_PX, 2)
    part = noise(height, width)[top : top + height, left : left + width]
    full = np.asarray(cv2.add(grey, part, dtype=cv2.CV_8U), np.uint8)
    return Frame(
        full, np.asarray(cv2.resize(full, SMALL_SIZE, interpolation=cv2.INTER_AREA), np.uint8), number * 0.2, number
    )


def moved(one: Lying, x: float, y: float, angle: float = 0) -> Lying:
    return replace(one, x=one.x + x, y=one.y + y, angle=one.angle + angle)
