"""A camera that counts electrons: light in linear units through a lens onto a colour mosaic, then developed.

It shares nothing with the simulated table, and only the painted table with :mod:`bench.renderers.grey_levels`: it has
radiance instead of grey levels, a pinhole with lens distortion (Brown and Conrady), defocus as a disc, motion as a
path, shot and read noise before demosaicing, and the processing of a camera's own software.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from bench.painting import MM, Painter, decoded
from bench.renderers.lamps import FINE, Lighting, Lit, lit

Floats = NDArray[np.float32]
Array = NDArray[np.float64]
INK, PAPER = 0.035, 0.86
"""The reflectance of print: ink is not black, paper not white."""
LINEAR = (INK + (PAPER - INK) * (np.clip((np.arange(256) - 25) / 210, 0, 1.1) ** 2.2)).astype(np.float32)
"""The linear light of each grey level of the canvas, in which ink is 25 and paper 235."""
UNBENT = 20
"""The number of iterations by which the ray is found that the lens bends to a pixel."""
FINER = 2
"""Rays along each side of a pixel; one in large pictures."""


@dataclass(frozen=True)
class Exposure:
    """The difficulty of a camera's pictures.

    ``defocus`` (radius) and ``motion`` (length) in px of a 1080p picture; ``electrons`` of white, and ``read`` noise in
    electrons; ``over``, the factor by which it is brighter than without burnt-out places; ``vignette``, the light lost
    in the corners; ``denoised`` and ``sharpened``, the strengths of this processing; ``flattened``, the share of
    differences in light that it removes; ``quality`` of the JPEG.
    """

    defocus: float
    motion: float
    electrons: float
    read: float
    over: float
    vignette: float
    denoised: float
    sharpened: float
    flattened: float
    quality: int


@dataclass(frozen=True)
class RawLevel:
    """The difficulty of a camera's pictures, and the lighting of its room."""

    exposure: Exposure
    lighting: Lighting


RAW_LEVELS = {
    "clean": RawLevel(
        Exposure(1.0, 0.0, 9000, 6, 1.0, 0.15, 0.3, 0.3, 0.2, 94), Lighting(2, 0.5, 0.2, 0.05, 0.25, 0.0)
    ),
    "moderate": RawLevel(
        Exposure(1.7, 1.0, 800, 8, 1.1, 0.3, 0.5, 0.4, 0.35, 86), Lighting(2, 0.35, 0.45, 0.1, 0.2, 0.35)
    ),
    "hard": RawLevel(Exposure(1.65, 1.8, 140, 9, 1.25, 0.45, 0.8, 0.6, 0.5, 74), Lighting(2, 0.2, 0.7, 0.2, 0.15, 0.6)),
}
"""Levels set so that AprilTag 3 reads about as much as in an unrelated camera; no threshold was set on them."""


class RawCamera:
    """A camera above a table: its place, lens and sensor."""

    def __init__(
        self, size: tuple[int, int], high: float = 740, tilt: float = 10, turn: float = 3, bend: float = -0.09
    ) -> None:
        self.size = size
        width, height = size
        distance = 950.0
        focal = (height - 10) * distance / high
        pitch, roll = np.radians(tilt), np.radians(turn)
        # World: x right, y towards the viewer, z up; the camera's z points away from it.
        down = np.array([[1, 0, 0], [0, np.cos(pitch), np.sin(pitch)], [0, -np.sin(pitch), np.cos(pitch)]])
        about = np.array([[np.cos(roll), -np.sin(roll), 0], [np.sin(roll), np.cos(roll), 0], [0, 0, 1]])
        self._turn = down @ about @ np.diag((1.0, 1.0, -1.0))
        self.place: Array = -self._turn.T @ np.array((0.0, 0.0, distance))
        self._inner = np.array([[focal, 0, width * 0.503], [0, focal, height * 0.496], [0, 0, 1]])
        self._bend = np.array([bend, 0.3 * bend**2, 0.0006, -0.0004])

    def to_px(self, mm: Array) -> Array:
        """Return the pixels of points (n, 2) mm of the table."""
        away = (np.column_stack([mm, np.zeros(len(mm))]) - self.place) @ self._turn.T
        return self._bent(away)

    def to_mm(self, px: Array) -> Array:
        """Return the points of the table, mm, at which pixels (n, 2) look."""
        ways = np.column_stack([(px - self._inner[:2, 2]) / self._inner[0, 0], np.ones(len(px))])
        for _ in range(UNBENT):
            ways[:, :2] += (px - self._bent(ways)) / self._inner[0, 0]
        down = ways @ self._turn
        found: Array = self.place[:2] - down[:, :2] * (self.place[2] / down[:, 2:])
        return found

    def _bent(self, ways: Array) -> Array:
        """Return the pixels of rays (n, 3) in the camera's own frame."""
        px, _ = cv2.projectPoints(ways, np.zeros(3), np.zeros(3), self._inner, self._bend)
        return np.asarray(px.reshape(-1, 2), dtype=np.float64)

    def see(
        self, painter: Painter, level: RawLevel, rng: np.random.Generator, light: np.random.Generator | None = None
    ) -> NDArray[np.uint8]:
        """Return a picture of a table; ``light`` generates the lamps if several pictures share them."""
        lamps = light or rng
        there = lit(painter, level.lighting, self.place, lamps)
        colour = self._falls(painter, there)
        smeared = blurred(colour, self._finer, level.exposure, self.size[1] / 1080, rng)
        return developed(smeared, level.exposure, rng, lamps)

    @property
    def _finer(self) -> int:
        return FINER if self.size[0] < 3000 else 1

    def _falls(self, painter: Painter, there: Lit) -> Floats:
        """Return the light that would fall on every ray (rows, columns, 3) if the lens were perfectly sharp."""
        width, height = self.size
        finer, step = self._finer, 16
        xs = (np.arange(0, width * finer + step, step) + 0.5) / finer - 0.5
        ys = (np.arange(0, height * finer + step, step) + 0.5) / finer - 0.5
        grid = np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2).astype(np.float64)
        mm = self.to_mm(grid).reshape(len(ys), len(xs), 2) + np.array((painter.width / 2, painter.height / 2))
        grow = np.array([[step, 0, 0], [0, step, 0]], dtype=np.float64)
        size = (width * finer, height * finer)
        x, y = (
            cv2.warpAffine(mm[..., axis].astype(np.float32), grow, size, borderMode=cv2.BORDER_REPLICATE)
            for axis in (0, 1)
        )
        paper = LINEAR[cv2.remap(painter.canvas, x * MM, y * MM, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)]
        falls, mirrored = (
            np.asarray(
                cv2.remap(one, x * FINE, y * FINE, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.float32
            )
            for one in (there.falls, there.mirrored)
        )
        falls *= paper[..., None]
        falls += mirrored
        return falls


def blurred(light: Floats, finer: int, level: Exposure, large: float, rng: np.random.Generator) -> Floats:
    """Return the light on each pixel, blurred by defocus and by the camera's motion while the shutter was open."""
    reach = large**0.5 * finer
    path = _path(level.motion * reach, rng)
    kernel = cv2.filter2D(np.pad(_disc(level.defocus * reach), len(path)), -1, path, borderType=cv2.BORDER_CONSTANT)
    smeared = cv2.filter2D(light, -1, kernel / kernel.sum(), borderType=cv2.BORDER_REPLICATE)
    size = (smeared.shape[1] // finer, smeared.shape[0] // finer)
    gathered = cv2.resize(smeared, size, interpolation=cv2.INTER_AREA) if finer > 1 else smeared
    return gathered.astype(np.float32, copy=False)


def _disc(radius: float) -> Floats:
    """Return a disc of that radius, px, with soft edges."""
    reach = int(np.ceil(radius)) + 1
    y, x = np.mgrid[-reach : reach + 1, -reach : reach + 1]
    disc: Floats = np.clip(radius + 0.5 - np.hypot(x, y), 0, 1).astype(np.float32)
    return disc


def _path(length: float, rng: np.random.Generator) -> Floats:
    """Return the kernel of a camera's motion while the shutter was open: a bent path of that length, px."""
    reach = int(np.ceil(length)) + 1
    path = np.zeros((2 * reach + 1, 2 * reach + 1), np.float32)
    way, bend = rng.uniform(0, 2 * np.pi), rng.uniform(-0.8, 0.8)
    for t in np.linspace(-0.5, 0.5, 64):
        x = reach + length * (t * np.cos(way) - bend * t * t * np.sin(way))
        y = reach + length * (t * np.sin(way) + bend * t * t * np.cos(way))
        ix, iy = int(x), int(y)
        for dx, dy in ((0, 0), (1, 0), (0, 1), (1, 1)):
            path[iy + dy, ix + dx] += (1 - abs(x - ix - dx)) * (1 - abs(y - iy - dy))
    shares: Floats = path / path.sum()
    return shares


def developed(
    light: Floats,
    level: Exposure,
    rng: np.random.Generator,
    lamps: np.random.Generator,
    how: int = cv2.IMREAD_GRAYSCALE,
) -> NDArray[np.uint8]:
    """Return the picture that a camera makes of the light (rows, columns, 3) on its pixels, decoded as ``how`` says."""
    height, width = light.shape[:2]
    y, x = np.mgrid[:height, :width].astype(np.float32)
    off = ((x - width / 2) ** 2 + (y - height / 2) ** 2) / ((width / 2) ** 2 + (height / 2) ** 2)
    light = light * (1 / (1 + level.vignette * off) ** 2)[..., None]
    white = float(np.quantile(light[::4, ::4, 1], 0.998)) * lamps.uniform(0.95, 1.1) / level.over
    raw = _mosaic(light / white) * level.electrons
    raw += np.sqrt(np.maximum(raw, 0) + level.read**2) * rng.standard_normal(raw.shape, dtype=np.float32)
    raw += level.read * 0.3 * rng.standard_normal((height, 1), dtype=np.float32)
    raw = np.clip(np.round(raw / level.electrons * 940), -60, 963) + 60
    full = cv2.demosaicing(raw.astype(np.uint16), cv2.COLOR_BayerBG2BGR_EA).astype(np.float32)
    full = np.clip((full - 60) / 940, 0, 1)
    balance = np.quantile(full[::8, ::8].reshape(-1, 3), 0.9, axis=0)
    full = np.clip(full * (balance[1] / balance) * lamps.uniform(0.95, 1.05, 3), 0, 1).astype(np.float32)
    luma, colour = _parted(_toned(full, level.flattened))
    if level.denoised:
        luma = cv2.bilateralFilter(luma, 5, 0.04 * level.denoised, 1.0 * level.denoised).astype(np.float32)
        colour = cv2.blur(colour, (5, 5)).astype(np.float32)
    halo = cv2.GaussianBlur(luma, (0, 0), 1.1)
    luma = luma + level.sharpened * (luma - halo)
    picture = np.clip(np.dstack([luma, colour]), 0, 1)
    bgr = cv2.cvtColor((picture * 255).astype(np.uint8), cv2.COLOR_YCrCb2BGR)
    taken = [cv2.IMWRITE_JPEG_QUALITY, level.quality]
    _, data = cv2.imencode(
        ".jpg", bgr, [*taken, cv2.IMWRITE_JPEG_SAMPLING_FACTOR, cv2.IMWRITE_JPEG_SAMPLING_FACTOR_420]
    )
    return decoded(data, how)


def _toned(full: Floats, flattened: float) -> Floats:
    """Return light with gamma applied and its differences over wide areas reduced."""
    toned: Floats = np.power(full, 1 / 2.2)
    luma = cv2.cvtColor(toned, cv2.COLOR_BGR2GRAY)
    small = cv2.resize(luma, None, fx=1 / 8, fy=1 / 8, interpolation=cv2.INTER_AREA)
    base = cv2.resize(cv2.GaussianBlur(small, (0, 0), luma.shape[0] / 8 / 20), luma.shape[::-1])
    gain = (0.5 / np.maximum(base, 0.08)) ** (0.6 * flattened)
    lifted: Floats = (toned * gain[..., None]).astype(np.float32)
    return np.clip(lifted, 0, 1)


def _parted(bgr: Floats) -> tuple[Floats, Floats]:
    """Return brightness and colour of a picture."""
    parts = cv2.cvtColor(bgr, cv2.COLOR_BGR2YCrCb)
    return np.ascontiguousarray(parts[..., 0]), np.ascontiguousarray(parts[..., 1:])


def _mosaic(light: Floats) -> Floats:
    """Return the mosaic of light (rows, columns, 3) on a sensor, where each pixel sees one colour."""
    raw = light[..., 1].copy()
    raw[0::2, 0::2], raw[1::2, 1::2] = light[0::2, 0::2, 0], light[1::2, 1::2, 2]
    return raw
