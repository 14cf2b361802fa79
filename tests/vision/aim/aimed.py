"""Planes as a camera over a table sees them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tabletop.messages import Message
from tabletop.vision.aim.advice import AdviceFacts
from tabletop.vision.aim.assessment import ZoneAim
from tabletop.vision.geometry.camera_pose import camera_pose
from tabletop.vision.geometry.plane import Plane


def plane(
    high: float = 900.0,
    tilt: float = 0.0,
    size: tuple[int, int] = (1920, 1080),
    field: float = 66.0,
    offset: tuple[float, float] = (0.0, 0.0),
) -> Plane:
    """Return the plane of a pinhole camera tilted by ``tilt`` ° towards its picture's top, ``offset`` mm off 0, 0."""
    focal = size[0] / 2 / np.tan(np.radians(field) / 2)
    a = np.radians(tilt)
    turn = np.array([[1, 0, 0], [0, np.cos(a), np.sin(a)], [0, -np.sin(a), np.cos(a)]])
    middle = np.array([[focal, 0, (size[0] - 1) / 2], [0, focal, (size[1] - 1) / 2], [0, 0, 1]])
    place = np.array([*offset, -high])
    view = middle @ np.column_stack([turn[:, 0], turn[:, 1], -turn @ place])
    return Plane(np.linalg.inv(view), 0.0, (size[1], size[0]))


def rectangle(width: int | float, depth: float, x: float = 0.0, y: float = 0.0) -> NDArray[np.float64]:
    return np.array([(x + i * width / 2, y + j * depth / 2) for i in (-1, 1) for j in (-1, 1)])


def seen(
    where: Plane, needed: NDArray[np.float64], modules: float = 1.3, **rest: float | str | tuple[float, float]
) -> AdviceFacts:
    zone = ZoneAim("seat0", Message("Seat 1"), modules, 1.0)
    given: dict[str, Any] = {"blur": 0.5, "light": (40.0, 200.0), "tag_mm": 20.0, "print_scale": None} | rest
    return AdviceFacts((zone,), camera_pose(where), needed, **given)
