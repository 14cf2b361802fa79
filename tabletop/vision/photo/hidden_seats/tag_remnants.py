"""Corners of tags that are otherwise covered: a finder pattern alone shows that a tag lies there, but not which.

The usual search misses such a place, because so little of it looks like a tag.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import cv2
import numpy as np

from tabletop.messages import Message
from tabletop.vision.frame import Floats, Grey
from tabletop.vision.geometry.boxes import ring, square
from tabletop.vision.geometry.outlines import EDGE_MM, wider
from tabletop.vision.geometry.plane import Array, Plane
from tabletop.vision.image.rectify import overhead, whole_table
from tabletop.vision.photo.doubts import UNKNOWN, PhotoContents, counted_areas, is_near
from tabletop.vision.recognise.partly_alike import MaskedCorrelation, seen_parts
from tabletop.vision.scene import Cause, Unreadable, corner_points
from tabletop.vision.tags.catalogue import MARKER_MM
from tabletop.vision.tags.patterns import TAG_MODULES

TAG_PART = Message("Most of a tag is covered here. It may belong to a seat that is not counted: uncover it.")
TAG_CUT_OFF = Message("The edge of the picture cuts off a tag here, so it does not count: show all of it.")
MARKER_REACH_MM = 30.0
"""How far from the middle of a marker that can be named what is seen may be a part of it, mm."""

MODULE_PX = 1.4
"""Pixels per module at which finder patterns are looked for."""
BLUR_MODULES = 0.3
"""Blur before the picture is sampled, modules: what is finer would come out as something else."""
RING_MODULES = 2.3
"""How far from the middle of a finder pattern, modules, it is light in every direction, however it is turned."""
RING_STEPS = 48
"""Directions that are looked at."""
MIN_RING_RATIO = 0.08
"""How much darker the middle is than all of that ring, at least, as a part of the grey level of paper: finder patterns
that were read have 0.12 and more, and nothing but them and some print comes out at so much."""
PEAK_WINDOW_PX = 5
"""Side of a square, px, in which only the best place counts."""
REACH_MODULES = 4
"""How far a finder pattern reaches from its middle, modules, with the light around it."""
FAR_END_MODULES = 19.5
"""How far from the middle of a finder pattern its tag may reach to any side, modules."""
PATTERN_BLUR, PATTERN_STEPS = 0.55, 8
"""Blur of the pattern, modules, as a camera shows it, and in how many steps a module is drawn for that."""
HIDDEN_FRACTION = 0.3
"""The part of a pattern that may be hidden, on any side or corner."""
SHIFTS, TURNS_DEG, SIZES = (-0.5, 0.0, 0.5), range(0, 90, 10), (0.9, 1.0, 1.1)
"""Modules by which a place may lie off to each side, how a pattern may be turned, and how large it may be."""
MIN_CORRELATION = 0.8
"""Correlation with what is seen of a finder pattern from which on it is one: those that were read have 0.85 to 0.97,
what else is on a table has 0.71 at most."""
MIN_CONTRAST_RATIO = 0.15
"""The least contrast, as a part of the grey level of paper: there may be shadow beside a thing."""


def covered_tags(seen: PhotoContents, named: Sequence[Array], codes: Sequence[Array]) -> list[Unreadable]:
    """Return the places where most of a tag is covered that may be that of a seat whose marker is not seen.

    ``named`` are the middles, mm, of covered markers that can be named, ``codes`` the corners, px, of what was decoded.
    """
    if not seen.tally.apart or not seen.seats():
        return []
    faces = seen.faces()
    known = [*faces, *(ring((x, y), MARKER_REACH_MM) for x, y in named), *map(seen.plane.to_mm, codes)]
    # What lies in a zone that is seen, or beneath a card or tile that was read, does not belong to a hidden seat.
    side = seen.kit.tag_mm * seen.plane.scale
    beside = [*known, *seen.cards(), *(wider(face, side) for face in faces)]
    return [
        Unreadable(Cause.HIDDEN_SEAT, TAG_PART, corner_points(seen.plane.to_px(outline)))
        for size, there in ((MARKER_MM, known), (side, beside))
        for outline in tag_remnants(seen.picture.grey, seen.plane, size, seen.white(), there)
    ]


def cut_off_tags(seen: PhotoContents, codes: Sequence[Array]) -> list[Unreadable]:
    """Return the places beside the pieces of a picture without seats where its edge cuts off a tag.

    Of an area that is known by its marker it is told how much is outside.  ``codes`` are those of :func:`covered_tags`.
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
    """Return what is seen of pieces' tags that were not read where every tag that counts should be in sight.

    ``codes`` are the corners, px, of what was decoded.
    """
    tally = seen.tally
    if not (tally.everywhere or tally.apart):
        return []
    areas = seen.open_areas() if tally.everywhere else counted_areas(seen)
    # A piece that lies upon a part of another one leaves the rest of its tag in sight, close beside its own face.
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
    """Return the outlines (4, 2), mm, of finder patterns of tags with that side, mm, in none of the ``known`` outlines.

    ``white`` is the grey level of paper; ``areas`` are those in which they are looked for, if not everywhere.  Those
    that the edge of the picture may cut off are left out, or, with ``cut_off``, are the only ones.
    """
    module = side / TAG_MODULES
    grid = whole_table(plane, module / MODULE_PX, 2 * PEAK_WINDOW_PX)
    seen = overhead(grey, plane, grid, BLUR_MODULES * module).seen
    darker = cv2.subtract(cv2.erode(seen, _ring()), cv2.blur(seen, (3, 3)))
    window = np.ones((PEAK_WINDOW_PX, PEAK_WINDOW_PX), np.uint8)
    peaks = (darker >= max(1.0, MIN_RING_RATIO * white)) & (darker >= cv2.dilate(darker, window))
    wanted = ~grid.within(known) if areas is None else grid.within(areas) & ~grid.within(known)
    rows, columns = np.nonzero(peaks & wanted)
    middles = grid.mm(columns.astype(np.float64), rows.astype(np.float64))
    limits = np.array(plane.shape[::-1]) - 1
    found: list[Array] = []
    for row, column, middle in zip(rows.tolist(), columns.tolist(), middles.tolist(), strict=True):
        around = plane.to_px(square(middle, FAR_END_MODULES * module))
        whole = bool(((around >= 0) & (around <= limits)).all())
        if whole != cut_off and _is_finder(seen, row, column, white):
            found.append(square(middle, (REACH_MODULES - 0.5) * module))
    return found


def _is_finder(seen: Grey, row: int, column: int, white: float) -> bool:
    """Return whether a place of a picture shows a finder pattern, a part of which may be hidden."""
    across, down = _places()
    poses = np.array(np.meshgrid(SHIFTS, SHIFTS, np.radians(TURNS_DEG), SIZES)).reshape(4, -1, 1)
    x, y, (cos, sin) = poses[0], poses[1], (poses[3] * np.cos(poses[2]), poses[3] * np.sin(poses[2]))
    at = column + MODULE_PX * (x + cos * across - sin * down), row + MODULE_PX * (y + sin * across + cos * down)
    maps = [each.astype(np.float32) for each in at]
    samples = cv2.remap(seen, maps[0], maps[1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE).astype(np.float32)
    parts = _finder_parts()
    length = np.sqrt(np.maximum(parts.squares(samples)[1], 1.0))
    # Twice the standard deviation is about how far dark and light differ.
    strong = 2 * length / np.sqrt(parts.counts) >= MIN_CONTRAST_RATIO * white
    return bool((strong & (parts.alike(samples, length)[..., 0] >= MIN_CORRELATION)).any())


@cache
def _ring() -> Grey:
    """Return which px around the middle of a finder pattern are light."""
    reach = int(np.ceil(RING_MODULES * MODULE_PX))
    ring = np.zeros((2 * reach + 1, 2 * reach + 1), np.uint8)
    ways = 2 * np.pi * np.arange(RING_STEPS) / RING_STEPS
    far = RING_MODULES * MODULE_PX
    ring[np.round(reach + far * np.sin(ways)).astype(int), np.round(reach + far * np.cos(ways)).astype(int)] = 1
    return ring


@cache
def _places() -> Floats:
    """Return how far to the right and down each sample lies from the middle of a pattern, modules, (2, samples)."""
    far = np.arange(-REACH_MODULES, REACH_MODULES + 1)
    return np.array(np.meshgrid(far, far), np.float32).reshape(2, -1)


@cache
def _finder_parts() -> MaskedCorrelation:
    """Return the comparison with a finder pattern of which any side or corner, or nothing, is hidden."""
    far = (np.arange(2 * (REACH_MODULES + 2) * PATTERN_STEPS) + 0.5) / PATTERN_STEPS - (REACH_MODULES + 2)
    from_middle = np.maximum(*np.abs(np.meshgrid(far, far)))
    light = ((from_middle > 1.5) & (from_middle < 2.5)) | (from_middle > 3.5)
    soft = cv2.GaussianBlur(light.astype(np.float32), (0, 0), PATTERN_BLUR * PATTERN_STEPS)
    across, down = (_places() + REACH_MODULES + 2) * PATTERN_STEPS - 0.5
    pattern = cv2.remap(soft, across[None], down[None], cv2.INTER_LINEAR)[0]
    every = np.ones((1, len(pattern)), np.bool_)
    return MaskedCorrelation(pattern[None], np.concatenate([seen_parts(_places(), HIDDEN_FRACTION), every]))
