"""A phone's camera: printed paper, sleeves and soft light; several exposures that are merged, denoised and sharpened.

It shares only the painted table with the other camera models.  The dots of print spread, and so does light in the paper
beneath them; pieces curl, lie a little above the table, and some have sleeves that mirror a window.  The lens is wide
with flare and coloured edges, the shutter rolls, the hand trembles between three exposures, and the processor merges,
flattens, denoises and sharpens them; then a messenger compresses the picture once more.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from bench.painting import MM, Painter, decoded
from tabletop.vision.frame import Grey

Floats = NDArray[np.float32]
Array = NDArray[np.float64]

PRINTED, BARE = 0.045, 0.82
"""The reflectance of solid ink and of bare paper."""
YULE_NIELSEN = 1.9
"""The Yule–Nielsen factor, how much light spreads in paper beneath dots of ink: 1 not at all, 2 entirely."""
COARSE = 2.0
"""The distance in mm between the places at which light is computed."""
BRACKET = (-1.6, 0.0, 1.6)
"""The exposures that are merged, in stops."""
MIDDLE = 2.2
"""The level, in stops below white, to which slowly changing light is flattened."""
SHRUNK = 4
"""The factor by which the picture is reduced for wide blurs."""
UNBENT = 12
"""The number of iterations by which the slope of a ray is found."""


@dataclass(frozen=True)
class Handling:
    """The difficulty of a phone's pictures.

    ``spread`` of ink, mm; ``uneven``, the share by which light varies over the table; ``curl``, that over a piece;
    ``sleeved``, the share of the pieces in sleeves, and ``film``, how much of a window they mirror; ``lifted``, how
    dark it is beside pieces; ``soft`` and ``corner``, the blur in the middle and how much more there is in the corners,
    px of a 1080p picture; ``flare``, a share of the light; ``tremor`` between exposures, px; ``electrons`` of white and
    ``read`` noise of the middle exposure; ``cored``, the level of detail that counts as noise; ``crisp``, sharpening;
    ``flat``, the share of differences in light that is removed; ``jpeg`` and ``webp``, qualities.
    """

    spread: float
    uneven: float
    curl: float
    sleeved: float
    film: float
    lifted: float
    soft: float
    corner: float
    flare: float
    tremor: float
    electrons: float
    read: float
    cored: float
    crisp: float
    flat: float
    jpeg: int
    webp: int


HANDLINGS = {
    "clean": Handling(0.05, 0.15, 0.03, 0.0, 0.0, 0.15, 0.5, 0.1, 0.02, 0.0, 6000, 4, 0.002, 0.4, 0.3, 95, 92),
    "moderate": Handling(0.09, 0.4, 0.08, 0.2, 0.08, 0.3, 0.75, 0.3, 0.06, 0.35, 700, 6, 0.008, 0.8, 0.5, 86, 80),
    "hard": Handling(0.13, 0.75, 0.15, 0.4, 0.18, 0.45, 0.95, 0.5, 0.12, 0.7, 130, 8, 0.016, 1.2, 0.7, 76, 62),
}
"""Handlings by level, set so that AprilTag 3 reads about as much in clean and hard light as in an unrelated camera."""


class PhoneCamera:
    """A phone held above a table, with a wide lens whose distortion is only partly corrected."""

    def __init__(
        self, size: tuple[int, int], high: float = 730, tilt: float = 10, turn: float = -4, round_: float = 0.12
    ) -> None:
        self.size, self._round = size, round_
        far = 620.0
        self._focal = (size[1] - 10) * far / high
        pitch, roll = np.radians(tilt), np.radians(turn)
        lean = np.array([[1, 0, 0], [0, np.cos(pitch), np.sin(pitch)], [0, -np.sin(pitch), np.cos(pitch)]])
        spin = np.array([[np.cos(roll), np.sin(roll), 0], [-np.sin(roll), np.cos(roll), 0], [0, 0, 1]])
        self._turn: Array = lean @ spin
        """The rotation from the table's axes (x right, y towards the viewer, z down) to the phone's."""
        self._place: Array = -self._turn.T @ np.array((0.0, 0.0, far))
        self._middle = np.array([size[0] * 0.498, size[1] * 0.507])

    def to_px(self, mm: Array) -> Array:
        """Return the pixels of points (n, 2) mm of the table."""
        rays = (np.column_stack([mm, np.zeros(len(mm))]) - self._place) @ self._turn.T
        slopes = rays[:, :2] / rays[:, 2:]
        found: Array = slopes * self._shrinks(np.hypot(*slopes.T))[:, None] * self._focal + self._middle
        return found

    def to_mm(self, px: Array) -> Array:
        """Return the points of the table, mm, at which pixels (n, 2) look."""
        seen = (px - self._middle) / self._focal
        slopes = seen.copy()
        for _ in range(UNBENT):
            slopes = seen / self._shrinks(np.hypot(*slopes.T))[:, None]
        down = np.column_stack([slopes, np.ones(len(slopes))]) @ self._turn
        found: Array = self._place[:2] - down[:, :2] * (self._place[2] / down[:, 2:])
        return found

    def _shrinks(self, slope: Array) -> Array:
        """Return the factor by which rays of that slope are seen nearer to the middle than through a pinhole."""
        angle = np.arctan(slope)
        shrinks: Array = 1 - self._round + self._round * 2 * np.tan(angle / 2) / np.maximum(slope, 1e-9)
        return shrinks

    def see(
        self, painter: Painter, level: Handling, rng: np.random.Generator, light: np.random.Generator | None = None
    ) -> Grey:
        """Return a picture of a table; ``light`` generates light and sleeves if several pictures share them."""
        lamps = light or rng
        there = _printed(painter, level) * _lit(painter, level, lamps)
        there += _mirrored(painter, level, lamps)
        tint = lamps.uniform(0.75, 1.0, 3)
        white = float(np.quantile(there[::8, ::8], 0.99)) / lamps.uniform(0.9, 1.15)
        frames = [self._exposed(there / white, tint, stops, level, rng) for stops in BRACKET]
        return _developed(_merged(frames), level)

    def _exposed(self, there: Floats, tint: Array, stops: float, level: Handling, rng: np.random.Generator) -> Floats:
        """Return one exposure (rows, columns, 3) of the light on the canvas, in units of its own white, clipped."""
        width, height = self.size
        large = (height / 1080) ** 0.5
        shake = rng.normal(0, level.tremor * large, 2)
        sway = rng.normal(0, level.tremor * large / 2, (2, 3))
        seen = _blurred(self._gathered(there, shake, sway), level, large)
        planes = []
        for channel, bent in enumerate((4e-4, 0.0, -4e-4)):
            grow = np.array([[1 + bent, 0, -bent * width / 2], [0, 1 + bent, -bent * height / 2]])
            plane = cv2.warpAffine(seen, grow, (width, height), borderMode=cv2.BORDER_REPLICATE) if bent else seen
            planes.append(_plain(plane) * np.float32(tint[channel]))
        full = level.electrons * 2.0**stops
        counts = np.stack(planes, axis=2) * np.float32(full)
        noise = np.sqrt(np.maximum(counts, 0) + level.read**2)
        counts += noise * rng.standard_normal(counts.shape, dtype=np.float32)
        return _plain(np.minimum(counts, level.electrons * 1.1) / np.float32(full))

    def _gathered(self, there: Floats, shake: Array, sway: Array) -> Floats:
        """Return the light on each pixel, with four rays per pixel of small pictures; rows are exposed one by one."""
        (width, height), step = self.size, 16
        finer = 2 if width < 3000 else 1
        xs = (np.arange(0, width * finer + step, step) + 0.5) / finer - 0.5
        ys = (np.arange(0, height * finer + step, step) + 0.5) / finer - 0.5
        grid = np.stack(np.meshgrid(xs, ys), axis=-1)
        down = grid[..., 1] / height
        wave = np.stack([np.sin(2 * np.pi * (down + 0.3)), np.sin(5 * np.pi * down), np.cos(9 * np.pi * down)], axis=-1)
        grid = grid + shake + wave @ sway.T
        mm = self.to_mm(grid.reshape(-1, 2)).reshape(grid.shape)
        spots = (mm + np.array(there.shape[1::-1]) / MM / 2) * MM
        grow = np.array([[step, 0, 0], [0, step, 0]], dtype=np.float64)
        size = (width * finer, height * finer)
        x, y = (
            cv2.warpAffine(spots[..., axis].astype(np.float32), grow, size, borderMode=cv2.BORDER_REPLICATE)
            for axis in (0, 1)
        )
        seen = cv2.remap(there, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
        return _plain(cv2.resize(seen, (width, height), interpolation=cv2.INTER_AREA) if finer > 1 else seen)


def _printed(painter: Painter, level: Handling) -> Floats:
    """Return the light that print reflects: ink spreads on the paper, and light beneath it."""
    inked = np.clip((235 - painter.canvas.astype(np.float32)) / 210, -0.1, 1)
    spread = cv2.GaussianBlur(inked, (0, 0), level.spread * MM + 0.1)
    # Wet ink only spreads: a half-covered place ends up more than half covered.
    grown = np.where(spread > 0, np.power(np.maximum(spread, 0), 1 / (1 + 2 * level.spread)), spread)
    ink, paper = PRINTED ** (1 / YULE_NIELSEN), BARE ** (1 / YULE_NIELSEN)
    return _plain(np.maximum(paper + (ink - paper) * grown, 0) ** YULE_NIELSEN)


def _lit(painter: Painter, level: Handling, rng: np.random.Generator) -> Floats:
    """Return the light on each place of a canvas: uneven over the table and curled pieces, darker beside them."""
    height, width = painter.canvas.shape
    small = (round(painter.height / COARSE), round(painter.width / COARSE))
    y, x = np.meshgrid(np.linspace(-1, 1, small[0]), np.linspace(-1, 1, small[1]), indexing="ij")
    a, b, c, d, e = rng.normal(0, 1, 5)
    field = a * x + b * y + 0.5 * (c * x * x + d * x * y + e * y * y)
    field -= field.min()
    light = 1 - level.uneven * field / field.max()
    piece, high = np.zeros(small, np.float32), np.zeros(small, np.float32)
    for outline in painter.outlines:
        mask, places = _shape(outline, painter, small)
        way, bend = rng.uniform(0, 2 * np.pi), level.curl * rng.normal()
        along = ((places - places.mean(axis=0)) @ np.array([np.cos(way), np.sin(way)])) / (np.ptp(places, axis=0).max())
        fit = np.linalg.lstsq(np.column_stack([places, np.ones(4)]), along, rcond=None)[0]
        rows, columns = np.nonzero(mask)
        piece[rows, columns] = bend * (fit[0] * columns + fit[1] * rows + fit[2])
        high[rows, columns] = rng.uniform(0.3, 1)
    beside = np.clip(cv2.GaussianBlur(high, (0, 0), 3 / COARSE) - high, 0, 1)
    light = light * (1 + piece) * (1 - level.lifted * beside * 2)
    return _plain(cv2.resize(light.astype(np.float32), (width, height), interpolation=cv2.INTER_LINEAR))


def _mirrored(painter: Painter, level: Handling, rng: np.random.Generator) -> Floats:
    """Return the light of a window mirrored by sleeves: a bright bar with soft edges across some of the pieces."""
    height, width = painter.canvas.shape
    small = (round(painter.height / COARSE), round(painter.width / COARSE))
    bright = np.zeros(small, np.float32)
    for outline in painter.outlines:
        worn, way, off, broad, soft, much = rng.random(6)
        if worn >= level.sleeved:
            continue
        mask, places = _shape(outline, painter, small)
        rows, columns = np.nonzero(mask)
        turn, long = 2 * np.pi * way, np.ptp(places, axis=0).max()
        across = (columns - places[:, 0].mean()) * np.cos(turn) + (rows - places[:, 1].mean()) * np.sin(turn)
        edge = (0.15 + 0.4 * broad) * long - np.abs(across - (off - 0.5) * long)
        bright[rows, columns] = level.film * (0.3 + much) / (1 + np.exp(-edge / (0.02 + 0.2 * soft) / long))
    return _plain(cv2.resize(bright, (width, height), interpolation=cv2.INTER_LINEAR))


def _shape(outline: Array, painter: Painter, small: tuple[int, int]) -> tuple[Grey, Array]:
    """Return the mask of a piece on the coarse canvas, and its corners there (column, row)."""
    places = (outline + np.array((painter.width, painter.height)) / 2) / COARSE - 0.5
    mask = np.zeros(small, np.uint8)
    cv2.fillConvexPoly(mask, np.round(places * 16).astype(np.int32), 1, shift=4)
    return mask, places


def _blurred(seen: Floats, level: Handling, large: float) -> Floats:
    """Return light through a lens that is softer in the corners and scatters a share of the light widely."""
    height, width = seen.shape
    middle = cv2.GaussianBlur(seen, (0, 0), level.soft * large)
    corner = cv2.GaussianBlur(seen, (0, 0), (level.soft + level.corner) * large)
    y, x = np.linspace(-1, 1, height, dtype=np.float32)[:, None], np.linspace(-1, 1, width, dtype=np.float32)
    far = np.clip((x * x + y * y) / 2, 0, 1)
    small = cv2.resize(seen, (width // 8, height // 8), interpolation=cv2.INTER_AREA)
    veil = cv2.resize(cv2.GaussianBlur(small, (0, 0), height / 8 / 12), (width, height))
    sharp = middle + far * (corner - middle)
    return _plain(((1 - level.flare) * sharp + level.flare * veil) * (1 - 0.25 * far))


def _merged(frames: list[Floats]) -> Floats:
    """Return one picture merged from several exposures, each weighted most where it is neither dark nor burnt out."""
    total, weights = np.zeros_like(frames[0]), np.zeros(frames[0].shape[:2], np.float32)
    for frame, stops in zip(frames, BRACKET, strict=True):
        level = frame.max(axis=2) * np.float32(2.0**stops)
        weight = np.clip(level, 0.01, 1) ** 2 * np.clip((1.0 - level) / 0.2, 0, 1) + np.float32(1e-5)
        total += frame * weight[..., None]
        weights += weight
    return _plain(total / weights[..., None])


def _developed(light: Floats, level: Handling) -> Grey:
    """Return the picture that a phone's processor and then a messenger make of the merged light."""
    balance = np.quantile(light[::8, ::8].reshape(-1, 3), 0.9, axis=0).astype(np.float32)
    tones = np.log2(np.clip(light / balance, 1 / 64, 4))
    luma = tones @ np.array((0.25, 0.6, 0.15), dtype=np.float32)
    colour = cv2.blur(tones - luma[..., None], (7, 7))
    small = cv2.resize(luma, None, fx=1 / SHRUNK, fy=1 / SHRUNK, interpolation=cv2.INTER_AREA)
    base = cv2.resize(cv2.GaussianBlur(small, (0, 0), luma.shape[0] / SHRUNK / 14), luma.shape[::-1])
    # Slow changes of light are flattened; the rest follows a curve like film's.
    luma = luma - level.flat * (base + MIDDLE)
    shown = np.exp2((luma[..., None] + colour) / 2.2)
    # Film's shoulder: bright light is compressed instead of burning out abruptly.
    shown = (shown / (1 + np.maximum(shown, 0) ** 6) ** (1 / 6)).astype(np.float32)
    grey = shown @ np.array((0.3, 0.59, 0.11), dtype=np.float32)
    grey = _sharpened(_cored(grey, level.cored), level.crisp)
    byte = np.clip(grey * 255, 0, 255).astype(np.uint8)
    tinted = cv2.cvtColor(byte, cv2.COLOR_GRAY2BGR)
    _, data = cv2.imencode(".jpg", tinted, [cv2.IMWRITE_JPEG_QUALITY, level.jpeg])
    sent = decoded(data, cv2.IMREAD_COLOR)
    _, data = cv2.imencode(".webp", sent, [cv2.IMWRITE_WEBP_QUALITY, level.webp])
    return decoded(data)


def _cored(grey: Floats, noise: float) -> Floats:
    """Return a picture denoised by coring: faint detail of two sizes is reduced to nothing."""
    for width, much in ((2.0, noise), (0.8, 2 * noise)):
        smooth = _plain(cv2.GaussianBlur(grey, (0, 0), width))
        detail = grey - smooth
        grey = smooth + np.sign(detail) * np.maximum(np.abs(detail) - np.float32(much), 0)
    return grey


def _sharpened(grey: Floats, crisp: float) -> Floats:
    """Return a sharpened picture whose values exceed those around them only a little."""
    edges = grey + crisp * (grey - cv2.GaussianBlur(grey, (0, 0), 1.6))
    square = np.ones((5, 5), np.uint8)
    low, high = cv2.erode(grey, square) - 0.06, cv2.dilate(grey, square) + 0.06
    return _plain(np.minimum(np.maximum(edges, low), high))


def _plain(picture: cv2.typing.MatLike) -> Floats:
    return np.asarray(picture, dtype=np.float32)
