"""Tiles without a tag on a ground of many colours: four straight edges as far apart as a tile's.

Where the ground is of one colour, what differs from it is a thing (:mod:`tabletop.vision.unexplained`); on a printed
mat nearly everything differs.  A tile that is turned over still ends in four straight edges beside the tiles that were
read, and these tell how strong such edges are in this picture.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.vision.columns import Placed
from tabletop.vision.frame import Colour
from tabletop.vision.plane import Array, Plane

PITCH = 0.6
"""Side of the squares of the table that are looked at, mm."""
SOFT = 0.8
"""What is smaller does not matter (noise, grain): standard deviation of a blur, mm."""
TURNS = (0.0, -5.0, 5.0, -10.0, 10.0)
"""How far a tile is turned against the others, degrees; an edge is found up to some degrees beside each."""
SLACK = 1.5
"""How far an edge may lie off its place, mm: tiles are cut, laid and seen a little crooked."""
ALONG = 0.8
"""Part of a side that is looked at: corners are round."""
WEAKER = 0.35
"""How strong an edge has to be, as a part of those of the tiles that were read …"""
BUSIER = 2.5
"""… and as so many times what is usual on the ground."""
SIDE = 0.75
"""Part of each of the four sides along which there is such an edge: tiles have nine tenths, mats half."""
FREE = 0.2
"""The most of a tile's middle that may be explained by what was read."""
INNER = 3.0
"""What is nearer to its edge is not its middle, mm."""
MOST = 40
"""Most tiles in an area."""

Floats: TypeAlias = NDArray[np.float32]


class _Sheet(NamedTuple):
    """A part of the table from above, turned: how steep it is across and down, grey levels a mm; what is in sight."""

    across: Floats
    down: Floats
    sight: NDArray[np.bool_]


def blanks(
    colour: Colour,
    plane: Plane,
    area: Array,
    size: tuple[float, float],
    tiles: Sequence[Placed],
    faces: Sequence[Array],
) -> list[Array]:
    """Return the outlines (4, 2) mm of what ends as a tile does in an area and within no face.

    ``area`` are its corners in mm, from its own top left, clockwise; ``size`` is a tile's height and width, ``tiles``
    are those that were read in this picture, ``faces`` the outlines (4, 2) mm of all that was read.
    """
    if not tiles:
        return []
    height, width = size
    usual = float(np.median([_edge(colour, plane, tile, size) for tile in tiles]))
    middle, across = area.mean(axis=0), area[1] - area[0]
    turn = float(np.arctan2(across[1], across[0]))
    half = np.array([np.linalg.norm(across), np.linalg.norm(area[3] - area[0])]) / 2
    seen: list[tuple[float, Array]] = []
    for way in turn + np.radians(TURNS):
        axes = np.array([(np.cos(way), np.sin(way)), (-np.sin(way), np.cos(way))])
        sheet = _sheet(colour, plane, middle, axes, half)
        ground = float(np.median(np.maximum(sheet.across, sheet.down)))
        like = _framed(sheet, height, width, max(WEAKER * usual, BUSIER * ground))
        like[~sheet.sight | (_explained(faces, middle, axes, half, like.shape, size) > FREE)] = 0
        for _ in range(MOST):
            row, column = np.unravel_index(like.argmax(), like.shape)
            score = float(like[row, column])
            if score < SIDE:
                break
            place = middle + (np.array((column, row)) * PITCH - half) @ axes
            seen.append((score, place + _corners(height, width) @ axes))
            cv2.circle(like, (int(column), int(row)), int(height / PITCH), 0.0, -1)
    return _apart(seen, height)


def _edge(colour: Colour, plane: Plane, tile: Placed, size: tuple[float, float]) -> float:
    """Return how steep the edges of a tile that was read are, grey levels a mm: that of most of its four sides."""
    height, width = size
    turn = np.radians(tile.angle)
    axes = np.array([(np.cos(turn), np.sin(turn)), (-np.sin(turn), np.cos(turn))])
    half = np.array((width, height)) / 2 + 2 * SLACK
    sheet = _sheet(colour, plane, np.array((tile.x, tile.y)), axes, half)
    near, x, y = round(SLACK / PITCH), sheet.across.shape[1] // 2, sheet.across.shape[0] // 2
    wide, high = round(ALONG * width / 2 / PITCH), round(ALONG * height / 2 / PITCH)
    sides = []
    for way in (-1, 1):
        row, column = y + round(way * height / 2 / PITCH), x + round(way * width / 2 / PITCH)
        sides.append(sheet.down[row - near : row + near + 1, x - wide : x + wide].max(axis=0))
        sides.append(sheet.across[y - high : y + high, column - near : column + near + 1].max(axis=1))
    return float(np.median([np.quantile(side, 1 - SIDE) for side in sides]))


def _sheet(colour: Colour, plane: Plane, middle: Array, axes: Array, half: Array) -> _Sheet:
    """Return the part of the table around a place, ``half`` mm to each side along the ``axes`` (2, 2)."""
    size = np.maximum(np.round(2 * half / PITCH).astype(int), 3)
    u, v = np.meshgrid((np.arange(size[0]) + 0.5) * PITCH - half[0], (np.arange(size[1]) + 0.5) * PITCH - half[1])
    px = plane.to_px(middle + np.stack([u, v], axis=-1) @ axes).astype(np.float32)
    sight = np.asarray(((px >= 0) & (px <= np.array(colour.shape[1::-1]) - 1)).all(axis=-1))
    seen = cv2.remap(colour, px[..., 0], px[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    soft = cv2.GaussianBlur(seen.astype(np.float32), (0, 0), SOFT / PITCH)
    across, down = (np.abs(cv2.Sobel(soft, cv2.CV_32F, *way, scale=0.125 / PITCH)) for way in ((1, 0), (0, 1)))
    return _Sheet(across.max(axis=-1), down.max(axis=-1), sight)


def _framed(sheet: _Sheet, height: float, width: float, least: float) -> Floats:
    """Return for every place how much of the weakest side of a tile around it is an edge."""
    near = 2 * round(SLACK / PITCH) + 1
    wide, high = round(ALONG * width / PITCH), round(ALONG * height / PITCH)
    flat = cv2.dilate(np.minimum(sheet.down / least, 1), np.ones((near, 1), np.uint8))
    steep = cv2.dilate(np.minimum(sheet.across / least, 1), np.ones((1, near), np.uint8))
    flat, steep = cv2.blur(flat, (wide, 1)), cv2.blur(steep, (1, high))
    up, aside = height / 2 / PITCH, width / 2 / PITCH
    moved = ((flat, 0, up), (flat, 0, -up), (steep, aside, 0), (steep, -aside, 0))
    weakest: Floats = np.minimum.reduce([_shifted(*each) for each in moved])
    return weakest


def _shifted(picture: cv2.typing.MatLike, x: float, y: float) -> Floats:
    matrix = np.array([(1, 0, round(x)), (0, 1, round(y))], dtype=np.float32)
    return np.asarray(cv2.warpAffine(picture, matrix, picture.shape[1::-1]), dtype=np.float32)


def _explained(
    faces: Sequence[Array], middle: Array, axes: Array, half: Array, shape: tuple[int, ...], size: tuple[float, float]
) -> Floats:
    """Return for every place how much of the middle of a tile there lies within a face."""
    mask = np.zeros(shape, np.float32)
    for face in faces:
        cv2.fillPoly(mask, [np.round(((face - middle) @ axes.T + half) / PITCH).astype(np.int32)], 1.0)
    height, width = (max(1, round((side - 2 * INNER) / PITCH)) for side in size)
    return np.asarray(cv2.blur(mask, (width, height)), dtype=np.float32)


def _corners(height: float, width: float) -> Array:
    return np.array([(-width, -height), (width, -height), (width, height), (-width, height)]) / 2


def _apart(seen: Sequence[tuple[float, Array]], apart: float) -> list[Array]:
    """Return the outlines, the clearest first, whose middles lie at least so far from each other, mm."""
    kept: list[Array] = []
    for _, one in sorted(seen, key=lambda each: -each[0]):
        if all(float(np.hypot(*(one.mean(axis=0) - other.mean(axis=0)))) >= apart for other in kept):
            kept.append(one)
    return kept
