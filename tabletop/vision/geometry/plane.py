"""The plane of the table: maps px of a picture ↔ mm on the table.

The table's frame: origin at the middle of the picture, x to the right, y down, up as the picture's up; a plane that is
fitted again keeps the frame of the previous one.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[np.float64]
Mask: TypeAlias = NDArray[np.bool_]

PRINT_TOLERANCE = 0.015
"""Relative error of a print's size that is not reported."""
MIN_DEVIATIONS = 3.0
"""Number of standard deviations by which a print must be off before that is reported."""
SAMPLES_PER_SIDE = 33
"""Number of points along each side of a picture that are sampled to find the visible part of the table."""
MAX_DISTANCE_RATIO = 3.0
"""Distance up to which the table counts as visible, relative to the picture's middle: tags have a ninth of the px
there."""


@dataclass(frozen=True, slots=True, eq=False)
class Plane:
    """The mapping between the px of one camera's picture and the table.

    Attributes:
        matrix: (3, 3), the homography from undistorted px to mm.
        lens: how far undistorting the picture moves the end of its half diagonal outward, as a fraction of that.
        shape: (height, width) of the picture in px.
        error: root mean square distance of the corners from the fitted squares, mm.
        scale: the size of ``scaled`` squares as a fraction of what it should be, 1 if there are no others to compare.
        scale_off: the standard deviation of ``scale``, from the different sizes of squares of one print.
        back: the inverse of ``matrix``.
    """

    matrix: Array
    lens: float
    shape: tuple[int, int]
    error: float = 0.0
    scale: float = 1.0
    scale_off: float = 0.0
    back: Array = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Compute the inverse once, because points are mapped all the time."""
        object.__setattr__(self, "back", np.linalg.inv(self.matrix).astype(np.float64, copy=False))

    def to_mm(self, points: Array) -> Array:
        """Return points in px (…, 2) as mm on the table."""
        undistorted = _undistort(np.asarray(points, dtype=np.float64), self.lens, self.shape)
        return apply_homography(self.matrix, undistorted)

    def to_px(self, points: Array) -> Array:
        """Return points in mm on the table (…, 2) as px; points the camera cannot see are far outside the picture."""
        flat = apply_homography(self.back, np.asarray(points, dtype=np.float64))
        return _distort(flat, self.lens, self.shape)

    def mm_per_px(self, point: Array) -> float:
        """Return the size of a pixel at a place in the picture, mm: the square root of its area."""
        x, y = float(point[0]), float(point[1])
        origin, right, down = self.to_mm(np.array([(x, y), (x + 1, y), (x, y + 1)]))
        return float(np.sqrt(abs(np.linalg.det(np.array([right - origin, down - origin])))))

    def bounds(self) -> tuple[float, float, float, float]:
        """Return left, top, right, bottom in mm of the visible part of the table, far short of the horizon."""
        height, width = self.shape
        middle, _ = picture_middle(self.shape)
        across, along = np.meshgrid(
            np.linspace(0, width - 1, SAMPLES_PER_SIDE), np.linspace(0, height - 1, SAMPLES_PER_SIDE)
        )
        px = np.stack([across.ravel(), along.ravel()], axis=1)
        undistorted = _undistort(px, self.lens, self.shape)
        # A homography's last row gives how much nearer a place is than the middle of the picture.
        nearer = (undistorted @ self.matrix[2, :2] + self.matrix[2, 2]) / (
            middle @ self.matrix[2, :2] + self.matrix[2, 2]
        )
        mm = apply_homography(self.matrix, undistorted[nearer >= 1 / MAX_DISTANCE_RATIO])
        (left, top), (right, bottom) = mm.min(axis=0), mm.max(axis=0)
        return float(left), float(top), float(right), float(bottom)


def print_notice(plane: Plane) -> str:
    """Return a sentence if the pieces' tags were printed at another scale than the markers, else an empty string.

    It is also empty if the lens distorts more than one number can describe, so that even the markers differ in size.
    """
    if abs(plane.scale - 1) <= max(PRINT_TOLERANCE, MIN_DEVIATIONS * plane.scale_off):
        return ""
    percent = round(100 * plane.scale)
    return (
        f"The tags on the pieces were printed at {percent} % of their size beside the table markers: they "
        "are read all the same; for true size print both at 100 % (no “fit to page”)."
    )


def aligned(plane: Plane, pairs: Iterable[tuple[Array, Array]]) -> Plane:
    """Return the plane turned and shifted so that the px of each pair come as near to their mm as possible."""
    listed = list(pairs)
    if not listed:
        return plane
    seen = plane.to_mm(np.array([px for px, _ in listed]).reshape(-1, 2))
    wanted = np.array([mm for _, mm in listed]).reshape(-1, 2)
    turn, shift = rigid(seen[None], wanted[None])
    move = np.eye(3)
    move[:2, :2], move[:2, 2] = turn[0], shift[0]
    return replace(plane, matrix=move @ plane.matrix)


def rigid(sources: Array, targets: Array) -> tuple[Array, Array]:
    """Return the rotations (n, 2, 2) and shifts (n, 2) that move point sets (n, m, 2) as near as possible to others."""
    middle, goal = sources.mean(axis=1), targets.mean(axis=1)
    one, two = sources - middle[:, None], targets - goal[:, None]
    along = (one * two).sum(axis=(1, 2))
    across = (one[..., 0] * two[..., 1] - one[..., 1] * two[..., 0]).sum(axis=1)
    length = np.hypot(along, across) + 1e-12
    cos, sin = along / length, across / length
    turn = np.stack([np.stack([cos, -sin], -1), np.stack([sin, cos], -1)], -2)
    return turn, goal - (turn @ middle[..., None])[..., 0]


def apply_homography(matrix: Array, points: Array) -> Array:
    """Return points (…, 2) mapped by a homography; those at or behind the horizon are far away."""
    mapped = points @ matrix[:, :2].T + matrix[:, 2]
    depth = mapped[..., 2:]
    projected: Array = mapped[..., :2] / np.where(np.abs(depth) < 1e-12, 1e-12, depth)
    return projected


def _undistort(points: Array, lens: float, shape: tuple[int, int]) -> Array:
    middle, half = picture_middle(shape)
    away = (points - middle) / half
    undistorted: Array = middle + half * away * (1 + lens * (away**2).sum(axis=-1, keepdims=True))
    return undistorted


def _distort(points: Array, lens: float, shape: tuple[int, int]) -> Array:
    """Return undistorted points in the distorted picture: the inverse of ``_undistort``, by solving its cubic."""
    middle, half = picture_middle(shape)
    away = (points - middle) / half
    goal = np.hypot(away[..., 0], away[..., 1])
    root = np.sqrt(3 * abs(lens)) + 1e-9
    if lens > 0:
        radius = 2 / root * np.sinh(np.arcsinh(1.5 * root * goal) / 3)
    else:
        # Beyond the radius at which the distortion folds the picture there is no solution.
        radius = 2 / root * np.sin(np.arcsin(np.minimum(1.5 * root * goal, 1.0)) / 3)
    ratio = np.where(goal < 2.5, radius / np.maximum(goal, 1e-9), 1.0)
    distorted: Array = middle + half * away * ratio[..., None]
    return distorted


@lru_cache(maxsize=8)
def picture_middle(shape: tuple[int, int]) -> tuple[Array, float]:
    """Return the middle (2,) of a picture, px, and half its diagonal, px; ``shape``: height and width."""
    height, width = shape
    middle = np.array([(width - 1) / 2, (height - 1) / 2])
    middle.flags.writeable = False
    return middle, float(np.hypot(width, height)) / 2
