"""Computes final scores from still pictures alone: each seat's palazzi, their points, and broken building rules.

Several pictures are merged: each seat has what all pictures of it show.  Contradictions between pictures, things that
cannot be read, and places that no picture shows well enough are doubts, and count for nobody.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tabletop.messages import N_, Message, PieceRef
from tabletop.rules.game import Game
from tabletop.rules.layout import Layout
from tabletop.vision.geometry.zones import TABLE_ZONE, arrange, marker_poses, pieces_among
from tabletop.vision.kit import Kit
from tabletop.vision.photo.read_photo import PhotoReading
from tabletop.vision.scene import Cause, Unreadable
from tabletop.vision.score.contradictions import (
    absent_elsewhere,
    differently_built,
    doubts_at,
    maybe_two_seats,
    taken_twice,
)
from tabletop.vision.score.lacking_pieces import completed, confirmed
from tabletop.vision.score.seats.photo_seats import PhotoSeats, Seats, photo_seats
from tabletop.vision.score.seats.seat_assignment import assigned, not_shown, of_several_sets, unconnected
from tabletop.vision.score.seats.zone_views import unread_zones, zones_shown_whole
from tabletop.vision.score.second_look import unresolved
from tabletop.vision.score.tally import Built, CommonParts, PhotoTable, ScoredGroup, ScorePart, Tally, Worth
from tabletop.vision.score.union import adopted, united

SEATS_COUNTED = N_("Seats counted: {count}. If more people played, one is hidden or in no picture.")


@dataclass(frozen=True, slots=True)
class SeatPalazzi:
    """What one seat (from 0) has built; ``pictures``: the numbers, from 0, of the pictures that show it."""

    seat: int
    palazzi: tuple[ScoredGroup, ...]
    pictures: tuple[int, ...]
    parts: tuple[ScorePart, ...] = ()
    sure: bool = True
    """False if a doubt may change the points, which are those of what was read."""

    @property
    def points(self) -> int:
        """The points of everything that does not break a rule."""
        return sum(group.points or 0 for group in self.palazzi) + sum(part.points for part in self.parts)


@dataclass(frozen=True, slots=True)
class Score:
    """The score of a final table from its pictures; each doubt has the number of its picture, from 0."""

    seats: tuple[SeatPalazzi, ...]
    unread: tuple[tuple[int, Unreadable], ...] = ()
    notes: tuple[Message, ...] = ()
    carriers: frozenset[str] = frozenset()
    """The pieces on which others stand, as stated or seen."""

    @property
    def sound(self) -> bool:
        """True if there are seats, everything was read, and nothing breaks a rule."""
        faults = [fault for seat in self.seats for group in seat.palazzi for fault in group.faults]
        return bool(self.seats) and not self.unread and not faults

    def to_json(self) -> dict[str, Any]:
        """Return the answer of ``tabletop score`` as plain data."""
        return {
            "sound": self.sound,
            "seats": [_seat(seat) for seat in self.seats],
            "unread": [
                {
                    "picture": number,
                    "reason": unread.reason,
                    "message": unread.message,
                    "piece": unread.piece or None,
                    "corners": [[round(x, 1), round(y, 1)] for x, y in unread.corners],
                }
                for number, unread in self.unread
            ],
            "notes": list(self.notes),
        }

    def in_words(self) -> str:
        """Return the scores as lines for people."""
        lines = []
        for seat in self.seats:
            lines.append(f"Seat {seat.seat + 1}: {in_points(seat.points)}{'' if seat.sure else ', in doubt'}")
            for group in seat.palazzi:
                worth = f"{group.points:>4}" if group.points is not None else "wrong"
                lines.append(f"  {worth}  {' '.join(group.tiles)}")
                lines += [f"         {fault.message} ({fault.rule})" for fault in group.faults]
            lines += [f"  {part.points:>4}  {part.title}" for part in seat.parts]
        if self.unread:
            lines.append("In doubt:")
        # A sentence that names its pictures itself appears once.
        about = [
            ("" if each.reason in (Cause.CONTRADICTION, Cause.NO_MARKER) else f"Picture {number + 1}: ") + each.message
            for number, each in self.unread
        ]
        lines += [f"  {line}" for line in dict.fromkeys(about)]
        return "\n".join([*lines, *self.notes])


def in_points(points: int) -> str:
    """Return a number of points in words."""
    return f"{points} point{'' if abs(points) == 1 else 's'}"


def score(readings: Sequence[PhotoReading], game: Game, tally: Tally, playing: int | None = None) -> Score:
    """Return the score from pictures of the final table, any number of them, taken from any side.

    A picture with seat markers shows the seats they name; the tiles of one without belong to the seat that has them in
    another picture, or are a seat of their own if no picture has markers.  ``playing``: the number of seats that play,
    if stated.  Raises ValueError if there are no pictures.
    """
    if not readings:
        raise ValueError("There is nothing to score without a picture.")
    readings = confirmed(readings)
    tables = [_table(reading, game) for reading in readings]
    if lacking := tally.missing_from(tables):
        readings = completed(readings, lacking, game, tally.kind)
        tables = [_table(reading, game) for reading in readings]
    tally = tally.updated_from(tables)
    pictures = adopted([photo_seats(number, reading, game, tally) for number, reading in enumerate(readings)])
    seats, astray = assigned(pictures, tally)
    doubts = [*unresolved(pictures, tally), *astray]
    doubts += not_shown(seats, pictures, game, tally, playing)
    doubts += of_several_sets(pictures)
    doubts += absent_elsewhere(seats, pictures, tally)
    doubts += maybe_two_seats(seats, pictures) if playing is None else []
    doubts += taken_twice(seats, pictures)
    whole = united(seats, pictures) if tally.apart else seats
    built = {seat: tally.built([*by_picture.values()]) for seat, by_picture in whole.items()}
    common = tally.common_parts(tables, built)
    for seat in common.parts.keys() - seats.keys():
        seats[seat], built[seat] = {}, tally.built([])
    doubts += [(0, Unreadable(Cause.CONTRADICTION, fault)) for fault in common.faults]
    worth = tally.worth(built)
    doubts += differently_built(whole, built, pictures)
    doubts += _unsettled(whole, built, pictures, tally)
    doubted = _doubted(doubts, seats, pictures, worth, common, tally)
    notes = [note for reading in readings for note in reading.sentences] + _notes(pictures, seats, built, game, tally)
    notes += unconnected(pictures)
    if seats and playing is None:
        notes.append(Message(SEATS_COUNTED, count=len(seats)))
    parts = {seat: (*worth[seat].parts, *common.parts.get(seat, ())) for seat in seats}
    scored = [
        SeatPalazzi(seat, worth[seat].palazzi, (*seats[seat],), parts[seat], seat not in doubted)
        for seat in sorted(seats)
    ]
    found = tuple(sorted(doubts, key=lambda each: each[0]))
    return Score(tuple(scored), found, tuple(dict.fromkeys(notes)), tally.carriers)


def _doubted(
    doubts: Sequence[tuple[int, Unreadable]], seats: Seats, pictures: Sequence[PhotoSeats],
    worth: Mapping[int, Worth], common: CommonParts, tally: Tally,
) -> set[int]:  # fmt: skip
    """Return the seats whose points a doubt or a fault may change."""
    compared = tally.compared and (doubts or any(group.faults for one in worth.values() for group in one.palazzi))
    if common.faults or (common.parts and doubts) or compared:
        return set(seats)
    return {seat for number, each in doubts for seat in _touched(each, pictures[number], seats)}


def _notes(
    pictures: Sequence[PhotoSeats], seats: Seats, built: Mapping[int, Built], game: Game, tally: Tally
) -> list[Message]:
    """Return notes that are not doubts: which pictures show nothing, how many pieces count, what cannot be seen."""
    notes = [
        Message("Picture {number} shows no {kind} of any seat.", number=picture.number + 1, kind=Message(tally.kind))
        for picture in pictures
        if not picture.shows_pieces and picture.reading.plane is not None and any(each.areas for each in pictures)
    ]
    if any(seats.values()) and tally.apart:
        notes.append(_count_note(built, game, tally))
    if seats and tally.unseen:
        notes.append(tally.unseen)
    return notes


def _table(reading: PhotoReading, game: Game) -> PhotoTable:
    """Return what a picture shows of the whole table, without zones in which something cannot be read."""
    kit = Kit(game, reading.make, reading.letter)
    zones = game.table.zones(max(game.seat_range)) if game.table is not None else ()
    poses = marker_poses(reading.sightings, zones)
    whole = zones_shown_whole(reading.plane, zones, poses) - unread_zones(reading, zones, poses)
    layout = arrange(reading.sightings, zones, kit)
    shown_whole = {name: lies for name, lies in layout.items() if name in whole or name == TABLE_ZONE}
    return PhotoTable(pieces_among(reading.sightings, kit), Layout(shown_whole), poses.keys())


def _count_note(built: Mapping[int, Built], game: Game, tally: Tally) -> Message:
    """Return the note on how many pieces count: if more lie on the table, some are hidden."""
    counted = sum(len(group) for worth in built.values() for group in worth.groups)
    scoring = sum(piece.kind == tally.kind for piece in game.pieces.values())
    return Message(
        "Counted here: {here} of the {every} pieces that score. If more were built, something is hiding them.",
        here=counted,
        every=scoring,
    )


def _unsettled(
    seats: Seats, built: Mapping[int, Built], pictures: Sequence[PhotoSeats], tally: Tally
) -> Iterable[tuple[int, Unreadable]]:
    """Iterate over doubts about gaps that an unread tile may fill and tiles half beside a group, unless settled.

    The tiles of all seats are examined together, because a turned tile may seem to be another seat's.
    """
    groups = [set(group) for worth in built.values() for group in worth.groups]
    for number in range(len(pictures)):
        placed = [each for by_picture in seats.values() for each in by_picture.get(number, ())]
        gaps = [
            *((pair, Cause.GAP, _room_between(*pair)) for pair in tally.missing_between(placed)),
            *((pair, Cause.ASIDE, _half_beside(*pair)) for pair in tally.ambiguous_neighbours(placed)),
        ]
        for pair, reason, text in gaps:
            if not any(group.issuperset(pair) for group in groups):
                yield from doubts_at(pair, text, reason, [number], pictures)


def _room_between(lower: str, upper: str) -> Message:
    return Message(
        "Between {lower} and {upper} there is room for a tile that was not read.",
        lower=PieceRef(lower),
        upper=PieceRef(upper),
    )


def _half_beside(lower: str, upper: str) -> Message:
    return Message(
        "{upper} may be on {lower} or beside it: lay it on straight, or further away.",
        upper=PieceRef(upper),
        lower=PieceRef(lower),
    )


def _touched(doubt: Unreadable, picture: PhotoSeats, seats: Seats) -> Iterable[int]:
    """Return the seats whose points a doubt in a picture may change."""
    near = set(picture.seats_at(doubt.corners))
    for seat, by_picture in seats.items():
        is_its_piece = any(each.piece == doubt.piece for placed in by_picture.values() for each in placed)
        if is_its_piece or seat in near or (not picture.areas and picture.number in by_picture):
            yield seat


def _seat(seat: SeatPalazzi) -> dict[str, Any]:
    return {
        "seat": seat.seat,
        "points": seat.points,
        "sure": seat.sure,
        "pictures": list(seat.pictures),
        "palazzi": [
            {
                "tiles": list(group.tiles),
                "points": group.points,
                "faults": [
                    {"code": fault.code, "message": fault.message, "rule": fault.rule} for fault in group.faults
                ],
            }
            for group in seat.palazzi
        ],
        "parts": [{"title": part.title, "points": part.points} for part in seat.parts],
    }
