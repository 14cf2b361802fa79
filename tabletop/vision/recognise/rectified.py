"""Rectified images of the table, as seen from straight above, just fine enough to find where tags may lie."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from math import ceil
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.vision.frame import Floats, Grey
from tabletop.vision.geometry.boxes import Box
from tabletop.vision.geometry.camera_pose import readable_part
from tabletop.vision.geometry.plane import Mask, Plane
from tabletop.vision.image.knots import KNOT_STEP_PX, interpolated, interpolated_bands
from tabletop.vision.tags.patterns import TAG_MODULES

Points: TypeAlias = NDArray[np.float64]
Maps: TypeAlias = tuple[NDArray[np.int16], NDArray[np.uint16]]

COARSE_MODULE_PX = 0.7
"""Pixels per module of a rectified image: tags are found as well as with one px per module, at half the cost."""
PICTURE_MARGIN_MODULES = 6
"""Least distance, modules, of a tag's middle from the edge of the picture: nearer to it, too little is visible."""
IMAGE_MARGIN_MODULES = 7
"""Least distance, modules, of a tag's middle from the edge of the rectified image."""
BLUR_PX = 0.55
"""Blur before the picture is sampled, px of the rectified image, against aliasing of finer detail."""
KNOT_MARGIN_PX = KNOT_STEP_PX // 2
"""Distance from the px at which the interpolation between knots begins to the image, whose corners are knots, px."""
MIN_SHRUNK_MODULE_PX = 1.2
"""Least px per module that shrinking a picture leaves: tags are recognised from fewer."""
FAR_QUANTILE = 0.05
"""Fraction of the visible table where shrinking may leave fewer."""


@dataclass(frozen=True, slots=True, eq=False)
class Cutting:
    """A part of a picture, shrunk by a whole number; ``corner`` is the px of the picture at its top left.

    Shrunk further by whole numbers it is kept, because the search at each tag size and close-ups need the same.
    """

    grey: Grey
    corner: tuple[int, int] = (0, 0)
    shrink: int = 1
    _smaller: dict[int, Grey] = field(default_factory=dict, init=False, repr=False)

    def to_px(self, points: Points) -> Points:
        """Return points in px of the picture (…, 2) as px of this part."""
        near: Points = (points + 0.5 - np.array(self.corner)) / self.shrink - 0.5
        return near

    def has_shrunk(self, times: int) -> bool:
        """Return whether this part was shrunk further by that whole number before."""
        return times in self._smaller

    def shrunk(self, times: int) -> Grey:
        """Return this part shrunk further by a whole number."""
        if times not in self._smaller:
            self._smaller[times] = shrunk(self.grey, times)
        return self._smaller[times]

    def part(self, columns: tuple[int, int], rows: tuple[int, int], shrink: int) -> Grey | None:
        """Return the part between px of the picture, shrunk by a whole number, None unless it lies on px of this one.

        ``columns`` and ``rows``: the first px and the one after the last.
        """
        (left, top), (height, width) = self.corner, (side * self.shrink // shrink * shrink for side in self.grey.shape)
        x0, x1, y0, y1 = columns[0] - left, columns[1] - left, rows[0] - top, rows[1] - top
        if shrink % self.shrink or x0 % shrink or y0 % shrink or min(x0, y0) < 0 or x1 > width or y1 > height:
            return None
        return self.shrunk(shrink // self.shrink)[y0 // shrink : y1 // shrink, x0 // shrink : x1 // shrink]


@dataclass(frozen=True, slots=True, eq=False)
class RectifiedImage:
    """A rectified picture: ``grey`` with px of ``mm_per_px`` mm, whose top left corner lies at ``left``, ``top`` mm.

    ``wanted`` is the mask of px at which the middle of a tag may lie; ``seen`` is the part of the camera's picture from
    which the image was sampled on ``plane``.
    """

    grey: Grey
    left: float
    top: float
    mm_per_px: float
    wanted: Mask
    seen: Cutting
    plane: Plane
    where: Mask | None = None
    """Mask over the whole camera picture: only tags that reach into it are of interest."""

    def is_asked_for(self, place: tuple[float, float]) -> bool:
        """Return whether there is a mask ``where`` and a place, mm, lies in it."""
        if self.where is None:
            return False
        (x, y), (height, width) = self.plane.to_px(np.array(place)).tolist(), self.plane.shape
        rows, columns = self.where.shape
        row, column = int(y * rows / height), int(x * columns / width)
        return 0 <= row < rows and 0 <= column < columns and bool(self.where[row, column])

    def to_mm(self, points: NDArray[np.floating]) -> NDArray[np.float64]:
        """Return points in px of this image (…, 2) as mm on the table."""
        return (points.astype(np.float64) + 0.5) * self.mm_per_px + (self.left, self.top)


class RectifiedView:
    """Maps the px of a rectified image, for tags with ``side`` in mm, to px of a camera's pictures.

    The mapping is computed once for a plane; images of the whole table or of a part of it are then sampled from frame
    after frame.  ``within``: the only part of the table that images may show.
    """

    def __init__(self, plane: Plane, side: float, within: Box | None = None) -> None:
        self.plane = plane
        self.mm_per_px = side / TAG_MODULES / COARSE_MODULE_PX
        left, top, right, bottom = readable_part(plane, side)
        if within is not None:
            left, right = (min(max(x, left), right) for x in (within[0], within[2]))
            top, bottom = (min(max(y, top), bottom) for y in (within[1], within[3]))
        self.left, self.top = left, top
        step = KNOT_STEP_PX * self.mm_per_px
        columns, rows = int((right - self.left) / step) + 1, int((bottom - self.top) / step) + 1
        xs, ys = self.left + np.arange(columns + 1) * step, self.top + np.arange(rows + 1) * step
        grid = np.stack(np.meshgrid(xs, ys), axis=-1)
        self._knots: Floats = np.clip(plane.to_px(grid), -1e4, 3e4).astype(np.float32)
        """The knots: px of the picture at every ``KNOT_STEP_PX`` px of the image, (rows, columns, 2)."""
        self._density_px = _density(plane, ((self.left + right) / 2, (self.top + bottom) / 2)) * self.mm_per_px
        """Px of the picture for one px of the image, in the middle of the table."""
        # If several px fall on one, the picture is shrunk first, so that none is skipped and noise is averaged.
        near = int(_min_density(self._knots, plane.shape) / KNOT_STEP_PX * COARSE_MODULE_PX / MIN_SHRUNK_MODULE_PX)
        self._near = max(1, min(near, *plane.shape))
        self._far = max(1, min(int(self._density_px), *plane.shape) // self._near)
        self._is_used_again = False

    def _bands(self) -> Iterator[tuple[slice, Maps]]:
        """Iterate over bands of the whole image: its rows, and fixed-point maps of their px in the shrunk picture."""
        shrink = self._near * self._far
        near = (self._knots + np.float32(0.5)) / np.float32(shrink) - np.float32(0.5)
        # One coordinate at a time: both together would take twice as long.
        bands = (interpolated_bands(near[..., axis], KNOT_MARGIN_PX, _size_px(near)) for axis in (0, 1))
        for (lines, x), (_, y) in zip(*bands, strict=True):
            whole, parts = cv2.convertMaps(x, y, cv2.CV_16SC2)
            yield lines, (whole.astype(np.int16, copy=False), parts.astype(np.uint16, copy=False))

    @cached_property
    def _maps(self) -> Maps:
        """Fixed-point maps of every px of the whole image in the shrunk picture."""
        rows, columns = _size_px(self._knots)
        whole, parts = np.empty((rows, columns, 2), np.int16), np.empty((rows, columns), np.uint16)
        for lines, maps in self._bands():
            whole[lines], parts[lines] = maps
        return whole, parts

    def forget_maps(self) -> None:
        """Free the maps of the whole image, which are computed again if they are needed."""
        self.__dict__.pop("_maps", None)

    @cached_property
    def _inside(self) -> Mask:
        """Mask of the whole image: where the middle of a tag would lie far enough inside the picture."""
        height, width = self.plane.shape
        x, y = self._knots[..., 0], self._knots[..., 1]
        inside = np.minimum(np.minimum(x, y), np.minimum(width - 1 - x, height - 1 - y))
        margin = PICTURE_MARGIN_MODULES * COARSE_MODULE_PX * self._density_px
        mask = np.empty(_size_px(inside), np.bool_)
        for lines, distances in interpolated_bands(inside, KNOT_MARGIN_PX, mask.shape):
            np.greater_equal(distances, margin, out=mask[lines])
        return mask

    def take(
        self, grey: Grey, box: Box | None = None, where: Mask | None = None, cut: Cutting | None = None
    ) -> RectifiedImage:
        """Return the rectified image of a part of the table, sampled from a picture; without a ``box``, of all of it.

        ``where``: a mask of any size stretched over the whole picture; only tags that reach into it are searched for.
        ``cut``: a part of the same picture that was cut out before.
        """
        part = self._part(box)
        rows, columns = (slice(span.start * KNOT_STEP_PX, (span.stop - 1) * KNOT_STEP_PX) for span in part)
        seen = self._cut(grey, self._knots[part], cut)
        shrink = self._near * self._far
        light = seen.shrunk(self._far)
        kernel = _gaussian_kernel(BLUR_PX * max(1.0, self._density_px / shrink))
        light = _bytes(cv2.sepFilter2D(light, -1, kernel, kernel))
        flat = self._sampled(light, (seen.corner[0] // shrink, seen.corner[1] // shrink), rows, columns)
        left, top = self.left + columns.start * self.mm_per_px, self.top + rows.start * self.mm_per_px
        return RectifiedImage(flat, left, top, self.mm_per_px, self._wanted(part, where), seen, self.plane, where)

    def _sampled(self, light: Grey, corner: tuple[int, int], rows: slice, columns: slice) -> Grey:
        """Return rows and columns of the image, sampled from a part of the shrunk picture that begins at ``corner``."""
        if not self._is_used_again and (rows.stop - rows.start, columns.stop - columns.start) == _size_px(self._knots):
            # A photograph is sampled once: storing maps of all of it would take longer than computing them.
            self._is_used_again = True
            flat = np.empty(_size_px(self._knots), np.uint8)
            for lines, maps in self._bands():
                flat[lines] = _remapped(light, corner, maps)
            return flat
        whole, parts = self._maps
        return _remapped(light, corner, (whole[rows, columns], parts[rows, columns]))

    def _part(self, box: Box | None) -> tuple[slice, slice]:
        """Return the rows and columns of knots that span the smallest part containing a box, mm."""
        if box is None:
            return slice(0, self._knots.shape[0]), slice(0, self._knots.shape[1])
        step, cells = KNOT_STEP_PX * self.mm_per_px, (self._knots.shape[1] - 1, self._knots.shape[0] - 1)
        low = [int(max(0, min((box[axis] - (self.left, self.top)[axis]) // step, cells[axis] - 1))) for axis in (0, 1)]
        high = [(box[axis + 2] - (self.left, self.top)[axis]) / step for axis in (0, 1)]
        end = [int(max(low[axis] + 1, min(ceil(high[axis]), cells[axis]))) for axis in (0, 1)]
        return slice(low[1], end[1] + 1), slice(low[0], end[0] + 1)

    def _cut(self, grey: Grey, knots: Floats, before: Cutting | None) -> Cutting:
        """Return the part of the picture that an image with these knots needs, in whole shrunk px.

        ``before``: a part of the same picture.
        """
        shrink = self._near * self._far
        ends = []
        for axis, length in ((0, self.plane.shape[1]), (1, self.plane.shape[0])):
            coordinates, limit = knots[..., axis], length // shrink * shrink
            low, high = float(coordinates.min()) - 4 * shrink, float(coordinates.max()) + 4 * shrink
            start = int(min(max(low // shrink * shrink, 0), limit - shrink))
            stop = int(min(max(high // shrink * shrink + shrink, start + shrink), limit))
            ends.append((start, stop))
        (x0, x1), (y0, y1) = ends
        part = None if before is None else before.part((x0, x1), (y0, y1), self._near)
        return Cutting(shrunk(grey[y0:y1, x0:x1], self._near) if part is None else part, (x0, y0), self._near)

    def _wanted(self, part: tuple[slice, slice], where: Mask | None) -> Mask:
        """Return the mask of px where the middle of a tag may lie: inside, and with the tag reaching into ``where``.

        A tag reaches into it if more than about a third of its side does.
        """
        wanted = self._inside[
            tuple(slice(span.start * KNOT_STEP_PX, (span.stop - 1) * KNOT_STEP_PX) for span in part)
        ].copy()
        if where is not None:
            (height, width), (rows, columns) = self.plane.shape, where.shape
            x, y = self._knots[part][..., 0], self._knots[part][..., 1]
            column = (x * (columns / width)).clip(0, columns - 1).astype(np.intp)
            row = (y * (rows / height)).clip(0, rows - 1).astype(np.intp)
            # A mask of what changed is grown already: a tag of which it holds less than a third has not changed.
            reach = 2 * round(TAG_MODULES * COARSE_MODULE_PX / 2 / KNOT_STEP_PX) + 1
            near = cv2.dilate(where[row, column].astype(np.float32), np.ones((reach, reach), np.uint8))
            wanted &= interpolated(near.astype(np.float32, copy=False), KNOT_MARGIN_PX, wanted.shape) >= 0.5
        edge = int(IMAGE_MARGIN_MODULES * COARSE_MODULE_PX)
        wanted[:edge], wanted[-edge:], wanted[:, :edge], wanted[:, -edge:] = False, False, False, False
        return wanted


def shrunk(picture: Grey, times: int) -> Grey:
    """Return a picture shrunk by a whole number; rows and columns at the end that do not fill a px are left out."""
    height, width = (side // times * times for side in picture.shape)
    picture = picture[:height, :width]
    while times > 1:
        # Halving a picture twice takes a third of the time of quartering it.
        step = 2 if times % 2 == 0 else times
        height, width, times = height // step, width // step, times // step
        picture = _bytes(cv2.resize(picture, (width, height), interpolation=cv2.INTER_AREA))
    return picture


def _remapped(light: Grey, corner: tuple[int, int], maps: Maps) -> Grey:
    """Return a picture sampled by maps; ``corner``: the place of its first px in the maps' coordinates."""
    whole, parts = maps
    if any(corner):
        # As long rows: subtracting pair by pair would take three times as long as all the sampling.
        lines = whole.reshape(whole.shape[0], -1)
        whole = (lines - np.tile(np.array(corner, dtype=np.int16), lines.shape[1] // 2)).reshape(*parts.shape, 2)
    return _bytes(cv2.remap(light, whole, parts, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE))


def _size_px(knots: Floats) -> tuple[int, int]:
    """Return height and width, px, of the image spanned by these knots."""
    return KNOT_STEP_PX * (knots.shape[0] - 1), KNOT_STEP_PX * (knots.shape[1] - 1)


def _min_density(knots: Floats, shape: tuple[int, int]) -> float:
    """Return how many px of the picture lie between two knots in the most distant part that the picture shows."""
    across, along = knots[:-1, 1:] - knots[:-1, :-1], knots[1:, :-1] - knots[:-1, :-1]
    area = np.abs(across[..., 0] * along[..., 1] - across[..., 1] * along[..., 0])
    x, y = knots[:-1, :-1, 0], knots[:-1, :-1, 1]
    seen = (x >= 0) & (y >= 0) & (x < shape[1]) & (y < shape[0])
    return float(np.sqrt(np.quantile(area[seen], FAR_QUANTILE))) if seen.any() else 1.0


def _density(plane: Plane, place: tuple[float, float]) -> float:
    """Return how many px of the picture a mm spans at a place on the table."""
    x, y = place
    px = plane.to_px(np.array([(x, y), (x + 1, y), (x, y + 1)]))
    across, along = np.linalg.norm(px[1:] - px[0], axis=1)
    return float(np.sqrt(across * along))


@lru_cache(maxsize=8)
def _gaussian_kernel(width: float) -> Points:
    """Return the kernel of a blur: with an explicit kernel, bytes are filtered three times as fast."""
    return cv2.getGaussianKernel(2 * round(3 * width) + 1, width).astype(np.float64, copy=False)


def _bytes(picture: cv2.typing.MatLike) -> Grey:
    return picture.astype(np.uint8, copy=False)
