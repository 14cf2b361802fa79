"""Draws hands that reach over the table: an arm with sleeve, skin and fingers, and its soft shadow."""

from __future__ import annotations

import math
from typing import NamedTuple

import cv2
import numpy as np

from tabletop.simulator.camera.lens import CameraModel, Floats, Points
from tabletop.simulator.camera.light import Light
from tabletop.simulator.camera.picture import Patch, PixelBox
from tabletop.simulator.camera.projection import grey_of
from tabletop.simulator.table.pose import PiecePose
from tabletop.simulator.table.simulated_table import Reach
from tabletop.vision.frame import Colour

ARM_WIDTH_PX, ARM_LENGTH_PX = 150, 760
"""Size of an arm's drawing, 1 px per mm; it reaches towards row 0."""
FINGERTIPS_PX = (75.0, 12.0)
"""Where the fingertips are in the drawing."""
HAND_HEIGHT_MM = 45.0
"""The height of a hand above the table."""
SHADOW_HEIGHT_MM = 60.0
"""The height from which a hand's shadow is cast."""
SHADOW_STRENGTH = 0.45
"""The share of the light that the shadow takes."""

SKINS = ((150, 178, 222), (96, 132, 184), (52, 76, 116), (128, 160, 212))
SLEEVES = ((120, 70, 40), (60, 60, 64), (150, 160, 170), (50, 50, 140))


class ArmLayer(NamedTuple):
    """An arm's linear reflectance (already multiplied by its coverage), its coverage, and its blurred shadow."""

    reflects: Floats
    covers: Floats
    shadow: Floats


class Arms:
    """Draws reaching arms as patches for one camera model and one light."""

    def __init__(self, model: CameraModel, light: Light) -> None:
        self._model = model
        self._light = light
        self._colour = light.falling.ndim == 3
        self._drawings: dict[tuple[int, float], ArmLayer] = {}

    def patch(self, reach: Reach) -> Patch:
        """Return the patch of a reaching arm as the camera sees it."""
        key = (reach.person, reach.moving)
        if key not in self._drawings:
            self._drawings[key] = draw_arm(reach.person, reach.moving, self._colour)
        drawing = self._drawings[key]
        pose = PiecePose(reach.x, reach.y, reach.angle)
        shift = np.array(self._light.shadow) * SHADOW_HEIGHT_MM
        arm = self._onto_picture(pose, HAND_HEIGHT_MM, np.zeros(2))
        dark = self._onto_picture(pose, 0.0, shift)
        box = _around(arm).join(_around(dark)).cut(PixelBox(0, 0, *self._model.size))
        if box.empty:
            nothing = np.empty((0, 0), np.float32)
            return Patch(box, nothing, nothing)
        keep = _warped(drawing.shadow, dark, box)
        keep *= np.float32(-SHADOW_STRENGTH)
        keep += 1
        covers = _warped(drawing.covers, arm, box)
        keep *= 1 - covers
        add = _warped(drawing.reflects, arm, box)
        add *= self._light.falling[box.window]
        return Patch(box, np.repeat(keep[..., None], 3, axis=2) if self._colour else keep, add)

    def _onto_picture(self, pose: PiecePose, height: float, shift: Points) -> Floats:
        """Return the affine matrix from the drawing to the picture."""
        corners = [(0.0, 0.0), (float(ARM_WIDTH_PX), 0.0), (0.0, 300.0)]
        points = np.array([pose.out(x - FINGERTIPS_PX[0], y - FINGERTIPS_PX[1]) for x, y in corners]) + shift
        seen = self._model.project(points, height)
        return cv2.getAffineTransform(np.array(corners, np.float32), seen.astype(np.float32)).astype(np.float32)


def draw_arm(person: int, moving: float, colour: bool) -> ArmLayer:
    """Return the drawing of a person's arm, with motion blur of ``moving`` mm along its way."""
    skin, sleeve = SKINS[person % len(SKINS)], SLEEVES[person % len(SLEEVES)]
    picture = np.zeros((ARM_LENGTH_PX, ARM_WIDTH_PX, 3), np.uint8)
    mask = np.zeros((ARM_LENGTH_PX, ARM_WIDTH_PX), np.uint8)
    for canvas, ink in ((picture, skin), (mask, (255,))):
        _hand(canvas, ink)
    for canvas, ink in ((picture, sleeve), (mask, (255,))):
        cv2.fillPoly(
            canvas,
            [np.array([(36, 235), (114, 235), (132, ARM_LENGTH_PX), (18, ARM_LENGTH_PX)], np.int32)],
            ink,
            cv2.LINE_AA,
        )
    linear = (picture.astype(np.float32) / 255) ** 2
    round_ = np.minimum(cv2.distanceTransform((mask > 127).astype(np.uint8), cv2.DIST_L2, 5) / 22, 1)
    linear *= (0.45 + 0.55 * np.sqrt(round_))[..., None]
    covers = mask.astype(np.float32) / 255
    if moving:
        size = max(3, int(moving) | 1)
        linear, covers = cv2.blur(linear, (3, size)), cv2.blur(covers, (3, size))  # type: ignore[assignment]
    shadow = cv2.GaussianBlur(covers, (0, 0), 9)
    reflects = linear if colour else grey_of(linear)
    return ArmLayer(reflects, covers, shadow)  # type: ignore[arg-type]


def _hand(canvas: Colour, ink: tuple[int, ...]) -> None:
    """Draw fingers that hold something small, the back of the hand, the wrist."""
    for x, y, bend in ((58, 26, -8), (72, 12, -2), (86, 15, 3), (99, 30, 8)):
        cv2.line(canvas, (x, y), (x - bend, y + 70), ink, 16, cv2.LINE_AA)
    cv2.line(canvas, (62, 22), (40, 96), ink, 18, cv2.LINE_AA)
    cv2.ellipse(canvas, (75, 120), (38, 50), 0, 0, 360, ink, -1, cv2.LINE_AA)
    cv2.fillPoly(canvas, [np.array([(48, 130), (102, 130), (104, 260), (46, 260)], np.int32)], ink, cv2.LINE_AA)


def _around(matrix: Floats) -> PixelBox:
    corners = (
        np.array([(0, 0, 1), (ARM_WIDTH_PX, 0, 1), (0, ARM_LENGTH_PX, 1), (ARM_WIDTH_PX, ARM_LENGTH_PX, 1)], np.float32)
        @ matrix.T
    )
    low, high = corners.min(axis=0), corners.max(axis=0)
    return PixelBox(math.floor(low[0]), math.floor(low[1]), math.ceil(high[0]), math.ceil(high[1]))


def _warped(drawing: Floats, matrix: Floats, box: PixelBox) -> Floats:
    moved = matrix.copy()
    moved[:, 2] -= (box.left, box.top)
    return cv2.warpAffine(drawing, moved, (box.right - box.left, box.bottom - box.top))  # type: ignore[return-value]
