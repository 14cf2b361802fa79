"""Lens and sensor: blur of a box of the picture, noise from a bank of fields, and the small stream."""

from __future__ import annotations

import math
import random
from functools import lru_cache

import cv2
import numpy as np

from tabletop.simulator.camera.lens import Floats
from tabletop.simulator.camera.picture import PixelBox
from tabletop.simulator.conditions import Conditions
from tabletop.vision.frame import Colour, Grey

REFERENCE_WIDTH_PX = 2304
"""The width of picture to which lengths in px of the conditions refer."""
SMALL_WIDTH_PX = 640
"""The approximate width of the small stream."""
NOISE_MARGIN_PX = 64
"""How much larger than the picture a noise field is, so that each frame can use another part of it."""
FIELD_SIGNS = (-1, 1)
"""The sign of the flicker in each noise field of a bank."""


class Blur:
    """The blur of linear radiance by defocus and camera shake, stronger in the corners than in the middle."""

    def __init__(self, size: tuple[int, int], given: Conditions, rng: random.Random) -> None:
        scale = size[0] / REFERENCE_WIDTH_PX
        angle = rng.uniform(0, math.pi)
        self._middle = _kernel(given.defocus * scale, given.shake * scale, angle)
        self._corner = _kernel((given.defocus + given.corner_blur) * scale, given.shake * scale, angle)
        self._differ = given.corner_blur > 0
        self._across = (np.linspace(-1, 1, size[0], dtype=np.float32) ** 2 / 2)[None, :]
        self._along = (np.linspace(-1, 1, size[1], dtype=np.float32) ** 2 / 2)[:, None]
        self.reach = max(len(self._middle), len(self._corner)) // 2

    def __call__(self, radiance: Floats, box: PixelBox) -> Floats:
        """Return the blurred radiance of a box."""
        middle = _filtered(radiance, self._middle)
        if not self._differ:
            return middle
        rows, columns = box.window
        weight = self._across[:, columns] + self._along[rows]
        corner = _filtered(radiance, self._corner)
        if radiance.ndim == 3:
            weight = weight[..., None]
        corner -= middle
        corner *= weight
        corner += middle
        return corner


def _kernel(sigma: float, shake: float, angle: float) -> Floats:
    """Return a Gaussian kernel smeared along a line of ``shake`` px."""
    half = max(1, math.ceil(2.6 * sigma + shake / 2))
    grid = np.arange(-half, half + 1, dtype=np.float64)
    total = np.zeros((len(grid), len(grid)))
    for step in np.linspace(-shake / 2, shake / 2, 9 if shake else 1):
        dx, dy = step * math.cos(angle), step * math.sin(angle)
        total += np.exp(-((grid[None, :] - dx) ** 2 + (grid[:, None] - dy) ** 2) / (2 * sigma**2))
    kernel: Floats = (total / total.sum()).astype(np.float32)
    return kernel


def _filtered(radiance: Floats, kernel: Floats) -> Floats:
    return cv2.filter2D(radiance, -1, kernel, borderType=cv2.BORDER_REPLICATE)  # type: ignore[return-value]


class Noise:
    """A bank of noise fields for pictures of one shape; each use cuts a random part out of one of them."""

    def __init__(self, shape: tuple[int, ...], sigma: float, flicker: float, seed: int) -> None:
        self._shape = shape
        self._rng = random.Random(f"noise {seed}")
        self._bank = _bank(shape, sigma, flicker, seed)

    def added(self, pixels: Grey | Colour) -> Grey | Colour:
        """Return the pixels with noise."""
        more, less = self._bank.field(self._rng.randrange(len(FIELD_SIGNS)))
        y, x = self._rng.randrange(NOISE_MARGIN_PX), self._rng.randrange(NOISE_MARGIN_PX)
        part = (slice(y, y + self._shape[0]), slice(x, x + self._shape[1]))
        noisy = cv2.add(pixels, more[part])
        return cv2.subtract(noisy, less[part], dst=noisy)  # type: ignore[return-value]


class _Bank:
    """Noise fields, each made when it is first needed: a photograph needs only one."""

    def __init__(self, shape: tuple[int, ...], sigma: float, flicker: float, seed: int) -> None:
        self._large = (shape[0] + NOISE_MARGIN_PX, shape[1] + NOISE_MARGIN_PX, *shape[2:])
        self._sigma, self._flicker = sigma, flicker
        self._generator = np.random.default_rng(abs(seed))
        self._fields: list[tuple[Grey, Grey]] = []

    def field(self, number: int) -> tuple[Grey, Grey]:
        """Return the values of a field to add to pixels, and those to subtract from them afterwards."""
        while len(self._fields) <= number:
            self._fields.append(self._made(FIELD_SIGNS[len(self._fields)]))
        return self._fields[number]

    def _made(self, sign: int) -> tuple[Grey, Grey]:
        """Return the next field, with flicker of that sign."""
        field = self._generator.standard_normal(self._large, dtype=np.float32)
        # Neighbouring pixels share some noise, as after demosaicing and the camera's own smoothing.
        field = cv2.GaussianBlur(field, (3, 3), 0.45)  # type: ignore[assignment]
        field *= self._sigma / float(field.std())
        field += self._flicker * sign
        more, less = (cv2.addWeighted(field, factor, field, 0, 0, dtype=cv2.CV_8U) for factor in (1, -1))
        return more, less  # type: ignore[return-value]


_bank = lru_cache(maxsize=4)(_Bank)  # the next camera of the same kind has the same fields


def small_step(width: int) -> int:
    """Return how many pixels across of the full picture make one of the small stream."""
    return max(1, round(width / SMALL_WIDTH_PX))


def shrink(grey: Grey, small: Grey, box: PixelBox) -> None:
    """Update the small picture where a box of the full one changed."""
    step = grey.shape[1] // small.shape[1]
    left, top = max(0, box.left // step), max(0, box.top // step)
    right = min(small.shape[1], -(-box.right // step))
    bottom = min(small.shape[0], -(-box.bottom // step))
    if right > left and bottom > top:
        part = grey[top * step : bottom * step, left * step : right * step]
        small[top:bottom, left:right] = cv2.resize(part, (right - left, bottom - top), interpolation=cv2.INTER_AREA)
