"""Poses of tags in patches: the initial ones, the corrected ones, and others around them."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from tabletop.vision.frame import Floats

Reach: TypeAlias = tuple[float, float, float, float]
"""Steps by which to move poses: across and down in modules, degrees, fraction of the size."""

MAX_SETTLING_STEP = np.array((0.6, 0.6, np.radians(3), 0), dtype=np.float32)
"""The most by which one round may move a pose before the identity is known."""


def still_poses(count: int) -> Floats:
    """Return poses in the middle of that many patches, upright and of the assumed size."""
    return np.tile(np.array((0, 0, 0, 1), dtype=np.float32), (count, 1))


def move_back(poses: Floats, shifts: Floats, most: Floats) -> Floats:
    """Return poses moved back by their measured ``shifts``, each limited to ``most``."""
    back: Floats = np.minimum(np.maximum(shifts, -most), most)
    # Across and down as one complex number, turned and scaled by each pose.
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
    """Return the axes along which poses are moved, each with its step; angles in radians."""
    across, down, turn, size = reach
    return [(axis, step) for axis, step in enumerate((across, down, float(np.radians(turn)), size)) if step > 0]
