"""Maps the small picture to the plane: where things lie in it, and which places of the table a change affects."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import cv2
import numpy as np

from tabletop.vision.geometry.boxes import Box, corners_of
from tabletop.vision.geometry.plane import Array, Mask, Plane


class Overview:
    """The mapping between a plane and small pictures with a ``shape`` (height, width)."""

    def __init__(self, plane: Plane, shape: tuple[int, int]) -> None:
        self.plane, self.shape = plane, shape
        self._factor = shape[1] / plane.shape[1]
        self.mm_per_px = plane.mm_per_px(np.array([plane.shape[1] / 2, plane.shape[0] / 2])) / self._factor
        """Size of a px of the small picture in its middle, mm."""

    @cached_property
    def bounds(self) -> Box:
        """The visible part of the table, mm."""
        return self.plane.bounds()

    def to_px(self, points: Array) -> Array:
        """Return points in mm on the table (…, 2) as px of the small picture."""
        px: Array = (self.plane.to_px(points) + 0.5) * self._factor - 0.5
        return px

    def to_mm(self, points: Array) -> Array:
        """Return points in px of the small picture (…, 2) as mm on the table."""
        return self.plane.to_mm((points + 0.5) / self._factor - 0.5)

    def covering(self, outlines: Sequence[Array]) -> Mask:
        """Return the mask of px within any of some outlines (corners, 2), mm."""
        mask = np.zeros(self.shape, dtype=np.uint8)
        if len(outlines):
            px = np.round(self.to_px(np.concatenate(outlines))).astype(np.int32)
            for outline in np.split(px, np.cumsum([len(outline) for outline in outlines[:-1]])):
                cv2.fillConvexPoly(mask, cv2.convexHull(outline), 1)
        return mask.astype(np.bool_)

    def blocks(self, outlines: Sequence[Array], shape: tuple[int, ...]) -> Mask:
        """Return a mask of that shape (rows, columns) with the blocks that outlines (corners, 2), mm, reach into."""
        if not len(outlines):
            return np.zeros(shape, np.bool_)
        covered = self.covering(outlines).astype(np.float32)
        return cv2.resize(covered, (shape[1], shape[0]), interpolation=cv2.INTER_AREA) > 0

    def boxes(self, mask: Mask, max_boxes: int) -> list[Box]:
        """Return boxes, mm, around the connected parts of a mask over the whole picture; one if over ``max_boxes``."""
        count, _, stats, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8))
        rectangles = [(x, y, x + w, y + h) for x, y, w, h, _ in stats[1:count].tolist()]
        if len(rectangles) > max_boxes:
            all_corners = np.array(rectangles)
            rectangles = [(*all_corners[:, :2].min(axis=0), *all_corners[:, 2:].max(axis=0))]
        step = self.plane.shape[1] / mask.shape[1]
        corners = np.array([corners_of(rectangle) for rectangle in rectangles])
        mm = self.plane.to_mm(corners.reshape(-1, 4, 2) * step)
        return [(left, top, right, bottom) for left, top, right, bottom in np.hstack([mm.min(1), mm.max(1)]).tolist()]

    def middles(self, mask: Mask) -> Array:
        """Return the middles (n, 2), mm, of the set cells of a mask of any size that covers the whole picture."""
        rows, columns = np.nonzero(mask)
        step = self.plane.shape[1] / mask.shape[1]
        return self.plane.to_mm((np.stack([columns, rows], axis=1) + 0.5) * step - 0.5)

    def reaching(self, outlines: Sequence[Array], mask: Mask) -> list[bool]:
        """Return for each outline (corners, 2), mm, whether it reaches into a mask that covers the whole picture."""
        if not outlines:
            return []
        rows, columns = mask.shape
        factor = np.array((columns / self.plane.shape[1], rows / self.plane.shape[0]))
        limits = np.array((columns, rows))
        px = self.plane.to_px(np.concatenate(outlines)) * factor
        firsts = np.cumsum([0, *map(len, outlines[:-1])])
        low = np.clip(np.floor(np.minimum.reduceat(px, firsts)).astype(int), 0, limits - 1)
        high = np.clip(np.ceil(np.maximum.reduceat(px, firsts)).astype(int), low + 1, limits)
        return [
            bool(mask[top:bottom, left:right].any())
            for (left, top), (right, bottom) in zip(low.tolist(), high.tolist(), strict=True)
        ]
