"""Boxes and other simple outlines on the table, mm, and the axes of turned ones."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from tabletop.vision.geometry.plane import Array

Box: TypeAlias = tuple[float, float, float, float]
"""Left, top, right, bottom in mm on the table."""
Place: TypeAlias = tuple[float, float]
"""A point on the table, mm."""
_RING: Array = np.array([(np.cos(angle), np.sin(angle)) for angle in np.arange(12) * np.pi / 6])
"""Twelve unit vectors, evenly spaced around a circle."""


def box(place: Place, half: float) -> Box:
    """Return the square box that reaches ``half`` mm from a place in each direction."""
    x, y = place
    return x - half, y - half, x + half, y + half


def corners_of(part: Box) -> Array:
    """Return the corners (4, 2) of a box, mm."""
    left, top, right, bottom = part
    return np.array([(left, top), (right, top), (right, bottom), (left, bottom)])


def area(part: Box) -> float:
    """Return the area of a box, mm²."""
    left, top, right, bottom = part
    return (right - left) * (bottom - top)


def bounding(one: Box, other: Box) -> Box:
    """Return the smallest box that holds two boxes."""
    return min(one[0], other[0]), min(one[1], other[1]), max(one[2], other[2]), max(one[3], other[3])


def square(place: Place, half: float) -> Array:
    """Return the corners (4, 2), mm, of the square that reaches ``half`` mm from a place in each direction."""
    return corners_of(box(place, half))


def axes_at(angle: float) -> Array:
    """Return the axes (2, 2), right and down, of a thing turned by an angle, radians."""
    return np.array([(np.cos(angle), np.sin(angle)), (-np.sin(angle), np.cos(angle))])


def rectangle(height: float, width: float) -> Array:
    """Return the corners (4, 2), mm, of an upright rectangle, from its middle."""
    return np.array([(-width, -height), (width, -height), (width, height), (-width, height)]) / 2


def side_lengths(outline: Array) -> Array:
    """Return the lengths of the sides of an outline (corners, 2), or of each of several (n, corners, 2)."""
    lengths: Array = np.linalg.norm(np.roll(outline, -1, axis=-2) - outline, axis=-1)
    return lengths


def mean_side(outline: Array) -> Array:
    """Return the mean length of the sides of an outline (corners, 2), or of each of several (n, corners, 2)."""
    return np.asarray(side_lengths(outline).mean(axis=-1))


def ring(place: Place, reach: float) -> Array:
    """Return the corners (12, 2), mm, of a polygon that approximates a circle of radius ``reach`` around a place."""
    around: Array = place + reach * _RING
    return around


def holds(part: Box, place: Place) -> bool:
    """Return whether a place lies in a box."""
    return part[0] <= place[0] <= part[2] and part[1] <= place[1] <= part[3]


def touches(corners: Array, part: Box) -> bool:
    """Return whether the bounding box of an outline (n, 2) overlaps a box, both in mm."""
    (left, top), (right, bottom) = corners.min(axis=0), corners.max(axis=0)
    return bool(left < part[2] and right > part[0] and top < part[3] and bottom > part[1])
