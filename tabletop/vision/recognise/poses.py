"""Poses of tags in patches: the initial ones, the corrected ones, and others around them."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from tabletop.vision.frame import Floats

Reach: TypeAlias = tuple[float, float, float, float]
"""How far to move poses: across and down in modules, degrees, part of the size."""

MAX_SETTLING_STEP = np.array((0.6, 0.6, np.radians(3), 0), dtype=np.float32)
"""The most by which one look may move a pose before the identity is known."""


def still_poses(count: int) -> Floats:
    """Return poses in the middle of that many patches, upright and of true size."""
    return np.tile(np.array((0, 0, 0, 1), dtype=np.float32), (count, 1))


def move_back(poses: Floats, shifts: Floats, most: Floats) -> Floats:
    """Return poses moved back by how far off they were found to be, and no farther than ``most``."""
    back: Floats = np.minimum(np.maximum(shifts, -most), most)
    # Across and down as one number, turned and sized as each pose is.
    back.view(np.complex64)[:, 0] *= np.exp(1j * poses[:, 2]) * poses[:, 3]
    back[:, 3] *= poses[:, 3]
    return np.subtract(poses, back, out=back)


def star(poses: Floats, reach: Reach) -> Floats:
    """Return each pose and its neighbours on both sides along each axis, (n, tries, 4)."""
    steps = axis_steps(reach)
    tries = np.repeat(poses[:, None], 1 + 2 * len(steps), axis=1)
    for number, (axis, step) in enumerate(steps):
        tries[:, 1 + 2 * number, axis] -= step
        tries[:, 2 + 2 * number, axis] += step
    return tries


def axis_steps(reach: Reach) -> list[tuple[int, float]]:
    """Return the axes of a pose along which it is to be moved, and how far."""
    across, down, turn, size = reach
    return [(axis, step) for axis, step in enumerate((across, down, float(np.radians(turn)), size)) if step > 0]
