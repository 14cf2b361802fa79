"""Finds contradictions between pictures of one table: whose a piece is, how pieces stand, whether one is there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from itertools import combinations
from math import hypot

import numpy as np

from tabletop.messages import Message, PieceRef, listed, listed_pieces
from tabletop.vision.geometry.columns import Placed
from tabletop.vision.geometry.outlines import wider
from tabletop.vision.geometry.plane import Array
from tabletop.vision.scene import Cause, Unreadable
from tabletop.vision.score.alignment import SAME_PLACE_MM
from tabletop.vision.score.picture_comparison import is_partly_seen
from tabletop.vision.score.seats.photo_seats import Doubts, PhotoSeats, Seats, seats_holding
from tabletop.vision.score.second_look import OVERLAY_REACH_MM, Ground, ground_of, laid_over
from tabletop.vision.score.tally import Built, Tally

NO_SEAT = -1
"""The owner of pieces outside all seats' areas."""
MIN_COVERED_FRACTION = 0.5
"""Least fraction of a tag's place that looks unlike the ground if something covers the tag."""


def taken_twice(seats: Seats, pictures: Sequence[PhotoSeats]) -> Doubts:
    """Remove the pieces that pictures show with several seats, or with none, and return a doubt about each."""
    owners: dict[str, set[int]] = {}
    showing: dict[str, set[int]] = {}
    for seat, by_picture in seats.items():
        for number, placed in by_picture.items():
            for each in placed:
                away = {other.number for other in pictures if _is_away(each, seat, pictures[number], other)}
                owners.setdefault(each.piece, set()).update({seat, NO_SEAT} if away else {seat})
                showing.setdefault(each.piece, set()).update({number, *away})
    by_pictures: dict[tuple[int, ...], list[str]] = {}
    for piece in sorted(piece for piece, seats_of_piece in owners.items() if len(seats_of_piece) > 1):
        by_pictures.setdefault(tuple(sorted(showing[piece])), []).append(piece)
    doubts: Doubts = []
    for numbers, pieces in by_pictures.items():
        text = Message(
            "Pictures {pictures} disagree about whose these are, so they count for nobody: {pieces}.",
            pictures=_numbers(numbers),
            pieces=tuple(map(PieceRef, pieces)),
        )
        doubts += doubts_at(pieces, text, Cause.CONTRADICTION, numbers, pictures)
    for by_picture in seats.values():
        for number, placed in by_picture.items():
            by_picture[number] = [each for each in placed if len(owners[each.piece]) == 1]
    return doubts


def _is_away(piece: Placed, seat: int, one: PhotoSeats, other: PhotoSeats) -> bool:
    """Return whether another picture shows a piece, which this one shows as a seat's, outside all places of that seat.

    It is outside in a zone that does not count, beside all zones, or, in a picture without markers, outside the seat's
    area as this picture shows it.  At the edge of an area, or if the other picture does not show the seat's marker, the
    pictures may merely differ, so the piece must also have moved.
    """
    unassigned = piece.piece in _ids(other.unassigned)
    unmarked = not other.areas and seat in one.areas and piece.piece in other.corners
    if piece.piece in other.between or not (unassigned or unmarked or piece.piece in other.elsewhere):
        return False
    place, tag = np.array((piece.x, piece.y)), one.corners[piece.piece]
    # Its own tag cannot be used to align the pictures, because it may have moved.
    without_tag = replace(one.reading, sightings=tuple(each for each in one.reading.sightings if each.corners != tag))
    laid = laid_over(replace(one, reading=without_tag), other, place, roughly=seat in other.areas)
    if laid is None:
        return seat in other.areas or not (unassigned or unmarked)
    x, y = laid.plane.to_mm(np.array(other.corners[piece.piece])).mean(axis=0).tolist()
    inside = unmarked and seat in seats_holding(piece._replace(x=x, y=y), one.areas)
    return not inside and hypot(x - piece.x, y - piece.y) > SAME_PLACE_MM


def differently_built(
    seats: Seats, built: Mapping[int, Built], pictures: Sequence[PhotoSeats]
) -> Iterator[tuple[int, Unreadable]]:
    """Iterate over doubts: one for each group of pieces that pictures of a seat show differently, or without a cell."""
    for seat, worth in built.items():
        for group in worth.contradicting:
            numbers = [number for number, placed in seats[seat].items() if any(each.piece in group for each in placed)]
            text = Message(
                "Pictures {pictures} disagree about {pieces}: none of them counts; take new photos.",
                pictures=_numbers(numbers),
                pieces=listed_pieces(group),
            )
            yield from doubts_at(group, text, Cause.CONTRADICTION, numbers, pictures)
        for piece, text in worth.unplaced.items():
            yield from doubts_at([piece], text, Cause.ASIDE, seats[seat], pictures)


def absent_elsewhere(seats: Seats, pictures: Sequence[PhotoSeats], tally: Tally) -> Iterator[tuple[int, Unreadable]]:
    """Iterate over doubts about pieces whose place another picture shows clearly and without them.

    A piece that is covered or cannot be read leaves a doubt there, is partly visible, or looks unlike the ground; if
    none of these is the case, the table has changed or is another one.  Pieces that may lie on one another are not
    checked.
    """
    if not tally.apart:
        return
    grounds = [cache(partial(ground_of, picture, cards=True)) for picture in pictures]
    absent: dict[tuple[int, int], list[str]] = {}
    for by_picture in seats.values():
        for number, placed in by_picture.items():
            for other in pictures:
                if other.number != number:
                    gaps = _gaps(by_picture.get(other.number, []), tally)
                    bare = [
                        each.piece
                        for each in placed
                        if _is_bare(each, pictures[number], other, gaps, grounds[other.number])
                    ]
                    absent.setdefault((other.number, number), []).extend(bare)
    for (other_number, number), pieces in absent.items():
        text = Message(
            "Picture {picture} shows nothing or something else where picture {other} shows these: {pieces}. Is it the "
            "same table? Leave out the older picture.",
            picture=other_number + 1,
            other=number + 1,
            pieces=tuple(map(PieceRef, sorted(pieces))),
        )
        yield from doubts_at(sorted(pieces), text, Cause.CONTRADICTION, [number], pictures)


def _gaps(placed: Sequence[Placed], tally: Tally) -> list[Array]:
    """Return the places, mm, at which a group has room for a tile that was not read."""
    middles = {each.piece: np.array((each.x, each.y)) for each in placed}
    return [(middles[lower] + middles[upper]) / 2 for lower, upper in tally.missing_between(placed)]


def _is_bare(piece: Placed, one: PhotoSeats, other: PhotoSeats, gaps: Sequence[Array], ground: Ground) -> bool:
    """Return whether another picture clearly shows the place of a piece of this one without the piece or a doubt.

    That is also so if the other picture reads another counting piece in its place, parts of which may look like it.
    ``gaps``: the places in the other picture, mm, at which a tile that was not read may be, unless they look like its
    known ground.
    """
    if piece.piece in other.corners:
        return False
    place = np.array((piece.x, piece.y))
    unmarked = not one.areas or not other.areas
    laid = laid_over(one, other, place, roughly=unmarked or not one.areas.keys().isdisjoint(other.areas))
    if laid is None:
        return False
    others = (laid.plane.to_mm(np.array(corners)).mean(axis=0) for corners in other.corners.values())
    if any(float(np.hypot(*(middle - place))) < SAME_PLACE_MM for middle in others):
        return True
    assert one.reading.plane is not None
    assert other.reading.plane is not None
    tag = one.reading.plane.to_mm(np.array(one.corners[piece.piece]))
    if not laid.shows(tag):
        return False
    place_in_other = other.reading.plane.to_mm(laid.plane.to_px(place[None]))[0]
    in_gap = any(float(np.hypot(*(place_in_other - gap))) < 2 * SAME_PLACE_MM for gap in gaps)
    if any(laid.is_about(unread, wider(tag, OVERLAY_REACH_MM)) for unread in other.reading.unread):
        return False
    shrunk, strange = laid.shrunk_pictures(), laid.strange(tag, ground())
    if shrunk is not None and is_partly_seen(*shrunk, tag):
        return False
    return not in_gap if strange is None else float(strange[1].mean()) < MIN_COVERED_FRACTION


def maybe_two_seats(seats: Seats, pictures: Sequence[PhotoSeats]) -> Doubts:
    """Return a doubt for each pair of pictures of a seat without markers if each shows pieces beyond the other's edge.

    They may show two seats side by side, with a piece of the neighbour's in one of them.
    """
    doubts: Doubts = []
    for by_picture in seats.values():
        unmarked = [number for number in by_picture if pictures[number].groups]
        for pair in combinations(unmarked, 2):
            one, other = (pictures[number] for number in pair)
            if _extends_beyond(by_picture[one.number], one, other) and _extends_beyond(
                by_picture[other.number], other, one
            ):
                shared = sorted(_ids(by_picture[one.number]) & _ids(by_picture[other.number]))
                text = Message(
                    "Pictures {pictures} have only {pieces} in common: do they show one seat or two? Take one picture "
                    "of each whole seat.",
                    pictures=_numbers(pair),
                    pieces=listed_pieces(shared),
                )
                doubts += doubts_at(shared, text, Cause.CONTRADICTION, pair, pictures)
    return doubts


def _extends_beyond(placed: Iterable[Placed], one: PhotoSeats, other: PhotoSeats) -> bool:
    """Return whether a picture shows any of these pieces outside the part of the table that the other one shows."""
    for piece in placed:
        place = np.array((piece.x, piece.y))
        laid = laid_over(one, other, place, roughly=True) if piece.piece not in other.corners else None
        if laid is not None and not laid.contains(place[None]):
            return True
    return False


def doubts_at(
    pieces: Iterable[str],
    message: Message,
    reason: Cause,
    numbers: Iterable[int],
    pictures: Sequence[PhotoSeats],
) -> Doubts:
    """Return the doubt once for each piece in each of the pictures, with the corners of its tag."""
    return [
        (number, Unreadable(reason, message, pictures[number].corners[piece], piece))
        for number in numbers
        for piece in pieces
        if piece in pictures[number].corners
    ]


def _ids(placed: Iterable[Placed]) -> set[str]:
    return {each.piece for each in placed}


def _numbers(pictures: Iterable[int]) -> Message:
    return listed([number + 1 for number in pictures])
