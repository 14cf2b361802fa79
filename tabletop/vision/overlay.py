"""The live picture with what was understood drawn in: for the demo and for whoever aims the camera."""

from __future__ import annotations

import cv2
import numpy as np

from tabletop.vision.frame import Colour, Frame
from tabletop.vision.scene import Scene, Sighting

WIDTH = 1280
"""Width of the picture for people, px."""
READ = (80, 200, 60)
KEPT = (60, 190, 240)
MARKER = (230, 160, 60)
INK = (20, 20, 20)
QUALITY = 80


def draw(frame: Frame, scene: Scene | None, width: int = WIDTH) -> bytes:
    """Return the frame as JPEG, ``width`` px wide, each tag outlined and named as it was read.

    Read tags are green, kept ones (covered by a hand) yellow and dashed in their name by “?”, markers blue.
    """
    picture = frame.colour if frame.colour is not None else cv2.cvtColor(frame.grey, cv2.COLOR_GRAY2BGR)
    scale = min(1.0, width / picture.shape[1])
    size = (round(picture.shape[1] * scale), round(picture.shape[0] * scale))
    canvas = np.ascontiguousarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    for sighting in scene.sightings if scene is not None else ():
        _outline(canvas, sighting, scale)
    _, jpeg = cv2.imencode(".jpg", canvas, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    return jpeg.tobytes()


def _outline(canvas: Colour, sighting: Sighting, scale: float) -> None:
    marker = sighting.payload.startswith("TT")
    colour = MARKER if marker else KEPT if sighting.how == "kept" else READ
    corners = np.array(sighting.corners) * scale
    cv2.polylines(canvas, [np.round(corners).astype(np.int32)], True, colour, 2, cv2.LINE_AA)
    name = sighting.payload.partition(":")[2] + ("?" if sighting.how == "kept" else "")
    (wide, high), base = cv2.getTextSize(name, cv2.FONT_HERSHEY_SIMPLEX, 0.42, 1)
    x, y = int(corners[:, 0].mean() - wide / 2), int(corners[:, 1].max() + high + 4)
    cv2.rectangle(canvas, (x - 3, y - high - 3), (x + wide + 3, y + base), colour, cv2.FILLED)
    cv2.putText(canvas, name, (x, y), cv2.FONT_HERSHEY_SIMPLEX, 0.42, INK, 1, cv2.LINE_AA)
