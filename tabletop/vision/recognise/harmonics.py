"""Kernels whose responses give how well a pattern fits at every angle: its circular harmonics."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.vision.frame import Floats
from tabletop.vision.recognise.rectified import COARSE_MODULE_PX

HARMONIC_COUNT = 4
"""Number of circular harmonics that are computed, the constant one included."""
KERNEL_PX = 25
"""Side of the kernels, px: room for a tag turned by 45 degrees."""


def harmonic_weights(angles: NDArray[np.floating]) -> Floats:
    """Return the weights of the harmonics at angles, (n, 2 * HARMONIC_COUNT - 1)."""
    rows = [np.ones_like(angles)]
    for k in range(1, HARMONIC_COUNT):
        rows += [np.cos(4 * k * angles), np.sin(4 * k * angles)]
    return np.stack(rows, axis=1).astype(np.float32)


def symmetric(mean: Floats) -> Floats:
    """Return the mean pattern averaged over its quarter turns, zero mean."""
    mean_turned = np.mean([np.rot90(mean, turns) for turns in range(4)], axis=0)
    out: Floats = (mean_turned - mean_turned.mean()).astype(np.float32)
    return out


def turned_kernel(pattern: Floats, angle: float) -> Floats:
    """Return the pattern turned clockwise by ``angle`` (radians) and centred in a kernel."""
    fine = cv2.resize(pattern, None, fx=4, fy=4, interpolation=cv2.INTER_NEAREST)
    middle = (fine.shape[0] - 1) / 2
    matrix = cv2.getRotationMatrix2D((middle, middle), -np.degrees(angle), COARSE_MODULE_PX)
    matrix[:, 2] += (KERNEL_PX * 4 - fine.shape[0]) / 2
    kernel = cv2.warpAffine(fine, matrix, (KERNEL_PX * 4, KERNEL_PX * 4), flags=cv2.INTER_LINEAR)
    return cv2.resize(kernel, (KERNEL_PX, KERNEL_PX), interpolation=cv2.INTER_AREA).astype(np.float32)


def harmonic_kernels(mean: Floats, blur_px: float) -> list[Floats]:
    """Return the kernels whose responses, weighted by an angle's harmonics, add up to that of the turned pattern."""
    even = symmetric(mean)
    count = 48
    angles = np.arange(count) * (np.pi / 2 / count)
    turned = np.array([high_pass(turned_kernel(even, float(angle)), blur_px) for angle in angles])
    weights = harmonic_weights(angles)
    power = (weights**2).sum(axis=0)
    return list(np.tensordot(weights / power, turned, axes=(0, 0)).astype(np.float32))


def high_pass(pattern: Floats, blur_px: float) -> Floats:
    """Return a kernel minus its slowly varying part, which is removed from the picture in the same way."""
    return (pattern - cv2.GaussianBlur(pattern, (0, 0), blur_px)).astype(np.float32)
