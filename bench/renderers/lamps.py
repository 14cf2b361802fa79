"""Light on a table in linear units: coloured lamps that fall off with distance, shadows, and sheen on paper."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from bench.painting import Painter

Floats = NDArray[np.float32]
COLOURS = np.array([(1.0, 0.78, 0.52), (1.0, 0.9, 0.75), (0.92, 0.97, 1.0), (1.0, 0.85, 0.62)])
"""Red, green and blue of the light of a bulb, a bright lamp, a white lamp and a tube."""
COARSE = 8
"""The distance in mm between the places at which the smooth light of lamps is computed."""
FINE = 1.0
"""Px per mm at which shadows are drawn."""
THICK = (0.4, 3.0)
"""The least and greatest thickness of a card or tile, mm."""


@dataclass(frozen=True)
class Lighting:
    """The lighting of a room: lamps, ambient light (``everywhere``), sheen, and a large soft shadow.

    ``sheen`` is the light that paper mirrors, as a fraction of white; ``rough`` is how widely it spreads.
    """

    lamps: int
    everywhere: float
    near: float
    sheen: float
    rough: float
    shadow: float


@dataclass(frozen=True, eq=False)
class Lit:
    """The light on each place of a table's canvas (rows, columns, 3): falling on paper, with shadows, and mirrored."""

    falls: Floats
    mirrored: Floats


def lit(painter: Painter, lighting: Lighting, eye: NDArray[np.float64], rng: np.random.Generator) -> Lit:
    """Return the light on a painted table as seen from ``eye`` (x, y, z in mm, z upwards)."""
    width, height = painter.width, painter.height
    xs, ys = np.arange(0, width + COARSE, COARSE) - width / 2, np.arange(0, height + COARSE, COARSE) - height / 2
    ground = np.stack([*np.meshgrid(xs, ys), np.zeros((len(ys), len(xs)))], axis=-1)
    size = (round(width * FINE), round(height * FINE))
    away = eye - ground
    away /= np.linalg.norm(away, axis=-1, keepdims=True)
    everywhere = rng.choice(COLOURS)
    falls = np.broadcast_to(lighting.everywhere * everywhere, (*size[::-1], 3)).astype(np.float32).copy()
    mirrored = np.zeros((*size[::-1], 3), np.float32)
    high = _heights(painter, size, rng)
    for _ in range(lighting.lamps):
        way, far = rng.uniform(0, 2 * np.pi), rng.uniform(0.2, 0.9) * width * (1.2 - lighting.near)
        lamp = np.array([far * np.cos(way), far * np.sin(way), rng.uniform(500, 1400) * (1.3 - lighting.near)])
        towards = lamp - ground
        distance = np.linalg.norm(towards, axis=-1, keepdims=True)
        towards /= distance
        # Inverse squares and the cosine of the slant; 1 straight below the lamp.
        light = (lamp[2] / distance) ** 2 * towards[..., 2:]
        half = towards + away
        half /= np.linalg.norm(half, axis=-1, keepdims=True)
        slope = np.tan(np.arccos(np.clip(half[..., 2:], -1, 1))) / lighting.rough
        sheen = lighting.sheen * np.exp(-(slope**2)) * (lamp[2] / distance) ** 2
        colour = rng.choice(COLOURS) * rng.uniform(0.5, 1) * (1 - lighting.everywhere)
        shade = _shadow(high, lamp, size)[..., None]
        falls += _grown(light * colour, size) * shade
        mirrored += _grown(sheen * colour, size) * shade
    return Lit(falls * _passer_by(size, lighting.shadow, rng)[..., None], mirrored)


def _heights(painter: Painter, size: tuple[int, int], rng: np.random.Generator) -> Floats:
    """Return the height of every place of a table, mm; pieces laid later lie on earlier ones."""
    high, middle = np.zeros(size[::-1], np.float32), np.array((painter.width / 2, painter.height / 2))
    for outline in painter.outlines:
        corners = np.round((outline + middle) * FINE * 16).astype(np.int32)
        mask = np.zeros_like(high, dtype=np.uint8)
        cv2.fillConvexPoly(mask, corners, 1, shift=4)
        there = mask > 0
        if there.any():
            high[there] = high[there].max() * 0.5 + rng.uniform(*THICK)
    return high


def _shadow(high: Floats, lamp: NDArray[np.float64], size: tuple[int, int]) -> Floats:
    """Return how much of a lamp is visible from every place, 0…1; higher things nearby hide it."""
    hidden = np.zeros_like(high)
    x, y = np.meshgrid(np.arange(size[0], dtype=np.float32), np.arange(size[1], dtype=np.float32))
    foot = (lamp[:2] + np.array(size) / FINE / 2) * FINE
    dx, dy = foot[0] - x, foot[1] - y
    flat = np.sqrt(dx * dx + dy * dy) + 1
    rise = float(lamp[2]) * FINE / flat
    for step in (1.0, 2.0, 3.0, 4.5, 6.0):
        other = cv2.remap(
            high,
            (x + dx / flat * step).astype(np.float32),
            (y + dy / flat * step).astype(np.float32),
            cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_REPLICATE,
        )
        np.maximum(hidden, np.clip(other - high - step * rise / FINE, 0, 1), out=hidden)
    soft: Floats = 1 - cv2.GaussianBlur(hidden, (0, 0), 0.8).astype(np.float32, copy=False)
    return soft


def _passer_by(size: tuple[int, int], depth: float, rng: np.random.Generator) -> Floats:
    """Return the light left by a person who leans over the table: a shadow with a soft edge across it."""
    way = rng.uniform(0, 2 * np.pi)
    x, y = np.meshgrid(np.linspace(-1, 1, size[0]), np.linspace(-1, 1, size[1]))
    along = x * np.cos(way) + y * np.sin(way) - rng.uniform(-0.2, 0.6)
    shade: Floats = (1 - depth / (1 + np.exp(-along * rng.uniform(6, 30)))).astype(np.float32)
    return shade


def _grown(coarse: NDArray[np.float64], size: tuple[int, int]) -> Floats:
    grow = np.array([[COARSE * FINE, 0, 0], [0, COARSE * FINE, 0]])
    grown = cv2.warpAffine(coarse.astype(np.float32), grow, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    return grown.astype(np.float32, copy=False)
