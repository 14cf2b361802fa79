"""A seat's area on wood, with or without its card, as a photograph from above shows it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.rules import registry
from tabletop.vision.geometry.plane import Plane
from tabletop.vision.image.load import Picture
from tabletop.vision.kit import Kit
from tabletop.vision.photo.doubts import find_doubts
from tabletop.vision.photo.photo_contents import PhotoContents
from tabletop.vision.scene import ReadBy, Sighting, Unreadable
from tabletop.vision.score.palazzo import PalazzoTally

GAME = registry.game("palazzo")
assert GAME.table is not None
PX = 2
"""Pixels per mm."""
PLANE = Plane(np.diag((1 / PX, 1 / PX, 1.0)), 0.0, (500 * PX, 700 * PX))
MARKER = (150.0, 330.0)
"""The middle of the marker of seat 1, mm; the seat's area is to the right of it and above it."""
ZONE = next(zone for zone in GAME.table.zones(4) if zone.marker == "TT:SEAT1")
LEFT, TOP, RIGHT, BOTTOM = (side + MARKER[at % 2] for at, side in enumerate(ZONE.area))


def wood() -> NDArray[np.uint8]:
    """Return a wooden table under a lamp at one side, on which things may be laid."""
    return bare_wood().copy()


@cache
def bare_wood() -> NDArray[np.uint8]:
    rng = np.random.default_rng(1)
    grain = cv2.resize(rng.normal(0, 1, (250, 12)), (700 * PX, 500 * PX), interpolation=cv2.INTER_CUBIC)
    light = np.array((70, 120, 170)) * (1 + 0.08 * grain[..., None]) * np.linspace(1.05, 0.8, 700 * PX)[None, :, None]
    result: NDArray[np.uint8] = np.clip(light + rng.normal(0, 3, light.shape), 0, 255).astype(np.uint8)
    return result


def lay(
    picture: NDArray[np.uint8], box: tuple[float, float, float, float], colour: tuple[int, int, int], turn: float = 0.0
) -> NDArray[np.uint8]:
    """Draw a rectangle of one colour on a table: left, top, right, bottom in mm, turned by degrees."""
    left, top, right, bottom = box
    middle, size = ((left + right) / 2 * PX, (top + bottom) / 2 * PX), ((right - left) * PX, (bottom - top) * PX)
    cv2.fillConvexPoly(picture, np.round(cv2.boxPoints((middle, size, turn))).astype(np.int32), colour)
    return picture


def with_card(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Draw a seat's white card, which ends within the seat's area."""
    return lay(picture, (MARKER[0] - 24, TOP + 8, LEFT + 0.7 * (RIGHT - LEFT), MARKER[1] + 27), (225, 228, 230))


def doubted(picture: NDArray[np.uint8], *like_tags: Unreadable) -> list[Unreadable]:
    """Return the doubts about such a picture; ``like_tags`` are places that look like a tag."""
    return doubted_beside([lying("TT:SEAT1", *MARKER, 40.0)], picture, *like_tags)


def doubted_beside(seen: Sequence[Sighting], picture: NDArray[np.uint8], *like_tags: Unreadable) -> list[Unreadable]:
    """Return the doubts about a picture in which these tags are read."""
    grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
    contents = PhotoContents(Picture("", grey, picture), Kit(GAME), PLANE, seen, PalazzoTally())
    return find_doubts(contents, like_tags)


def lying(payload: str, x: float, y: float, side: float = 20.0) -> Sighting:
    """Return a tag whose middle is at a place, mm."""
    half = side * 21 / 25 / 2
    corners = np.array([(-half, -half), (half, -half), (half, half), (-half, half)]) + np.array((x, y))
    one, two, three, four = ((float(x), float(y)) for x, y in PLANE.to_px(corners))
    return Sighting(payload, x, y, 0.0, (one, two, three, four), 1.0, ReadBy.ZXING)
