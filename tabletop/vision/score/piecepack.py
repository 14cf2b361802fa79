"""Scores Palazzo for the piecepack: one grid per seat; suits are compared between seats."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import hypot

import numpy as np

from tabletop.messages import N_, Message, PieceRef, listed
from tabletop.rules.piecepack.building.palazzo import flaw
from tabletop.rules.piecepack.components import FACE, STRUCTURES, SUITS, TITLES, TURRETS
from tabletop.rules.piecepack.options import ENCLOSED_8
from tabletop.rules.piecepack.scoring import AHEAD_POINTS
from tabletop.rules.piecepack.table.declaration import PiecepackTable
from tabletop.rules.table import Size
from tabletop.vision.geometry.columns import Placed
from tabletop.vision.geometry.grid import PlacedTiles, plot, touch
from tabletop.vision.geometry.grid_owners import TileOwners
from tabletop.vision.geometry.marker_pose import MarkerPose
from tabletop.vision.geometry.shapes import AMBIGUOUS_MARGIN, LyingPiece, lying_upon
from tabletop.vision.score import merge
from tabletop.vision.score.tally import (
    NO_CARRIER,
    BuildingFault,
    Built,
    CommonParts,
    PhotoTable,
    ScoredGroup,
    ScorePart,
    Scoring,
    Tally,
    Worth,
)

FLAWS: Mapping[str, Message] = {
    "cell-taken": Message("Two structures lie on one cell."),
    "splits": Message("The palazzo is in several parts: every structure must share a full edge with another one."),
    "clashing-neighbour": Message("Neighbours share neither suit nor value."),
    "makes-a-hole": Message("The palazzo encloses an empty cell."),
}
"""The sentence for each building rule of the piecepack that a palazzo may break."""
CORNER_HOLE = Message("The palazzo encloses an empty cell: a way out across a corner counts only if your rules say so.")
"""The sentence for a hole that the option ``holes`` allows."""
TURRET_TWICE = N_("{turret} stands on more than one structure in these pictures: {pieces}.")
TURRET_BETWEEN = N_("{turret} stands between two structures: push it onto one, or it counts for nothing.")
TURRET_MOVED = N_("{turret} stands on {structure} in one picture and not in another: leave out the older one.")
TURRET_OF_ANOTHER = N_(
    "{turret} stands on {structure} in the palazzo of seat {seat}: take it away, or swap it for that seat's own."
)
TURRETS_TOGETHER = N_(
    "One palazzo has turrets on {pieces}, but a seat has only one: take the others away, or name only the structure "
    "under its own."
)
TURRET_UNSEEN = N_(
    "No palazzo in these pictures has {structure}, on which a turret is said to stand: photograph it, or name another."
)
TURRET_OUTSIDE = N_("A turret stands on {structure}, which is in no palazzo here: photograph its palazzo, or move it.")
TURRET_UNSHOWN = N_(
    "No picture shows the turret of seat {seat}: is its tag covered, or face down? If it stands nowhere, lay it "
    "beside the palazzo."
)
TURRETS_UNSEEN = Message("No picture shows a turret's tag: photograph them, or say where turrets stand, if any.")
ASKEW = N_("Push {structure} edge to edge.")
UNCONNECTED = N_("No picture shows {pieces} together with the rest of the palazzo: photograph all of it.")
SLACK_MM = 4.0
"""Standard deviation of the distances of neighbours, mm, if people lay tiles as unevenly as they ever do."""
ALONE_WIDTHS = 1.5
"""Distance from its nearest neighbour, in widths, beyond which a structure stands alone."""
UNDECLARED_PENALTY = 0.25
"""How much better tags have to fit in the middle than in their declared place, as a fraction of ``SLACK_MM``: careless
laying may favour the middle."""
TILE_MM = 50.0
"""Assumed side of a piecepack's tile if nothing shows another."""


@dataclass(frozen=True, slots=True)
class PiecepackTally(Tally):
    """The tally of Palazzo for the piecepack: one grid per seat; suits are compared between seats.

    ``turrets``: the structures on which a turret is stated to stand, or ``NO_CARRIER``; ``make``: that of the
    structures, empty if it is not stated; ``seen``: the structures on which pictures show a turret; ``diagonal``: the
    option that lets diagonal ways lead out of a hole.
    """

    turrets: frozenset[str] = frozenset()
    make: str = ""
    seen: frozenset[str] = frozenset()
    diagonal: bool = False
    kind = N_("structure")
    zones = ("seat",)
    apart = True
    compared = True

    @property
    def carriers(self) -> frozenset[str]:
        """The structures on which a turret stands, stated or seen."""
        return (self.turrets | self.seen) - {NO_CARRIER}

    @property
    def unseen(self) -> Message:
        """Return what cannot be seen: what breaks ties."""
        return Message("Ties are broken by coins and dice, which no picture shows.")

    def places(self, tags: Sequence[Placed]) -> Sequence[Placed]:
        """Return the middles of structures, whose tags are in a corner."""
        return _middles(tags, _size(tags, self.make)) if tags else tags

    def joined(self, seats: Mapping[int, Sequence[Placed]], loose: Sequence[Placed]) -> Mapping[str, int]:
        """Return the owners of structures outside all zones, because a palazzo may outgrow its area edge to edge."""
        if not loose:
            return {}
        size = _size([*loose, *(piece for pieces in seats.values() for piece in pieces)], self.make)
        areas = {str(seat): _middles(pieces, size) for seat, pieces in seats.items()}
        owners = TileOwners(areas, _middles(loose, size), size.width, {}).zone_of_tiles()
        return {piece.piece: int(owners[piece.piece]) for piece in loose if piece.piece in owners}

    def astride(self, seats: Mapping[int, Sequence[Placed]]) -> Mapping[str, int]:
        """Return structure → another seat, for structures that share an edge with one of that seat."""
        size = _size([piece for pieces in seats.values() for piece in pieces], self.make)
        middles = [(seat, piece) for seat, pieces in seats.items() for piece in _middles(pieces, size)]
        return {
            one.piece: seat
            for owner, one in middles
            for seat, other in middles
            if seat != owner and touch(one, other, size.width)
        }

    def built(self, pictures: Sequence[Sequence[Placed]]) -> Built:
        """Return the merged grid of several pictures, without pieces on a cell in one and off the grid in another."""
        nonempty = [placed for placed in pictures if placed]
        plots = [_plot(placed, self.make, up) for placed, up in zip(nonempty, _ways_up(nonempty), strict=True)]
        merged = merge.cells([dict(grid.cells) for grid in plots])
        askew = {piece for grid in plots for piece in grid.askew}
        cells = {piece: cell for piece, cell in merged.cells.items() if piece not in askew}
        contradicting = tuple(sorted({*merged.contradicting, *(askew & merged.cells.keys())}))
        together = Message(UNCONNECTED, pieces=_listed(merged.unconnected))
        unplaced = {
            piece: Message(ASKEW, structure=PieceRef(piece)) for piece in sorted(askew.difference(contradicting))
        }
        unplaced |= dict.fromkeys(merged.unconnected, together)
        return Built(
            (tuple(sorted(cells)),) if cells else (), cells, (contradicting,) if contradicting else (), unplaced
        )

    def updated_from(self, tables: Sequence[PhotoTable]) -> PiecepackTally:
        """Return the tally that also knows the structures on which the pictures show turrets."""
        return replace(self, seen=self.seen.union(*_stands(tables, self.make).values()))

    def common_parts(self, tables: Sequence[PhotoTable], seats: Mapping[int, Built]) -> CommonParts:
        """Return the faults of turrets; the points for them are part of the palazzi."""
        twice = {turret: on for turret, on in _stands(tables, self.make).items() if len(on) > 1}
        faults = [
            Message(TURRET_TWICE, turret=turret, pieces=tuple(sorted(on))) for turret, on in sorted(twice.items())
        ]
        faults += [Message(TURRET_BETWEEN, turret=turret) for turret in _between(tables, self.make)]
        moved = _moved(tables, self.make)
        faults += [Message(TURRET_MOVED, turret=turret, structure=PieceRef(one)) for turret, one in sorted(moved)]
        faults += _of_others(tables, seats, self.make)
        faults += self._without_turrets(tables, seats)
        # A turret that is seen on two structures is reported above.
        under = self.carriers.difference(*twice.values())
        together = [sorted(under & built.cells.keys()) for _, built in sorted(seats.items())]
        faults += [Message(TURRETS_TOGETHER, pieces=_listed(on)) for on in together if len(on) > 1]
        known = {piece for built in seats.values() for piece in _known(built)}
        unseen = [(TURRET_UNSEEN, one) for one in sorted(self.turrets - known - {NO_CARRIER})]
        unseen += [(TURRET_OUTSIDE, one) for one in sorted(under - known - self.turrets)]
        return CommonParts(faults=[*faults, *(Message(text, structure=PieceRef(one)) for text, one in unseen)])

    def worth(self, seats: Mapping[int, Built]) -> Mapping[int, Worth]:
        """Return each seat's palazzo and suits; a palazzo that breaks a rule does not count."""
        palazzi = {seat: self._palazzo(built) for seat, built in seats.items()}
        standing = {
            seat: self._standing(palazzo.tiles) if palazzo.points is not None else ()
            for seat, palazzo in palazzi.items()
        }
        counts = {suit: {seat: self._count(ones, suit) for seat, ones in standing.items()} for suit in SUITS}
        return {seat: Worth((palazzo,), tuple(self._parts(seat, counts))) for seat, palazzo in palazzi.items()}

    def size(self, placed: Sequence[Placed]) -> tuple[float, float]:
        """Return the side of the tiles, mm, twice: the usual distance to the nearest neighbour."""
        widths = [size.width for size in _declared(self.make)]
        side = _spacing(placed, widths) or (widths[0] if self.make else TILE_MM)
        return side, side

    def _without_turrets(self, tables: Sequence[PhotoTable], seats: Mapping[int, Built]) -> Iterator[Message]:
        """Iterate over faults of palazzi whose turret is in no picture, if any is seen: then all have tags.

        Without markers it is unknown whose the turrets are that stand on no structure.  If none is seen or stated,
        pawns may stand, or something may cover them all.
        """
        if NO_CARRIER in self.turrets:
            return
        shown = {piece.piece for table in tables for piece in table.pieces if piece.piece in TURRETS}
        if not shown and not self.turrets and any(map(_known, seats.values())):
            yield TURRETS_UNSEEN
        idle, marked = shown - _stands(tables, self.make).keys(), _marked(tables)
        for seat, built in sorted(seats.items()):
            known = _known(built)
            has_turret = TURRETS[seat] in shown if f"seat{seat}" in marked else idle
            if shown and known and not has_turret and self.carriers.isdisjoint(known):
                yield Message(TURRET_UNSHOWN, seat=seat + 1)

    def _palazzo(self, built: Built) -> ScoredGroup:
        tiles = built.groups[0] if built.groups else ()
        broken = flaw(built.cells, self.diagonal) if built.cells else None
        if broken is not None:
            sentence = FLAWS[broken] if flaw(built.cells, diagonal=True) else CORNER_HOLE
            return ScoredGroup(tiles, None, (BuildingFault(broken, sentence),))
        return ScoredGroup(tiles, sum(FACE[tile] for tile in self._standing(tiles)))

    def _standing(self, tiles: Iterable[str]) -> tuple[str, ...]:
        """Return the structures as they count, those under a turret twice."""
        under = self.carriers
        return tuple(one for tile in tiles for one in (tile,) * (2 if tile in under else 1))

    def _count(self, standing: Iterable[str], suit: str) -> int:
        return sum(tile[1] == suit for tile in standing)

    def _parts(self, seat: int, counts: Mapping[str, Mapping[int, int]]) -> Iterable[ScorePart]:
        for suit, title in TITLES.items():
            own = counts[suit][seat]
            ahead = sum(other > own for other in counts[suit].values())
            if own:
                yield ScorePart(
                    Message("{count} × {what}", count=own, what=Message(title)),
                    own * (AHEAD_POINTS[ahead] if ahead < len(AHEAD_POINTS) else 0),
                )


def _listed(pieces: Iterable[str]) -> Message:
    return listed([*map(PieceRef, pieces)])


def _known(built: Built) -> set[str]:
    """Return the structures of a seat, including those that do not count, which are reported elsewhere."""
    return {*built.cells, *built.unplaced, *itertools.chain.from_iterable(built.contradicting)}


def _stands(tables: Sequence[PhotoTable], make: str) -> dict[str, set[str]]:
    """Return turret → the structures on which pictures show it."""
    stands: dict[str, set[str]] = {}
    for table in tables:
        tiles = _structures(table, make)
        for piece in table.pieces:
            tile = lying_upon(piece, tiles) if piece.piece in TURRETS else ""
            if tile:
                stands.setdefault(piece.piece, set()).add(tile)
    return stands


def _between(tables: Sequence[PhotoTable], make: str) -> list[str]:
    """Return the turrets that lie between structures, so that it is ambiguous on which they stand.

    A picture that misses the structure on which another one shows a turret does not count for that turret.
    """
    found, stands = set(), _stands(tables, make)
    for table in tables:
        tiles = _structures(table, make)
        read = {tile.piece for tile in tiles}
        for piece in table.pieces:
            x, y = piece.middle.x, piece.middle.y
            near = any(
                tile.covers(x, y, AMBIGUOUS_MARGIN * piece.size.width) for tile in tiles if piece.size is not None
            )
            unread = not read.issuperset(stands.get(piece.piece, ()))
            if piece.piece in TURRETS and near and not unread and not lying_upon(piece, tiles):
                found.add(piece.piece)
    return sorted(found)


def _moved(tables: Sequence[PhotoTable], make: str) -> set[tuple[str, str]]:
    """Return the turrets that one picture shows on a structure and another one far from it, each with the structure."""
    stands = _stands(tables, make)
    found = set()
    for table in tables:
        tiles = {tile.piece: tile for tile in _structures(table, make)}
        for piece in table.pieces:
            on = stands.get(piece.piece, set())
            for tile in (tiles[name] for name in on & tiles.keys() if len(on) == 1):
                # Seen from the side, a tall turret may seem to stand beside its structure.
                if tile.size and not tile.covers(piece.middle.x, piece.middle.y, tile.size.width):
                    found.add((piece.piece, tile.piece))
    return found


def _of_others(tables: Sequence[PhotoTable], seats: Mapping[int, Built], make: str) -> Iterator[Message]:
    """Iterate over faults of turrets in the palazzo of another seat whose marker is seen.

    Without markers seats are numbered by their pictures, so turrets are not checked.
    """
    marked = _marked(tables)
    for turret, on in sorted(_stands(tables, make).items()):
        for seat, built in sorted(seats.items()):
            if f"seat{seat}" in marked and turret != TURRETS[seat]:
                for one in sorted(on & built.cells.keys()):
                    yield Message(TURRET_OF_ANOTHER, turret=turret, structure=PieceRef(one), seat=seat + 1)


def _marked(tables: Iterable[PhotoTable]) -> set[str]:
    """Return the names of the zones whose markers any picture shows."""
    return {name for table in tables for name in table.zones}


def _structures(table: PhotoTable, make: str) -> list[LyingPiece]:
    """Return the structures of a picture, with their size as estimated from it."""
    structures = [piece for piece in table.pieces if piece.piece in STRUCTURES]
    size = _size([piece.tag for piece in structures], make)
    return [piece._replace(size=size) for piece in structures]


def _ways_up(pictures: Sequence[Sequence[Placed]]) -> list[float]:
    """Return the angle of up in each picture, degrees, that gives common structures the same orientation in all.

    It is 0 for a picture without any in common.
    """
    angles = [{each.piece: each.angle for each in placed} for placed in pictures]
    ups: dict[int, float] = {}
    remaining = [*range(len(pictures))]
    while remaining:
        pairs = [(known, other) for known in ups for other in remaining] or [(remaining[0], remaining[0])]
        known, other = max(pairs, key=lambda pair: len(angles[pair[0]].keys() & angles[pair[1]].keys()))
        shared = angles[known].keys() & angles[other].keys()
        turns = np.radians([angles[other][piece] - angles[known][piece] for piece in shared])
        ups[other] = ups.get(known, 0.0) + float(np.degrees(np.angle(np.exp(1j * turns).sum()))) if shared else 0.0
        remaining.remove(other)
    return [ups[number] for number in range(len(pictures))]


def _plot(placed: Sequence[Placed], make: str, up: float) -> PlacedTiles:
    """Return the cells of structures, given by their tags; ``up``: the angle of the grid's up, degrees."""
    size = _size(placed, make)
    middles = _middles(placed, size)
    return plot(middles, _spacing(middles, [size.width]) or size.width, up)


def _size(tags: Sequence[Placed], make: str) -> Size:
    """Return the size of structures with the offset of their tags; if no make is given, of the make that fits best.

    With the right offset every structure is equally far from its nearest neighbour, however each is turned, and that
    distance is its width; structures that stand alone do not count.  Tags may also be in the middle of structures;
    without evidence the declared offset is assumed.
    """
    makes = _declared(make)
    sizes = [*makes, *(size._replace(tag_x=0.0, tag_y=0.0) for size in makes)]
    if len(tags) < 2:
        return sizes[0]

    distances = {size: np.array(_nearest(_middles(tags, size))) for size in sizes}
    adjacent = np.any([near < ALONE_WIDTHS * size.width for size, near in distances.items()], axis=0)
    if not adjacent.any():
        return sizes[0]

    def misfit(size: Size) -> float:
        near = distances[size][adjacent]
        undeclared = UNDECLARED_PENALTY if size not in makes else 0.0
        return float(near.std()) / SLACK_MM + abs(float(np.median(near)) / size.width - 1) + undeclared

    return min(sizes, key=misfit)


def _declared(make: str) -> list[Size]:
    """Return the size of structures of a make, or of every make if none is given."""
    return [sizes["structure"] for name, sizes in PiecepackTable.makes.items() if make in ("", name)]


def _middles(tags: Iterable[Placed], size: Size) -> list[Placed]:
    """Return the middles of structures, given by their tags."""
    poses = [(piece, MarkerPose(piece.x, piece.y, piece.angle)) for piece in tags]
    return [Placed(piece.piece, *pose.table(-size.tag_x, -size.tag_y), piece.angle) for piece, pose in poses]


def _spacing(placed: Sequence[Placed], widths: Sequence[float]) -> float | None:
    """Return the usual distance to the nearest neighbour, mm, None if there are no neighbours.

    Neighbours are structures that would share an edge at one of the widths: between others one may lie face down.
    """
    touching = [
        [_distance_mm(piece, other) for other in placed if any(touch(piece, other, width) for width in widths)]
        for piece in placed
    ]
    near = [min(distances) for distances in touching if distances]
    return float(np.median(near)) if near else None


def _nearest(placed: Sequence[Placed]) -> list[float]:
    """Return the distance of each from the nearest other one, mm."""
    return [min(_distance_mm(piece, other) for other in placed if other is not piece) for piece in placed]


def _distance_mm(one: Placed, other: Placed) -> float:
    return hypot(one.x - other.x, one.y - other.y)


SCORING = Scoring(
    lambda facts: PiecepackTally(facts.carriers, facts.make, diagonal=facts.options.get("holes") == ENCLOSED_8),
    carrier_kind="structure",
)
