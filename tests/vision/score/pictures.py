"""Readings of pictures of final tables: tags and doubts at places in mm, seen from straight above."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import cos, radians, sin

import numpy as np
from numpy.typing import NDArray

from tabletop.messages import Message
from tabletop.rules import registry
from tabletop.vision.geometry.outlines import outlines
from tabletop.vision.geometry.plane import Plane
from tabletop.vision.kit import Kit
from tabletop.vision.photo.read_photo import PhotoReading
from tabletop.vision.photo.shrunk_picture import ShrunkPicture
from tabletop.vision.scene import Cause, ReadBy, Sighting, Unreadable
from tabletop.vision.score.palazzo import PalazzoTally
from tabletop.vision.score.score import Score, score

PALAZZO = registry.game("palazzo")
DENSITY = 4.0
"""Pixels per mm of the pictures here, seen from straight above."""
FIRST = (("B2.3", "B4.2"), ("B1.3", "S2.1", "B5.2"))


def plane(density: float = DENSITY, size: tuple[int, int] = (600, 400)) -> Plane:
    return Plane(np.diag((1 / density, 1 / density, 1.0)), 0.0, (int(size[1] * density), int(size[0] * density)))


def lying(
    payload: str, x: float, y: float, angle: float = 0.0, side: float = 16.8, density: float = DENSITY
) -> Sighting:
    """Return a tag whose middle is at x, y mm."""
    turn = radians(angle)
    across, down = np.array((cos(turn), sin(turn))) * side / 2, np.array((-sin(turn), cos(turn))) * side / 2
    middle = np.array((x, y))
    corners = np.array([middle - across - down, middle + across - down, middle + across + down, middle - across + down])
    one, two, three, four = (tuple(corner) for corner in corners * density)
    return Sighting(payload, x, y, angle, (one, two, three, four), 1.0, ReadBy.ZXING)


def stand(
    palazzi: tuple[tuple[str, ...], ...], x: float = 60.0, y: float = 200.0, angle: float = 0.0, but: Sequence[str] = ()
) -> Iterator[Sighting]:
    """Iterate over the tiles of palazzi side by side except ``but``, the first one's bottom tile at x, y mm."""
    turn = radians(angle)
    for column, tiles in enumerate(palazzi):
        for floor, tile in enumerate(tiles):
            across, up = 44.0 * column, 29.0 * floor
            if tile not in but:
                place = (x + across * cos(turn) + up * sin(turn), y + across * sin(turn) - up * cos(turn))
                yield lying(f"PZ:{tile.upper()}", *place, angle)


def reading(
    *sightings: Sighting,
    unread: Sequence[Unreadable] = (),
    seen: Plane | None = None,
    look: NDArray[np.uint8] | None = None,
) -> PhotoReading:
    """Return the reading of a picture; ``look`` is how it looks, px (height, width, 3) of any size."""
    shown = seen or plane()
    small = None if look is None else ShrunkPicture.of(look, shown, faces(sightings))
    return PhotoReading(tuple(sightings), shown, tuple(unread), shrunk=small)


def faces(sightings: tuple[Sighting, ...]) -> list[NDArray[np.float64]]:
    """Return the outlines of the pieces that were read, mm."""
    return outlines(sightings, Kit(PALAZZO))


def score_of(*readings: PhotoReading, playing: int | None = None) -> Score:
    return score(readings, PALAZZO, PalazzoTally(), playing)


def palazzi(found: Score, seat: int) -> dict[tuple[str, ...], int | None]:
    there = next(one for one in found.seats if one.seat == seat)
    return {palazzo.tiles: palazzo.points for palazzo in there.palazzi}


def reasons(found: Score) -> list[str | Cause]:
    return [unread.reason for _, unread in found.unread]


def stretched(
    x: float, y: float, width: int, height: int
) -> tuple[tuple[float, float], tuple[float, float], tuple[float, float], tuple[float, float]]:
    """Return the corners, px, of something that covers a part of the table around x, y mm."""
    ways = ((-1, -1), (1, -1), (1, 1), (-1, 1))
    one, two, three, four = (
        ((x + across * width / 2) * DENSITY, (y + down * height / 2) * DENSITY) for across, down in ways
    )
    return one, two, three, four


def no_tag(x: float, y: float, width: int, height: int) -> Unreadable:
    """Return an object of that size around x, y mm that shows no tag."""
    return Unreadable(Cause.NO_TAG, Message("Something lies here and shows no tag."), stretched(x, y, width, height))


def unread_at(x: float, y: float) -> Unreadable:
    return Unreadable(
        Cause.UNKNOWN, Message("There is something like a tag here that cannot be read."), lying("", x, y).corners
    )


ON_THE_TABLE = (lying("TT:SEAT1", 20, 240), lying("TT:SEAT2", 560, 20, 180))
