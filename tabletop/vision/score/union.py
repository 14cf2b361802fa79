"""Adds to each picture of a seat what the others show of it: only all of them together show how its pieces stand.

A finger may lie over the second tile of a column in one picture and over the third in the other: both tiles are read,
and neither picture shows that one stands on the other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from tabletop.vision.geometry.columns import Placed
from tabletop.vision.score.seat_assignment import PhotoSeats, Seats
from tabletop.vision.score.second_look import laid_over


def united(seats: Seats, pictures: Sequence[PhotoSeats]) -> Seats:
    """Return the pieces of each seat in each picture, and with them those that only other pictures show, in its mm."""
    return {
        seat: {
            number: [*placed, *_missing(pictures[number], by_picture, pictures)]
            for number, placed in by_picture.items()
        }
        for seat, by_picture in seats.items()
    }


def _missing(
    one: PhotoSeats, by_picture: Mapping[int, Sequence[Placed]], pictures: Sequence[PhotoSeats]
) -> list[Placed]:
    """Return the pieces of a seat that a picture does not show, as the others have them."""
    missing: dict[str, Placed] = {}
    for number, others in by_picture.items():
        for each in others:
            if each.piece not in one.corners and each.piece not in missing:
                there = _carried(each, pictures[number], one)
                if there is not None:
                    missing[each.piece] = there
    return [*missing.values()]


def _carried(piece: Placed, other: PhotoSeats, one: PhotoSeats) -> Placed | None:
    """Return a piece of another picture as it lies in the mm of this one; None if too few tags are in both."""
    laid = laid_over(other, one, np.array((piece.x, piece.y)))
    if laid is None or one.reading.plane is None:
        return None
    turn = np.radians(piece.angle)
    ways = np.array([(0.0, 0.0), (np.cos(turn), np.sin(turn))])
    place, beside = one.reading.plane.to_mm(laid.plane.to_px(ways + np.array((piece.x, piece.y))))
    across = beside - place
    return Placed(piece.piece, float(place[0]), float(place[1]), float(np.degrees(np.arctan2(across[1], across[0]))))
