"""The live picture with what was understood drawn in: for the demo and for whoever aims the camera."""

from __future__ import annotations

import cv2
import numpy as np

from tabletop.vision.aim.advice import GOOD_MODULES, LEAST_MODULES, WHOLE
from tabletop.vision.aim.assessment import Aim, ZoneAim
from tabletop.vision.frame import Colour, Frame
from tabletop.vision.geometry.plane import Array
from tabletop.vision.scene import Scene, Sighting
from tabletop.vision.tags.payloads import is_marker

WIDTH = 1280
"""Width of the picture for people, px."""
READ = (80, 200, 60)
KEPT = (60, 190, 240)
MARKER = (230, 160, 60)
FAULT = (60, 60, 230)
INK = (20, 20, 20)
QUALITY = 80


def draw(frame: Frame, scene: Scene | None, width: int = WIDTH) -> bytes:
    """Return the frame as JPEG, ``width`` px wide, each tag outlined and named as it was read.

    Read tags are green, kept ones (covered by a hand) yellow and dashed in their name by “?”, markers blue.
    """
    canvas, scale = _canvas(frame, width)
    for sighting in scene.sightings if scene is not None else ():
        _outline(canvas, sighting, scale)
    return _jpeg(canvas)


def draw_aim(frame: Frame, aim: Aim, width: int = WIDTH) -> bytes:
    """Return the frame as JPEG with each zone outlined, its name and px a module, and every tag that is read.

    A zone is green where its tags are large enough for any light, yellow where they do, red where it is cut off or
    its tags are too small.
    """
    canvas, scale = _canvas(frame, width)
    for zone in (zone for zone in aim.zones if zone.modules is not None):
        colour = _verdict(zone)
        corners = np.array(zone.corners) * scale
        cv2.polylines(canvas, [np.round(corners).astype(np.int32)], True, colour, 2, cv2.LINE_AA)
        _name(canvas, corners.mean(axis=0), f"{zone.title}  {zone.modules:.2f}", colour)
    for sighting in aim.sightings:
        corners = np.array(sighting.corners) * scale
        colour = MARKER if is_marker(sighting.payload) else READ
        cv2.polylines(canvas, [np.round(corners).astype(np.int32)], True, colour, 2, cv2.LINE_AA)
    return _jpeg(canvas)


def _verdict(zone: ZoneAim) -> tuple[int, int, int]:
    if (zone.modules or 0) < LEAST_MODULES or (zone.inside or 0) < WHOLE:
        return FAULT
    return READ if (zone.modules or 0) >= GOOD_MODULES else KEPT


def _canvas(frame: Frame, width: int) -> tuple[Colour, float]:
    """Return a picture for people, at most that wide, and its scale."""
    picture = frame.colour if frame.colour is not None else cv2.cvtColor(frame.grey, cv2.COLOR_GRAY2BGR)
    scale = min(1.0, width / picture.shape[1])
    size = (round(picture.shape[1] * scale), round(picture.shape[0] * scale))
    return np.ascontiguousarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), dtype=np.uint8), scale


def _jpeg(canvas: Colour) -> bytes:
    _, jpeg = cv2.imencode(".jpg", canvas, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    return jpeg.tobytes()


def _outline(canvas: Colour, sighting: Sighting, scale: float) -> None:
    marker = is_marker(sighting.payload)
    colour = MARKER if marker else KEPT if sighting.how == "kept" else READ
    corners = np.array(sighting.corners) * scale
    cv2.polylines(canvas, [np.round(corners).astype(np.int32)], True, colour, 2, cv2.LINE_AA)
    name = sighting.payload.partition(":")[2] + ("?" if sighting.how == "kept" else "")
    _name(canvas, np.array((corners[:, 0].mean(), corners[:, 1].max() + 10)), name, colour)


def _name(canvas: Colour, middle: Array, name: str, colour: tuple[int, int, int]) -> None:
    """Write a name on a plate around a place."""
    (wide, high), base = cv2.getTextSize(name, cv2.FONT_HERSHEY_SIMPLEX, 0.42, 1)
    x, y = int(middle[0] - wide / 2), int(middle[1] + high / 2)
    cv2.rectangle(canvas, (x - 3, y - high - 3), (x + wide + 3, y + base), colour, cv2.FILLED)
    cv2.putText(canvas, name, (x, y), cv2.FONT_HERSHEY_SIMPLEX, 0.42, INK, 1, cv2.LINE_AA)
