"""Finds columns of tiles (palazzi) from the tiles' own up-vectors, wherever their seat is.

Tiles of one column face the same way and follow each other in that direction.  The table's axes play no part, so
seats may face each other, and a column may be crooked or bent.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from tabletop.vision.geometry.marker_pose import MarkerPose

MAX_TURN_DEG = 40.0
"""Largest angle between neighbours: people lay a tile within some 10°; the tiles of a seat around the corner differ by
90°, and half of that would be as near to one as to the other."""
MAX_ASIDE = 0.5
"""Largest sideways offset of neighbours, in widths of a tile: beyond half a tile, one covers more of the next column
than of its own."""
FAR_ASIDE = 0.75
"""Sideways offset, in widths, up to which it is ambiguous whether a tile stands on a column or beside it."""
SQUARE_ASIDE = 0.25
"""Largest sideways offset, in widths, of a tile that stands clearly on its own column and not on another."""
MIN_UP = 0.5
"""Least upward distance of neighbours, in heights: any nearer, and one tile would cover the other's tag."""
MAX_UP = 1.6
"""Largest upward distance of neighbours, in heights: a gap of more than six tenths of a tile separates two palazzi."""
SPACING_RANGE_MM = (18.0, 66.0)
"""Plausible distances of neighbours, mm, if the height of the tiles is unknown: 22 to 60 with some margin."""
MAX_SLOPE = 0.4
"""The largest ratio of aside to up in the search for an unknown height: diagonal neighbours do not count."""
TILE_ASPECT = 1.2
"""Assumed ratio of width to height of a tile of unknown size."""


class Placed(NamedTuple):
    """A piece on the plane: its centre in mm (y down), and the direction of its up in degrees clockwise."""

    piece: str
    x: float
    y: float
    angle: float


class _Link(NamedTuple):
    """One tile above another: how far up and aside, mm, relative to the mean of both up-vectors."""

    lower: int
    upper: int
    up: float
    aside: float


def columns(
    placed: Iterable[Placed], height: float | None = None, width: float | None = None
) -> frozenset[tuple[str, ...]]:
    """Return the columns, each from the bottom up; every piece is in exactly one.

    ``height`` and ``width`` of a tile are in mm; without them the height is estimated from the tiles' own distances.
    """
    tiles = list(placed)
    links = _links(tiles)
    height, width = _size(links, height, width)
    possible = [
        link for link in links if MIN_UP * height <= link.up <= MAX_UP * height and link.aside <= MAX_ASIDE * width
    ]
    possible.sort(key=lambda link: (abs(link.up - height) + 1.5 * link.aside, link))
    return _chains(tiles, possible)


def facing(placed: Iterable[Placed]) -> list[list[Placed]]:
    """Return the pieces grouped by the way they face, clockwise around the table from the near side of the picture."""
    groups: list[list[Placed]] = []
    for piece in sorted(placed, key=lambda each: (each.angle + 45) % 360):
        for group in groups:
            if turned(piece.angle, group[0].angle) <= MAX_TURN_DEG:
                group.append(piece)
                break
        else:
            groups.append([piece])
    return groups


def turned(one: float, other: float) -> float:
    """Return the angle between two directions, degrees."""
    return abs((one - other + 180) % 360 - 180)


def missing_between(
    placed: Iterable[Placed], height: float | None = None, width: float | None = None
) -> list[tuple[str, str]]:
    """Return pairs, the top of one column and the bottom of another, with room for one tile between them.

    Either a tile between them cannot be read, or two palazzi stand one behind the other.
    """
    tiles = list(placed)
    links = _links(tiles)
    height, width = _size(links, height, width)
    standing = columns(tiles, height, width)
    bottoms = {column[0] for column in standing}
    return [
        pair
        for link, pair in _over_tops(tiles, links, standing)
        if MAX_UP * height < link.up < (MAX_UP + 1) * height and link.aside < MAX_ASIDE * width and pair[1] in bottoms
    ]


def ambiguous_neighbours(
    placed: Iterable[Placed], height: float | None = None, width: float | None = None
) -> list[tuple[str, str]]:
    """Return pairs, lower and upper, for which it is ambiguous whether one stands on the other or beside it.

    One lies half beside the top of another column, or over more than half of the other, or is turned another way.
    Tiles that stand squarely on their own column do not count as half beside another one.
    """
    tiles = list(placed)
    links = _links(tiles)
    height, width = _size(links, height, width)
    standing = columns(tiles, height, width)
    below = {upper: lower for column in standing for lower, upper in itertools.pairwise(column)}
    firm = {
        tiles[link.upper].piece
        for link in links
        if below.get(tiles[link.upper].piece) == tiles[link.lower].piece and link.aside <= SQUARE_ASIDE * width
    }
    half_beside = [
        pair
        for link, pair in _over_tops(tiles, links, standing)
        if MIN_UP * height <= link.up <= MAX_UP * height
        and MAX_ASIDE * width < link.aside < FAR_ASIDE * width
        and pair[1] not in firm
    ]
    over_each_other = [
        (tiles[link.lower].piece, tiles[link.upper].piece)
        for link in links
        if link.up < MIN_UP * height and link.aside < FAR_ASIDE * width
    ]
    return [*half_beside, *over_each_other, *_turned_neighbours(tiles, height, width)]


def _turned_neighbours(tiles: Sequence[Placed], height: float, width: float) -> Iterator[tuple[str, str]]:
    """Iterate over pairs, lower and upper, that would be neighbours in a column if they faced the same way.

    The direction that more tiles face decides which of the two is the upper one.
    """
    groups = sorted(facing(tiles), key=len, reverse=True)
    for group, other_group in itertools.combinations(groups, 2):
        for tile, other in itertools.product(group, other_group):
            aside, down = MarkerPose(tile.x, tile.y, tile.angle).local(other.x, other.y)
            if abs(aside) <= MAX_ASIDE * width and abs(down) <= MAX_UP * height:
                yield (tile.piece, other.piece) if down < 0 else (other.piece, tile.piece)


def spacing(placed: Iterable[Placed]) -> float | None:
    """Return the usual distance between neighbours in a column, mm, None if no tile stands on another."""
    links = _links(list(placed))
    return _usual_spacing(links) if any(_may_be_neighbours(link) for link in links) else None


def _links(tiles: Sequence[Placed]) -> list[_Link]:
    """Return a link for every pair of tiles that face the same way, one above the other."""
    if len(tiles) < 2:
        return []
    place = np.array([(tile.x, tile.y) for tile in tiles])
    turn = np.radians([tile.angle for tile in tiles])
    up = np.stack([np.sin(turn), -np.cos(turn)], axis=1)
    mean = up[:, None] + up[None]
    mean /= np.linalg.norm(mean, axis=2, keepdims=True) + 1e-9
    apart = place[None] - place[:, None]
    rise = (apart * mean).sum(axis=2)
    aside = np.abs(apart[..., 0] * mean[..., 1] - apart[..., 1] * mean[..., 0])
    same_direction = (up @ up.T) >= np.cos(np.radians(MAX_TURN_DEG))
    bottoms, tops = np.nonzero(same_direction & (rise > 0))
    return [
        _Link(int(low), int(top), float(rise[low, top]), float(aside[low, top]))
        for low, top in zip(bottoms, tops, strict=True)
        if low != top
    ]


def _over_tops(
    tiles: Sequence[Placed], links: Iterable[_Link], found: Iterable[tuple[str, ...]]
) -> Iterator[tuple[_Link, tuple[str, str]]]:
    """Iterate over the links from the top of a column upward, each with the two pieces, lower and upper."""
    tops = {column[-1] for column in found}
    for link in links:
        lower, upper = tiles[link.lower].piece, tiles[link.upper].piece
        if lower in tops:
            yield link, (lower, upper)


def _size(links: Iterable[_Link], height: float | None, width: float | None) -> tuple[float, float]:
    """Return height and width of a tile, mm: as given, or estimated from the distances of tiles."""
    height = _usual_spacing(links) if height is None else height
    return height, TILE_ASPECT * height if width is None else width


def _may_be_neighbours(link: _Link) -> bool:
    return SPACING_RANGE_MM[0] <= link.up <= SPACING_RANGE_MM[1] and link.aside <= MAX_SLOPE * link.up


def _usual_spacing(links: Iterable[_Link]) -> float:
    """Return the usual distance to the next tile above, from the smaller ones, because gaps only make it larger."""
    nearest: dict[int, float] = {}
    for link in links:
        if _may_be_neighbours(link):
            nearest[link.lower] = min(link.up, nearest.get(link.lower, link.up))
    if not nearest:
        return SPACING_RANGE_MM[0]
    rises = np.array(list(nearest.values()))
    usual = np.percentile(rises, 25, method="lower")
    return float(np.median(rises[np.abs(rises - usual) <= 0.25 * usual]))


def _chains(tiles: Sequence[Placed], links: Iterable[_Link]) -> frozenset[tuple[str, ...]]:
    """Return the columns that the best links form: each tile has at most one neighbour above and one below."""
    above: dict[int, int] = {}
    below: dict[int, int] = {}
    for link in links:
        if link.lower in above or link.upper in below or _top(above, link.upper) == link.lower:
            continue
        above[link.lower] = link.upper
        below[link.upper] = link.lower
    chains = []
    for index in range(len(tiles)):
        if index in below:
            continue
        column = [index]
        while column[-1] in above:
            column.append(above[column[-1]])
        chains.append(tuple(tiles[each].piece for each in column))
    return frozenset(chains)


def _top(above: dict[int, int], index: int) -> int:
    while index in above:
        index = above[index]
    return index
