"""Draws what was recognised into the live picture, for the demo and for aiming the camera."""

from __future__ import annotations

import cv2
import numpy as np
from PIL import Image

from tabletop.vision.aim.assessment import Aim, ZoneAim
from tabletop.vision.frame import Frame
from tabletop.vision.report.canvas import Canvas, Place, Rgb, jpeg
from tabletop.vision.scene import ReadBy, Scene, Sighting
from tabletop.vision.tags.payloads import is_marker

WIDTH_PX = 1280
"""Default width of the drawn picture, px."""
READ_COLOUR: Rgb = (60, 200, 80)
KEPT_COLOUR: Rgb = (240, 190, 60)
MARKER_COLOUR: Rgb = (60, 160, 230)
FAULT_COLOUR: Rgb = (230, 60, 60)
INK_COLOUR: Rgb = (20, 20, 20)
LINE_PX = 2.5
"""Width of an outline, px of the reference picture (see :mod:`~tabletop.vision.report.canvas`)."""
LETTERS_PX = 13.0
"""Size of the letters, px."""
JPEG_QUALITY = 80


def draw(frame: Frame, scene: Scene | None, width: int = WIDTH_PX) -> bytes:
    """Return the frame as JPEG, at most ``width`` px wide, with each tag outlined and named as it was read.

    Read tags are green, kept ones (such as those under a hand) yellow with a “?” after their name, markers blue.
    """
    canvas, scale = _canvas(frame, width)
    for sighting in scene.sightings if scene is not None else ():
        places, kept = _places(sighting, scale), sighting.how == ReadBy.KEPT
        colour = MARKER_COLOUR if is_marker(sighting.payload) else KEPT_COLOUR if kept else READ_COLOUR
        canvas.outline(places, colour, LINE_PX, edge=None)
        name = sighting.payload.partition(":")[2] + "?" * kept
        below = float(np.mean([x for x, _ in places])), max(y for _, y in places) + LETTERS_PX
        canvas.label(below, name, colour, LETTERS_PX, INK_COLOUR)
    return jpeg(canvas.image, JPEG_QUALITY)


def draw_aim(frame: Frame, aim: Aim, width: int = WIDTH_PX) -> bytes:
    """Return the frame as JPEG with each zone outlined, its name and px per module, and every tag that is read.

    A zone is green if its tags are readable even in hard light, yellow if they are in ordinary light, and red if tags
    in it are missed because it is cut off, glaring, or its tags are too small.
    """
    canvas, scale = _canvas(frame, width)
    for zone in (zone for zone in aim.zones if zone.modules is not None):
        places = [(x * scale, y * scale) for x, y in zone.corners]
        canvas.outline(places, _verdict(zone), LINE_PX, edge=None)
        x, y = np.mean(places, axis=0)
        canvas.label((float(x), float(y)), f"{zone.title}  {zone.modules:.2f}", _verdict(zone), LETTERS_PX, INK_COLOUR)
    for sighting in aim.sightings:
        places = _places(sighting, scale)
        colour = MARKER_COLOUR if is_marker(sighting.payload) else READ_COLOUR
        canvas.outline(places, colour, LINE_PX, edge=None)
    return jpeg(canvas.image, JPEG_QUALITY)


def _verdict(zone: ZoneAim) -> Rgb:
    return {"bad": FAULT_COLOUR, "fair": KEPT_COLOUR, "good": READ_COLOUR}[zone.quality]


def _canvas(frame: Frame, width: int) -> tuple[Canvas, float]:
    """Return a canvas with the frame's picture, at most that wide, and its scale."""
    picture = frame.colour if frame.colour is not None else frame.grey
    scale = min(1.0, width / picture.shape[1])
    size = (round(picture.shape[1] * scale), round(picture.shape[0] * scale))
    small = cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
    to_rgb = cv2.COLOR_GRAY2RGB if small.ndim == 2 else cv2.COLOR_BGR2RGB
    return Canvas(Image.fromarray(cv2.cvtColor(small, to_rgb))), scale


def _places(sighting: Sighting, scale: float) -> list[Place]:
    return [(x * scale, y * scale) for x, y in sighting.corners]
