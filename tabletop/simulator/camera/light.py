"""The light on the table: how much falls on each place, and what a glossy surface reflects.

Everything here is linear radiance; the picture takes its square root (a gamma of 2) at the very end.  All fields are
smooth, so they are made small and enlarged.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass

import cv2
import numpy as np

from tabletop.simulator.camera.lens import Floats
from tabletop.simulator.conditions import Conditions

FIELD_STEP_PX = 8
"""The distance between the pixels at which fields are computed."""
WARM_LIGHT = (0.90, 0.985, 1.05)
COOL_LIGHT = (1.04, 1.0, 0.97)
"""Lamp light and window light (blue, green, red), as the camera's white balance leaves them."""


@dataclass(frozen=True, slots=True, eq=False)
class Light:
    """The light of one table.

    Attributes:
        falling: radiance of white paper, per pixel, (height, width) or (height, width, 3).
        glare: the radiance that a mirror-smooth surface adds, per pixel, in the same shape.
        shadow: the offset of the shadow of a point 1 mm high, (x, y) mm.
    """

    falling: Floats
    glare: Floats
    shadow: tuple[float, float]


def make_light(size: tuple[int, int], given: Conditions, colour: bool, rng: random.Random) -> Light:
    """Return the light of a picture of that size, (width, height) px; ``rng`` decides where lamp and window are."""
    width, height = size
    x, y = _fields(size)
    angle = rng.uniform(0, 2 * math.pi)
    along = (x * math.cos(angle) + y * math.sin(angle)).astype(np.float32)
    falling = given.exposure * (1 - given.gradient * (0.5 - along / 2.3))
    falling *= 1 - given.vignette * (x * x + y * y) / (1 + (height / width) ** 2)
    falling *= _shades(x, y, given.shade, rng)
    glare = mirrored_lights(size, given, colour, rng)
    shadow = (-0.7 * math.cos(angle), -0.7 * math.sin(angle))
    if not colour:
        return Light(_enlarge(falling, size), glare, shadow)
    mix = (along / 2.3 + 0.5)[..., None]
    tint = mix * np.array(COOL_LIGHT, np.float32) + (1 - mix) * np.array(WARM_LIGHT, np.float32)
    return Light(_enlarge(falling[..., None] * tint, size), glare, shadow)


def mirrored_lights(size: tuple[int, int], given: Conditions, colour: bool, rng: random.Random) -> Floats:
    """Return the glare of a picture of that size, (width, height) px; ``rng`` decides where the lights are mirrored."""
    glare = _glares(*_fields(size), given.glare, rng)
    return _enlarge(glare[..., None] * np.array(COOL_LIGHT, np.float32) if colour else glare, size)


def _fields(size: tuple[int, int]) -> tuple[Floats, Floats]:
    """Return x and y of the pixels at which fields are computed: x from -1 to 1, y in the same unit."""
    width, height = size
    x, y = np.meshgrid(
        np.linspace(-1, 1, width // FIELD_STEP_PX + 1, dtype=np.float32),
        np.linspace(-1, 1, height // FIELD_STEP_PX + 1, dtype=np.float32) * height / width,
    )
    return x, y


def _shades(x: Floats, y: Floats, depth: float, rng: random.Random) -> Floats:
    """Return the share of light left by two steady soft shadows: a lamp's arm and a person leaning over the table."""
    angle, offset = rng.uniform(0, math.pi), rng.uniform(-0.5, 0.5)
    across = x * math.cos(angle) + y * math.sin(angle) - offset
    arm = np.exp(-((across / rng.uniform(0.03, 0.07)) ** 2))
    px, py = rng.choice([-1, 1]) * rng.uniform(0.5, 1.0), rng.choice([-1, 1]) * rng.uniform(0.3, 0.6)
    person = 1 / (1 + np.exp((np.hypot(x - px, (y - py) * 1.2) - 0.3) / 0.05))
    through: Floats = ((1 - depth * arm) * (1 - depth * person)).astype(np.float32)
    return through


def _glares(x: Floats, y: Floats, strength: float, rng: random.Random) -> Floats:
    """Return the mirrored lamp, a small bright core with a wide veil, and a fainter mirrored window."""
    field = np.zeros_like(x)
    for share in (1.0, 0.6):
        px, py, wide = rng.uniform(-0.8, 0.8), rng.uniform(-0.45, 0.45), rng.uniform(0.02, 0.035)
        far = (x - px) ** 2 + ((y - py) * rng.uniform(0.7, 1.4)) ** 2
        field += share * strength * (np.exp(-far / (2 * wide**2)) + 0.16 * np.exp(-far / (2 * (5 * wide) ** 2)))
    return field.astype(np.float32)


def _enlarge(field: Floats, size: tuple[int, int]) -> Floats:
    return cv2.resize(field.astype(np.float32), size, interpolation=cv2.INTER_LINEAR)  # type: ignore[return-value]
