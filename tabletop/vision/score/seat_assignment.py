"""Assigns the pieces in each picture of a final table to seats, and combines the assignments of all pictures."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from math import ceil, dist
from typing import TypeAlias

import numpy as np

from tabletop.messages import N_, Message, PieceRef, listed
from tabletop.rules.game import Game
from tabletop.rules.table import Zone
from tabletop.vision.geometry.camera_pose import modules
from tabletop.vision.geometry.columns import MAX_TURN_DEG, Placed, facing, turned
from tabletop.vision.geometry.marker_pose import MarkerPose
from tabletop.vision.geometry.outlines import wider
from tabletop.vision.geometry.plane import Array, Mask, Plane
from tabletop.vision.geometry.zones import TABLE_ZONE, marker_poses, of_kind, seat_areas, seats_of, zone_at
from tabletop.vision.photo.read_photo import PhotoReading
from tabletop.vision.scene import Cause, Point, Unreadable, corner_points
from tabletop.vision.score.tally import Tally, no_such_seat
from tabletop.vision.tags import catalogue

Seats: TypeAlias = dict[int, dict[int, list[Placed]]]
"""Seat → number of a picture → the pieces of the seat in it."""
Doubts: TypeAlias = list[tuple[int, Unreadable]]

MARGIN_MM = 20.0
"""Margin around its area, mm, within which something may be a seat's."""
BORDER_MM = 6.0
"""Distance from the middle of a piece to another seat's area, mm, up to which it may lie in that area."""
MIN_MODULE_PX = 0.8
"""Least px per module at which a place is seen well enough to know that nothing lies there."""
MIN_SHOWN_FRACTION = 0.9
"""Least fraction of a seat's area that pictures have to show large enough."""
MIN_INSIDE_FRACTION = 0.97
"""Least fraction of a seat's area that has to be inside pictures: a larger part outside may contain a tile's tag."""
OVERLAP = N_(
    "{piece} lies in “{zone}”, and in a seat's area or edge to edge with what it has built: it counts for nobody; "
    "move them apart."
)
UNSHOWN = N_("No picture shows the marker of seat {seat}: is it covered?")
UNSEEN = N_("No picture shows what seat {seat} has built.")
SURPLUS = N_("{shown} seats are shown, but {count} people play.")
MIN_REACH_MM = 6.0
"""Least distance that something reaches into a zone if it hides a part of it, mm."""
NOTHING_SHOWN = N_("Picture {number} shows nothing of any seat: take it again, or leave it out.")
OTHER_SET = N_("Pictures {pictures} show pieces of different sets: do they show the same table?")
STEP_MM = 12.0
"""Distance of the points at which a seat's area is examined, mm."""


@dataclass(frozen=True, slots=True, eq=False)
class PhotoSeats:
    """One picture: its seats by their markers, groups of pieces without a marker, and pieces outside every zone."""

    number: int
    reading: PhotoReading
    areas: Mapping[int, tuple[Zone, MarkerPose]]
    named: Mapping[int, list[Placed]]
    groups: Sequence[list[Placed]]
    unassigned: Sequence[Placed]
    corners: Mapping[str, tuple[Point, ...]]
    """The corners of each piece's tag in the picture, px."""
    elsewhere: Collection[str]
    """Pieces in zones that do not count."""
    between: Mapping[str, Zone]
    """Pieces in such a zone that are also in a seat's area, or next to its pieces as its own would be, with the
    zone; and those of one seat that may as well be another one's, with the zone of that one."""
    zones: Collection[str]
    """The names of the zones whose markers are seen."""
    playing: Collection[int]
    """The seats with any visible marker, even only partly, such as that of their bids."""

    @property
    def doubtful(self) -> list[Unreadable]:
        """The doubts that may concern a seat, visible or hidden, including those without a known place."""
        return [
            each
            for each in self.reading.unread
            if each.reason in (Cause.DOUBLE, Cause.HIDDEN_SEAT, Cause.BLURRED)
            or self.reading.plane is None
            or not each.corners
            or not self.areas
            or self.seats_at(each.corners)
        ]

    @property
    def placed(self) -> list[Placed]:
        """The tags of the pieces of seats, and of those outside every zone."""
        return [piece for pieces in (*self.named.values(), *self.groups, self.unassigned) for piece in pieces]

    @property
    def shows_pieces(self) -> bool:
        """True if it shows a piece of a seat, not only pieces outside every zone."""
        return any(self.named.values()) or bool(self.groups)

    def seats_at(self, corners: Sequence[Point]) -> list[int]:
        """Return the seats whose area, with a margin, contains the middle of these corners (px)."""
        plane = self.reading.plane
        if plane is None or not corners:
            return []
        x, y = plane.to_mm(np.array(corners, dtype=np.float64)).mean(axis=0)
        return [seat for seat, (zone, pose) in self.areas.items() if _within((x, y), zone, pose)]


def photo_seats(number: int, reading: PhotoReading, game: Game, tally: Tally) -> PhotoSeats:
    """Return the seats that one picture shows."""
    zones = game.table.zones(max(game.seat_range)) if game.table is not None else ()
    poses = marker_poses(reading.sightings, zones)
    owners = seats_of(zones, tally.zones)
    areas = {
        seat: (zone, poses[zone.name]) for seat, zone in seat_areas(zones, tally.zones).items() if zone.name in poses
    }
    named: dict[int, list[Placed]] = {seat: [] for seat in areas}
    tags: list[Placed] = []
    loose: list[Placed] = []
    corners: dict[str, tuple[Point, ...]] = {}
    elsewhere: dict[str, Zone] = {}
    doubly: set[str] = set()
    by_name = {zone.name: zone for zone in zones}
    for each, piece in of_kind(reading.sightings, game, tally.kind):
        corners[piece] = each.corners
        tags.append(Placed(piece, each.x, each.y, each.angle))
    for placed, place in zip(tags, tally.places(tags), strict=True):
        piece = placed.piece
        zone = zone_at(place.x, place.y, zones, poses)
        seats = seats_holding(place, areas)
        if zone in owners:
            looked_at = [seat for seat in seats if turned(areas[seat][1].angle, placed.angle) <= MAX_TURN_DEG]
            # Where areas of seats overlap, a tile faces the same way as its own seat.
            sole = tally.directed and len(looked_at) == 1
            named[looked_at[0] if sole else owners[zone]].append(placed)
        elif zone == TABLE_ZONE:
            loose.append(placed)
        else:
            elsewhere[piece] = by_name[zone]
            if seats:
                doubly.add(piece)
    loose = _joined(tally, named, loose)
    doubly |= tally.joined(named, [placed for placed in tags if placed.piece in elsewhere]).keys()
    between = {piece: elsewhere[piece] for piece in doubly} | _taken_out(named, areas, tally)
    groups = [] if areas else facing(loose) if tally.directed else [loose] if loose else []
    return PhotoSeats(
        number, reading, areas, named, groups, loose if areas else [], corners, {*elsewhere, *between}, between,
        poses.keys(), _playing(reading, game, zones, poses),
    )  # fmt: skip


def _taken_out(
    named: dict[int, list[Placed]], areas: Mapping[int, tuple[Zone, MarkerPose]], tally: Tally
) -> dict[str, Zone]:
    """Remove the pieces of one seat that may as well be another one's; return each with the zone of that one.

    They lie in both areas or at the border, or stand edge to edge with the other's pieces.
    """
    owners = {each.piece: seat for seat, placed in named.items() for each in placed}
    rivals = dict(tally.astride(named))
    for place in tally.places([each for placed in named.values() for each in placed]):
        for seat in seats_holding(place, areas, BORDER_MM):
            alike = not tally.directed or turned(areas[seat][1].angle, place.angle) <= MAX_TURN_DEG
            if alike and seat != owners[place.piece]:
                rivals[place.piece] = seat
    for seat, placed in named.items():
        named[seat] = [each for each in placed if each.piece not in rivals]
    return {piece: areas[seat][0] for piece, seat in rivals.items()}


def _playing(reading: PhotoReading, game: Game, zones: Sequence[Zone], poses: Mapping[str, MarkerPose]) -> set[int]:
    """Return the seats of which a picture shows any marker, even only partly."""
    names = tuple(zone.name.removesuffix("0") for zone in game.table.own) if game.table is not None else ()
    seen = {*poses, *(zone.name for zone in zones if zone.marker in reading.covered)}
    return {seat for zone, seat in seats_of(zones, names).items() if zone in seen}


def _joined(tally: Tally, named: dict[int, list[Placed]], loose: Sequence[Placed]) -> list[Placed]:
    """Add the loose pieces that stand next to a seat's pieces to these; return the others."""
    owners = tally.joined(named, loose)
    for piece in loose:
        if piece.piece in owners:
            named[owners[piece.piece]].append(piece)
    return [piece for piece in loose if piece.piece not in owners]


def seats_holding(placed: Placed, areas: Mapping[int, tuple[Zone, MarkerPose]], around: float = 0.0) -> list[int]:
    """Return the seats whose area, extended by ``around`` mm on each side, contains a piece."""
    return [seat for seat, (zone, pose) in areas.items() if _within((placed.x, placed.y), zone, pose, around)]


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
    doubts += _insufficient_views(pictures)
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


def _within(place: tuple[float, float], zone: Zone, pose: MarkerPose, around: float = MARGIN_MM) -> bool:
    left, top, right, bottom = zone.area
    x, y = pose.local(*place)
    return left - around <= x <= right + around and top - around <= y <= bottom + around


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


def _insufficient_views(pictures: Sequence[PhotoSeats]) -> Doubts:
    """Return a doubt for each seat whose area the pictures do not show completely and large enough."""
    doubts: Doubts = []
    for seat in sorted({seat for picture in pictures for seat in picture.areas}):
        views = [
            (picture, *zone_view(plane, *picture.areas[seat]))
            for picture in pictures
            if (plane := picture.reading.plane) is not None and seat in picture.areas
        ]
        readable, inside = (
            np.logical_or.reduce(each)
            for each in zip(*((shown & large, shown) for _, shown, large in views), strict=True)
        )
        if readable.mean() >= MIN_SHOWN_FRACTION and inside.mean() >= MIN_INSIDE_FRACTION:
            continue
        best, inside, _ = max(views, key=lambda view: float((view[1] & view[2]).mean()))
        zone, pose = best.areas[seat]
        cut = float(inside.mean()) < MIN_INSIDE_FRACTION
        text = (
            Message(
                "Part of seat {seat}'s area is outside the picture: what lies there is not counted.",
                seat=seat + 1,
            )
            if cut
            else Message(
                "Seat {seat} is too small in the picture to be read reliably: go closer, or photograph it on its own.",
                seat=seat + 1,
            )
        )
        doubts.append(
            (
                best.number,
                Unreadable(Cause.CUT_OFF if cut else Cause.TOO_SMALL, text, _outline(best, zone, pose)),
            )
        )
    return doubts


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


def zones_shown_whole(plane: Plane | None, zones: Sequence[Zone], poses: dict[str, MarkerPose]) -> set[str]:
    """Return the names of the zones of which a picture shows enough, and large enough, to know their contents."""
    if plane is None:
        return set()
    views = {zone.name: zone_view(plane, zone, poses[zone.name]) for zone in zones if zone.name in poses}
    return {name for name, (inside, large) in views.items() if float((inside & large).mean()) >= MIN_SHOWN_FRACTION}


def unread_zones(reading: PhotoReading, zones: Sequence[Zone], poses: dict[str, MarkerPose]) -> set[str]:
    """Return the names of the zones into which something unreadable reaches."""
    if reading.plane is None:
        return set()
    outlines = [reading.plane.to_mm(np.array(unread.corners)) for unread in reading.unread if unread.corners]
    places = [place for outline in outlines for place in _points_within(wider(outline, -MIN_REACH_MM))]
    return {zone_at(float(x), float(y), zones, poses) for x, y in places}


def _points_within(outline: Array) -> Array:
    """Return points (n, 2), mm, all over an outline including its edge, at most ``STEP_MM`` apart."""
    middle = outline.mean(axis=0)
    edge = np.concatenate(
        [
            np.linspace(one, two, 1 + ceil(dist(one, two) / STEP_MM))
            for one, two in zip(outline, np.roll(outline, -1, 0), strict=True)
        ]
    )
    rings = 1 + ceil(float(np.linalg.norm(outline - middle, axis=1).max()) / STEP_MM)
    return np.concatenate([middle + part * (edge - middle) for part in np.linspace(0, 1, rings)])


def zone_view(plane: Plane, zone: Zone, pose: MarkerPose) -> tuple[Mask, Mask]:
    """Return masks of the points that cover a zone: those inside the picture, and those seen large enough."""
    left, top, right, bottom = zone.area
    points = np.array(
        [pose.table(x, y) for x in np.arange(left, right, STEP_MM) for y in np.arange(top, bottom, STEP_MM)]
    )
    px = plane.to_px(points)
    inside = np.asarray(((px >= 0) & (px <= np.array(plane.shape[::-1]) - 1)).all(axis=1), dtype=np.bool_)
    return inside, modules(plane, points, catalogue.TAG_MM) >= MIN_MODULE_PX


def _outline(picture: PhotoSeats, zone: Zone, pose: MarkerPose) -> tuple[Point, ...]:
    """Return the corners of a zone's area in the picture, px."""
    assert picture.reading.plane is not None
    left, top, right, bottom = zone.area
    mm = [pose.table(x, y) for x, y in ((left, top), (right, top), (right, bottom), (left, bottom))]
    return corner_points(picture.reading.plane.to_px(np.array(mm)))
