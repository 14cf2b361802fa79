"""What one picture of a final table shows of each seat: its area, its pieces, and pieces that may be another's."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from tabletop.rules.game import Game
from tabletop.rules.table import Zone
from tabletop.vision.geometry.columns import MAX_TURN_DEG, Placed, facing, turned
from tabletop.vision.geometry.marker_pose import MarkerPose
from tabletop.vision.geometry.zones import TABLE_ZONE, marker_poses, of_kind, seat_areas, seats_of, zone_at
from tabletop.vision.photo.read_photo import PhotoReading
from tabletop.vision.scene import Cause, Point, Unreadable
from tabletop.vision.score.tally import Tally

Seats: TypeAlias = dict[int, dict[int, list[Placed]]]
"""Seat → number of a picture → the pieces of the seat in it."""
Doubts: TypeAlias = list[tuple[int, Unreadable]]

MARGIN_MM = 20.0
"""Margin around its area, mm, within which something may be a seat's."""
BORDER_MM = 6.0
"""Distance from the middle of a piece to another seat's area, mm, up to which it may lie in that area."""


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


def _within(place: tuple[float, float], zone: Zone, pose: MarkerPose, around: float = MARGIN_MM) -> bool:
    left, top, right, bottom = zone.area
    x, y = pose.local(*place)
    return left - around <= x <= right + around and top - around <= y <= bottom + around
