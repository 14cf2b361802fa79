"""Tiles without a tag on a ground of many colours: four straight edges as far apart as a tile's.

Where the ground is of one colour, what differs from it is a thing (`untagged_contrast`); on a printed
mat nearly everything differs.  A tile that is turned over still ends in four straight edges beside the tiles that were
read, and these show how strong such edges are in this picture.  What has another shape hides a part of their edges.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.vision.frame import Colour, Floats
from tabletop.vision.geometry.columns import Placed
from tabletop.vision.geometry.plane import Array, Mask, Plane
from tabletop.vision.geometry.square_grid import SquareGrid
from tabletop.vision.image.rectify import most, overhead
from tabletop.vision.photo.untagged_contrast import tight_box

PITCH_MM = 0.6
"""Side of the squares of the table that are looked at, mm."""
BLUR_MM = 0.8
"""What is smaller does not matter (noise, grain): standard deviation of a blur, mm."""
TURNS_DEG = (0.0, -5.0, 5.0, -10.0, 10.0)
"""How far a tile is turned against the others, degrees; an edge is found up to some degrees beside each."""
SLACK_MM = 1.5
"""How far an edge may lie off its place, mm: tiles are cut, laid and seen a little crooked."""
SIDE_FRACTION = 0.8
"""Part of a side that is looked at: corners are round."""
MIN_EDGE_RATIO = 0.35
"""How strong an edge has to be, as a share of the edges of the tiles that were read …"""
MIN_GROUND_RATIO = 2.5
"""… and as this many times what is usual on the ground …"""
MIN_EDGE_SLOPE = 1.0
"""… and in grey levels per mm: pictures are made of whole ones."""
MIN_SIDE_FRACTION = 0.75
"""Part of each of the four sides along which there is such an edge: tiles have nine tenths, mats half."""
MAX_EXPLAINED_FRACTION = 0.12
"""The most of a tile's middle that may be explained by what was read."""
RIM_MM = 3.0
"""What is nearer to its edge is not its middle, mm."""
MIN_OVERLAID_MM = 8.0
"""Length of a side, mm, without an edge though the rest of it has one: something lies over it.  Without that the
ground, another light and neighbours make up 5 mm, seldom more."""
MIN_REST_MM = 6.0
"""At least this much of a side, mm, must have an edge; otherwise the edge is invisible, such as white on white."""
BESIDE_MM = (3.0, 6.0)
"""How far beside a frame its neighbours are looked for, mm: it is found up to 3 mm off its place."""
MIN_BARE_FRACTION, MAX_BARE_FRACTION = 0.6, 0.25
"""The least of a frame that shows the ground, and the most of the ground beside each of its sides, if it is a gap."""
MAX_TILES = 40
"""Most tiles in an area."""
MAX_SHARP_FRACTION = 0.06
"""Part of a ground with edges like those of tiles from which on it has such edges itself."""
STEEPNESS_FACTOR = 3.0
"""How many times as steep as what is usual on it an edge is where it is no steeper than half of those of tiles."""
MIN_LINE_MM = 22.0
"""How far such an edge reaches at least, mm, to be the outline of a thing: most of a tile's side."""
SURROUNDINGS_MM, MAX_ARM_EDGES = 60.0, 2
"""How far around an area its ground is looked at, mm, and how many such edges there may be from an arm that reaches in:
where there are more, the ground has them itself."""
PRINT_MM = (4.0, 10.0)
"""How high a line of letters is, mm: higher than an edge, lower than a finger is broad."""
MIN_PRINT_FRACTION = 0.5
"""How much of a line of letters is as steep as edges: letters have 0.6, a bent edge of a sheet 0.4."""
PRINT_RIM_MM, MAX_PRINT_GREY = 2.0, 24.0
"""How near to its letters the ground of a print is looked at, mm, and how much it differs there, grey levels."""
FACE_MARGIN_MM = 4.0
"""What is nearer to a face that was read, or to where another ground begins, is an edge of that, mm."""

Rim: TypeAlias = list[tuple[Floats, Mask]]
"""How steep each of the four sides of a tile is along its length, and where no other face touches it."""


class _EdgeMap(NamedTuple):
    """A part of the table from above, turned, in squares of a grid.

    Each is so steep across and down, grey levels per mm, and in sight or not.
    """

    across: Floats
    down: Floats
    sight: Mask
    grid: SquareGrid


def rims(
    colour: Colour, plane: Plane, size: tuple[float, float], tiles: Sequence[Placed], faces: Sequence[Array]
) -> list[Rim]:
    """Return how each tile that was read ends.

    ``size`` is a tile's height and width, mm; ``faces`` are the outlines (4, 2) mm of all that was read.
    """
    return [_rim(colour, plane, tile, size, faces) for tile in tiles]


def steepness(seen: Sequence[Rim]) -> float | None:
    """Return how steep the edges of tiles usually are, grey levels per mm; None if there are none.

    A tile's edge is that of most of its four sides.
    """
    edges = [np.median([np.quantile(side, 1 - MIN_SIDE_FRACTION) for side, _ in rim]) for rim in seen]
    return float(np.median(edges)) if edges else None


def blanks(
    colour: Colour,
    plane: Plane,
    area: Array,
    size: tuple[float, float],
    usual: float | None,
    faces: Sequence[Array],
) -> list[Array]:
    """Return the outlines (4, 2) mm of what ends as a tile does in an area and within no face.

    ``area`` are its corners in mm, from its own top left, clockwise; ``size`` is a tile's height and width, ``usual``
    how steep the edges are of those that were read (see :func:`steepness`), ``faces`` the outlines (4, 2) mm of all
    that was read.
    """
    if usual is None:
        return []
    height, width = size
    middle, turn, half = _laid(area)
    seen: list[tuple[float, Array]] = []
    for way in turn + np.radians(TURNS_DEG):
        axes = _axes(way)
        edges = _edge_map(colour, plane, middle, axes, half)
        like = _framed(
            edges, height, width, max(MIN_EDGE_RATIO * usual, MIN_GROUND_RATIO * _ground(edges), MIN_EDGE_SLOPE)
        )
        like[~edges.sight | (_explained(edges.grid.within(faces), size) > MAX_EXPLAINED_FRACTION)] = 0
        for _ in range(MAX_TILES):
            row, column = np.unravel_index(like.argmax(), like.shape)
            score = float(like[row, column])
            if score < MIN_SIDE_FRACTION:
                break
            place = middle + (np.array((column, row)) * PITCH_MM - half) @ axes
            seen.append((score, place + _corners(height, width) @ axes))
            cv2.circle(like, (int(column), int(row)), int(height / PITCH_MM), 0.0, -1)
    return _without_repeats(seen, height)


def is_gap(box: Array, area: Array, bare: Mask) -> bool:
    """Return whether a box (4, 2), mm, is ground between other things, whose edges then frame it.

    ``bare`` is where an area shows its plain ground.  Beside a tile as white as its card some of that card is seen.
    """
    rows, columns = bare.shape
    grid = SquareGrid.over(area, (columns, rows))

    def bareness(outline: Array) -> float:
        there = bare[grid.within([outline])]
        return float(there.mean()) if len(there) else 0.0

    middle, sides = box.mean(axis=0), zip(box, np.roll(box, -1, axis=0), strict=True)
    beyond = []
    for one, other in sides:
        half, away = SIDE_FRACTION * (other - one) / 2, (one + other) / 2 - middle
        near, far = (middle + away * (1 + reach / np.hypot(*away)) for reach in BESIDE_MM)
        beyond.append(bareness(np.array([near - half, near + half, far + half, far - half])))
    return bareness(box) >= MIN_BARE_FRACTION and max(beyond) <= MAX_BARE_FRACTION


def too_busy(colour: Colour, plane: Plane, area: Array, usual: float | None) -> bool:
    """Return whether an area's ground is so steep that not even the tiles that were read would be found by their edges.

    The arguments are those of ``blanks``.
    """
    if usual is None:
        return False
    middle, turn, half = _laid(area)
    return MIN_GROUND_RATIO * _ground(_edge_map(colour, plane, middle, _axes(turn), half)) > usual


def outlined(
    colour: Colour,
    plane: Plane,
    area: Array,
    usual: float | None,
    faces: Sequence[Array],
    parts: Sequence[tuple[Mask, Sequence[Array]]],
) -> list[list[Array] | None]:
    """Return, for parts of an area, boxes (4, 2) mm around things outside all faces that end as sharply as tiles.

    A part is a mask over the area, with the outlines (n, 2) mm of all beside which there is nothing but ground; the
    other arguments are those of :func:`blanks`.  None if the ground has such edges itself: on one that has none,
    whatever lies there shows by its outline, whatever its colours.
    """
    if usual is None:
        return [None for _ in parts]
    middle, turn, half = _laid(area)
    edges = _edge_map(colour, plane, middle, _axes(turn), half + SURROUNDINGS_MM)
    found = (_outlined(edges, usual, faces, where, known) for where, known in parts)
    return [
        None if some is None else [box for box, steep in some if not _is_print(colour, plane, box, steep)]
        for some in found
    ]


def _outlined(
    edges: _EdgeMap, usual: float, faces: Sequence[Array], where: Mask, known: Sequence[Array]
) -> list[tuple[Array, float]] | None:
    """Return the boxes of one part of an area for :func:`outlined`, each with how much of it, mm², is that steep."""
    steep, shape = np.maximum(edges.across, edges.down), edges.sight.shape
    part, ground = _widened(where, shape), edges.sight & ~edges.grid.within(known)
    part[edges.grid.within(faces)] = 0
    near = np.ones((2 * round(FACE_MARGIN_MM / PITCH_MM) + 1,) * 2, np.uint8)
    here: Mask = edges.sight & (cv2.erode(part, near) > 0)
    if not here.any():
        return []
    # A thing as dark as its ground ends less sharply than tiles do.
    weaker = float(
        np.clip(STEEPNESS_FACTOR * np.median(steep[here]), MIN_EDGE_RATIO * usual / 2, MIN_EDGE_RATIO * usual)
    )
    sharp = (here | (cv2.erode(ground.astype(np.uint8), near) > 0)) & (steep >= max(weaker, MIN_EDGE_SLOPE))
    lines, long = _long_lines(sharp)
    things = long.intersection(np.unique(lines[here]).tolist())
    if len(long - things) > MAX_ARM_EDGES or float(sharp[here].mean()) > MAX_SHARP_FRACTION:
        return None
    edged = np.isin(lines, [*things]) & here
    return [
        (edges.grid.mm(*(box.T - 0.5)), int((sharp & here & there).sum()) * PITCH_MM**2)
        for box, there in _grouped(edged, near)
    ]


def _grouped(edged: Mask, near: NDArray[np.uint8]) -> list[tuple[Array, Mask]]:
    """Return the boxes (4, 2), in squares, around edges so near to each other that they are one thing's, and where."""
    _, labels, stats, _ = cv2.connectedComponentsWithStats(cv2.dilate(edged.astype(np.uint8), near))
    each = ((labels == label, around) for label, around in enumerate(stats[1:, :4].tolist(), start=1))
    return [(tight_box(there, tuple(around)), there) for there, around in each]


def _is_print(colour: Colour, plane: Plane, box: Array, steep: float) -> bool:
    """Return whether the box (4, 2), mm, around sharp edges holds letters: low, with the same ground on all sides.

    ``steep``: how much of it, mm², is as steep as the edges of tiles.  A single line may be the edge of a thing as
    white as its ground; what is as low as letters hides no tile.
    """
    sides = [float(np.linalg.norm(box[at] - box[0])) for at in (1, 3)]
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
    """Return a mask over an area as one of that shape over its surroundings as well, where it is not set."""
    wide, margin = np.zeros(shape, np.uint8), round(SURROUNDINGS_MM / PITCH_MM)
    inside = wide[margin : shape[0] - margin, margin : shape[1] - margin]
    inside[:] = cv2.resize(where.astype(np.uint8), inside.shape[::-1], interpolation=cv2.INTER_NEAREST)
    return wide


def _long_lines(sharp: Mask) -> tuple[NDArray[np.int32], set[int]]:
    """Return a mask's connected lines, numbered, and the numbers of those as long as most of a tile's side."""
    wide = cv2.dilate(sharp.astype(np.uint8), np.ones((3, 3), np.uint8))
    _, lines, stats, _ = cv2.connectedComponentsWithStats(wide)
    long = {at for at, size in enumerate(stats[:, 2:4].max(axis=1).tolist()) if at and size * PITCH_MM >= MIN_LINE_MM}
    return np.asarray(lines, np.int32), long


def overlaid(size: tuple[float, float], tiles: Sequence[Placed], seen: Sequence[Rim]) -> list[Array]:
    """Return the outlines (4, 2) mm of the tiles that were read and end in an edge on a part of a side only.

    ``seen`` is how each of the ``tiles`` ends.  What lies over a part of a tile may hide others wholly.
    """
    steep = [
        float(np.quantile(side[free], 1 - MIN_SIDE_FRACTION)) for rim in seen for side, free in rim if free.mean() > 0.5
    ]
    if not steep:
        return []
    least = MIN_EDGE_RATIO * float(np.median(steep))
    outlines = []
    for tile, rim in zip(tiles, seen, strict=True):
        if any(
            _longest(free & (side < least)) * PITCH_MM >= MIN_OVERLAID_MM
            and (free & (side >= least)).sum() * PITCH_MM >= MIN_REST_MM
            for side, free in rim
        ):
            middle, axes, _ = _around(tile, size)
            outlines.append(middle + _corners(*size) @ axes)
    return outlines


def _laid(area: Array) -> tuple[Array, float, Array]:
    """Return the middle of an area, how it is turned, and how far it reaches to each side."""
    across = area[1] - area[0]
    half = np.array([np.linalg.norm(across), np.linalg.norm(area[3] - area[0])]) / 2
    return area.mean(axis=0), float(np.arctan2(across[1], across[0])), half


def _axes(turn: float) -> Array:
    return np.array([(np.cos(turn), np.sin(turn)), (-np.sin(turn), np.cos(turn))])


def _ground(edges: _EdgeMap) -> float:
    """Return how steep is what is usual of an area, grey levels per mm."""
    return float(np.median(np.maximum(edges.across, edges.down)))


def _rim(colour: Colour, plane: Plane, tile: Placed, size: tuple[float, float], faces: Sequence[Array]) -> Rim:
    height, width = size
    middle, axes, half = _around(tile, size)
    edges = _edge_map(colour, plane, middle, axes, half)
    others = [face for face in faces if np.hypot(*(face.mean(axis=0) - middle)) > height / 2]
    free: Mask = edges.sight & ~edges.grid.within(others)
    near, x, y = round(SLACK_MM / PITCH_MM), edges.across.shape[1] // 2, edges.across.shape[0] // 2
    wide, high = round(SIDE_FRACTION * width / 2 / PITCH_MM), round(SIDE_FRACTION * height / 2 / PITCH_MM)
    sides: Rim = []
    for way in (-1, 1):
        row, column = y + round(way * height / 2 / PITCH_MM), x + round(way * width / 2 / PITCH_MM)
        flat = slice(row - near, row + near + 1), slice(x - wide, x + wide)
        steep = slice(y - high, y + high), slice(column - near, column + near + 1)
        sides.append((edges.down[flat].max(axis=0), np.asarray(free[flat].all(axis=0))))
        sides.append((edges.across[steep].max(axis=1), np.asarray(free[steep].all(axis=1))))
    return sides


def _around(tile: Placed, size: tuple[float, float]) -> tuple[Array, Array, Array]:
    """Return the middle of a tile, mm, its axes (2, 2), and how far an area around it reaches to each side."""
    return np.array((tile.x, tile.y)), _axes(np.radians(tile.angle)), np.array(size[::-1]) / 2 + 2 * SLACK_MM


def _longest(there: Mask) -> int:
    """Return the length of the longest run."""
    ends = np.flatnonzero(np.diff(np.pad(there.astype(np.int8), 1)))
    return int((ends[1::2] - ends[::2]).max(initial=0))


def _edge_map(colour: Colour, plane: Plane, middle: Array, axes: Array, half: Array) -> _EdgeMap:
    """Return the part of the table around a place, ``half`` mm to each side along the ``axes`` (2, 2)."""
    columns, rows = np.maximum(np.round(2 * half / PITCH_MM).astype(int), 3)
    right, down = PITCH_MM * axes
    grid = SquareGrid(middle - half @ axes, right, down, (int(columns), int(rows)))
    seen, sight = overhead(colour, plane, grid)
    soft = cv2.GaussianBlur(seen, (0, 0), BLUR_MM / PITCH_MM)
    # Whole numbers, eight times a difference, are worked out four times as fast.
    flat, steep = (most(np.abs(cv2.Sobel(soft, cv2.CV_16S, *way))) for way in ((1, 0), (0, 1)))
    return _EdgeMap(flat * np.float32(0.125 / PITCH_MM), steep * np.float32(0.125 / PITCH_MM), sight, grid)


def _framed(edges: _EdgeMap, height: float, width: float, least: float) -> Floats:
    """Return for every place how much of the weakest side of a tile around it is an edge."""
    near = 2 * round(SLACK_MM / PITCH_MM) + 1
    wide, high = round(SIDE_FRACTION * width / PITCH_MM), round(SIDE_FRACTION * height / PITCH_MM)
    flat = cv2.dilate(np.minimum(edges.down / least, 1), np.ones((near, 1), np.uint8))
    steep = cv2.dilate(np.minimum(edges.across / least, 1), np.ones((1, near), np.uint8))
    flat, steep = cv2.blur(flat, (wide, 1)), cv2.blur(steep, (1, high))
    up, aside = height / 2 / PITCH_MM, width / 2 / PITCH_MM
    moved = ((flat, 0, up), (flat, 0, -up), (steep, aside, 0), (steep, -aside, 0))
    weakest: Floats = np.minimum.reduce([_shifted(*each) for each in moved])
    return weakest


def _shifted(picture: cv2.typing.MatLike, x: float, y: float) -> Floats:
    matrix = np.array([(1, 0, round(x)), (0, 1, round(y))], dtype=np.float32)
    return np.asarray(cv2.warpAffine(picture, matrix, picture.shape[1::-1]), dtype=np.float32)


def _explained(covered: Mask, size: tuple[float, float]) -> Floats:
    """Return for every place how much of the middle of a tile there is ``covered`` by faces."""
    height, width = (max(1, round((side - 2 * RIM_MM) / PITCH_MM)) for side in size)
    return np.asarray(cv2.blur(covered.astype(np.float32), (width, height)), dtype=np.float32)


def _corners(height: float, width: float) -> Array:
    return np.array([(-width, -height), (width, -height), (width, height), (-width, height)]) / 2


def _without_repeats(seen: Sequence[tuple[float, Array]], apart: float) -> list[Array]:
    """Return the outlines, the clearest first, whose middles lie at least so far from each other, mm."""
    kept: list[Array] = []
    for _, one in sorted(seen, key=lambda each: -each[0]):
        if all(float(np.hypot(*(one.mean(axis=0) - other.mean(axis=0)))) >= apart for other in kept):
            kept.append(one)
    return kept
