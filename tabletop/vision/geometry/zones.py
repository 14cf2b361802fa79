"""Turns sightings on the plane into a layout: zones are found by their markers, and each is read in its own shape."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import cos, hypot, inf, radians, sin
from typing import NamedTuple

from tabletop.rules.game import Game
from tabletop.rules.layout import Arrangement, Layout, Spread
from tabletop.rules.table import Zone, ZoneShape
from tabletop.vision.geometry import shapes
from tabletop.vision.geometry.boxes import Box, box, corners_of
from tabletop.vision.geometry.grid_owners import TileOwners
from tabletop.vision.geometry.marker_pose import MarkerPose
from tabletop.vision.geometry.plane import Array
from tabletop.vision.geometry.shapes import LyingPiece
from tabletop.vision.kit import Kit
from tabletop.vision.scene import Sighting
from tabletop.vision.tags import payloads

TABLE_ZONE = "table"
"""The zone of pieces outside all other zones."""
CARD_EDGE_MM = 24.0
"""Distance from the middle of its marker to a zone card's edge, mm, on sides on which it has no area."""


def of_kind(sightings: Iterable[Sighting], game: Game, kind: str) -> Iterator[tuple[Sighting, str]]:
    """Iterate over the sightings of the game's pieces of one kind, with their ids."""
    names, codes = payloads.ids([game]), payloads.codes_of(game)
    for each in sightings:
        tag = payloads.parse(each.payload, codes)
        piece = names.get((tag.game, tag.piece)) if tag is not None else None
        if piece is not None and game.pieces[piece].kind == kind:
            yield each, piece


def arrange(
    sightings: Iterable[Sighting], zones: Sequence[Zone], kit: Kit, homes: Callable[[], Mapping[str, str]] = dict
) -> Layout:
    """Return the layout of the seen pieces: every zone whose marker is seen, and ``table`` for pieces in none.

    A piece belongs to the zone whose area contains its tag's centre, a tile of a grid to the one that contains its own;
    if areas overlap, to that of the nearer marker.  A tile in no zone that shares an edge with a grid's tile belongs to
    that grid, and so do pieces on its tiles; a tile that is only remembered is dropped if another one is read in its
    place.  ``homes`` returns the zone in which the record has each piece, so that a grid that outgrows its area is
    known by the tiles that were in it.  Towers are left out if their pieces have no tags.
    """
    seen = list(sightings)
    poses, everything = marker_poses(seen, zones), pieces_among(seen, kit)
    lying = _by_zone(everything, zones, poses, kit)
    grids = [zone.name for zone in zones if _is_seen_with_shape(zone, ZoneShape.GRID, poses)]
    if grids:
        _drop_replaced(lying, [*grids, TABLE_ZONE], kit)
        _assign_tiles(lying, grids, kit, homes())
    tiles = {name: _tiles(lying[name], kit) for name in grids}
    towers = any(zone.shape == ZoneShape.TOWER for zone in zones) and _are_floors_tagged(kit)
    upon = _move_onto_tiles(lying, tiles, kit)
    arrangements: dict[str, Arrangement] = {}
    for zone in zones:
        if zone.name in poses and (towers or zone.shape != ZoneShape.TOWER):
            pieces = lying[zone.name]
            if zone.shape == ZoneShape.SPACES:
                pieces = shapes.uncovered(pieces, everything)
            if zone.shape == ZoneShape.TOWER:
                # A piece that is not interchangeable is not a floor.
                lying[TABLE_ZONE] += [piece for piece in pieces if not piece.like]
                pieces = [piece for piece in pieces if piece.like]
            arrangements[zone.name] = shapes.arranged(pieces, zone, poses[zone.name], upon)
    return Layout(arrangements | {TABLE_ZONE: Spread(frozenset(piece.piece for piece in lying[TABLE_ZONE]))})


def pieces_among(sightings: Iterable[Sighting], kit: Kit) -> list[LyingPiece]:
    """Return the pieces of the game among the sightings, without the kinds whose place has no meaning."""
    game = kit.game
    names, codes = payloads.ids([game]), payloads.codes_of(game)
    unplaced = game.table.unplaced if game.table is not None else frozenset()
    pieces = []
    for each in sightings:
        tag = payloads.parse(each.payload, codes)
        piece = game.pieces.get(names.get((tag.game, tag.piece), "")) if tag is not None else None
        if piece is not None and piece.kind not in unplaced:
            pieces.append(LyingPiece(piece.id, each, kit.sizes.get(piece.kind), piece.like))
    return pieces


def _by_zone(
    everything: Iterable[LyingPiece], zones: Sequence[Zone], poses: dict[str, MarkerPose], kit: Kit
) -> dict[str, list[LyingPiece]]:
    """Return zone → the pieces in it."""
    frames = _zone_frames(zones, poses)
    gridded = any(zone.shape == ZoneShape.GRID for zone in zones)
    lying: dict[str, list[LyingPiece]] = {name: [] for name in (*poses, TABLE_ZONE)}
    for piece in everything:
        is_tile = gridded and kit.game.pieces[piece.piece].kind in kit.tile_kinds
        place = piece.middle if is_tile else piece.tag
        lying[_zone_containing(place.x, place.y, frames)].append(piece)
    return lying


def _is_seen_with_shape(zone: Zone, shape: ZoneShape, poses: Mapping[str, MarkerPose]) -> bool:
    return zone.shape == shape and zone.name in poses


def _tiles(lying: Iterable[LyingPiece], kit: Kit) -> list[LyingPiece]:
    return [piece for piece in lying if kit.game.pieces[piece.piece].kind in kit.tile_kinds]


def _are_floors_tagged(kit: Kit) -> bool:
    """Return whether the interchangeable pieces of towers have tags."""
    alike = {piece.kind for piece in kit.game.pieces.values() if piece.like}
    return any(entry.kind in alike for entry in kit.pieces)


def _drop_replaced(lying: dict[str, list[LyingPiece]], zones: Sequence[str], kit: Kit) -> None:
    """Remove remembered tiles of grids where another tile lies now, because the whole grid was pushed."""
    tiles = [tile for place in zones for tile in _tiles(lying[place], kit)]
    replaced = {tile.piece for tile in tiles} - {tile.piece for tile in shapes.uncovered(tiles, tiles)}
    for place in zones:
        lying[place] = [piece for piece in lying[place] if piece.piece not in replaced]


def _assign_tiles(lying: dict[str, list[LyingPiece]], grids: Sequence[str], kit: Kit, homes: Mapping[str, str]) -> None:
    """Move tiles that lie in no zone, or in the area of another grid, to the grid to which they belong."""
    tiles = {place: _tiles(lying[place], kit) for place in (*grids, TABLE_ZONE)}
    size = shapes.usual_size(tile for members in tiles.values() for tile in members)
    if size is None:
        return
    middles = {place: [tile.middle for tile in members] for place, members in tiles.items()}
    loose = middles.pop(TABLE_ZONE)
    owners = TileOwners(middles, loose, size.width, homes).zone_of_tiles()
    for place, members in tiles.items():
        for tile in members:
            owner = owners.get(tile.piece, TABLE_ZONE)
            if owner != place:
                lying[place].remove(tile)
                lying[owner].append(tile)


def _move_onto_tiles(
    lying: dict[str, list[LyingPiece]], tiles: Mapping[str, Sequence[LyingPiece]], kit: Kit
) -> dict[str, str]:
    """Return small piece → the tile of a grid that it lies on, and remove such pieces from their zones."""
    lower: dict[str, str] = {}
    grid_tiles = [tile for some in tiles.values() for tile in some]
    for some in lying.values() if grid_tiles else ():
        for piece in [piece for piece in some if kit.game.pieces[piece.piece].kind not in kit.tile_kinds]:
            tile = shapes.lying_upon(piece, grid_tiles)
            if tile:
                lower[piece.piece] = tile
                some.remove(piece)
    return lower


def quiet_areas(markers: Iterable[Sighting], zones: Sequence[Zone], kit: Kit) -> list[Array]:
    """Return the areas, corners (4, 2) in mm, in which nothing is reported: stores, and towers without tags."""
    silent = {ZoneShape.STORE} if _are_floors_tagged(kit) else {ZoneShape.STORE, ZoneShape.TOWER}
    quiet = [zone for zone in zones if zone.shape in silent]
    poses = marker_poses(markers, quiet) if quiet else {}
    return [poses[zone.name].outline(zone.area) for zone in quiet if zone.name in poses]


def card_outlines(zones: Iterable[Zone], kit: Kit) -> dict[str, Array]:
    """Return the outline (4, 2) of each zone card by its marker's payload, mm from that marker's middle, upright."""
    boxes: dict[str, Box] = {}
    for zone in zones:
        (left, top, right, bottom), area = boxes.get(zone.marker, box((0.0, 0.0), CARD_EDGE_MM)), zone.area
        boxes[zone.marker] = min(left, area[0]), min(top, area[1]), max(right, area[2]), max(bottom, area[3])
    marks = ((payload, payloads.marker_of(payload)) for payload in kit.entries)
    return {payload: corners_of(boxes[marker]) for payload, marker in marks if marker in boxes}


def marker_poses(sightings: Iterable[Sighting], zones: Iterable[Zone]) -> dict[str, MarkerPose]:
    """Return zone name → pose of its marker, for the markers that are seen."""
    seen = {payloads.marker_of(each.payload): MarkerPose(each.x, each.y, each.angle) for each in sightings}
    return {zone.name: seen[zone.marker] for zone in zones if zone.marker in seen}


def seats_of(zones: Iterable[Zone], names: tuple[str, ...]) -> dict[str, int]:
    """Return zone name → the seat that owns it, for zones named as one of ``names`` plus a seat's number."""
    numbers = {
        zone.name: zone.name.removeprefix(name) for zone in zones for name in names if zone.name.startswith(name)
    }
    return {zone: int(number) for zone, number in numbers.items() if number.isdecimal()}


def seat_areas(zones: Sequence[Zone], names: tuple[str, ...]) -> dict[int, Zone]:
    """Return seat → its zones of these names, which lie side by side on one card, merged into one."""
    areas: dict[int, Zone] = {}
    owners = seats_of(zones, names)
    for zone in zones:
        if zone.name in owners:
            seat = owners[zone.name]
            known = areas.setdefault(seat, zone)
            (left, top, right, bottom), added = known.area, zone.area
            area = (min(left, added[0]), min(top, added[1]), max(right, added[2]), max(bottom, added[3]))
            areas[seat] = known._replace(area=area)
    return areas


def zone_at(x: float, y: float, zones: Iterable[Zone], poses: dict[str, MarkerPose]) -> str:
    """Return the zone that contains a point of the table (mm), ``table`` if none does."""
    return _zone_containing(x, y, _zone_frames(zones, poses))


class _ZoneFrame(NamedTuple):
    """A zone's area on the table, with its marker's frame precomputed for many points."""

    name: str
    x: float
    y: float
    cos: float
    sin: float
    area: tuple[float, float, float, float]


def _zone_frames(zones: Iterable[Zone], poses: dict[str, MarkerPose]) -> list[_ZoneFrame]:
    visible = ((zone, poses[zone.name], radians(poses[zone.name].angle)) for zone in zones if zone.name in poses)
    return [_ZoneFrame(zone.name, pose.x, pose.y, cos(turn), sin(turn), zone.area) for zone, pose, turn in visible]


def _zone_containing(x: float, y: float, frames: Iterable[_ZoneFrame]) -> str:
    nearest, name = inf, TABLE_ZONE
    for frame in frames:
        dx, dy = x - frame.x, y - frame.y
        across, down = dx * frame.cos + dy * frame.sin, dy * frame.cos - dx * frame.sin
        left, top, right, bottom = frame.area
        if left <= across <= right and top <= down <= bottom and (distance := hypot(across, down)) < nearest:
            nearest, name = distance, frame.name
    return name
