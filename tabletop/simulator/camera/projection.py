"""Turns printed things in their places into patches: what each pixel receives from a thing.

For each pixel, at twice the picture's density, it is computed where on the table it looks; then pixels are averaged, so
that a module's edge falls on them as it would on a sensor.
"""

from __future__ import annotations

import math

import cv2
import numpy as np

from tabletop.simulator.camera.drawing import PrintedThing
from tabletop.simulator.camera.lens import CameraModel, Floats, Points
from tabletop.simulator.camera.light import Light
from tabletop.simulator.camera.picture import Patch, PixelBox
from tabletop.simulator.camera.table_texture import PX_PER_MM, SIDE_PX, WOOD_GLOSS, wood
from tabletop.simulator.table.pose import PiecePose

SAMPLES_PER_PX = 2
"""The number of samples per pixel of the picture, across and down."""
EDGE_REFLECTANCE = 0.16
"""The linear reflectance of a tile's cut cardboard edge."""
CONTACT_SHADOW = 0.55
"""The share of the light that a thing's shadow takes right beside it."""
CORNERS = ((-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0))
"""The corners of a thing, in halves of its width and height."""
DISC = tuple((math.cos(math.radians(turn)), math.sin(math.radians(turn))) for turn in range(0, 360, 10))
"""Points on the edge of a round thing, in the same unit."""


class Stage:
    """Makes patches for one camera model and one light, in colour or not."""

    def __init__(self, model: CameraModel, light: Light) -> None:
        self.model = model
        self.light = light
        self._colour = light.falling.ndim == 3
        self._whole = PixelBox(0, 0, *model.size)

    def ground(self, seed: int) -> Floats:
        """Return the radiance of the bare table, the whole picture."""
        square = self._toned(wood(seed))
        result = np.empty(self.light.falling.shape, np.float32)
        for top in range(0, self._whole.bottom, 256):
            box = PixelBox(0, top, self._whole.right, min(top + 256, self._whole.bottom))
            x, y = self.model.ground(*_pixels(box, 1))
            part = cv2.remap(
                square, x * PX_PER_MM % SIDE_PX, y * PX_PER_MM % SIDE_PX, cv2.INTER_LINEAR, borderMode=cv2.BORDER_WRAP
            )
            result[box.window] = part
        result *= self.light.falling
        result += WOOD_GLOSS * self.light.glare
        return result

    def patches(
        self, print_: PrintedThing, pose: PiecePose, thick: float, lift: float = 0.0, bow: float = 0.0
    ) -> tuple[Patch, Patch]:
        """Return two patches of a printed thing: its side and shadow, which fall on lower things, and its face.

        ``thick`` is its own thickness and ``lift`` the height of what it lies on, ``bow`` how high a bent card's
        middle rises, all mm.  The patches of a thing that reaches behind the lens are empty.
        """
        if not self.model.faces(self._corners(print_, pose)):
            return _nothing(PixelBox(0, 0, 0, 0))
        height = lift + thick
        top = self._outline(print_, pose, height + bow)
        base = self._outline(print_, pose, lift)
        shadow_at = np.array(self.light.shadow) * (thick + bow)
        shadow = self._outline(print_, pose, lift, shadow_at)
        around = np.vstack([top, base, shadow])
        low, high = np.floor(around.min(axis=0)).astype(int), np.ceil(around.max(axis=0)).astype(int)
        pad = 3
        box = PixelBox(low[0] - pad, low[1] - pad, high[0] + pad + 1, high[1] + pad + 1).cut(self._whole)
        if box.empty:
            return _nothing(box)
        colour, covers = self._sampled(print_, pose, box, height, bow)
        hull = cv2.convexHull(np.vstack([top, base]).astype(np.float32)).reshape(-1, 2)
        wall = _filled(hull.astype(np.float64), box)
        soft = max(0.6, thick * 0.35 * self.model.scale_at(pose.x, pose.y))
        dark = cv2.GaussianBlur(_filled(shadow, box), (0, 0), soft).astype(np.float32)
        falling, glare = self.light.falling[box.window], self.light.glare[box.window]
        if self._colour:
            wall, dark, covers = (each[..., None].repeat(3, axis=2) for each in (wall, dark, covers))
        side = Patch(box, (1 - wall) * (1 - CONTACT_SHADOW * dark), EDGE_REFLECTANCE * wall * falling)
        return side, Patch(box, 1 - covers, colour * falling + (print_.gloss * covers) * glare)

    def _sampled(
        self, print_: PrintedThing, pose: PiecePose, box: PixelBox, height: float, bow: float
    ) -> tuple[Floats, Floats]:
        x, y = self.model.ground(*_pixels(box, SAMPLES_PER_PX))
        c, s = math.cos(math.radians(pose.angle)), math.sin(math.radians(pose.angle))

        def own(lifted: float) -> tuple[Floats, Floats]:
            """Return, in the thing's own coordinates, where the pixels look on the plane ``lifted`` mm up."""
            share = np.float32(1 - lifted / self.model.height)
            dx = x * share + np.float32(self.model.x * (1 - share) - pose.x)
            dy = y * share + np.float32(self.model.y * (1 - share) - pose.y)
            return (np.float32(c) * dx + np.float32(s) * dy, np.float32(c) * dy - np.float32(s) * dx)

        u, v = own(height)
        if bow:
            # A bent card rises like an arch along its longer side; its edges stay down.
            along, half = (v, print_.height / 2) if print_.height > print_.width else (u, print_.width / 2)
            arch = np.clip(1 - (along / np.float32(half)) ** 2, 0, 1)
            u2, v2 = own(height + bow)
            u, v = u + (u2 - u) * arch, v + (v2 - v) * arch
        density = np.float32(print_.density)
        map_x = (u + np.float32(print_.width / 2)) * density - np.float32(0.5)
        map_y = (v + np.float32(print_.height / 2)) * density - np.float32(0.5)
        size = (box.right - box.left, box.bottom - box.top)
        colour = cv2.remap(self._toned(print_.reflects), map_x, map_y, cv2.INTER_LINEAR)
        covers = cv2.remap(print_.covers, map_x, map_y, cv2.INTER_LINEAR)
        return (
            cv2.resize(colour, size, interpolation=cv2.INTER_AREA),  # type: ignore[return-value]
            cv2.resize(covers, size, interpolation=cv2.INTER_AREA),
        )

    def _corners(self, print_: PrintedThing, pose: PiecePose) -> Points:
        edge = DISC if print_.round else CORNERS
        return np.array([pose.out(x * print_.width / 2, y * print_.height / 2) for x, y in edge])

    def _outline(self, print_: PrintedThing, pose: PiecePose, height: float, shift: Points | None = None) -> Points:
        points = self._corners(print_, pose)
        return self.model.project(points if shift is None else points + shift, height)

    def _toned(self, reflects: Floats) -> Floats:
        return reflects if self._colour or reflects.ndim == 2 else grey_of(reflects)


def _nothing(box: PixelBox) -> tuple[Patch, Patch]:
    """Return empty patches, for a thing outside the picture."""
    empty = np.empty((0, 0), np.float32)
    return Patch(box, empty, empty), Patch(box, empty, empty)


def grey_of(reflects: Floats) -> Floats:
    """Return the luminance of linear (blue, green, red)."""
    return cv2.transform(reflects, np.array([[0.0722, 0.7152, 0.2126]], np.float32))  # type: ignore[return-value]


def _pixels(box: PixelBox, finer: int) -> tuple[Floats, Floats]:
    """Return the x and y of the samples of a box, ``finer`` samples per pixel in each direction."""
    x = (np.arange((box.right - box.left) * finer, dtype=np.float32) + 0.5) / finer - 0.5 + box.left
    y = (np.arange((box.bottom - box.top) * finer, dtype=np.float32) + 0.5) / finer - 0.5 + box.top
    return x.astype(np.float32), y.astype(np.float32)


def _filled(outline: Points, box: PixelBox) -> Floats:
    """Return a convex outline (px) filled with 1 in a box, its edge averaged over pixels."""
    mask = np.zeros((box.bottom - box.top, box.right - box.left), np.uint8)
    points = np.round((np.asarray(outline) - (box.left, box.top)) * 16).astype(np.int32)
    cv2.fillConvexPoly(mask, points, 255, cv2.LINE_AA, 4)
    return mask.astype(np.float32) / np.float32(255)
