"""A camera that shares nothing with the simulator or the bench: other lenses, a raw sensor, a telephone's processing.

The world is in mm, x to the right, y down as seen from above, z up from the table.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Floats = NDArray[np.float32]

LENSES: dict[str, Callable[[Array, float], Array]] = {
    "field of view": lambda r, k: np.tan(np.clip(r * (0.2 + k), 0, 1.5)) / (0.2 + k),
    "fisheye": lambda r, k: np.tan((1 - 0.6 * k) ** -1 * np.arctan(r * (1 - 0.6 * k))),
    "rational": lambda r, k: r * (1 + 0.5 * k * r**2 + 0.1 * k * r**4) / (1 + 0.2 * k * r**2),
}
"""Map from the radius in the picture to the straightened one (both in focal lengths), with a strength from 0 to 0.3."""
INK, PAPER = 0.03, 0.85
"""Share of the light that printed ink and paper reflect."""
_GREYS = np.arange(256) / 255
LINEAR = (INK + (PAPER - INK) * np.where(_GREYS <= 0.04045, _GREYS / 12.92, ((_GREYS + 0.055) / 1.055) ** 2.4)).astype(
    np.float32
)


@dataclass(frozen=True, slots=True, eq=False)
class Camera:
    """Where a camera stands and how it sees: ``turn`` (3, 3) rotates the world to the camera, ``focal`` is in px."""

    width: int
    height: int
    focal: float
    turn: Array
    place: Array
    lens: str
    strength: float
    slip: tuple[float, float] = (0.0, 0.0)
    """Offset of the lens from the middle of the picture, px."""

    def slopes(self, x: Array, y: Array) -> Array:
        """Return how far a ray goes right and down for each mm away from the camera, (…, 2), in the camera's frame."""
        seen = np.stack([x - self.width / 2 - self.slip[0], y - self.height / 2 - self.slip[1]], axis=-1) / self.focal
        radius = np.hypot(seen[..., 0], seen[..., 1]) + 1e-9
        return seen * (LENSES[self.lens](radius, self.strength) / radius)[..., None]

    def drops(self, x: Array, y: Array) -> Array:
        """Return how far rays go along x and y of the world for each mm that they sink, (…, 2)."""
        slopes = self.slopes(x, y)
        ways = np.concatenate([slopes, np.ones_like(slopes[..., :1])], axis=-1) @ self.turn
        return -ways[..., :2] / ways[..., 2:]

    def px(self, points: Array) -> Array:
        """Return the pixels at which points (…, 3) of the world are seen, (…, 2)."""
        away = (points - self.place) @ self.turn.T
        goal = away[..., :2] / away[..., 2:]
        middle = np.array((self.width / 2 + self.slip[0], self.height / 2 + self.slip[1]))
        seen = goal.copy()
        for _ in range(60):
            at = seen * self.focal + middle
            seen = seen + 0.8 * (goal - self.slopes(at[..., 0], at[..., 1]))
        found: Array = seen * self.focal + middle
        return found


def turned(axis: tuple[float, float, float], angle: float) -> Array:
    return np.asarray(cv2.Rodrigues(np.array(axis) * angle)[0], dtype=np.float64)


def standing(rng: np.random.Generator, size: tuple[int, int], table: tuple[float, float], aslant: float) -> Camera:
    """Return a camera that sees all of a table of that size (mm), tilted by ``aslant`` radians from straight above."""
    width, height = size
    focal = width * rng.uniform(0.72, 1.05)
    way = rng.uniform(0, 2 * np.pi)
    down = np.diag((1.0, 1.0, -1.0))
    turn = turned((0, 0, 1), rng.normal() * 0.02) @ turned((np.cos(way), np.sin(way), 0), aslant) @ down
    middle = np.array((table[0] / 2, table[1] / 2, 0.0))
    corners = np.array([(x, y, 0.0) for x in (0, table[0]) for y in (0, table[1])])
    far = focal * max(table[0] / width, table[1] / height)
    lens, strength = str(rng.choice(list(LENSES))), rng.uniform(0, 0.3)
    slip = (rng.normal() * width * 0.004, rng.normal() * width * 0.004)
    while True:
        camera = Camera(width, height, focal, turn, middle - turn[2] * far, lens, strength, slip)
        seen = camera.px(corners)
        if (seen > 4).all() and (seen < np.array(size) - 4).all():
            return camera
        far *= 1.006


@dataclass(frozen=True, slots=True)
class Light:
    """How hard the light is: ``electrons`` that fill a pixel, blurs in px, shares of the light or of the contrast."""

    blur: float
    motion: float
    electrons: float
    vignette: float
    colour: float
    denoised: float
    sharpened: float
    uneven: float
    quality: int


LIGHTS = {
    "clean": Light(0.55, 0.0, 12000, 0.15, 0.0003, 0.0, 0.0, 0.0, 94),
    "moderate": Light(0.75, 0.0, 3000, 0.35, 0.0006, 0.5, 0.6, 0.4, 88),
    "hard": Light(0.8, 0.6, 1500, 0.7, 0.0009, 1.2, 0.8, 0.8, 75),
}


def developed(scene: Floats, light: Light, rng: np.random.Generator) -> NDArray[np.uint8]:
    """Return the picture a camera makes of the light (height, width, 3) that falls on its pixels."""
    height, width = scene.shape[:2]
    grow = 0.75 + 0.25 * width / 1920
    for channel, factor in ((0, 1 + light.colour), (2, 1 - light.colour)):
        shift = np.array([[factor, 0, (1 - factor) * width / 2], [0, factor, (1 - factor) * height / 2]])
        scene[..., channel] = cv2.warpAffine(
            scene[..., channel], shift, (width, height), borderMode=cv2.BORDER_REPLICATE
        )
    scene = np.asarray(cv2.GaussianBlur(scene, (0, 0), light.blur * grow), dtype=np.float32)
    if light.motion:
        trail = _trail(light.motion * grow, rng.uniform(0, np.pi))
        scene = np.asarray(cv2.filter2D(scene, -1, trail), dtype=np.float32)
    y, x = np.mgrid[:height, :width].astype(np.float32)
    off = ((x - width * rng.uniform(0.35, 0.65)) ** 2 + (y - height * rng.uniform(0.35, 0.65)) ** 2) / (width**2 / 3)
    shade = 1 / (1 + light.vignette * off) ** 2 * (1 + light.uneven * (x / width - 0.5) * rng.choice((-1, 1)))
    cast = rng.uniform(1 - 0.6 * light.vignette, 1, 3).astype(np.float32)
    raw = _bayer(scene * shade[..., None] * cast)
    noise = np.sqrt(np.maximum(raw, 0) / light.electrons + (8 / light.electrons) ** 2)
    raw = np.clip(raw + noise * rng.standard_normal(raw.shape, dtype=np.float32), 0, 1)
    full = cv2.demosaicing((raw * 65535).astype(np.uint16), cv2.COLOR_BayerBG2BGR_EA).astype(np.float32) / 65535
    toned = np.clip(full / cast * rng.uniform(0.85, 1.1, 3), 0, 1) ** (1 / rng.uniform(1.9, 2.4))
    toned = np.clip(toned + rng.uniform(0, 0.8) * (toned - 0.5) * (1 - np.abs(2 * toned - 1)), 0, 1)
    picture = (toned * 255).astype(np.uint8)
    if light.denoised:
        picture = cv2.bilateralFilter(picture, 5, 12 * light.denoised, 1.2 * light.denoised)
    halo = cv2.GaussianBlur(picture, (0, 0), 1.2)
    sharp = cv2.addWeighted(picture, 1 + light.sharpened, halo, -light.sharpened, 0)
    return np.asarray(sharp, dtype=np.uint8)


def _trail(length: float, way: float) -> Floats:
    side = 2 * int(np.ceil(3 * length)) + 3
    y, x = np.mgrid[:side, :side] - side // 2
    along, across = x * np.cos(way) + y * np.sin(way), y * np.cos(way) - x * np.sin(way)
    trail = np.clip(1.7 * length + 0.5 - np.abs(along), 0, 1) * np.exp(-(across**2) / 0.5)
    return np.asarray(trail / trail.sum(), dtype=np.float32)


def _bayer(light: Floats) -> Floats:
    raw = light[..., 1].copy()
    raw[0::2, 0::2], raw[1::2, 1::2] = light[0::2, 0::2, 2], light[1::2, 1::2, 0]
    return raw
