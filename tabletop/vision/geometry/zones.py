"""Sightings on the plane → where the pieces lie: zones known by their markers, each read in its own shape."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import cos, hypot, inf, radians, sin
from typing import NamedTuple

import numpy as np

from tabletop.rules.game import Game
from tabletop.rules.layout import Arrangement, Columns, Grid, Layout, Pile, Spread
from tabletop.rules.table import Size, Zone
from tabletop.vision.geometry.columns import Placed, columns
from tabletop.vision.geometry.grid import cells
from tabletop.vision.kit import Kit
from tabletop.vision.scene import Sighting
from tabletop.vision.tags import payloads

ELSEWHERE = "table"
"""The zone of pieces that lie in no other."""


class MarkerPose(NamedTuple):
    """Where a marker lies: its centre in mm, and its up in degrees clockwise."""

    x: float
    y: float
    angle: float

    def local(self, x: float, y: float) -> tuple[float, float]:
        """Return a point of the table in the marker's own frame: x to its right, y down as one reads it."""
        turn = radians(self.angle)
        across, down = x - self.x, y - self.y
        return across * cos(turn) + down * sin(turn), down * cos(turn) - across * sin(turn)

    def table(self, x: float, y: float) -> tuple[float, float]:
        """Return a point of the marker's own frame on the table: the inverse of ``local``."""
        turn = radians(self.angle)
        return self.x + x * cos(turn) - y * sin(turn), self.y + x * sin(turn) + y * cos(turn)


def of_kind(sightings: Iterable[Sighting], game: Game, kind: str) -> Iterator[tuple[Sighting, str]]:
    """Iterate over the sightings of the game's pieces of one kind, with their ids."""
    names, codes = payloads.ids([game]), payloads.codes_of(game)
    for each in sightings:
        tag = payloads.parse(each.payload, codes)
        piece = names.get((tag.game, tag.piece)) if tag is not None else None
        if piece is not None and game.pieces[piece].kind == kind:
            yield each, piece


def arrange(sightings: Iterable[Sighting], zones: Sequence[Zone], kit: Kit) -> Layout:
    """Return where the seen pieces lie: every zone whose marker is seen, and ``table`` for what lies in none.

    A piece belongs to the zone whose area holds its tag's centre; where areas overlap, to that of the nearer marker.
    """
    seen, game = list(sightings), kit.game
    poses = marker_poses(seen, zones)
    fields, names, codes = _fields(zones, poses), payloads.ids([game]), payloads.codes_of(game)
    unplaced = game.table.unplaced if game.table is not None else frozenset()
    lying: dict[str, list[Sighting]] = {name: [] for name in (*poses, ELSEWHERE)}
    pieces: dict[str, str] = {}
    for sighting in seen:
        tag = payloads.parse(sighting.payload, codes)
        piece = names.get((tag.game, tag.piece)) if tag is not None else None
        if piece is None or game.pieces[piece].kind in unplaced:
            continue
        pieces[sighting.payload] = piece
        lying[_holding(sighting.x, sighting.y, fields)].append(sighting)
    arranged: dict[str, Arrangement] = {
        zone.name: _arrange(lying[zone.name], pieces, zone.shape, kit, poses[zone.name].angle)
        for zone in zones
        if zone.name in poses
    }
    return Layout(arranged | {ELSEWHERE: Spread(frozenset(pieces[each.payload] for each in lying[ELSEWHERE]))})


def marker_poses(sightings: Iterable[Sighting], zones: Iterable[Zone]) -> dict[str, MarkerPose]:
    """Return zone name → pose of its marker, for the markers that are seen."""
    seen = {payloads.marker_of(each.payload): MarkerPose(each.x, each.y, each.angle) for each in sightings}
    return {zone.name: seen[zone.marker] for zone in zones if zone.marker in seen}


def zone_at(x: float, y: float, zones: Iterable[Zone], poses: dict[str, MarkerPose]) -> str:
    """Return the zone that holds a point of the table (mm), ``table`` where none does."""
    return _holding(x, y, _fields(zones, poses))


class _ZoneFrame(NamedTuple):
    """A zone's area on the table, its marker's frame worked out once for many points."""

    name: str
    x: float
    y: float
    cos: float
    sin: float
    area: tuple[float, float, float, float]


def _fields(zones: Iterable[Zone], poses: dict[str, MarkerPose]) -> list[_ZoneFrame]:
    there = ((zone, poses[zone.name], radians(poses[zone.name].angle)) for zone in zones if zone.name in poses)
    return [_ZoneFrame(zone.name, pose.x, pose.y, cos(turn), sin(turn), zone.area) for zone, pose, turn in there]


def _holding(x: float, y: float, fields: Iterable[_ZoneFrame]) -> str:
    nearest, name = inf, ELSEWHERE
    for field in fields:
        dx, dy = x - field.x, y - field.y
        across, down = dx * field.cos + dy * field.sin, dy * field.cos - dx * field.sin
        left, top, right, bottom = field.area
        if left <= across <= right and top <= down <= bottom and (far := hypot(across, down)) < nearest:
            nearest, name = far, field.name
    return name


def _arrange(lying: Sequence[Sighting], pieces: dict[str, str], shape: str, kit: Kit, up: float) -> Arrangement:
    placed = [Placed(pieces[each.payload], each.x, each.y, each.angle) for each in lying]
    match shape:
        case "columns":
            size = _size(placed, kit)
            return Columns(columns(placed, size.height, size.width) if size is not None else columns(placed))
        case "grid":
            size = _size(placed, kit)
            return Grid(cells(placed, size.width, up)) if size is not None else Grid(frozenset())
        case "pile":
            # What is only remembered lies under what can be seen.
            order = sorted(lying, key=lambda each: (each.how != "kept", each.payload))
            return Pile(tuple(pieces[each.payload] for each in order))
        case _:
            return Spread(frozenset(each.piece for each in placed))


def _size(placed: Sequence[Placed], kit: Kit) -> Size | None:
    """Return the usual size of these pieces, None if the game does not say."""
    kinds = [kit.game.pieces[each.piece].kind for each in placed]
    sizes = [kit.sizes[kind] for kind in kinds if kind in kit.sizes]
    if not sizes:
        return None
    return Size(float(np.median([size.width for size in sizes])), float(np.median([size.height for size in sizes])))
