"""Assigns the pieces in each picture of a final table to seats, and combines the assignments of all pictures."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import chain

from tabletop.messages import N_, Message, PieceRef, listed
from tabletop.rules.game import Game
from tabletop.vision.geometry.columns import Placed
from tabletop.vision.scene import Cause, Unreadable
from tabletop.vision.score.seats.photo_seats import Doubts, PhotoSeats, Seats
from tabletop.vision.score.seats.zone_views import insufficient_views
from tabletop.vision.score.tally import Tally, no_such_seat

OVERLAP = N_(
    "{piece} lies in “{zone}”, and in a seat's area or edge to edge with what it has built: it counts for nobody; "
    "move them apart."
)
UNSHOWN = N_("No picture shows the marker of seat {seat}: is it covered?")
UNSEEN = N_("No picture shows what seat {seat} has built.")
SURPLUS = N_("{shown} seats are shown, but {count} people play.")
NOTHING_SHOWN = N_("Picture {number} shows nothing of any seat: take it again, or leave it out.")
OTHER_SET = N_("Pictures {pictures} show pieces of different sets: do they show the same table?")
NOTHING_IN_COMMON = N_("Pictures {pictures} have no tag in common: do they show the same table?")


def assigned(pictures: Sequence[PhotoSeats], tally: Tally) -> tuple[Seats, Doubts]:
    """Return the seats with their pieces in all pictures, and the doubts."""
    seats: Seats = {}
    for picture in pictures:
        for seat, placed in picture.named.items():
            seats.setdefault(seat, {})[picture.number] = [*placed]
    marked = any(picture.areas for picture in pictures)
    for picture in pictures:
        for group in picture.groups:
            owner = _seat_of(group, seats, tally)
            if owner is None and not marked:
                owner = next(seat for seat in range(len(seats) + 1) if seat not in seats)
            if owner is not None:
                seats.setdefault(owner, {}).setdefault(picture.number, []).extend(group)
    doubts: Doubts = _unassigned(pictures, seats)
    doubts += _between(pictures, seats)
    doubts += insufficient_views(pictures, apart=tally.apart)
    return seats, doubts


def _seat_of(group: Sequence[Placed], seats: Seats, tally: Tally) -> int | None:
    """Return the seat that shares pieces with a group without contradictions, None if there is none."""
    pieces = {each.piece for each in group}
    for seat, by_picture in sorted(seats.items()):
        parts = [*by_picture.values()]
        shared = any(each.piece in pieces for placed in parts for each in placed)
        if shared and not tally.built([*parts, group]).contradicting:
            return seat
    return None


def _unassigned(pictures: Sequence[PhotoSeats], seats: Seats) -> Doubts:
    """Return a doubt for each piece that lies outside the visible zones in all pictures."""
    placed = {each.piece for by_picture in seats.values() for pieces in by_picture.values() for each in pieces}
    placed |= {piece for picture in pictures for piece in picture.elsewhere}
    doubts: Doubts = []
    for picture in pictures:
        loose = chain(picture.unassigned, *picture.groups)
        lost = sorted(each.piece for each in loose if each.piece not in placed)
        if lost:
            text = Message(
                "Not in any zone whose card can be seen, so they count for nobody: {pieces}.", pieces=tuple(lost)
            )
            doubts += [
                (picture.number, Unreadable(Cause.NO_SEAT, text, picture.corners[piece], piece)) for piece in lost
            ]
    return doubts


def _between(pictures: Sequence[PhotoSeats], seats: Seats) -> Doubts:
    """Return a doubt for each piece that lies in a seat's area and in another zone, unless a picture settles it.

    Such a picture shows the piece as a seat's and also the marker of that zone, without which everything would seem to
    be the seat's.
    """
    placed = {
        (each.piece, zone)
        for by_picture in seats.values()
        for number, pieces in by_picture.items()
        for each in pieces
        for zone in pictures[number].zones
    }
    return [
        (
            picture.number,
            Unreadable(
                Cause.OVERLAP,
                Message(OVERLAP, piece=PieceRef(piece), zone=zone.title),
                picture.corners[piece],
                piece,
            ),
        )
        for picture in pictures
        for piece, zone in sorted(picture.between.items())
        if (piece, zone.name) not in placed
    ]


def not_shown(
    seats: Collection[int], pictures: Sequence[PhotoSeats], game: Game, tally: Tally, playing: int | None = None
) -> Doubts:
    """Return a doubt for each seat that no picture shows although it, or one with a higher number, plays.

    Any marker of its own, such as that of its bids, shows that a seat plays; ``playing``: the number of seats that do.
    If seats are compared, at least as many as the game needs play.  More seats than play, or than the game has, are a
    doubt as well.
    """
    named = any(picture.areas for picture in pictures)
    last = max((seat for picture in pictures for seat in picture.playing if named), default=-1)
    least = min(game.seat_range) if seats and tally.compared else 0
    missing = (seat for seat in range(max(last + 1, playing or least)) if seat not in seats)
    text = UNSHOWN if named else UNSEEN
    doubts: Doubts = [(0, Unreadable(Cause.NO_MARKER, Message(text, seat=seat + 1))) for seat in missing]
    # Without markers each picture is the next seat's: one that shows nothing leaves its number to the next.
    empty = [each.number for each in pictures if (each.reading.plane is None if named else not each.shows_pieces)]
    doubts += [(number, Unreadable(Cause.NO_MARKER, Message(NOTHING_SHOWN, number=number + 1))) for number in empty]
    beyond = [no_such_seat(game, seat) for seat in seats if seat not in range(max(game.seat_range))]
    if playing is not None and len(seats) > playing:
        beyond = [Message(SURPLUS, shown=len(seats), count=playing)]
    return doubts + [(0, Unreadable(Cause.CONTRADICTION, text)) for text in beyond]


def of_several_sets(pictures: Sequence[PhotoSeats]) -> Doubts:
    """Return doubts if pictures show pieces with the letters of different sets, so that their tables differ."""
    first: dict[str, int] = {}
    for picture in pictures:
        if picture.corners:
            first.setdefault(picture.reading.letter, picture.number)
    numbers = [*first.values()]
    text = Message(OTHER_SET, pictures=listed([number + 1 for number in numbers]))
    return [(number, Unreadable(Cause.CONTRADICTION, text)) for number in numbers] if len(numbers) > 1 else []


def unconnected(pictures: Sequence[PhotoSeats]) -> list[Message]:
    """Return a question about pictures that show seats but no tag of each other, directly or through other pictures."""
    groups: list[tuple[int, set[str]]] = []
    for picture in pictures:
        tags = {each.payload for each in picture.reading.sightings}
        linked = [group for group in groups if group[1] & tags]
        number = min((first for first, _ in linked), default=picture.number)
        groups = [group for group in groups if group not in linked]
        if picture.areas or linked:
            groups.append((number, tags.union(*(others for _, others in linked))))
    numbers = sorted(first + 1 for first, _ in groups)
    return [Message(NOTHING_IN_COMMON, pictures=listed(numbers))] if len(numbers) > 1 else []
