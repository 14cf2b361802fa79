"""Final scores from still pictures alone: each seat's palazzi, their points, and what breaks a building rule."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from tabletop.rules.game import Game
from tabletop.rules.palazzo.building import points
from tabletop.rules.palazzo.components import FLOOR
from tabletop.vision import tags
from tabletop.vision.columns import Placed, columns, pitch
from tabletop.vision.still import Still, Unread
from tabletop.vision.zones import ELSEWHERE, marker_poses, zone_at

RULE = "Building"
SAME_SIZE = 0.3
"""Tiles whose distance differs less than this part from the game's own are taken for the game's own."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One way in which a palazzo breaks a building rule."""

    code: str
    """As the refusals of the rules: ``duplicate-floor`` or ``not-on-top``."""
    message: str
    rule: str = RULE


@dataclass(frozen=True, slots=True)
class Palazzo:
    """One palazzo, bottom up; ``points`` is None where it breaks a rule."""

    tiles: tuple[str, ...]
    points: int | None
    faults: tuple[Fault, ...] = ()


@dataclass(frozen=True, slots=True)
class SeatPalazzi:
    """The palazzi of one seat (from 0); ``picture`` tells in which of the pictures they are."""

    seat: int
    palazzi: tuple[Palazzo, ...]
    picture: int

    @property
    def points(self) -> int:
        """The points of all palazzi that break no rule."""
        return sum(palazzo.points or 0 for palazzo in self.palazzi)


@dataclass(frozen=True, slots=True)
class Score:
    """What the pictures of a final table say."""

    seats: tuple[SeatPalazzi, ...]
    unread: tuple[tuple[int, Unread], ...] = ()
    """With the number of the picture, from 0."""
    notes: tuple[str, ...] = field(default=())

    @property
    def sound(self) -> bool:
        """True where everything was read and nothing breaks a rule."""
        return bool(self.seats) and not self.unread and not self._faults

    @property
    def _faults(self) -> list[Fault]:
        return [fault for seat in self.seats for palazzo in seat.palazzi for fault in palazzo.faults]

    def to_json(self) -> dict[str, Any]:
        """Return the answer of ``tabletop score``."""
        return {
            "seats": [
                {"seat": seat.seat, "points": seat.points, "palazzi": [_told(palazzo) for palazzo in seat.palazzi]}
                for seat in self.seats
            ],
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
            lines.append(f"Seat {seat.seat + 1}: {seat.points} points")
            for palazzo in seat.palazzi:
                worth = f"{palazzo.points:>4}" if palazzo.points is not None else "wrong"
                lines.append(f"  {worth}  {' '.join(palazzo.tiles)}")
                lines += [f"         {fault.message} ({fault.rule})" for fault in palazzo.faults]
        lines += [f"Picture {number + 1}: {unread.message}" for number, unread in self.unread]
        return "\n".join([*lines, *self.notes])


def score(stills: Sequence[Still], game: Game) -> Score:
    """Return the scores that pictures of the final table show: one for the table, or one a seat.

    A picture with seat markers shows the seats they name; one without shows one seat, the next that has none yet.  A
    tile that is seen in two pictures counts in none.
    """
    names = tags.ids([game])
    pictures = [_shown(still, game, names) for still in stills]
    seen: dict[str, list[int]] = {}
    for number, shown in enumerate(pictures):
        for tile in (tile for tiles in shown.seats.values() for tile in tiles):
            seen.setdefault(tile.piece, []).append(number)
    twice = {piece for piece, numbers in seen.items() if len(numbers) > 1}
    unread = [(number, each) for number, still in enumerate(stills) for each in still.unread]
    unread += [
        (seen[piece][0], Unread("double", f"{piece} is in two pictures: it counts in none.", piece=piece))
        for piece in sorted(twice)
    ]
    notes = [note for still in stills for note in still.notes]
    seats: dict[int, SeatPalazzi] = {}
    for number, shown in enumerate(pictures):
        if not any(shown.seats.values()):
            notes.append(f"Picture {number + 1} shows no tile of a seat.")
        if shown.outside:
            notes.append(f"Beside every seat's area, and left out: {', '.join(sorted(shown.outside))}.")
        for seat, tiles in sorted(shown.seats.items(), key=lambda item: item[0] or 0):
            place = _next_seat(seats) if seat is None else seat
            if place in seats:
                notes.append(f"Seat {place + 1} is in two pictures: the first counts.")
                continue
            seats[place] = SeatPalazzi(place, _palazzi(tiles, twice, game), number)
    return Score(tuple(seats[seat] for seat in sorted(seats)), tuple(unread), tuple(dict.fromkeys(notes)))


def judge(column: Sequence[str]) -> Palazzo:
    """Return a palazzo with its points, or with what is wrong with it, from its tiles bottom up."""
    faults = []
    floors: dict[int, str] = {}
    for tile in column:
        floor = FLOOR[tile]
        if floor in floors:
            faults.append(
                Fault("duplicate-floor", f"{floors[floor]} and {tile} are both floor {floor} of one palazzo.")
            )
        floors.setdefault(floor, tile)
    for lower, upper in itertools.pairwise(column):
        if FLOOR[upper] < FLOOR[lower]:
            faults.append(Fault("not-on-top", f"{upper} stands on {lower}, but floors ascend from bottom to top."))
    return Palazzo(tuple(column), None if faults else points(tuple(column)), tuple(faults))


def tile_size(tiles: Iterable[Placed], game: Game) -> tuple[float, float] | None:
    """Return height and width of the tiles in mm: the game's own, unless the picture shows that they are others."""
    own = game.table.sizes["tile"] if game.table is not None else None
    seen = pitch(tiles)
    if own is not None and (seen is None or abs(seen / own.height - 1) <= SAME_SIZE):
        return own.height, own.width
    return None


class _Shown(NamedTuple):
    """The tiles in one picture: by seat (None: the seat of a picture without seat markers), and beside every zone."""

    seats: dict[int | None, list[Placed]]
    outside: list[str]


def _shown(still: Still, game: Game, names: Mapping[tuple[str, str], str]) -> _Shown:
    """Return the tiles of each seat in one picture."""
    assert game.table is not None
    zones = game.table.zones(max(game.seat_range))
    poses = marker_poses(still.sightings, zones)
    seats = {f"seat{seat}": seat for seat in range(max(game.seat_range)) if f"seat{seat}" in poses}
    shown = _Shown({seat: [] for seat in seats.values()}, [])
    for each in still.sightings:
        tag = tags.parse(each.payload, tags.codes_of(game))
        piece = names.get((tag.game, tag.piece)) if tag is not None else None
        if piece is None or game.pieces[piece].kind != "tile":
            continue
        tile = Placed(piece, each.x, each.y, each.angle)
        zone = zone_at(each.x, each.y, zones, poses)
        if zone in seats:
            shown.seats[seats[zone]].append(tile)
        elif zone == ELSEWHERE and not seats:
            shown.seats.setdefault(None, []).append(tile)
        elif zone == ELSEWHERE:
            shown.outside.append(piece)
    return shown


def _next_seat(taken: Iterable[int]) -> int:
    seats = set(taken)
    return next(seat for seat in range(len(seats) + 1) if seat not in seats)


def _palazzi(tiles: Sequence[Placed], twice: Iterable[str], game: Game) -> tuple[Palazzo, ...]:
    size = tile_size(tiles, game)
    found = columns(tiles, *size) if size is not None else columns(tiles)
    left_out = set(twice)
    sure = [tuple(tile for tile in column if tile not in left_out) for column in sorted(found)]
    return tuple(judge(column) for column in sure if column)


def _told(palazzo: Palazzo) -> dict[str, Any]:
    return {
        "tiles": list(palazzo.tiles),
        "points": palazzo.points,
        "faults": [{"code": fault.code, "message": fault.message, "rule": fault.rule} for fault in palazzo.faults],
    }
