"""How well the squares that were seen determine how large things look at the edges of a picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from tabletop.vision.geometry.plane import Array, Plane, Square, misfits

MIN_ERROR_MM = 0.03
"""Corners are taken to be off by at least this: few of them may fit by chance."""
EDGE_MARGIN = 0.05
"""How far inside the picture its edges are looked at, as a part of it."""
_STEP = 1e-4


def scale_uncertainty(plane: Plane, squares: Sequence[Square]) -> float:
    """Return the standard deviation of the size that things have near the edges of a picture, as a part of it.

    It is the largest of all edges, as far as the squares from which the plane was found leave it open.  What no plane
    and lens of ours describes, such as a panorama, may be off by more.
    """
    height, width = plane.shape
    x, y = np.meshgrid(*(np.linspace(EDGE_MARGIN, 1 - EDGE_MARGIN, 3) * (length - 1) for length in (width, height)))
    edges = np.delete(np.stack([x.ravel(), y.ravel()], axis=1), 4, axis=0)
    around = edges[:, None] + np.array([(0, 0), (1, 0), (0, 1)])
    wrong, sizes = misfits(plane, squares).ravel(), _sizes(plane, around)
    others = _varied(plane)
    slopes = np.stack([(misfits(other, squares).ravel() - wrong) / _STEP for other in others])
    growth = np.stack([(_sizes(other, around) - sizes) / _STEP for other in others])
    # Each square takes its place and turn from its own corners; all together they have the values of a plane.
    error = max(float(wrong @ wrong) / max(1, len(wrong) - 4 * len(squares)), MIN_ERROR_MM**2)
    spread = np.linalg.pinv(slopes @ slopes.T + 1e-9 * np.eye(len(slopes))) * error
    return float(np.sqrt(np.einsum("ie,ij,je->e", growth, spread, growth).max()))


def _sizes(plane: Plane, around: Array) -> Array:
    """Return the logarithm of how large a px is at places (n, 3, 2) px, each with the px to its right and below."""
    here, right, below = plane.to_mm(around).transpose(1, 0, 2)
    across, down = right - here, below - here
    sizes: Array = np.log(np.abs(across[:, 0] * down[:, 1] - across[:, 1] * down[:, 0])) / 2
    return sizes


def _varied(plane: Plane) -> list[Plane]:
    """Return planes that differ a little from one, each in one of the values that determine it."""
    height, width = plane.shape
    middle = np.array(((width - 1) / 2, (height - 1) / 2))
    reach, (x, y) = plane.mm_per_px(middle) * float(np.hypot(height, width)) / 2, plane.to_mm(middle)
    # Moved to where the picture's middle looks, and measured in what its half diagonal reaches.
    unit = np.array([(1 / reach, 0, -x / reach), (0, 1 / reach, -y / reach), (0, 0, 1)])
    back = np.linalg.inv(unit)
    matrices = [back @ (np.eye(3) + _STEP * one.reshape(3, 3)) @ unit @ plane.matrix for one in np.eye(9)[:8]]
    return [*(replace(plane, matrix=matrix) for matrix in matrices), replace(plane, lens=plane.lens + _STEP)]
