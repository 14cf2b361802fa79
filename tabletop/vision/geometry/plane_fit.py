"""Fits the plane of the table to squares of known size that lie anywhere on it, without a calibration.

Every marker is a square whose side is known and whose place is not.  The fitted view of the plane (a homography and one
number for the lens) is the one in which all of them are squares.  Two squares would leave much of it undetermined:
priors on cameras (square px, a centred lens with little distortion) then decide.  Pieces' tags help as well, though
their page may have been printed at another scale: their size is one more unknown.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from statistics import median
from typing import NamedTuple, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.vision.geometry.plane import Array, Plane, aligned, apply_homography, picture_middle, rigid

MAX_LENS = 0.35
"""Strongest lens distortion that a fit may find, in the units of ``Plane.lens``."""
MAX_ERROR_MM = 3.0
"""Least distance of a corner from its fitted square, mm, at which the square is taken not to lie flat."""
TYPICAL_ERROR_MM = 0.1
"""Typical error of a corner, mm: one standard deviation from a prior counts as much as this."""
TYPICAL_LENS = 0.12
"""Standard deviation of lens distortion, in the units of ``Plane.lens``."""
TYPICAL_FOCAL, FOCAL_SPREAD = 1.4, 0.4
"""Typical focal length in half diagonals, and the standard deviation of its logarithm: from telephoto lenses to wide
angles."""
TYPICAL_SKEW = 0.01
"""Standard deviation of the skew and of the logarithmic aspect ratio of px; cropped photographs have more."""
PRINT_SPREAD = 0.05
"""Standard deviation of the logarithm of the scale at which pages are printed."""
MAX_STARTS = 12
"""Most squares from which a fit may start; the best of as many is not torn or bent."""
MAX_DESCENT_STEPS = 40
"""Most iterations of a fit."""
_LENS, _SCALE, _FOCAL = 8, 9, 10
"""Indices of these in a fit's values, after the homography; the last two are logarithms."""
_STEP = 1e-6

Residuals: TypeAlias = Callable[[Array], Array]


class Square(NamedTuple):
    """A printed square in a picture: its corners in px from its own top left, clockwise, (4, 2), and its side in mm.

    ``scaled``: its page may have been printed at another scale, the same for all such squares.
    """

    corners: Array
    side: float
    weight: float = 1.0
    scaled: bool = False


def fit(squares: Sequence[Square], shape: tuple[int, int], *, lens: bool = True) -> Plane | None:
    """Return the plane on which all squares are squares of their size, None if there are none.

    ``lens``: also fit the lens distortion.  Squares that do not lie flat are left out.
    """
    good = [square for square in squares if _is_seen_from_above(square.corners)]
    if not good:
        return None
    plane = _solve(good, shape, lens)
    while len(good) > 2:
        errors = np.sqrt((misfits(plane, good) ** 2).sum(axis=2).max(axis=1))
        worst = int(np.argmax(errors))
        if errors[worst] < max(MAX_ERROR_MM, 4 * median(errors.tolist())):
            break
        good = good[:worst] + good[worst + 1 :]
        plane = _solve(good, shape, lens)
    return _centred(plane)


def misfits(plane: Plane, squares: Sequence[Square]) -> Array:
    """Return the offset of each corner from the best fitting square of the right size, mm, (n, 4, 2)."""
    sides = np.array([square.side * (plane.scale if square.scaled else 1) for square in squares])
    return _misfits(plane.to_mm(np.array([square.corners for square in squares])), sides)


def _solve(squares: Sequence[Square], shape: tuple[int, int], lens: bool) -> Plane:
    """Return the best plane by damped least squares, starting from the view of the best single square."""
    corners = np.array([square.corners for square in squares], dtype=np.float64)
    sides = np.array([square.side for square in squares])
    scaled = np.array([square.scaled for square in squares])
    weights = np.sqrt(np.array([square.weight for square in squares]))[:, None, None]
    normalisation = _normalisation(shape)
    places = apply_homography(normalisation, corners)

    squared_radius = (places**2).sum(axis=-1, keepdims=True)

    def residuals(values: Array) -> Array:
        undistorted = places * (1 + values[:, _LENS, None, None, None] * squared_radius)
        printed_sides = np.where(scaled, sides * np.exp(values[:, _SCALE, None]), sides)
        corners = np.stack(
            [apply_homography(matrix, each) for matrix, each in zip(_matrices(values), undistorted, strict=True)]
        )
        errors = _misfits(corners.reshape(-1, 4, 2), printed_sides.ravel()).reshape(corners.shape) * weights
        errors = errors / np.sqrt(1 + (errors / MAX_ERROR_MM) ** 2)
        return np.concatenate([errors.reshape(len(values), -1), TYPICAL_ERROR_MM * _prior_deviations(values)], axis=1)

    def cost(values: Array) -> float:
        errors = residuals(values[None])[0]
        return float(errors @ errors)

    free = [*range(8), *([_LENS] if lens else []), *([_SCALE] if 0 < scaled.sum() < len(scaled) else []), _FOCAL]
    sample = slice(None, None, 1 + len(places) // MAX_STARTS)
    starts = sorted(
        (_values_of_square(place, side) for place, side in zip(places[sample], sides[sample], strict=True)), key=cost
    )
    # A second start guards against a marker that is torn or bent.
    best = min((_descend(residuals, start, free) for start in starts[: 2 if len(places) < MAX_STARTS else 1]), key=cost)
    matrix = _matrices(best[None])[0] @ normalisation
    bent = float(np.clip(best[_LENS], -MAX_LENS, MAX_LENS))
    plane = Plane(matrix, bent, shape, scale=float(np.exp(best[_SCALE])))
    error = float(np.sqrt((misfits(plane, squares) ** 2).sum(axis=-1).mean()))
    return replace(plane, error=error, scale_off=_scale_off(plane, corners, sides, scaled))


def _scale_off(plane: Plane, corners: Array, sides: Array, scaled: NDArray[np.bool_]) -> float:
    """Return the standard deviation of the scale of the ``scaled`` squares relative to the others, 0 without both."""
    count = int(scaled.sum())
    if not 0 < count < len(scaled):
        return 0.0
    mm = plane.to_mm(corners)
    across, along = mm[:, 2] - mm[:, 0], mm[:, 3] - mm[:, 1]
    area = np.abs(across[:, 0] * along[:, 1] - across[:, 1] * along[:, 0]) / 2
    sizes = np.log(np.sqrt(area) / sides)
    sizes[scaled] -= median(sizes[scaled].tolist())
    sizes[~scaled] -= median(sizes[~scaled].tolist())
    return float(np.sqrt((sizes**2).mean() * (1 / count + 1 / (len(scaled) - count))))


def _matrices(values: Array) -> Array:
    """Return the homographies of a fit's values (n, 11), (n, 3, 3)."""
    return np.insert(values[:, :8], 8, 1.0, axis=1).reshape(-1, 3, 3)


def _prior_deviations(values: Array) -> Array:
    """Return the normalised deviations of a fit's values (n, 11) from the priors on cameras and prints, (n, 5)."""
    across, down = _table_axes(values)
    length_across, length_down = np.sqrt((across**2).sum(axis=0)), np.sqrt((down**2).sum(axis=0))
    parts = (
        (across * down).sum(axis=0) / (length_across * length_down) / TYPICAL_SKEW,
        np.log(length_across / length_down) / TYPICAL_SKEW,
        values[:, _LENS] / TYPICAL_LENS,
        values[:, _SCALE] / PRINT_SPREAD,
        (values[:, _FOCAL] - np.log(TYPICAL_FOCAL)) / FOCAL_SPREAD,
    )
    return np.stack(parts, axis=1)


def _table_axes(values: Array) -> tuple[Array, Array]:
    """Return the table's axes in the cameras' frames, (3, n) each, in half diagonals and up to one factor."""
    a, b, c, d, e, f, g, h = values[:, :8].T
    focal = np.exp(values[:, _FOCAL])
    return (
        np.array((e - f * h, f * g - d, (d * h - e * g) * focal)),
        np.array((c * h - b, a - c * g, (b * g - a * h) * focal)),
    )


def _descend(residuals: Residuals, start: Array, free: Sequence[int]) -> Array:
    """Return the result of a Levenberg–Marquardt descent from the start; only the ``free`` values are changed.

    Three of them stay as they are, because changing them only shifts and turns the table's axes: in such directions,
    which cost nothing, every step would be long and spoil the others.
    """
    kept = 2, 5, 0 if abs(start[3]) > abs(start[4]) else 1
    free = [number for number in free if number not in kept]
    values, damping = start.copy(), 1e-3
    errors = residuals(values[None])[0]
    for _ in range(MAX_DESCENT_STEPS):
        steps = np.maximum(np.abs(values[free]), 1e-3) * _STEP
        # All derivatives at once: one by one they would take most of the time of a fit.
        varied = np.tile(values, (len(free), 1))
        varied[np.arange(len(free)), free] += steps
        jacobian = (residuals(varied) - errors).T / steps
        normal, gradient = jacobian.T @ jacobian, jacobian.T @ errors
        while damping < 1e9:
            change = np.linalg.solve(normal + damping * np.diag(np.diag(normal) + 1e-9), -gradient)
            moved = values.copy()
            moved[free] += change
            trial = residuals(moved[None])[0]
            if trial @ trial < errors @ errors:
                break
            damping *= 5
        else:
            break
        gain = 1 - (trial @ trial) / (errors @ errors)
        values, errors, damping = moved, trial, damping / 5
        if gain < 1e-7:
            break
    return values


def _values_of_square(place: Array, side: float) -> Array:
    """Return the fit's values for which one square, by itself, is exactly a square."""
    square = np.array([(0, 0), (side, 0), (side, side), (0, side)], dtype=np.float32)
    matrix = cv2.getPerspectiveTransform(place.astype(np.float32), square)
    # Normalised at the picture's middle, the origin here, where the denominator must not vanish.
    return np.append((matrix / matrix[2, 2]).ravel()[:8], (0.0, 0.0, np.log(TYPICAL_FOCAL)))


def _misfits(corners: Array, sides: Array) -> Array:
    """Return the offsets, mm, of corners (n, 4, 2) from the squares of those sides that fit them best."""
    square = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)]) * sides[:, None, None]
    turn, shift = rigid(square, corners)
    offsets: Array = corners - (square @ turn.transpose(0, 2, 1) + shift[:, None])
    return offsets


def _normalisation(shape: tuple[int, int]) -> Array:
    """Return the matrix that maps px to half diagonals from the picture's middle."""
    height, width = shape
    half = float(np.hypot(width, height)) / 2
    return np.array([[1 / half, 0, -(width - 1) / 2 / half], [0, 1 / half, -(height - 1) / 2 / half], [0, 0, 1]])


def _centred(plane: Plane) -> Plane:
    """Return the plane with its origin in the picture's middle and its up along the picture's up."""
    middle, _ = picture_middle(plane.shape)
    marks = np.array([middle, middle - (0, 10)])
    centre, above = plane.to_mm(marks)
    return aligned(plane, [(marks, np.array([(0.0, 0.0), (0.0, -float(np.linalg.norm(above - centre)))]))])


def _is_seen_from_above(corners: Array) -> bool:
    """Return whether corners run clockwise around a convex outline, unlike those of a mirrored or folded square."""
    edges = np.roll(corners, -1, axis=0) - corners
    after = np.roll(edges, -1, axis=0)
    return bool((edges[:, 0] * after[:, 1] - edges[:, 1] * after[:, 0] > 0).all())
