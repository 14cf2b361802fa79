"""Finds tiles without a tag on a ground of many colours by four straight edges as far apart as a tile's.

On a ground of one colour, anything that differs from it is a thing (`untagged_contrast`); on a printed mat nearly
everything differs.  A tile that is turned over still has four straight edges, and the tiles that were read show how
strong such edges are in this picture.  A thing of another shape hides a part of these tiles' edges.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.vision.frame import Colour, Floats
from tabletop.vision.geometry.boxes import axes_at, rectangle
from tabletop.vision.geometry.columns import Placed
from tabletop.vision.geometry.plane import Array, Mask, Plane
from tabletop.vision.geometry.square_grid import SquareGrid
from tabletop.vision.image.rectify import channel_max, overhead
from tabletop.vision.photo.untagged_contrast import tight_box

PITCH_MM = 0.6
"""Side of the squares into which the table is divided, mm."""
BLUR_MM = 0.8
"""Standard deviation of the blur that removes noise and grain, mm."""
TURNS_DEG = (0.0, -5.0, 5.0, -10.0, 10.0)
"""Angles of a tile relative to the others that are tried, degrees; each finds edges some degrees around it."""
SLACK_MM = 1.5
"""Largest offset of an edge, mm: tiles are cut, laid and seen slightly crooked."""
SIDE_FRACTION = 0.8
"""Fraction of a side that is compared: corners are round."""
MIN_EDGE_RATIO = 0.35
"""Least steepness of an edge, as a fraction of the edges of the tiles that were read …"""
MIN_GROUND_RATIO = 2.5
"""… as a multiple of the usual steepness of the ground …"""
MIN_EDGE_SLOPE = 1.0
"""… and in grey levels per mm, because grey levels are whole numbers."""
MIN_SIDE_FRACTION = 0.75
"""Least fraction of each of the four sides with such an edge: tiles have nine tenths, mats half."""
MAX_EXPLAINED_FRACTION = 0.12
"""Largest fraction of a tile's middle that may be explained by what was read."""
RIM_MM = 3.0
"""Width of a tile's rim, mm, that is not part of its middle."""
MIN_OVERLAID_MM = 8.0
"""Least length, mm, of the part of a side without an edge that shows that something lies over it.  The ground, uneven
light and neighbours account for 5 mm, seldom more."""
MIN_REST_MM = 6.0
"""Least length, mm, of the rest of the side, with an edge; otherwise the edge is invisible, such as white on white."""
BESIDE_MM = (3.0, 6.0)
"""Distances from a frame between which its surroundings are examined, mm: it is found up to 3 mm off its place."""
MIN_BARE_FRACTION, MAX_BARE_FRACTION = 0.6, 0.25
"""If a frame is a gap, the least fraction of it that is ground, and the largest of the strip beside each of its
sides."""
MAX_TILES = 40
"""Most tiles in an area."""
MAX_SHARP_FRACTION = 0.06
"""Fraction of the ground with edges like those of tiles above which the ground itself has such edges."""
STEEPNESS_FACTOR = 3.0
"""Steepness of an edge as a multiple of the ground's that is enough, down to half of what is required otherwise."""
MIN_LINE_MM = 22.0
"""Least length of such an edge, mm, that is the outline of a thing: most of a tile's side."""
SURROUNDINGS_MM, MAX_ARM_EDGES = 60.0, 2
"""Distance around an area within which its ground is examined, mm, and the most such edges there, from an arm that
reaches in: if there are more, the ground itself has them."""
PRINT_MM = (4.0, 10.0)
"""Range of the height of a line of letters, mm: higher than an edge, lower than the breadth of a finger."""
MIN_PRINT_FRACTION = 0.5
"""Least fraction of a line of letters that is as steep as edges: letters have 0.6, a bent edge of a sheet 0.4."""
PRINT_RIM_MM, MAX_PRINT_GREY = 2.0, 24.0
"""Width, mm, of the rim in which the ground of a print is examined, and its largest difference there, grey levels."""
FACE_MARGIN_MM = 4.0
"""Margin, mm, around a face that was read, or around another ground, within which edges belong to that."""

Rim: TypeAlias = list[tuple[Floats, Mask]]
"""The steepness of each of the four sides of a tile along its length, and the mask where no other face touches it."""


class EdgeMap(NamedTuple):
    """The slopes of a part of the table, seen from above and turned, in the squares of a grid.

    ``across``, ``down``: the slopes in both directions, grey levels per mm; ``sight``: the mask of visible squares.
    """

    across: Floats
    down: Floats
    sight: Mask
    grid: SquareGrid


def rims(
    colour: Colour, plane: Plane, size: tuple[float, float], tiles: Sequence[Placed], faces: Sequence[Array]
) -> list[Rim]:
    """Return the rim of each tile that was read.

    ``size``: a tile's height and width, mm; ``faces``: the outlines (4, 2) mm of everything that was read.
    """
    return [_rim(colour, plane, tile, size, faces) for tile in tiles]


def steepness(seen: Sequence[Rim]) -> float | None:
    """Return the usual steepness of tiles' edges, grey levels per mm, None if there are no tiles.

    A tile's steepness is the median over its four sides of the one that most of a side reaches.
    """
    edges = [np.median([np.quantile(side, 1 - MIN_SIDE_FRACTION) for side, _ in rim]) for rim in seen]
    return float(np.median(edges)) if edges else None


def untagged_tiles(
    colour: Colour,
    plane: Plane,
    area: Array,
    size: tuple[float, float],
    usual: float | None,
    faces: Sequence[Array],
) -> list[Array]:
    """Return the outlines (4, 2) mm of things in an area and outside all faces whose edges are those of a tile.

    ``area``: its corners in mm, from its own top left, clockwise; ``size``: a tile's height and width; ``usual``: the
    steepness of the edges of those that were read (see :func:`steepness`); ``faces``: the outlines (4, 2) mm of
    everything that was read.
    """
    if usual is None:
        return []
    height, width = size
    middle, turn, half = _pose_of(area)
    candidates: list[tuple[float, Array]] = []
    for angle in turn + np.radians(TURNS_DEG):
        axes = axes_at(angle)
        edges = edge_map(colour, plane, middle, axes, half)
        scores = _frame_scores(
            edges,
            height,
            width,
            max(MIN_EDGE_RATIO * usual, MIN_GROUND_RATIO * median_steepness(edges), MIN_EDGE_SLOPE),
        )
        scores[~edges.sight | (_covered_fraction(edges.grid.within(faces), size) > MAX_EXPLAINED_FRACTION)] = 0
        for _ in range(MAX_TILES):
            row, column = np.unravel_index(scores.argmax(), scores.shape)
            score = float(scores[row, column])
            if score < MIN_SIDE_FRACTION:
                break
            place = middle + (np.array((column, row)) * PITCH_MM - half) @ axes
            candidates.append((score, place + rectangle(height, width) @ axes))
            cv2.circle(scores, (int(column), int(row)), int(height / PITCH_MM), 0.0, -1)
    return _without_repeats(candidates, height)


def is_gap(box: Array, area: Array, bare: Mask) -> bool:
    """Return whether a box (4, 2), mm, is ground framed by the edges of other things.

    ``bare``: the mask of an area that shows its plain ground.  A tile as white as its card is not a gap, because some
    of the card is visible beside it.
    """
    rows, columns = bare.shape
    grid = SquareGrid.over(area, (columns, rows))

    def bareness(outline: Array) -> float:
        inside = bare[grid.within([outline])]
        return float(inside.mean()) if len(inside) else 0.0

    middle, sides = box.mean(axis=0), zip(box, np.roll(box, -1, axis=0), strict=True)
    beyond = []
    for start, end in sides:
        half_side, away = SIDE_FRACTION * (end - start) / 2, (start + end) / 2 - middle
        near, far = (middle + away * (1 + reach / np.hypot(*away)) for reach in BESIDE_MM)
        beyond.append(bareness(np.array([near - half_side, near + half_side, far + half_side, far - half_side])))
    return bareness(box) >= MIN_BARE_FRACTION and max(beyond) <= MAX_BARE_FRACTION


def too_busy(colour: Colour, plane: Plane, area: Array, usual: float | None) -> bool:
    """Return whether an area's ground is so steep that not even the tiles that were read would be found by their edges.

    The arguments are those of :func:`untagged_tiles`.
    """
    if usual is None:
        return False
    middle, turn, half = _pose_of(area)
    return MIN_GROUND_RATIO * median_steepness(edge_map(colour, plane, middle, axes_at(turn), half)) > usual


def outlined(
    colour: Colour,
    plane: Plane,
    area: Array,
    usual: float | None,
    faces: Sequence[Array],
    parts: Sequence[tuple[Mask, Sequence[Array]]],
) -> list[list[Array] | None]:
    """Return, for parts of an area, boxes (4, 2) mm around things outside all faces that end as sharply as tiles.

    A part is a mask over the area, with the outlines (n, 2) mm outside which there is only ground; the other arguments
    are those of :func:`untagged_tiles`.  None if the ground itself has such edges: on a ground without them, a thing
    shows by its outline, whatever its colours.
    """
    if usual is None:
        return [None for _ in parts]
    middle, turn, half = _pose_of(area)
    edges = edge_map(colour, plane, middle, axes_at(turn), half + SURROUNDINGS_MM)
    found = (_outlined(edges, usual, faces, where, known) for where, known in parts)
    return [
        None if boxes is None else [box for box, steep in boxes if not _is_print(colour, plane, box, steep)]
        for boxes in found
    ]


def _outlined(
    edges: EdgeMap, usual: float, faces: Sequence[Array], where: Mask, known: Sequence[Array]
) -> list[tuple[Array, float]] | None:
    """Return the boxes of one part of an area for :func:`outlined`, each with its area of steep edges, mm²."""
    steep, shape = np.maximum(edges.across, edges.down), edges.sight.shape
    part, ground = _widened(where, shape), edges.sight & ~edges.grid.within(known)
    part[edges.grid.within(faces)] = 0
    kernel = np.ones((2 * round(FACE_MARGIN_MM / PITCH_MM) + 1,) * 2, np.uint8)
    searched: Mask = edges.sight & (cv2.erode(part, kernel) > 0)
    if not searched.any():
        return []
    # A thing as dark as its ground has less sharp edges than tiles.
    min_steepness = float(
        np.clip(STEEPNESS_FACTOR * np.median(steep[searched]), MIN_EDGE_RATIO * usual / 2, MIN_EDGE_RATIO * usual)
    )
    sharp = (searched | (cv2.erode(ground.astype(np.uint8), kernel) > 0)) & (
        steep >= max(min_steepness, MIN_EDGE_SLOPE)
    )
    lines, long = _long_lines(sharp)
    things = long.intersection(np.unique(lines[searched]).tolist())
    if len(long - things) > MAX_ARM_EDGES or float(sharp[searched].mean()) > MAX_SHARP_FRACTION:
        return None
    edged = np.isin(lines, [*things]) & searched
    return [
        (edges.grid.mm(*(box.T - 0.5)), int((sharp & searched & mask).sum()) * PITCH_MM**2)
        for box, mask in _grouped(edged, kernel)
    ]


def _grouped(edged: Mask, kernel: NDArray[np.uint8]) -> list[tuple[Array, Mask]]:
    """Return the boxes (4, 2), in squares, around edges that are near enough to be one thing's, each with its mask."""
    _, labels, stats, _ = cv2.connectedComponentsWithStats(cv2.dilate(edged.astype(np.uint8), kernel))
    masks = ((labels == label, around) for label, around in enumerate(stats[1:, :4].tolist(), start=1))
    return [(tight_box(mask, tuple(around)), mask) for mask, around in masks]


def _is_print(colour: Colour, plane: Plane, box: Array, steep: float) -> bool:
    """Return whether the box (4, 2), mm, around sharp edges contains letters: low, with the same ground on all sides.

    ``steep``: its area, mm², that is as steep as the edges of tiles.  A single line may be the edge of a thing as white
    as its ground; a thing as low as letters cannot hide a tile.
    """
    sides = [float(np.linalg.norm(box[index] - box[0])) for index in (1, 3)]
    high, long = sorted(side - 2 * FACE_MARGIN_MM for side in sides)
    if not (PRINT_MM[0] <= high <= PRINT_MM[1] and steep >= MIN_PRINT_FRACTION * high * long):
        return False
    columns, rows = (round(side / PITCH_MM) for side in sides)
    seen = overhead(colour, plane, SquareGrid.over(box, (columns, rows))).seen.astype(np.float32)
    rim, beyond = (round(mm / PITCH_MM) for mm in (PRINT_RIM_MM, FACE_MARGIN_MM - PRINT_RIM_MM))
    seen = seen[beyond:-beyond, beyond:-beyond]
    ends = [seen[:rim], seen[-rim:], seen[:, :rim], seen[:, -rim:]]
    usual = np.array([np.median(end.reshape(-1, 3), axis=0) for end in ends])
    return float(np.ptp(usual, axis=0).max()) <= MAX_PRINT_GREY


def _widened(where: Mask, shape: tuple[int, ...]) -> NDArray[np.uint8]:
    """Return a mask over an area as one of that shape that includes its surroundings, in which it is not set."""
    wide, margin = np.zeros(shape, np.uint8), round(SURROUNDINGS_MM / PITCH_MM)
    inside = wide[margin : shape[0] - margin, margin : shape[1] - margin]
    inside[:] = cv2.resize(where.astype(np.uint8), inside.shape[::-1], interpolation=cv2.INTER_NEAREST)
    return wide


def _long_lines(sharp: Mask) -> tuple[NDArray[np.int32], set[int]]:
    """Return a mask's connected lines, numbered, and the numbers of those as long as most of a tile's side."""
    wide = cv2.dilate(sharp.astype(np.uint8), np.ones((3, 3), np.uint8))
    _, lines, stats, _ = cv2.connectedComponentsWithStats(wide)
    long = {
        label
        for label, size in enumerate(stats[:, 2:4].max(axis=1).tolist())
        if label and size * PITCH_MM >= MIN_LINE_MM
    }
    return np.asarray(lines, np.int32), long


def overlaid(size: tuple[float, float], tiles: Sequence[Placed], seen: Sequence[Rim]) -> list[Array]:
    """Return the outlines (4, 2) mm of the tiles that were read and have an edge on only a part of a side.

    ``seen``: the rims of the ``tiles``.  A thing that covers a part of a tile may hide others completely.
    """
    steep = [
        float(np.quantile(side[free], 1 - MIN_SIDE_FRACTION)) for rim in seen for side, free in rim if free.mean() > 0.5
    ]
    if not steep:
        return []
    min_slope = MIN_EDGE_RATIO * float(np.median(steep))
    outlines = []
    for tile, rim in zip(tiles, seen, strict=True):
        if any(
            _longest_run(free & (side < min_slope)) * PITCH_MM >= MIN_OVERLAID_MM
            and (free & (side >= min_slope)).sum() * PITCH_MM >= MIN_REST_MM
            for side, free in rim
        ):
            middle, axes, _ = _area_around(tile, size)
            outlines.append(middle + rectangle(*size) @ axes)
    return outlines


def _pose_of(area: Array) -> tuple[Array, float, Array]:
    """Return the middle of an area, its angle (radians), and half its width and height."""
    across = area[1] - area[0]
    half = np.array([np.linalg.norm(across), np.linalg.norm(area[3] - area[0])]) / 2
    return area.mean(axis=0), float(np.arctan2(across[1], across[0])), half


def median_steepness(edges: EdgeMap) -> float:
    """Return the median steepness of an area, grey levels per mm."""
    return float(np.median(np.maximum(edges.across, edges.down)))


def faces_beside(tile: Array, height: float, faces: Sequence[Array]) -> list[Array]:
    """Return the faces (4, 2) that are not that of a tile itself, given by its middle, mm, and its height, mm."""
    return [face for face in faces if np.hypot(*(face.mean(axis=0) - tile)) > height / 2]


def _rim(colour: Colour, plane: Plane, tile: Placed, size: tuple[float, float], faces: Sequence[Array]) -> Rim:
    height, width = size
    middle, axes, half = _area_around(tile, size)
    edges = edge_map(colour, plane, middle, axes, half)
    free: Mask = edges.sight & ~edges.grid.within(faces_beside(middle, height, faces))
    slack, x, y = round(SLACK_MM / PITCH_MM), edges.across.shape[1] // 2, edges.across.shape[0] // 2
    wide, high = round(SIDE_FRACTION * width / 2 / PITCH_MM), round(SIDE_FRACTION * height / 2 / PITCH_MM)
    sides: Rim = []
    for sign in (-1, 1):
        row, column = y + round(sign * height / 2 / PITCH_MM), x + round(sign * width / 2 / PITCH_MM)
        flat = slice(row - slack, row + slack + 1), slice(x - wide, x + wide)
        steep = slice(y - high, y + high), slice(column - slack, column + slack + 1)
        sides.append((edges.down[flat].max(axis=0), np.asarray(free[flat].all(axis=0))))
        sides.append((edges.across[steep].max(axis=1), np.asarray(free[steep].all(axis=1))))
    return sides


def _area_around(tile: Placed, size: tuple[float, float]) -> tuple[Array, Array, Array]:
    """Return the middle of a tile, mm, its axes (2, 2), and half the width and height of an area around it."""
    return np.array((tile.x, tile.y)), axes_at(np.radians(tile.angle)), np.array(size[::-1]) / 2 + 2 * SLACK_MM


def _longest_run(mask: Mask) -> int:
    """Return the length of the longest run that is set."""
    ends = np.flatnonzero(np.diff(np.pad(mask.astype(np.int8), 1)))
    return int((ends[1::2] - ends[::2]).max(initial=0))


def edge_map(colour: Colour, plane: Plane, middle: Array, axes: Array, half: Array) -> EdgeMap:
    """Return the slopes of the table around a place, ``half`` mm to each side along the ``axes`` (2, 2)."""
    columns, rows = np.maximum(np.round(2 * half / PITCH_MM).astype(int), 3)
    right, down = PITCH_MM * axes
    grid = SquareGrid(middle - half @ axes, right, down, (int(columns), int(rows)))
    seen, sight = overhead(colour, plane, grid)
    soft = cv2.GaussianBlur(seen, (0, 0), BLUR_MM / PITCH_MM)
    # In integers, as eight times the difference, this is four times as fast.
    flat, steep = (channel_max(np.abs(cv2.Sobel(soft, cv2.CV_16S, *order))) for order in ((1, 0), (0, 1)))
    return EdgeMap(flat * np.float32(0.125 / PITCH_MM), steep * np.float32(0.125 / PITCH_MM), sight, grid)


def _frame_scores(edges: EdgeMap, height: float, width: float, min_slope: float) -> Floats:
    """Return for every place the fraction of the weakest side of a tile around it that is an edge."""
    slack = 2 * round(SLACK_MM / PITCH_MM) + 1
    wide, high = round(SIDE_FRACTION * width / PITCH_MM), round(SIDE_FRACTION * height / PITCH_MM)
    flat = cv2.dilate(np.minimum(edges.down / min_slope, 1), np.ones((slack, 1), np.uint8))
    steep = cv2.dilate(np.minimum(edges.across / min_slope, 1), np.ones((1, slack), np.uint8))
    flat, steep = cv2.blur(flat, (wide, 1)), cv2.blur(steep, (1, high))
    up, aside = height / 2 / PITCH_MM, width / 2 / PITCH_MM
    moved = ((flat, 0, up), (flat, 0, -up), (steep, aside, 0), (steep, -aside, 0))
    weakest: Floats = np.minimum.reduce([_shifted(*each) for each in moved])
    return weakest


def _shifted(picture: cv2.typing.MatLike, x: float, y: float) -> Floats:
    matrix = np.array([(1, 0, round(x)), (0, 1, round(y))], dtype=np.float32)
    return np.asarray(cv2.warpAffine(picture, matrix, picture.shape[1::-1]), dtype=np.float32)


def _covered_fraction(covered: Mask, size: tuple[float, float]) -> Floats:
    """Return for every place the fraction of the middle of a tile there that is ``covered`` by faces."""
    height, width = (max(1, round((side - 2 * RIM_MM) / PITCH_MM)) for side in size)
    return np.asarray(cv2.blur(covered.astype(np.float32), (width, height)), dtype=np.float32)


def _without_repeats(candidates: Sequence[tuple[float, Array]], min_distance: float) -> list[Array]:
    """Return the outlines, the clearest first, whose middles are at least ``min_distance`` mm from each other."""
    kept: list[Array] = []
    for _, outline in sorted(candidates, key=lambda each: -each[0]):
        if all(float(np.hypot(*(outline.mean(axis=0) - other.mean(axis=0)))) >= min_distance for other in kept):
            kept.append(outline)
    return kept
