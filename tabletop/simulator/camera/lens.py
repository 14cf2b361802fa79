"""The model of the simulated camera: from points of the table to pixels of the picture, and back.

Lengths are mm on the table (x right, y down, height above it) and px in the picture (pixel centres at whole numbers).
It is a pinhole camera with radial distortion whose *inverse* is the polynomial: a picture is drawn by computing for
each pixel where on the table it looks, so that direction must be exact and cheap.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating[Any]]
Points = NDArray[np.float64]

CAMERA_HEIGHT_MM = 950.0
"""The height of the camera: from about here a Camera Module 3 (66° wide) sees a table of 1150 mm."""
FILLED_FRACTION = 0.97
"""The share of the picture that the table fills in its tighter direction."""
PHONE_SIZE_PX = (4032, 3024)
"""The size of pictures of a 12-megapixel phone."""
PHONE_FIELD_DEG = 66.0
"""The horizontal angle of view of a phone."""
PHONE_BEND = 0.03
"""Barrel distortion of a phone's lens, defined as in :class:`tabletop.simulator.conditions.Conditions`."""


@dataclass(frozen=True, slots=True, eq=False)
class CameraModel:
    """A fixed camera.

    Attributes:
        size: width and height of the picture, px.
        x, y, height: the position of the lens, mm.
        turn: rotation matrix from the table's axes (x, y, down into the table) to the camera's (right, down, forward).
        focal: focal length, px.
        bend: radial distortion at half the diagonal, as a fraction.
    """

    size: tuple[int, int]
    x: float
    y: float
    height: float
    turn: Points
    focal: float
    bend: float

    @property
    def half_diagonal(self) -> float:
        """Half the picture's diagonal, px."""
        return math.hypot(*self.size) / 2

    def project(self, points: Points, height: float = 0.0) -> Points:
        """Return the pixels (n, 2) of points (n, 2) of the table that are lifted by ``height`` mm."""
        seen = self._turned(points, height)
        straight = seen[:, :2] / seen[:, 2:] * self.focal
        return self._bent(straight) + self._middle

    def faces(self, points: Points) -> bool:
        """Return whether all points of the table lie in front of the lens; no picture shows those behind it."""
        return bool((self._turned(points, 0.0)[:, 2] > 0).all())

    def ground(self, x: Floats, y: Floats) -> tuple[Floats, Floats]:
        """Return the points of the table plane, mm, at which pixels look; x (w,) and y (h,) give arrays (h, w)."""
        right = (x - float(self._middle[0]))[None, :]
        down = (y - float(self._middle[1]))[:, None]
        swell = 1 + np.float32(self.bend / self.half_diagonal**2) * (right * right + down * down)
        m = (self.turn.T * np.array([1, 1, self.focal])).astype(np.float32)
        right, down = right * swell, down * swell
        scale = np.float32(self.height) / (m[2, 0] * right + m[2, 1] * down + m[2, 2])
        table_x = (m[0, 0] * right + m[0, 1] * down + m[0, 2]) * scale + np.float32(self.x)
        table_y = (m[1, 0] * right + m[1, 1] * down + m[1, 2]) * scale + np.float32(self.y)
        return table_x, table_y

    def scale_at(self, x: float, y: float) -> float:
        """Return the px per mm around a point of the table (the square root of the area scale)."""
        a, b, c = self.project(np.array([[x, y], [x + 1, y], [x, y + 1]], dtype=np.float64))
        return math.sqrt(abs(float(np.linalg.det(np.array([b - a, c - a])))))

    @property
    def _middle(self) -> Points:
        return np.array([(self.size[0] - 1) / 2, (self.size[1] - 1) / 2])

    def _turned(self, points: Points, height: float) -> Points:
        """Return points of the table, lifted by ``height`` mm, in the camera's axes."""
        away = np.full(len(points), self.height - height)
        lifted: Points = np.column_stack([points[:, 0] - self.x, points[:, 1] - self.y, away])
        return lifted @ self.turn.T

    def _bent(self, straight: Points) -> Points:
        """Return where the lens draws points that a pinhole draws at ``straight`` (Newton's method on the radius)."""
        reach = np.linalg.norm(straight, axis=1, keepdims=True) / self.half_diagonal
        r = reach / (1 + self.bend * reach**2)
        for _ in range(4):
            r -= (r * (1 + self.bend * r**2) - reach) / (1 + 3 * self.bend * r**2)
        return straight * np.where(reach > 0, r / np.maximum(reach, 1e-9), 1)


def stand_camera(
    size: tuple[int, int], table: tuple[float, float], tilt: float, bend: float, rng: random.Random
) -> CameraModel:
    """Return a camera above a table of width × height mm that sees all of it.

    ``tilt`` is in degrees; the direction of the tilt, and a turn of a degree or so about the axis, come from ``rng``.
    """
    towards = rng.uniform(0, 2 * math.pi)
    roll = math.radians(rng.gauss(0, 1.0) * min(1.0, tilt / 5))
    turn = _turn(math.radians(tilt * rng.uniform(0.75, 1)), towards, roll)
    corners = np.array([(0, 0), (table[0], 0), table, (0, table[1])], dtype=np.float64)
    x, y = table[0] / 2, table[1] / 2
    for _ in range(6):
        model = CameraModel(size, x, y, CAMERA_HEIGHT_MM, turn, 1000.0, 0.0)
        seen = model.project(corners) - model._middle
        off = (seen.max(axis=0) + seen.min(axis=0)) / 2 / 1000.0 * CAMERA_HEIGHT_MM
        x, y = x + float(off[0]), y + float(off[1])
    reach = np.abs(CameraModel(size, x, y, CAMERA_HEIGHT_MM, turn, 1000.0, 0.0).project(corners) - model._middle).max(
        axis=0
    )
    focal = 1000.0 * FILLED_FRACTION * min(size[0] / 2 / reach[0], size[1] / 2 / reach[1])
    # Barrel distortion moves the edges towards the middle, which leaves a little room.
    return CameraModel(size, x, y, CAMERA_HEIGHT_MM, turn, float(focal) * (1 + bend * 0.7), bend)


def hold_phone(target: tuple[float, float], distance: float, tilt: float, azimuth: float) -> CameraModel:
    """Return the camera of a phone that looks at a point of the table from a distance, both in mm.

    ``tilt`` is its angle from straight down, ``azimuth`` the side from which it looks, degrees.
    """
    lean, way = math.radians(tilt), math.radians(azimuth)
    height, aside = distance * math.cos(lean), distance * math.sin(lean)
    x, y = target[0] + aside * math.cos(way), target[1] + aside * math.sin(way)
    forward = np.array([target[0] - x, target[1] - y, height]) / distance
    right = np.array([math.sin(way), -math.cos(way), 0.0])
    turn = np.stack([right, np.cross(forward, right), forward])
    focal = PHONE_SIZE_PX[0] / 2 / math.tan(math.radians(PHONE_FIELD_DEG) / 2)
    return CameraModel(PHONE_SIZE_PX, x, y, height, turn, focal, PHONE_BEND)


def _turn(tilt: float, towards: float, roll: float) -> Points:
    c, s = math.cos(tilt), math.sin(tilt)
    lean = np.array([[c, 0, -s], [0, 1, 0], [s, 0, c]])
    about = _about_axis(towards)
    result: Points = _about_axis(roll) @ about @ lean @ about.T
    return result


def _about_axis(angle: float) -> Points:
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
