"""Corners of tags that are otherwise covered: a finder pattern alone shows that a tag lies there, but not which.

The usual search misses such a place, because so little of it looks like a tag.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.messages import Message
from tabletop.vision.frame import Floats, Grey
from tabletop.vision.geometry.boxes import ring, square
from tabletop.vision.geometry.outlines import EDGE_MM, wider
from tabletop.vision.geometry.plane import Array, Plane
from tabletop.vision.geometry.square_grid import SquareGrid
from tabletop.vision.image.rectify import overhead_colours, whole_table
from tabletop.vision.photo.doubts import UNKNOWN
from tabletop.vision.photo.photo_contents import PhotoContents, counted_areas, is_near
from tabletop.vision.recognise.partly_alike import MaskedCorrelation, seen_parts
from tabletop.vision.scene import Cause, Unreadable, corner_points
from tabletop.vision.tags.catalogue import MARKER_MM
from tabletop.vision.tags.patterns import TAG_MODULES

TAG_PART = Message("Most of a tag is covered here. It may belong to a seat that is not counted: uncover it.")
TAG_CUT_OFF = Message("The edge of the picture cuts off a tag here, so it does not count: show all of it.")
MARKER_REACH_MM = 30.0
"""Distance from the middle of a covered marker that can be named within which a remnant is a part of it, mm."""

MODULE_PX = 1.4
"""Pixels per module at which finder patterns are searched for."""
BLUR_MODULES = 0.3
"""Blur before the picture is sampled, modules, against aliasing of finer detail."""
RING_MODULES = 2.3
"""Radius, modules, of a ring that is light all around in a finder pattern, however it is turned."""
RING_STEPS = 48
"""Number of directions that are sampled on the ring."""
MIN_RING_RATIO = 0.08
"""Least difference between the middle and the darkest point of the ring, as a fraction of the grey level of paper:
finder patterns that were read have 0.12 and more, and hardly anything else except some print reaches this."""
PEAK_WINDOW_PX = 5
"""Side of the square, px, within which only the best place counts."""
BAND_ROWS = 256
"""Number of rows of px that are searched at once."""
REACH_MODULES = 4
"""Distance from the middle of a finder pattern to its edge, modules, including the light ring around it."""
FAR_END_MODULES = 19.5
"""Largest distance from the middle of a finder pattern to the edge of its tag on any side, modules."""
PATTERN_BLUR, PATTERN_STEPS = 0.55, 8
"""Blur of the pattern, modules, as a camera shows it, and the number of px per module in which it is drawn."""
HIDDEN_FRACTION = 0.3
"""Fraction of a pattern that may be hidden, at any side or corner."""
SHIFTS, TURNS_DEG, SIZES = (-0.5, 0.0, 0.5), range(0, 90, 10), (0.9, 1.0, 1.1)
"""Poses of a pattern that are tried: shifts in both directions, modules, angles, and relative sizes."""
MIN_CORRELATION = 0.8
"""Least correlation with the visible part of a finder pattern: those that were read have 0.85 to 0.97, other things on
a table 0.71 at most."""
MIN_CONTRAST_RATIO = 0.15
"""Least contrast, as a fraction of the grey level of paper: there may be shadow beside a thing."""


def covered_tags(seen: PhotoContents, named: Sequence[Array], codes: Sequence[Array]) -> list[Unreadable]:
    """Return doubts about tags that are mostly covered and may belong to a seat whose marker is not seen.

    ``named``: the middles, mm, of covered markers that can be named; ``codes``: the corners, px, of decoded codes.
    """
    if not seen.tally.apart or not seen.seats():
        return []
    faces = seen.faces()
    known = [*faces, *(ring((x, y), MARKER_REACH_MM) for x, y in named), *map(seen.plane.to_mm, codes)]
    # A remnant in a visible zone, or beneath a card or tile that was read, does not belong to a hidden seat.
    side = seen.kit.tag_mm * seen.plane.scale
    beside = [*known, *seen.cards(), *(wider(face, side) for face in faces)]
    return [
        Unreadable(Cause.HIDDEN_SEAT, TAG_PART, corner_points(seen.plane.to_px(outline)))
        for size, explained in ((MARKER_MM, known), (side, beside))
        for outline in tag_remnants(seen.picture.grey, seen.plane, size, seen.white(), explained)
    ]


def cut_off_tags(seen: PhotoContents, codes: Sequence[Array]) -> list[Unreadable]:
    """Return doubts about tags beside the pieces that the edge of the picture cuts off, if no seats are seen.

    If seats are seen, it is reported elsewhere how much of their areas is outside.  ``codes`` as for
    :func:`covered_tags`.
    """
    if not seen.tally.apart or seen.seats():
        return []
    areas, side = counted_areas(seen), seen.kit.tag_mm * seen.plane.scale
    known = [*seen.faces(), *map(seen.plane.to_mm, codes)]
    found = tag_remnants(seen.picture.grey, seen.plane, side, seen.white(), known, cut_off=True)
    middles = [outline.mean(axis=0) for outline in found]
    return [
        Unreadable(Cause.CUT_OFF, TAG_CUT_OFF, corner_points(seen.plane.to_px(square((x, y), side / 2))))
        for x, y in middles
        if any(is_near(area, np.array((x, y))) for area in areas)
    ]


def covered_pieces(seen: PhotoContents, codes: Sequence[Array]) -> list[Unreadable]:
    """Return doubts about remnants of unread tags of pieces where every tag that counts should be visible.

    ``codes``: the corners, px, of decoded codes.
    """
    tally = seen.tally
    if not (tally.everywhere or tally.apart):
        return []
    areas = seen.open_areas() if tally.everywhere else counted_areas(seen)
    # A piece on a part of another one leaves the rest of that one's tag visible, close beside its own face.
    known = [*(wider(face, -EDGE_MM) for face in seen.faces()), *map(seen.plane.to_mm, codes)]
    counted = (entry for entry in seen.kit.pieces if tally.everywhere or entry.kind == tally.kind)
    sides = {entry.size_mm * seen.plane.scale for entry in counted}
    return [
        Unreadable(Cause.UNKNOWN, UNKNOWN, corner_points(seen.plane.to_px(outline)))
        for side in sorted(sides)
        for outline in tag_remnants(seen.picture.grey, seen.plane, side, seen.white(), known, areas)
    ]


def tag_remnants(
    grey: Grey,
    plane: Plane,
    side: float,
    white: float,
    known: Sequence[Array],
    areas: Sequence[Array] | None = None,
    *,
    cut_off: bool = False,
) -> list[Array]:
    """Return the outlines (4, 2), mm, of finder patterns of tags with that side, mm, outside the ``known`` outlines.

    ``white``: the grey level of paper; ``areas``: where to search, None for everywhere.  Patterns whose tag the edge of
    the picture may cut off are left out, or, with ``cut_off``, are the only ones.
    """
    module = side / TAG_MODULES
    grid = whole_table(plane, module / MODULE_PX, 2 * PEAK_WINDOW_PX)
    seen = overhead_colours(grey, plane, grid, BLUR_MODULES * module)
    rows, columns = np.concatenate([*_peaks(seen, grid, white, known, areas)], axis=1)
    middles = grid.mm(columns.astype(np.float64), rows.astype(np.float64))
    limits = np.array(plane.shape[::-1]) - 1
    found: list[Array] = []
    for row, column, middle in zip(rows.tolist(), columns.tolist(), middles.tolist(), strict=True):
        around = plane.to_px(square(middle, FAR_END_MODULES * module))
        whole = bool(((around >= 0) & (around <= limits)).all())
        if whole != cut_off and _is_finder(seen, row, column, white):
            found.append(square(middle, (REACH_MODULES - 0.5) * module))
    return found


def _peaks(
    seen: Grey, grid: SquareGrid, white: float, known: Sequence[Array], areas: Sequence[Array] | None
) -> Iterator[NDArray[np.intp]]:
    """Iterate over the rows and columns (2, n) of dark places in light rings that :func:`tag_remnants` looks at.

    Some rows are looked at at a time: all at once would take several times the memory of the picture.
    """
    window = np.ones((PEAK_WINDOW_PX, PEAK_WINDOW_PX), np.uint8)
    around = PEAK_WINDOW_PX + len(_ring())
    for top in range(0, len(seen), BAND_ROWS):
        first = max(0, top - around)
        band = seen[first : top + BAND_ROWS + around]
        darker = cv2.subtract(cv2.erode(band, _ring()), cv2.blur(band, (3, 3)))
        peaks = (darker >= max(1.0, MIN_RING_RATIO * white)) & (darker >= cv2.dilate(darker, window))
        peaks = peaks[top - first : top - first + BAND_ROWS]
        here = grid._replace(corner=grid.corner + top * grid.down, size=peaks.shape[::-1])
        wanted = ~here.within(known) if areas is None else here.within(areas) & ~here.within(known)
        yield np.array(np.nonzero(peaks & wanted), np.intp) + np.array([[top], [0]], np.intp)


def _is_finder(seen: Grey, row: int, column: int, white: float) -> bool:
    """Return whether a place in a picture shows a finder pattern, which may be partly hidden."""
    across, down = _places()
    poses = np.array(np.meshgrid(SHIFTS, SHIFTS, np.radians(TURNS_DEG), SIZES)).reshape(4, -1, 1)
    x, y, (cos, sin) = poses[0], poses[1], (poses[3] * np.cos(poses[2]), poses[3] * np.sin(poses[2]))
    sampled = column + MODULE_PX * (x + cos * across - sin * down), row + MODULE_PX * (y + sin * across + cos * down)
    maps = [each.astype(np.float32) for each in sampled]
    samples = cv2.remap(seen, maps[0], maps[1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE).astype(np.float32)
    parts = _finder_parts()
    length = np.sqrt(np.maximum(parts.squares(samples)[1], 1.0))
    # The contrast between dark and light is about twice the standard deviation.
    strong = 2 * length / np.sqrt(parts.counts) >= MIN_CONTRAST_RATIO * white
    return bool((strong & (parts.alike(samples, length)[..., 0] >= MIN_CORRELATION)).any())


@cache
def _ring() -> Grey:
    """Return the mask of the ring of px around the middle of a finder pattern that is light."""
    reach = int(np.ceil(RING_MODULES * MODULE_PX))
    ring = np.zeros((2 * reach + 1, 2 * reach + 1), np.uint8)
    angles = 2 * np.pi * np.arange(RING_STEPS) / RING_STEPS
    radius = RING_MODULES * MODULE_PX
    ring[
        np.round(reach + radius * np.sin(angles)).astype(int), np.round(reach + radius * np.cos(angles)).astype(int)
    ] = 1
    return ring


@cache
def _places() -> Floats:
    """Return the offsets of the samples from the middle of a pattern, modules to the right and down, (2, samples)."""
    far = np.arange(-REACH_MODULES, REACH_MODULES + 1)
    return np.array(np.meshgrid(far, far), np.float32).reshape(2, -1)


@cache
def _finder_parts() -> MaskedCorrelation:
    """Return the comparison with a finder pattern with any side or corner, or nothing, hidden."""
    far = (np.arange(2 * (REACH_MODULES + 2) * PATTERN_STEPS) + 0.5) / PATTERN_STEPS - (REACH_MODULES + 2)
    from_middle = np.maximum(*np.abs(np.meshgrid(far, far)))
    light = ((from_middle > 1.5) & (from_middle < 2.5)) | (from_middle > 3.5)
    soft = cv2.GaussianBlur(light.astype(np.float32), (0, 0), PATTERN_BLUR * PATTERN_STEPS)
    across, down = (_places() + REACH_MODULES + 2) * PATTERN_STEPS - 0.5
    pattern = cv2.remap(soft, across[None], down[None], cv2.INTER_LINEAR)[0]
    every = np.ones((1, len(pattern)), np.bool_)
    return MaskedCorrelation(pattern[None], np.concatenate([seen_parts(_places(), HIDDEN_FRACTION), every]))
