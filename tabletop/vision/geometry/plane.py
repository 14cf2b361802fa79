"""The plane of the table: px ↔ mm, found from squares of known size that lie anywhere on it, without a calibration.

Every marker is a square whose side is known and whose place is not.  The camera's view of the plane (a homography and
one number for the lens) is what makes all of them squares at once.  Two squares would leave much of it open: what is
usual of cameras (square px, a lens in the middle that bends little) then decides.  Pieces' tags help too, though a
printer may have scaled their page: their size is one more unknown.  The table's frame: origin where the middle of the
picture looks, x to the right, y down, up as the picture's up; a plane that is fitted again keeps the frame of
the one before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[np.float64]
Mask: TypeAlias = NDArray[np.bool_]

MAX_LENS = 0.35
"""The strongest bending of straight lines that a fit may find, as a part of the half diagonal."""
MAX_ERROR_MM = 3.0
"""If a corner is farther than this from where its square puts it, the square does not lie flat."""
TYPICAL_ERROR_MM = 0.1
"""How far off a corner usually is: what is usual of cameras counts as much as this many millimetres."""
TYPICAL_LENS = 0.12
"""How strongly lenses usually bend, in the units of ``lens``."""
TYPICAL_FOCAL, FOCAL_SPREAD = 1.4, 0.4
"""The usual focal length in half diagonals, and the spread of its logarithm: from telephones to wide angles."""
TYPICAL_SKEW = 0.01
"""How far a picture's px usually are from square, and its lens from the middle; more in cropped photographs."""
PRINT_SPREAD = 0.05
"""How far from true size pages are usually printed, as a part."""
PRINT_TOLERANCE = 0.015
"""A print within this part of its size is as good as true."""
MIN_DEVIATIONS = 3.0
"""A print must be off by this many standard deviations before that is reported."""
MAX_STARTS = 12
"""Squares from whose view alone a fit may begin; of this many the best is not torn or bent."""
MAX_DESCENT_STEPS = 40
"""Steps after which a fit is as good as it gets."""
SAMPLES_PER_SIDE = 33
"""How many points along each side of a picture are used to find how far it shows the table."""
MAX_DISTANCE_RATIO = 3.0
"""The table counts up to this many times the distance of the picture's middle: tags have a ninth of the px there."""
_LENS, _SCALE, _FOCAL = 8, 9, 10
"""Where in a fit's values these stand, after the homography; the last two as logarithms."""
_STEP = 1e-6

Residuals: TypeAlias = Callable[[Array], Array]


class Square(NamedTuple):
    """A printed square as seen: its corners in px from its own top left, clockwise, (4, 2), and its side in mm.

    ``scaled``: its page may have been printed at another size, the same for all such squares.
    """

    corners: Array
    side: float
    weight: float = 1.0
    scaled: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Plane:
    """How one camera sees the table.

    Attributes:
        matrix: (3, 3), straightened px → mm.
        lens: how far the half diagonal is pushed outward, as a part of itself, to straighten the picture.
        shape: (height, width) of the picture in px.
        error: root mean square distance of the corners from the fitted squares, mm.
        scale: the size of ``scaled`` squares as a part of what it should be, 1 where there was nothing to compare with.
        scale_off: how far that may be off, as squares of one print come out of different sizes (standard deviation).
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
        """Work out the way back once: points are asked for all the time."""
        object.__setattr__(self, "back", np.linalg.inv(self.matrix).astype(np.float64, copy=False))

    def to_mm(self, points: Array) -> Array:
        """Return px (…, 2) as mm on the table."""
        straight = _straighten(np.asarray(points, dtype=np.float64), self.lens, self.shape)
        return _apply(self.matrix, straight)

    def to_px(self, points: Array) -> Array:
        """Return mm on the table (…, 2) as px; what the camera cannot see comes out far outside the picture."""
        flat = _apply(self.back, np.asarray(points, dtype=np.float64))
        return _bend(flat, self.lens, self.shape)

    def mm_per_px(self, point: Array) -> float:
        """Return the size of a pixel at a place in the picture, mm: the square root of its area."""
        x, y = float(point[0]), float(point[1])
        here, right, down = self.to_mm(np.array([(x, y), (x + 1, y), (x, y + 1)]))
        return float(np.sqrt(abs(np.linalg.det(np.array([right - here, down - here])))))

    def bounds(self) -> tuple[float, float, float, float]:
        """Return left, top, right, bottom in mm of what the picture shows of the table, far short of its horizon."""
        height, width = self.shape
        middle, _ = _middle(self.shape)
        across, along = np.meshgrid(
            np.linspace(0, width - 1, SAMPLES_PER_SIDE), np.linspace(0, height - 1, SAMPLES_PER_SIDE)
        )
        px = np.stack([across.ravel(), along.ravel()], axis=1)
        straight = _straighten(px, self.lens, self.shape)
        # A homography's last row says how much nearer a place is than the point straight in front.
        nearer = (straight @ self.matrix[2, :2] + self.matrix[2, 2]) / (middle @ self.matrix[2, :2] + self.matrix[2, 2])
        mm = _apply(self.matrix, straight[nearer >= 1 / MAX_DISTANCE_RATIO])
        (left, top), (right, bottom) = mm.min(axis=0), mm.max(axis=0)
        return float(left), float(top), float(right), float(bottom)


def fit(squares: Sequence[Square], shape: tuple[int, int], *, lens: bool = True) -> Plane | None:
    """Return the plane on which all squares become squares of their size, None if there are none.

    ``lens``: also find the lens.  Squares that do not lie flat are left out.
    """
    good = [square for square in squares if _is_seen_from_above(square.corners)]
    if not good:
        return None
    plane = _solve(good, shape, lens)
    while len(good) > 2:
        errors = np.sqrt((misfits(plane, good) ** 2).sum(axis=2).max(axis=1))
        worst = int(np.argmax(errors))
        if errors[worst] < max(MAX_ERROR_MM, 4 * float(np.median(errors))):
            break
        good = good[:worst] + good[worst + 1 :]
        plane = _solve(good, shape, lens)
    return _centred(plane)


def misfits(plane: Plane, squares: Sequence[Square]) -> Array:
    """Return how far each corner of squares lies from the square of the right size that fits best, mm, (n, 4, 2)."""
    sides = np.array([square.side * (plane.scale if square.scaled else 1) for square in squares])
    return _misfits(plane.to_mm(np.array([square.corners for square in squares])), sides)


def print_notice(plane: Plane) -> str:
    """Return a sentence if the pieces' tags were printed at another scale than the markers, else an empty one.

    Nor is there one if the lens bends more than one number can describe, so that markers alone come out of many sizes.
    """
    if abs(plane.scale - 1) <= max(PRINT_TOLERANCE, MIN_DEVIATIONS * plane.scale_off):
        return ""
    percent = round(100 * plane.scale)
    return (
        f"The tags on the pieces were printed at {percent} % of their size beside the table markers: they "
        "are read all the same; for true size print both at 100 % (no “fit to page”)."
    )


def aligned(plane: Plane, pairs: Iterable[tuple[Array, Array]]) -> Plane:
    """Return the plane, only turned and shifted, so that the px of each pair come as near to their mm as possible."""
    listed = list(pairs)
    if not listed:
        return plane
    seen = plane.to_mm(np.array([px for px, _ in listed]).reshape(-1, 2))
    wanted = np.array([mm for _, mm in listed]).reshape(-1, 2)
    turn, shift = _rigid(seen[None], wanted[None])
    move = np.eye(3)
    move[:2, :2], move[:2, 2] = turn[0], shift[0]
    return replace(plane, matrix=move @ plane.matrix)


def _solve(squares: Sequence[Square], shape: tuple[int, int], lens: bool) -> Plane:
    """Return the best plane by damped least squares from the best of the squares taken alone."""
    corners = np.array([square.corners for square in squares], dtype=np.float64)
    sides = np.array([square.side for square in squares])
    scaled = np.array([square.scaled for square in squares])
    weights = np.sqrt(np.array([square.weight for square in squares]))[:, None, None]
    unit = _unit(shape)
    places = _apply(unit, corners)

    away = (places**2).sum(axis=-1, keepdims=True)

    def residuals(values: Array) -> Array:
        flat = places * (1 + values[:, _LENS, None, None, None] * away)
        printed = np.where(scaled, sides * np.exp(values[:, _SCALE, None]), sides)
        corners = np.stack([_apply(matrix, each) for matrix, each in zip(_matrices(values), flat, strict=True)])
        wrong = _misfits(corners.reshape(-1, 4, 2), printed.ravel()).reshape(corners.shape) * weights
        wrong = wrong / np.sqrt(1 + (wrong / MAX_ERROR_MM) ** 2)
        return np.concatenate([wrong.reshape(len(values), -1), TYPICAL_ERROR_MM * _unusual(values)], axis=1)

    def cost(values: Array) -> float:
        wrong = residuals(values[None])[0]
        return float(wrong @ wrong)

    free = [*range(8), *([_LENS] if lens else []), *([_SCALE] if 0 < scaled.sum() < len(scaled) else []), _FOCAL]
    some = slice(None, None, 1 + len(places) // MAX_STARTS)
    starts = sorted((_alone(place, side) for place, side in zip(places[some], sides[some], strict=True)), key=cost)
    # A second start guards against a marker that is torn or bent.
    best = min((_descend(residuals, start, free) for start in starts[: 2 if len(places) < MAX_STARTS else 1]), key=cost)
    matrix = _matrices(best[None])[0] @ unit
    bent = float(np.clip(best[_LENS], -MAX_LENS, MAX_LENS))
    plane = Plane(matrix, bent, shape, scale=float(np.exp(best[_SCALE])))
    error = float(np.sqrt((misfits(plane, squares) ** 2).sum(axis=-1).mean()))
    return replace(plane, error=error, scale_off=_scale_off(plane, corners, sides, scaled))


def _scale_off(plane: Plane, corners: Array, sides: Array, scaled: NDArray[np.bool_]) -> float:
    """Return the standard deviation of the scale of the ``scaled`` squares beside the others, 0 without both."""
    count = int(scaled.sum())
    if not 0 < count < len(scaled):
        return 0.0
    mm = plane.to_mm(corners)
    across, along = mm[:, 2] - mm[:, 0], mm[:, 3] - mm[:, 1]
    area = np.abs(across[:, 0] * along[:, 1] - across[:, 1] * along[:, 0]) / 2
    sizes = np.log(np.sqrt(area) / sides)
    sizes[scaled] -= np.median(sizes[scaled])
    sizes[~scaled] -= np.median(sizes[~scaled])
    return float(np.sqrt((sizes**2).mean() * (1 / count + 1 / (len(scaled) - count))))


def _matrices(values: Array) -> Array:
    """Return the homographies of a fit's values (n, 11), (n, 3, 3)."""
    return np.insert(values[:, :8], 8, 1.0, axis=1).reshape(-1, 3, 3)


def _unusual(values: Array) -> Array:
    """Return how unusual cameras and prints (n, 11) would be, each part beside its usual spread, (n, 5)."""
    across, down = _seen_axes(values)
    along, high = np.sqrt((across**2).sum(axis=0)), np.sqrt((down**2).sum(axis=0))
    parts = (
        (across * down).sum(axis=0) / (along * high) / TYPICAL_SKEW,
        np.log(along / high) / TYPICAL_SKEW,
        values[:, _LENS] / TYPICAL_LENS,
        values[:, _SCALE] / PRINT_SPREAD,
        (values[:, _FOCAL] - np.log(TYPICAL_FOCAL)) / FOCAL_SPREAD,
    )
    return np.stack(parts, axis=1)


def _seen_axes(values: Array) -> tuple[Array, Array]:
    """Return how the table's axes are seen by cameras, (3, n) each: mm → px in half diagonals, up to one factor."""
    a, b, c, d, e, f, g, h = values[:, :8].T
    focal = np.exp(values[:, _FOCAL])
    return (
        np.array((e - f * h, f * g - d, (d * h - e * g) * focal)),
        np.array((c * h - b, a - c * g, (b * g - a * h) * focal)),
    )


def _descend(residuals: Residuals, start: Array, free: Sequence[int]) -> Array:
    """Return where Levenberg's and Marquardt's descent from the start ends; only the ``free`` values are changed."""
    values, damping = start.copy(), 1e-3
    wrong = residuals(values[None])[0]
    for _ in range(MAX_DESCENT_STEPS):
        steps = np.maximum(np.abs(values[free]), 1e-3) * _STEP
        # All slopes at once: one by one they would take most of the time of a fit.
        around = np.tile(values, (len(free), 1))
        around[np.arange(len(free)), free] += steps
        slope = (residuals(around) - wrong).T / steps
        normal, pull = slope.T @ slope, slope.T @ wrong
        while damping < 1e9:
            change = np.linalg.solve(normal + damping * np.diag(np.diag(normal) + 1e-9), -pull)
            moved = values.copy()
            moved[free] += change
            trial = residuals(moved[None])[0]
            if trial @ trial < wrong @ wrong:
                break
            damping *= 5
        else:
            break
        gain = 1 - (trial @ trial) / (wrong @ wrong)
        values, wrong, damping = moved, trial, damping / 5
        if gain < 1e-7:
            break
    return values


def _alone(place: Array, side: float) -> Array:
    """Return the view in which one square taken alone is a square."""
    square = np.array([(0, 0), (side, 0), (side, side), (0, side)], dtype=np.float32)
    matrix = cv2.getPerspectiveTransform(place.astype(np.float32), square)
    # The origin is carried to the picture's middle, where the denominator must not vanish.
    return np.append((matrix / matrix[2, 2]).ravel()[:8], (0.0, 0.0, np.log(TYPICAL_FOCAL)))


def _misfits(corners: Array, sides: Array) -> Array:
    """Return mm between corners (n, 4, 2) and the squares of those sides that lie nearest to them."""
    square = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)]) * sides[:, None, None]
    turn, shift = _rigid(square, corners)
    near: Array = corners - (square @ turn.transpose(0, 2, 1) + shift[:, None])
    return near


def _rigid(sources: Array, targets: Array) -> tuple[Array, Array]:
    """Return the turns (n, 2, 2) and shifts (n, 2) that carry point sets (n, m, 2) nearest to others."""
    middle, goal = sources.mean(axis=1), targets.mean(axis=1)
    one, two = sources - middle[:, None], targets - goal[:, None]
    along = (one * two).sum(axis=(1, 2))
    across = (one[..., 0] * two[..., 1] - one[..., 1] * two[..., 0]).sum(axis=1)
    length = np.hypot(along, across) + 1e-12
    cos, sin = along / length, across / length
    turn = np.stack([np.stack([cos, -sin], -1), np.stack([sin, cos], -1)], -2)
    return turn, goal - (turn @ middle[..., None])[..., 0]


def _apply(matrix: Array, points: Array) -> Array:
    """Return points (…, 2) under a homography; those at or behind the horizon far away."""
    seen = points @ matrix[:, :2].T + matrix[:, 2]
    depth = seen[..., 2:]
    flat: Array = seen[..., :2] / np.where(np.abs(depth) < 1e-12, 1e-12, depth)
    return flat


def _unit(shape: tuple[int, int]) -> Array:
    """Return the map from px to parts of the half diagonal, from the picture's middle."""
    height, width = shape
    half = float(np.hypot(width, height)) / 2
    return np.array([[1 / half, 0, -(width - 1) / 2 / half], [0, 1 / half, -(height - 1) / 2 / half], [0, 0, 1]])


def _straighten(points: Array, lens: float, shape: tuple[int, int]) -> Array:
    middle, half = _middle(shape)
    away = (points - middle) / half
    straight: Array = middle + half * away * (1 + lens * (away**2).sum(axis=-1, keepdims=True))
    return straight


def _bend(points: Array, lens: float, shape: tuple[int, int]) -> Array:
    """Return where straightened points lie in the picture: the inverse of straightening, the root of its cubic."""
    middle, half = _middle(shape)
    away = (points - middle) / half
    goal = np.hypot(away[..., 0], away[..., 1])
    steep = np.sqrt(3 * abs(lens)) + 1e-9
    if lens > 0:
        radius = 2 / steep * np.sinh(np.arcsinh(1.5 * steep * goal) / 3)
    else:
        # Farther out than where the lens folds the picture there is no root.
        radius = 2 / steep * np.sin(np.arcsin(np.minimum(1.5 * steep * goal, 1.0)) / 3)
    part = np.where(goal < 2.5, radius / np.maximum(goal, 1e-9), 1.0)
    bent: Array = middle + half * away * part[..., None]
    return bent


def _middle(shape: tuple[int, int]) -> tuple[Array, float]:
    height, width = shape
    return np.array([(width - 1) / 2, (height - 1) / 2]), float(np.hypot(width, height)) / 2


def _centred(plane: Plane) -> Plane:
    """Return the plane with its origin in the picture's middle and its up along the picture's up."""
    middle, _ = _middle(plane.shape)
    marks = np.array([middle, middle - (0, 10)])
    here, above = plane.to_mm(marks)
    return aligned(plane, [(marks, np.array([(0.0, 0.0), (0.0, -float(np.linalg.norm(above - here)))]))])


def _is_seen_from_above(corners: Array) -> bool:
    """Return whether corners run clockwise around a convex outline: those of a mirrored or folded square do not."""
    edges = np.roll(corners, -1, axis=0) - corners
    after = np.roll(edges, -1, axis=0)
    return bool((edges[:, 0] * after[:, 1] - edges[:, 1] * after[:, 0] > 0).all())
