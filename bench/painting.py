"""A flat table painted from above, for measuring recognition; it shares nothing with the simulated table.

The camera models of :mod:`bench.renderers` photograph it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import cv2
import numpy as np

from bench.grounds import filling
from tabletop.vision.frame import Grey
from tabletop.vision.tags.patterns import CODE_MODULES, QUIET_MODULES, TAG_MODULES

SENSORS = {
    "1080p": (1920, 1080),
    "2304": (2304, 1296),
    "4608": (4608, 2592),
    "4056": (4056, 3040),
    "gs1456": (1456, 1088),
}
MM = 4
"""Canvas px per mm."""


@dataclass
class Lying:
    """A tag on the table: payload, centre in mm from the table's middle, degrees clockwise, side in mm."""

    payload: str
    x: float
    y: float
    angle: float
    side: float
    covered: float = 0.0
    corners: np.ndarray = field(default_factory=lambda: np.zeros((4, 2)))


@dataclass(frozen=True, eq=False)
class Laid:
    """A picture that was laid: its middle in mm from the table's middle, degrees clockwise, width in mm."""

    picture: np.ndarray
    x: float
    y: float
    angle: float
    width: float

    @property
    def long(self) -> float:
        """The other side, mm."""
        return float(self.width * self.picture.shape[0] / self.picture.shape[1])

    @property
    def outline(self) -> np.ndarray:
        """The corners (4, 2), mm."""
        return rectangle(self.x, self.y, self.angle, self.width, self.long)


@dataclass(frozen=True)
class Disc:
    """A disc that was laid: its middle and radius in mm, and its grey level."""

    x: float
    y: float
    radius: float
    grey: int


class Painter:
    """A table top painted from above."""

    def __init__(self, rng: np.random.Generator, width: float, height: float, ground: np.ndarray | None = None) -> None:
        self.rng, self.width, self.height = rng, width, height
        self.laid: list[Laid] = []
        """Every picture that was laid, in order."""
        self.discs: list[Disc] = []
        """Every disc, which lies on all pictures."""
        shape = (int(height * MM), int(width * MM))
        self.canvas = _wood(rng, shape) if ground is None else filling(ground, shape)
        self.ground = self.canvas.copy()
        """The table as it was before anything was laid."""

    @property
    def outlines(self) -> list[np.ndarray]:
        """The corners (4, 2), mm, of every picture that was laid, in order."""
        return [each.outline for each in self.laid]

    def spot(self, x: float, y: float) -> tuple[float, float]:
        """Return the place on the canvas, px, of a point in mm."""
        return (x + self.width / 2) * MM, (y + self.height / 2) * MM

    def paste(self, picture: np.ndarray, x: float, y: float, angle: float, width: float) -> None:
        """Lay a picture of that width in mm on the table, its middle at (x, y), turned clockwise."""
        scale = width * MM / picture.shape[1]
        self.laid.append(Laid(picture, x, y, angle, width))
        while scale < 0.5:
            picture = cv2.resize(picture, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
            scale = width * MM / picture.shape[1]
        turn = np.radians(angle)
        cos, sin = np.cos(turn) * scale, np.sin(turn) * scale
        px, py = self.spot(x, y)
        reach = int(np.hypot(*picture.shape) * scale / 2) + 3
        left, top = int(px) - reach, int(py) - reach
        h, w = picture.shape
        matrix = np.array(
            [
                [cos, -sin, px - left - cos * (w - 1) / 2 + sin * (h - 1) / 2],
                [sin, cos, py - top - sin * (w - 1) / 2 - cos * (h - 1) / 2],
            ]
        )
        size = (2 * reach, 2 * reach)
        laid = cv2.warpAffine(picture, matrix, size, flags=cv2.INTER_LINEAR).astype(np.float32)
        mask = cv2.warpAffine(np.ones_like(picture, np.float32), matrix, size, flags=cv2.INTER_LINEAR)
        y0, x0 = max(0, top), max(0, left)
        y1, x1 = min(self.canvas.shape[0], top + 2 * reach), min(self.canvas.shape[1], left + 2 * reach)
        if y1 <= y0 or x1 <= x0:
            return
        part = self.canvas[y0:y1, x0:x1].astype(np.float32)
        cut = (slice(y0 - top, y1 - top), slice(x0 - left, x1 - left))
        self.canvas[y0:y1, x0:x1] = (part * (1 - mask[cut]) + laid[cut] * mask[cut]).astype(np.uint8)

    def art(self, x: float, y: float, angle: float, width: float, height: float) -> None:
        """Lay a card printed with windows, stripes, letters and dots."""
        rng = self.rng
        w, h = int(width * 8), int(height * 8)
        card = np.full((h, w), rng.integers(90, 230), np.uint8)
        for _ in range(rng.integers(10, 30)):
            a, b = (
                (int(rng.integers(0, w)), int(rng.integers(0, h))),
                (int(rng.integers(0, w)), int(rng.integers(0, h))),
            )
            kind, grey = rng.integers(0, 4), int(rng.integers(0, 255))
            if kind == 0:
                cv2.rectangle(card, a, (a[0] + int(rng.integers(4, 90)), a[1] + int(rng.integers(4, 90))), grey, -1)
            elif kind == 1:
                cv2.line(card, a, b, grey, int(rng.integers(1, 10)))
            elif kind == 2:
                cv2.circle(card, a, int(rng.integers(3, 40)), grey, -1 if rng.random() < 0.5 else 5)
            else:
                cv2.putText(card, str(rng.integers(0, 999)), a, cv2.FONT_HERSHEY_SIMPLEX, 1.5, grey, 4)
        self.paste(card, x, y, angle, width)

    def tag(self, pattern: np.ndarray, lying: Lying) -> None:
        """Lay a tag; a marker of another kind has a quiet zone of one module."""
        quiet = QUIET_MODULES if len(pattern) == CODE_MODULES else 1
        light = np.where(np.pad(~pattern, quiet, constant_values=True), 235, 25).astype(np.uint8)
        self.paste(np.kron(light, np.ones((10, 10), np.uint8)), lying.x, lying.y, lying.angle, lying.side)

    def disc(self, x: float, y: float, radius: float, grey: int) -> None:
        """Lay a disc of that radius in mm."""
        self.discs.append(Disc(x, y, radius, grey))
        px, py = self.spot(x, y)
        cv2.circle(self.canvas, (int(px), int(py)), int(radius * MM), grey, -1, cv2.LINE_AA)

    def hand(self, x: float, y: float, width: float = 85, side: int = 1) -> None:
        """Lay a hand that reaches in from the near (side 1) or far (side -1) edge, its fingertips at (x, y)."""
        tip, edge = self.spot(x, y), self.spot(x + 40, side * self.height / 2 + side * 50)
        cv2.line(self.canvas, _whole(tip), _whole(edge), 150, int(width * MM * 0.8), cv2.LINE_AA)
        for finger in range(4):
            base = self.spot(x + (finger - 1.5) * 18, y + side * 25)
            end = self.spot(x + (finger - 1.5) * 20, y - side * 30)
            cv2.line(self.canvas, _whole(base), _whole(end), 160 + 3 * finger, 16 * MM, cv2.LINE_AA)


def _whole(point: tuple[float, float]) -> tuple[int, int]:
    return int(point[0]), int(point[1])


class CameraModel(Protocol):
    """A camera above a table."""

    size: tuple[int, int]

    def to_px(self, mm: np.ndarray) -> np.ndarray:
        """Return the pixels of points (n, 2) mm of the table."""

    def see(self, painter: Painter, level: Any, rng: np.random.Generator, light: np.random.Generator) -> Grey:
        """Return a picture of a table; ``light`` generates what several pictures share, ``rng`` what differs."""


def _wood(rng: np.random.Generator, shape: tuple[int, int]) -> np.ndarray:
    """Return a wooden table top of that shape (rows, columns)."""
    small = rng.normal(0, 1, (max(2, shape[0] // 12), max(2, shape[1] // 160))).astype(np.float32)
    grain = cv2.resize(small, shape[::-1], interpolation=cv2.INTER_CUBIC)
    wood = np.zeros(shape, np.uint8)
    for top in range(0, shape[0], 256):
        rows = grain[top : top + 256]
        wood[top : top + 256] = np.clip(120 + 14 * rows + rng.normal(0, 3, rows.shape), 0, 255)
    return wood


def decoded(data: np.ndarray, how: int = cv2.IMREAD_GRAYSCALE) -> Grey:
    """Return the picture in a file's data."""
    picture = cv2.imdecode(data, how)
    assert picture is not None, "not a picture"
    return np.asarray(picture, np.uint8)


def lay(
    rng: np.random.Generator,
    payloads: Sequence[str],
    side: float,
    room: tuple[float, float],
    apart: float,
    taken: list[Lying],
) -> list[Lying]:
    """Return tags lying at random in a room of that width and height, no two nearer than ``apart`` mm."""
    out: list[Lying] = []
    for payload in payloads:
        for _ in range(400):
            x, y = rng.uniform(-room[0] / 2, room[0] / 2), rng.uniform(-room[1] / 2, room[1] / 2)
            if all(np.hypot(x - other.x, y - other.y) > (apart + (other.side + side) / 2) for other in [*taken, *out]):
                out.append(Lying(payload, x, y, rng.uniform(0, 360), side))
                break
    return out


def painted(
    rng: np.random.Generator,
    patterns: Mapping[str, np.ndarray],
    pieces: Sequence[str],
    markers: Sequence[str],
    camera: CameraModel,
    side: float = 20,
    cover: tuple[float, float] | None = None,
    art: int = 20,
    ground: np.ndarray | None = None,
) -> tuple[Painter, list[Lying]]:
    """Return a table with pieces and markers, and where all tags lie, with corners in px of the camera.

    ``ground``: a grey picture beneath everything, instead of wood.
    """
    width = 700 * camera.size[0] / camera.size[1]
    room = (min(width, 1000) - 90, 580)
    painter = Painter(rng, width + 260, 960, ground)
    marks = lay(rng, markers, 40, room, 4, [])
    tags = lay(rng, pieces, side, room, 10, marks)
    for tag in tags:
        painter.art(tag.x + rng.uniform(-4, 4), tag.y + rng.uniform(-3, 3), tag.angle, 36, 28)
    for blank in lay(rng, [""] * art, 20, room, 8, [*marks, *tags]):
        painter.art(blank.x, blank.y, blank.angle, 30, 26)
    for tag in [*marks, *tags]:
        painter.tag(patterns[tag.payload], tag)
    for tag in tags:
        if cover is not None:
            _cover(rng, painter, tag, rng.uniform(*cover), [*marks, *tags])
    for tag in [*marks, *tags]:
        tag.corners = camera.to_px(square(tag))
    return painter, [*marks, *tags]


def square(tag: Lying) -> np.ndarray:
    """Return the corners of a tag's symbol, mm, from its own top left, clockwise."""
    side = tag.side * CODE_MODULES / TAG_MODULES
    return rectangle(tag.x, tag.y, tag.angle, side, side)


def rectangle(x: float, y: float, angle: float, width: float, height: float) -> np.ndarray:
    """Return the corners (4, 2) of a rectangle, mm, turned clockwise by degrees, from its own top left, clockwise."""
    turn = np.radians(angle)
    flat = np.array([(-width, -height), (width, -height), (width, height), (-width, height)]) / 2
    spin = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    corners: np.ndarray = flat @ spin + (x, y)
    return corners


def _cover(rng: np.random.Generator, painter: Painter, tag: Lying, share: float, others: Sequence[Lying]) -> None:
    """Lay a disc over that share of a tag and over none of the others, if there is room for it."""
    for _ in range(60):
        radius, way = tag.side * rng.uniform(0.4, 1.2), rng.uniform(0, 2 * np.pi)
        far = _distance(tag.side * 21 / 25, radius, way, share)
        x, y = tag.x + far * np.cos(way), tag.y + far * np.sin(way)
        if all(np.hypot(x - other.x, y - other.y) > radius + 0.7 * other.side for other in others if other is not tag):
            tag.covered = share
            painter.disc(x, y, radius, int(rng.integers(40, 220)))
            return


def _distance(symbol: float, radius: float, way: float, share: float) -> float:
    """Return the distance at which a disc covers that share of a square (whose turn is ignored)."""
    xs, ys = np.meshgrid(*[np.linspace(-symbol / 2, symbol / 2, 40)] * 2)
    for far in np.linspace(radius + symbol, 0, 200):
        if (np.hypot(xs - far * np.cos(way), ys - far * np.sin(way)) < radius).mean() >= share:
            return float(far)
    return 0.0
