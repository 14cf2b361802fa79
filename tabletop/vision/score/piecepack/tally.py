"""Scores Palazzo for the piecepack: one grid per seat; suits are compared between seats."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from tabletop.messages import N_, Message, PieceRef, listed_pieces
from tabletop.rules.piecepack.building.palazzo import flaw
from tabletop.rules.piecepack.components import FACE, SUITS, TITLES
from tabletop.rules.piecepack.scoring import AHEAD_POINTS
from tabletop.vision.geometry.columns import Placed
from tabletop.vision.geometry.grid import touch
from tabletop.vision.geometry.grid_owners import TileOwners
from tabletop.vision.score import merge
from tabletop.vision.score.piecepack.structure_grid import (
    TILE_MM,
    declared_sizes,
    middles_of,
    plotted,
    spacing,
    structure_size,
    ways_up,
)
from tabletop.vision.score.piecepack.turrets import stands_of, turret_faults
from tabletop.vision.score.tally import (
    NO_CARRIER,
    BuildingFault,
    Built,
    CommonParts,
    PhotoTable,
    ScoredGroup,
    ScorePart,
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
ASKEW = N_("Push {structure} edge to edge.")
UNCONNECTED = N_("No picture shows {pieces} together with the rest of the palazzo: photograph all of it.")


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
        return middles_of(tags, structure_size(tags, self.make)) if tags else tags

    def joined(self, seats: Mapping[int, Sequence[Placed]], loose: Sequence[Placed]) -> Mapping[str, int]:
        """Return the owners of structures outside all zones, because a palazzo may outgrow its area edge to edge."""
        if not loose:
            return {}
        size = structure_size([*loose, *(piece for pieces in seats.values() for piece in pieces)], self.make)
        areas = {str(seat): middles_of(pieces, size) for seat, pieces in seats.items()}
        owners = TileOwners(areas, middles_of(loose, size), size.width, {}).zone_of_tiles()
        return {piece.piece: int(owners[piece.piece]) for piece in loose if piece.piece in owners}

    def astride(self, seats: Mapping[int, Sequence[Placed]]) -> Mapping[str, int]:
        """Return structure → another seat, for structures that share an edge with one of that seat."""
        size = structure_size([piece for pieces in seats.values() for piece in pieces], self.make)
        middles = [(seat, piece) for seat, pieces in seats.items() for piece in middles_of(pieces, size)]
        return {
            one.piece: seat
            for owner, one in middles
            for seat, other in middles
            if seat != owner and touch(one, other, size.width)
        }

    def built(self, pictures: Sequence[Sequence[Placed]]) -> Built:
        """Return the merged grid of several pictures, without pieces on a cell in one and off the grid in another."""
        nonempty = [placed for placed in pictures if placed]
        plots = [plotted(placed, self.make, up) for placed, up in zip(nonempty, ways_up(nonempty), strict=True)]
        merged = merge.cells([dict(grid.cells) for grid in plots])
        askew = {piece for grid in plots for piece in grid.askew}
        cells = {piece: cell for piece, cell in merged.cells.items() if piece not in askew}
        contradicting = tuple(sorted({*merged.contradicting, *(askew & merged.cells.keys())}))
        together = Message(UNCONNECTED, pieces=listed_pieces(merged.unconnected))
        unplaced = {
            piece: Message(ASKEW, structure=PieceRef(piece)) for piece in sorted(askew.difference(contradicting))
        }
        unplaced |= dict.fromkeys(merged.unconnected, together)
        return Built(
            (tuple(sorted(cells)),) if cells else (), cells, (contradicting,) if contradicting else (), unplaced
        )

    def updated_from(self, tables: Sequence[PhotoTable]) -> PiecepackTally:
        """Return the tally that also knows the structures on which the pictures show turrets."""
        return replace(self, seen=self.seen.union(*stands_of(tables, self.make).values()))

    def common_parts(self, tables: Sequence[PhotoTable], seats: Mapping[int, Built]) -> CommonParts:
        """Return the faults of turrets; the points for them are part of the palazzi."""
        stated, carriers = self.turrets, self.carriers
        return CommonParts(faults=turret_faults(tables, seats, make=self.make, stated=stated, carriers=carriers))

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
        widths = [size.width for size in declared_sizes(self.make)]
        side = spacing(placed, widths) or (widths[0] if self.make else TILE_MM)
        return side, side

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
