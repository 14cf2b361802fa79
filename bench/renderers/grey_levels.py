"""A camera model in grey levels: a flat table seen at an angle, with blur, uneven light, noise and compression."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from bench.painting import MM, Lying, Painter, decoded, painted


@dataclass(frozen=True)
class Level:
    """The difficulty of the pictures; blur in px of a 1080p picture, noise in grey levels."""

    blur: float
    motion: float
    noise: float
    shade: float
    contrast: float
    glares: int
    jpeg: int


LEVELS = {
    "clean": Level(0.45, 0, 1.5, 0.1, 1.0, 0, 95),
    "moderate": Level(0.7, 0.8, 4, 0.35, 0.8, 1, 88),
    "hard": Level(1.0, 1.6, 7, 0.55, 0.6, 2, 75),
}


class Camera:
    """A camera above the table, tilted and turned, whose lens distorts."""

    def __init__(
        self, size: tuple[int, int], high: float = 700, tilt: float = 10, turn: float = 2, lens: float = 0.05
    ) -> None:
        self.size, self.lens = size, lens
        width, height = size
        distance = 1100.0
        focal = (height - 10) * distance / high
        pitch, roll = np.radians(tilt), np.radians(turn)
        about_x = np.array([[1, 0, 0], [0, np.cos(pitch), -np.sin(pitch)], [0, np.sin(pitch), np.cos(pitch)]])
        about_z = np.array([[np.cos(roll), -np.sin(roll), 0], [np.sin(roll), np.cos(roll), 0], [0, 0, 1]])
        turned = about_x @ about_z
        inner = np.array([[focal, 0, (width - 1) / 2], [0, focal, (height - 1) / 2], [0, 0, 1]])
        self.matrix = inner @ np.column_stack([turned[:, 0], turned[:, 1], (0, 0, distance)])

    def to_px(self, mm: np.ndarray) -> np.ndarray:
        """Return the pixels of points of the table in mm."""
        points = np.column_stack([mm, np.ones(len(mm))]) @ self.matrix.T
        flat = points[:, :2] / points[:, 2:]
        middle, half = self._middle()
        away = (flat - middle) / half
        bent: np.ndarray = middle + half * away * (1 - self.lens * (away**2).sum(axis=1, keepdims=True))
        return bent

    def to_mm(self, px: np.ndarray) -> np.ndarray:
        """Return the points of the table, mm, at which pixels look."""
        middle, half = self._middle()
        away = (px - middle) / half
        flat = away.copy()
        for _ in range(12):
            flat = away / (1 - self.lens * (flat**2).sum(axis=-1, keepdims=True))
        points = np.concatenate([middle + half * flat, np.ones((*flat.shape[:-1], 1))], axis=-1)
        points = points @ np.linalg.inv(self.matrix).T
        mm: np.ndarray = points[..., :2] / points[..., 2:]
        return mm

    def _middle(self) -> tuple[np.ndarray, float]:
        return np.array([(self.size[0] - 1) / 2, (self.size[1] - 1) / 2]), float(np.hypot(*self.size)) / 2

    def see(
        self, painter: Painter, level: Level, rng: np.random.Generator, light: np.random.Generator | None = None
    ) -> np.ndarray:
        """Return a picture of a table; ``light`` generates shade and glare if several pictures share them."""
        width, height = self.size
        more = 2 if width < 3000 else 1
        step = 16
        xs = (np.arange(0, width * more + step, step) + 0.5) / more - 0.5
        ys = (np.arange(0, height * more + step, step) + 0.5) / more - 0.5
        grid = self.to_mm(np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2)).reshape(len(ys), len(xs), 2)
        half = np.array((painter.width / 2, painter.height / 2))
        spots = ((grid + half) * MM).astype(np.float32)
        size = (len(xs) * step, len(ys) * step)
        # Resizing samples at cell centres: shift so that every step-th px keeps its value.
        shift = np.array([[step, 0, 0], [0, step, 0]], np.float32)
        across, down = (
            cv2.warpAffine(spots[..., i].copy(), shift, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)[
                : height * more, : width * more
            ]
            for i in (0, 1)
        )
        picture = cv2.remap(painter.canvas, across, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        if more > 1:
            picture = cv2.resize(picture, (width, height), interpolation=cv2.INTER_AREA)
        return self._develop(picture.astype(np.float32), level, rng, light or rng)

    def _develop(
        self, light: np.ndarray, level: Level, rng: np.random.Generator, lamps: np.random.Generator
    ) -> np.ndarray:
        height, width = light.shape
        k = height / 1080
        light = cv2.GaussianBlur(light, (0, 0), max(0.3, level.blur * k**0.5))
        if level.motion:
            reach = max(3, int(2 * np.ceil(level.motion * k**0.5) + 1))
            along = rng.uniform(0, np.pi)
            line = np.zeros((reach, reach), np.float32)
            for t in np.linspace(-0.5, 0.5, 60) * level.motion * k**0.5:
                fx, fy = reach // 2 + t * np.cos(along), reach // 2 + t * np.sin(along)
                ix, iy = int(fx), int(fy)
                for dx, dy in ((0, 0), (1, 0), (0, 1), (1, 1)):
                    if ix + dx < reach and iy + dy < reach:
                        line[iy + dy, ix + dx] += (1 - abs(fx - ix - dx)) * (1 - abs(fy - iy - dy))
            light = cv2.filter2D(light, -1, line / line.sum())
        ys, xs = np.mgrid[0:height:8, 0:width:8].astype(np.float32)
        way = lamps.uniform(0, 2 * np.pi)
        ramp = (xs / width - 0.5) * np.cos(way) + (ys / height - 0.5) * np.sin(way)
        lit = 1 + level.shade * ramp
        glare = np.zeros_like(lit)
        for _ in range(level.glares):
            gx, gy = lamps.uniform(0, width), lamps.uniform(0, height)
            radius = lamps.uniform(0.03, 0.07) * height
            glare += 220 * np.exp(-((xs - gx) ** 2 + (ys - gy) ** 2) / 2 / radius**2)
        lit, glare = (cv2.resize(m, (width, height), interpolation=cv2.INTER_LINEAR) for m in (lit, glare))
        light = (35 * (1 - level.contrast) + light * level.contrast) * lit + glare
        light += rng.normal(0, 1, light.shape).astype(np.float32) * level.noise * np.sqrt(np.clip(light, 20, 255) / 128)
        done = np.clip(light, 0, 255).astype(np.uint8)
        _, data = cv2.imencode(".jpg", done, [cv2.IMWRITE_JPEG_QUALITY, level.jpeg])
        return decoded(data)


def table(
    rng: np.random.Generator,
    patterns: Mapping[str, np.ndarray],
    pieces: Sequence[str],
    markers: Sequence[str],
    camera: Camera,
    level: Level,
    side: float = 20,
    cover: tuple[float, float] | None = None,
    art: int = 20,
) -> tuple[np.ndarray, list[Lying]]:
    """Return a picture of a table with pieces and markers, and where all tags lie, with corners in px."""
    painter, lying = painted(rng, patterns, pieces, markers, camera, side, cover, art)
    return camera.see(painter, level, rng), lying
