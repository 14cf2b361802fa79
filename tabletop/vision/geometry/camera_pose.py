"""The camera's pose above the plane that it sees: its height and tilt, and the part of the table it can read."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from statistics import median

import numpy as np

from tabletop.vision.geometry.plane import Array, Plane
from tabletop.vision.tags.patterns import TAG_MODULES

DEFAULT_FIELD_DEG = 66.0
"""Assumed horizontal field of view, degrees, if none is known: Pi cameras have 62 to 66, USB cameras about 70."""
MIN_MODULE_PX = 0.4
"""Px per module, in the direction in which a tag looks smallest, below which none was ever recognised: the search for
tags ends at that distance.

A camera of 720 px that is tilted by 18 degrees reads cards down to 0.49.
"""
MAX_TABLE_MM = 2400.0
"""The longest side of a table that is searched for tags."""
MIN_DEPTH_RATIO = 0.05
"""Lower limit of depths as a fraction of the height: at the horizon, points would be infinitely far to the side."""


@dataclass(frozen=True, slots=True, eq=False)
class CameraPose:
    """The position and orientation of a camera, and its field of view.

    Attributes:
        foot: the point of the table straight below the lens, mm (2,).
        height: of the lens above the table, mm.
        rotation: (3, 3), from the table's axes (x, y, down into the table) to the camera's (right, down, forward).
        half_field: (2,), tangent of half the angle that it sees across and down.
    """

    foot: Array
    height: float
    rotation: Array
    half_field: Array

    @property
    def tilt(self) -> float:
        """The tilt from straight down, degrees."""
        return float(np.degrees(np.arccos(np.clip(self.rotation[2, 2], -1, 1))))

    def directions(self, points: Array) -> Array:
        """Return where points (n, 2) mm appear, in units of half the picture's sides (n, 2): inside it from -1 to 1."""
        away = np.column_stack([points - self.foot, np.full(len(points), self.height)]) @ self.rotation.T
        deep = np.maximum(away[:, 2:], MIN_DEPTH_RATIO * self.height)
        seen: Array = away[:, :2] / deep / self.half_field
        return seen

    def sideways(self, points: Array) -> Array:
        """Return vectors (n, 2) mm on the table in the camera's axes: to the right and down in the picture."""
        shown: Array = points @ self.rotation[:2, :2].T
        return shown


def camera_pose(plane: Plane, field: float = DEFAULT_FIELD_DEG) -> CameraPose:
    """Return the pose of the camera that sees a plane; ``field``: its horizontal field of view, degrees.

    The columns of a pinhole camera's homography are two axes of the table and the vector to its origin, in the camera's
    frame, up to a common factor.  The height is wrong by the same factor as the tangent of half the field.
    """
    height, width = plane.shape
    middle = np.array(((width - 1) / 2, (height - 1) / 2))
    halves = np.array((width, height)) / 2
    half = float(np.hypot(width, height)) / 2
    straight = halves * (1 + plane.lens * (halves / half) ** 2)
    tangent = float(np.tan(np.radians(field) / 2))
    focal = straight[0] / tangent
    inner = np.array([[focal, 0, middle[0]], [0, focal, middle[1]], [0, 0, 1]])
    columns = np.linalg.inv(inner) @ np.linalg.inv(plane.matrix)
    columns = columns / np.sqrt(np.linalg.norm(columns[:, 0]) * np.linalg.norm(columns[:, 1]))
    columns = columns * np.sign(columns[2, 2])
    left, _, right = np.linalg.svd(np.column_stack([columns[:, 0], columns[:, 1], np.cross(*columns[:, :2].T)]))
    rotation = left @ right
    place = -rotation.T @ columns[:, 2]
    return CameraPose(place[:2], float(-place[2]), rotation, np.array((tangent, straight[1] / focal)))


def modules(plane: Plane, points: Array, tag_mm: float) -> Array:
    """Return px per module of tags with that size at points (n, 2) mm, in the direction in which they look smallest."""
    px = plane.to_px(points)
    jacobian = np.stack([plane.to_px(points + step) - px for step in ((1.0, 0.0), (0.0, 1.0))], axis=-1)
    # The smaller singular value of each 2 × 2 matrix, from the sum of squares and the product of both.
    squares, product = (
        (jacobian**2).sum(axis=(1, 2)),
        jacobian[:, 0, 0] * jacobian[:, 1, 1] - jacobian[:, 0, 1] * jacobian[:, 1, 0],
    )
    smallest = np.sqrt(np.maximum(squares - np.sqrt(np.maximum(squares**2 - 4 * product**2, 0)), 0) / 2)
    return np.asarray(smallest * (tag_mm / TAG_MODULES), dtype=np.float64)


@lru_cache(maxsize=4)
def readable_part(plane: Plane, tag_mm: float) -> tuple[float, float, float, float]:
    """Return left, top, right, bottom in mm of the part of a plane where tags of that size may be readable."""
    height, width = plane.shape
    across, along = np.meshgrid(np.linspace(0, width - 1, 33), np.linspace(0, height - 1, 25))
    px = np.stack([across.ravel(), along.ravel()], axis=1)
    mm = plane.to_mm(px)
    # Beyond the horizon the plane continues on the other side, where mapping px to mm and back does not return them.
    seen = np.abs(plane.to_px(mm) - px).max(axis=1) < 1
    readable = mm[seen & (modules(plane, mm, tag_mm) >= MIN_MODULE_PX)]
    if not len(readable):
        # Tags a quarter as large as the markers, or a wrong plane: searching all of a picture would take gigabytes.
        x, y = plane.to_mm(px[len(px) // 2]).tolist()
        return x, y, x, y
    middle = np.array([median(axis) for axis in readable.T.tolist()])
    low = np.maximum(readable.min(axis=0), middle - MAX_TABLE_MM / 2)
    high = np.minimum(readable.max(axis=0), middle + MAX_TABLE_MM / 2)
    return float(low[0]), float(low[1]), float(high[0]), float(high[1])
