"""Estimates how well the visible squares determine the scale at the edges of a picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from tabletop.vision.geometry.plane import Array, Plane
from tabletop.vision.geometry.plane_fit import Square, misfits

MIN_ERROR_MM = 0.03
"""Least assumed error of corners, mm: a few of them may fit exactly by chance."""
EDGE_MARGIN = 0.05
"""Distance of the evaluated points from the picture's edges, as a fraction of its sides."""
_STEP = 1e-4


def scale_uncertainty(plane: Plane, squares: Sequence[Square]) -> float:
    """Return the largest relative standard deviation of sizes near the edges of a picture.

    It covers only what the squares from which the plane was found leave undetermined.  A picture that no plane and lens
    of ours describe, such as a panorama, may be off by more.
    """
    height, width = plane.shape
    x, y = np.meshgrid(*(np.linspace(EDGE_MARGIN, 1 - EDGE_MARGIN, 3) * (length - 1) for length in (width, height)))
    edges = np.delete(np.stack([x.ravel(), y.ravel()], axis=1), 4, axis=0)
    around = edges[:, None] + np.array([(0, 0), (1, 0), (0, 1)])
    errors, sizes = misfits(plane, squares).ravel(), _sizes(plane, around)
    others = _perturbed(plane)
    slopes = np.stack([(misfits(other, squares).ravel() - errors) / _STEP for other in others])
    growth = np.stack([(_sizes(other, around) - sizes) / _STEP for other in others])
    # Each square's place and turn are fitted to its own corners, and the plane's values to the corners of all.
    error = max(float(errors @ errors) / max(1, len(errors) - 4 * len(squares)), MIN_ERROR_MM**2)
    covariance = np.linalg.pinv(slopes @ slopes.T + 1e-9 * np.eye(len(slopes))) * error
    return float(np.sqrt(np.einsum("ie,ij,je->e", growth, covariance, growth).max()))


def _sizes(plane: Plane, around: Array) -> Array:
    """Return the logarithm of the size of a px at places (n, 3, 2) px, each with the px to its right and below."""
    origin, right, below = plane.to_mm(around).transpose(1, 0, 2)
    across, down = right - origin, below - origin
    sizes: Array = np.log(np.abs(across[:, 0] * down[:, 1] - across[:, 1] * down[:, 0])) / 2
    return sizes


def _perturbed(plane: Plane) -> list[Plane]:
    """Return planes that differ slightly from one, each in one of the parameters that determine it."""
    height, width = plane.shape
    middle = np.array(((width - 1) / 2, (height - 1) / 2))
    reach, (x, y) = plane.mm_per_px(middle) * float(np.hypot(height, width)) / 2, plane.to_mm(middle)
    # Relative to the middle of the picture, in units of the half diagonal on the table.
    unit = np.array([(1 / reach, 0, -x / reach), (0, 1 / reach, -y / reach), (0, 0, 1)])
    back = np.linalg.inv(unit)
    matrices = [back @ (np.eye(3) + _STEP * entry.reshape(3, 3)) @ unit @ plane.matrix for entry in np.eye(9)[:8]]
    return [*(replace(plane, matrix=matrix) for matrix in matrices), replace(plane, lens=plane.lens + _STEP)]
