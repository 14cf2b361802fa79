"""Arranges the pieces of a zone according to its shape, from the sightings of their tags."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from math import hypot
from statistics import median
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.rules.layout import Arrangement, Columns, Grid, Heap, Pile, Spread, Tower
from tabletop.rules.table import Size, Zone, ZoneShape
from tabletop.vision.geometry.columns import MAX_ASIDE, MAX_TURN_DEG, MIN_UP, Placed, columns, turned
from tabletop.vision.geometry.grid import plot
from tabletop.vision.geometry.marker_pose import MarkerPose
from tabletop.vision.kit import MIN_SQUARE_RATIO, reach
from tabletop.vision.scene import ReadBy, Sighting

MAX_OVERLAP_MM = 3.0
"""Margin by which the outlines of two pieces are each shrunk, mm, before an overlap counts as one lying on the other:
people lay pieces side by side carelessly."""
SQUARE_CORNERS = np.array([(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)])
"""The corners of a piece, in units of half its width and height."""
DISC_ANGLES = np.radians(np.arange(0, 360, 30))
"""Directions from its middle, radians, in which the outline of a round piece is sampled."""
AMBIGUOUS_MARGIN = 0.25
"""Distance of a piece from a second tile, as a fraction of its own side, within which its tile is ambiguous."""


class LyingPiece(NamedTuple):
    """One piece on the table: the sighting of its tag, its size (None if the game does not say), and ``Piece.like``."""

    piece: str
    seen: Sighting
    size: Size | None
    like: str

    @property
    def middle(self) -> Placed:
        """The middle of the piece, and its angle."""
        tag = MarkerPose(self.seen.x, self.seen.y, self.seen.angle)
        x, y = tag.table(-self.size.tag_x, -self.size.tag_y) if self.size is not None else (tag.x, tag.y)
        return Placed(self.piece, x, y, self.seen.angle)

    @property
    def tag(self) -> Placed:
        """The middle of its tag, and its angle."""
        return Placed(self.piece, self.seen.x, self.seen.y, self.seen.angle)

    def tag_turned(self, quarters: int) -> Placed:
        """Return the middle of its tag, and its angle, if the piece were turned in its place by quarter turns."""
        x, y, angle = self.middle[1:]
        size, angle = self.size if self.size is not None else Size(0, 0), angle + 90 * quarters
        return Placed(self.piece, *MarkerPose(x, y, angle).table(size.tag_x, size.tag_y), angle)

    @property
    def is_read(self) -> bool:
        """Whether its tag is read now, not only remembered."""
        return self.seen.how != ReadBy.KEPT

    def covers(self, x: float, y: float, margin: float = 0.0) -> bool:
        """Return whether a place, mm, lies within its outline, or at most ``margin`` mm beyond it."""
        if self.size is None or hypot(x - self.seen.x, y - self.seen.y) > reach(self.size) + 2 * margin:
            return False
        across, down = MarkerPose(self.seen.x, self.seen.y, self.seen.angle).local(x, y)
        beside, above = abs(across + self.size.tag_x), abs(down + self.size.tag_y)
        return beside <= self.size.width / 2 + margin and above <= self.size.height / 2 + margin

    def outline(self, inset: float) -> NDArray[np.float32]:
        """Return its outline (n, 2), mm, shrunk by ``inset`` mm; empty if its size is not known."""
        if self.size is None:
            return np.zeros((0, 2), np.float32)
        half = np.array((self.size.width, self.size.height)) / 2 - inset
        corners = np.stack([np.cos(DISC_ANGLES), np.sin(DISC_ANGLES)], axis=1) if self.size.round else SQUARE_CORNERS
        frame = MarkerPose(self.middle.x, self.middle.y, self.seen.angle)
        return np.array([frame.table(x, y) for x, y in (corners * half).tolist()], np.float32)


def arranged(lying: Sequence[LyingPiece], zone: Zone, pose: MarkerPose, upon: Mapping[str, str]) -> Arrangement:
    """Return the arrangement of a zone's pieces; ``upon``: piece → the tile of a grid that it lies on."""
    pieces = frozenset(piece.piece for piece in lying)
    match zone.shape:
        case ZoneShape.COLUMNS:
            return Columns(_columns(lying, pose.angle))
        case ZoneShape.GRID:
            return _grid(lying, pose.angle, upon)
        case ZoneShape.TOWER:
            return Tower(_tower(lying, pose))
        case ZoneShape.PILE:
            # Pieces that are only remembered lie under those that are read.
            order = sorted(lying, key=lambda piece: (piece.is_read, piece.seen.payload))
            return Pile(tuple(piece.piece for piece in order))
        case ZoneShape.HEAP:
            return Heap(pieces)
    return Spread(pieces)


def _columns(lying: Sequence[LyingPiece], angle: float) -> frozenset[tuple[str, ...]]:
    """Return the columns of tiles; a tile that hides the tag of another one is built on it."""
    beneath = _beneath(lying)
    hidden = frozenset(chain.from_iterable(beneath.values()))
    standing = _columns_in_sight([tile for tile in lying if tile.piece not in hidden], angle)
    return frozenset(
        tuple(chain.from_iterable((*beneath.get(tile, ()), tile) for tile in column)) for column in standing
    )


def _beneath(lying: Sequence[LyingPiece]) -> dict[str, list[str]]:
    """Return tile → the tiles that it hides, directly or through others, the lowest first."""
    tiles = {tile.seen.payload: tile for tile in lying}
    above = {
        tile.piece: upper.piece
        for tile in lying
        if (upper := tiles.get(tile.seen.upon)) is not None and _hides(upper, tile)
    }
    beneath: dict[str, list[str]] = {}
    # In order, because which of two tiles under the same one comes last must not differ between runs.
    for lowest in sorted(above.keys() - above.values()):
        pile = [lowest]
        while above.get(pile[-1], lowest) not in pile:
            pile.append(above[pile[-1]])
        beneath[pile.pop()] = pile
    return beneath


def _hides(upper: LyingPiece, lower: LyingPiece) -> bool:
    """Return whether a tile lies on so much of another one that the lower one's tag cannot be read."""
    if lower.size is None:
        return False
    middle = lower.middle
    across, down = MarkerPose(middle.x, middle.y, middle.angle).local(upper.middle.x, upper.middle.y)
    return abs(across) < MAX_ASIDE * lower.size.width and abs(down) < MIN_UP * lower.size.height


def _columns_in_sight(lying: Sequence[LyingPiece], angle: float) -> frozenset[tuple[str, ...]]:
    """Return the columns of tiles in sight; one laid a quarter turn off belongs to the column in which it lies.

    Only a tile that would be alone is turned, because a whole column may stand sideways.
    """
    size = usual_size(lying)
    height, width = (size.height, size.width) if size is not None else (None, None)
    placed = _upright(lying, angle)
    standing = columns(placed, height, width)
    alone = {column[0] for column in standing if len(column) == 1}
    up = _usual_angle(placed, angle)
    askew = [tile.piece in alone and turned(tile.angle, up) > 45 for tile in placed]
    if not any(askew):
        return standing
    straight = (
        min(map(piece.tag_turned, range(4)), key=lambda way: turned(way.angle, up)) if off else tile
        for piece, tile, off in zip(lying, placed, askew, strict=True)
    )
    return columns(straight, height, width)


def _usual_angle(placed: Sequence[Placed], angle: float) -> float:
    """Return the way that most tiles face; in a tie, the one nearer to that of the card, which lies at ``angle``."""

    def agreeing(one: float) -> tuple[int, float]:
        alike = sum(turned(one, tile.angle) <= MAX_TURN_DEG for tile in placed)
        return alike, -min(turned(one, angle), turned(one, angle + 180))

    return max((tile.angle for tile in placed), key=agreeing, default=angle)


def _upright(lying: Sequence[LyingPiece], angle: float) -> list[Placed]:
    """Return the tags of tiles, with the tiles that were laid upside down turned round.

    The majority of tiles shows which way is up; in a tie, the card of the zone decides, which lies at ``angle``.
    """
    against = [turned(piece.seen.angle, angle) > 90 for piece in lying]
    is_card_wrong = sum(against) > len(against) / 2
    return [
        piece.tag if down == is_card_wrong else piece.tag_turned(2) for piece, down in zip(lying, against, strict=True)
    ]


def uncovered(lying: Sequence[LyingPiece], everything: Sequence[LyingPiece]) -> list[LyingPiece]:
    """Return the pieces of a zone of spaces that still lie there.

    A piece that is only remembered was taken if a piece that is read now lies on it: no pieces are stacked there.
    """
    read = [piece for piece in everything if piece.is_read]
    return [
        piece
        for piece in lying
        if piece.is_read or not any(piece.piece != other.piece and _overlap(piece, other) for other in read)
    ]


def _overlap(one: LyingPiece, other: LyingPiece) -> bool:
    """Return whether two pieces overlap by more than their edges."""
    if one.size is None or other.size is None:
        return False
    # Most are far apart; outlines are computed only for the others.
    if hypot(one.seen.x - other.seen.x, one.seen.y - other.seen.y) > reach(one.size) + reach(other.size):
        return False
    inner, outer = one.outline(MAX_OVERLAP_MM), other.outline(MAX_OVERLAP_MM)
    return bool(cv2.intersectConvexConvex(inner, outer)[0] > 0)


def lying_upon(small: LyingPiece, tiles: Iterable[LyingPiece]) -> str:
    """Return the tile that a small piece lies on, empty if there is none or it is ambiguous."""
    x, y = small.middle.x, small.middle.y
    margin = AMBIGUOUS_MARGIN * small.size.width if small.size is not None else 0.0
    near = [tile for tile in tiles if tile.covers(x, y, margin)]
    return near[0].piece if len(near) == 1 and near[0].covers(x, y) else ""


def _grid(lying: Sequence[LyingPiece], up: float, upon: Mapping[str, str]) -> Grid:
    tiles = [piece for piece in lying if piece.piece not in upon]
    size = usual_size(tiles)
    if size is None:
        return Grid(frozenset(), askew=frozenset(tile.piece for tile in tiles))
    large = [tile for tile in tiles if tile.size is not None and tile.size.width >= MIN_SQUARE_RATIO * size.width]
    cells = plot([piece.middle for piece in large], size.width, up)
    small = frozenset(tile.piece for tile in tiles if tile not in large)
    names = {tile.piece for tile in tiles}
    held = frozenset((piece, tile) for piece, tile in upon.items() if tile in names)
    return Grid(cells.cells, held, cells.askew | small)


def _tower(lying: Sequence[LyingPiece], pose: MarkerPose) -> tuple[str, ...]:
    """Return the ``like`` names of a tower's pieces, from its foot up.

    If two are less than half a piece apart, the one that is only remembered is below.
    """
    size = usual_size(lying)
    min_rise = size.height / 2 if size is not None else 0.0
    floors = [(-pose.local(piece.middle.x, piece.middle.y)[1], piece) for piece in lying]
    floors.sort(key=lambda each: (each[0], each[1].piece))
    for index in range(len(floors) - 1):
        (low, lower), (high, upper) = floors[index], floors[index + 1]
        if high - low < min_rise and lower.is_read and not upper.is_read:
            floors[index], floors[index + 1] = (low, upper), (high, lower)
    return tuple(piece.like for _, piece in floors)


def usual_size(lying: Iterable[LyingPiece]) -> Size | None:
    """Return the median size of these pieces, None if the game does not say."""
    sizes = [piece.size for piece in lying if piece.size is not None]
    if not sizes:
        return None
    return Size(median(size.width for size in sizes), median(size.height for size in sizes))
