"""Adds to each picture of a seat what the others show of it, because only together they show how its pieces stand.

A finger may cover the second tile of a column in one picture and the third in another: both tiles are read, but neither
picture shows that one stands on the other.  If a finger covers the marker in one of them, the other one shows whose the
tiles are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from tabletop.vision.geometry.columns import Placed
from tabletop.vision.score.seats.photo_seats import MARGIN_MM, PhotoSeats, Seats, seats_holding
from tabletop.vision.score.second_look import laid_over

MIN_DEPTH_MM = 6.0
"""Least distance of a piece from the edge of a seat's area, inside it, if only another picture shows the area, mm."""


def adopted(pictures: Sequence[PhotoSeats]) -> list[PhotoSeats]:
    """Return the pictures, with pieces outside all zones assigned to the seats in whose areas other pictures show them.

    The pieces of pictures without markers are assigned in the same way, unless no picture has markers.
    """
    if not any(picture.areas for picture in pictures):
        return [*pictures]
    return [(_with_owners if picture.areas else _ungrouped)(picture, pictures) for picture in pictures]


def _with_owners(picture: PhotoSeats, pictures: Sequence[PhotoSeats]) -> PhotoSeats:
    named = {seat: [*pieces] for seat, pieces in picture.named.items()}
    unassigned = []
    for piece in picture.unassigned:
        owners = _owners(piece, picture, pictures) or set()
        if len(owners) == 1:
            named.setdefault(owners.pop(), []).append(piece)
        else:
            unassigned.append(piece)
    return replace(picture, named=named, unassigned=unassigned)


def _ungrouped(one: PhotoSeats, pictures: Sequence[PhotoSeats]) -> PhotoSeats:
    """Return a picture without markers, with the pieces of its groups assigned to seats according to other pictures.

    Pieces that no other picture assigns belong to the seat of all others in their group, unless they lie far outside
    its area.
    """
    named: dict[int, list[Placed]] = {}
    unassigned: list[Placed] = []
    groups, elsewhere = [], {*one.elsewhere}
    for group in one.groups:
        unknown: list[Placed] = []
        seats: set[int] = set()
        for piece in group:
            homes = _homes(piece, one, pictures)
            if homes is None:
                (unassigned if _is_beside(piece, one, pictures) else unknown).append(piece)
            elif len(homes) == 1:
                seats |= homes
                named.setdefault(min(homes), []).append(piece)
            elif any(piece.piece in other.elsewhere for other in pictures):
                elsewhere.add(piece.piece)
            else:
                unassigned.append(piece)
        if len(unknown) == len(group):
            groups.append(unknown)
        elif len(seats) == 1:
            named[min(seats)] += unknown
        else:
            unassigned += unknown
    return replace(one, named=named, groups=groups, unassigned=unassigned, elsewhere=elsewhere)


def _homes(piece: Placed, one: PhotoSeats, pictures: Sequence[PhotoSeats]) -> set[int] | None:
    """Return the seats that have a piece according to other pictures of it or of its place, None if there are none."""
    shown = [other for other in pictures if other is not one and other.areas and piece.piece in other.corners]
    if shown:
        named = [pair for other in shown for pair in other.named.items()]
        return {seat for seat, pieces in named if any(each.piece == piece.piece for each in pieces)}
    return _owners(piece, one, pictures)


def _is_beside(piece: Placed, one: PhotoSeats, pictures: Sequence[PhotoSeats]) -> bool:
    """Return whether a piece lies far outside every area whose marker another picture with a common tag shows."""
    marked = [other for other in pictures if other is not one and other.areas]
    carried = _carried_to(piece, one, marked, roughly=True)
    return bool(carried) and not any(seats_holding(moved, other.areas, MARGIN_MM) for other, moved in carried)


def _owners(piece: Placed, one: PhotoSeats, pictures: Sequence[PhotoSeats]) -> set[int] | None:
    """Return the seats without a marker in this picture in whose areas other pictures show a piece's place.

    None if no other picture with such a marker can be aligned with this one there.
    """
    others = [other for other in pictures if other is not one and other.areas.keys() - one.areas.keys()]
    carried = _carried_to(piece, one, others)
    owners = [seats_holding(moved, other.areas, -MIN_DEPTH_MM) for other, moved in carried]
    return set[int]().union(*owners) - one.areas.keys() if owners else None


def _carried_to(
    piece: Placed, one: PhotoSeats, others: Sequence[PhotoSeats], *, roughly: bool = False
) -> list[tuple[PhotoSeats, Placed]]:
    """Return the other pictures that can be aligned with this one at a piece, each with the piece in its own mm."""
    carried = [(other, _carried(piece, one, other, roughly=roughly)) for other in others]
    return [(other, moved) for other, moved in carried if moved is not None]


def united(seats: Seats, pictures: Sequence[PhotoSeats]) -> Seats:
    """Return the pieces of each seat in each picture, with those added that only other pictures show, in its mm."""
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
    """Return the pieces of a seat that a picture does not show, from the others, in this picture's mm."""
    missing: dict[str, Placed] = {}
    for number, others in by_picture.items():
        for each in others:
            if each.piece not in one.corners and each.piece not in missing:
                carried = _carried(each, pictures[number], one)
                if carried is not None:
                    missing[each.piece] = carried
    return [*missing.values()]


def _carried(piece: Placed, other: PhotoSeats, one: PhotoSeats, *, roughly: bool = False) -> Placed | None:
    """Return a piece of another picture in the mm of this one, None if too few tags are in both."""
    laid = laid_over(other, one, np.array((piece.x, piece.y)), roughly=roughly)
    if laid is None or one.reading.plane is None:
        return None
    turn = np.radians(piece.angle)
    offsets = np.array([(0.0, 0.0), (np.cos(turn), np.sin(turn))])
    place, right = one.reading.plane.to_mm(laid.plane.to_px(offsets + np.array((piece.x, piece.y))))
    direction = right - place
    return Placed(
        piece.piece, float(place[0]), float(place[1]), float(np.degrees(np.arctan2(direction[1], direction[0])))
    )
