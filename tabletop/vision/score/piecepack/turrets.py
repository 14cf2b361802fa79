"""Which structures the turrets stand on, and what is wrong with where they stand."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence

from tabletop.messages import N_, Message, PieceRef, listed_pieces
from tabletop.rules.piecepack.components import STRUCTURES, TURRETS
from tabletop.vision.geometry.shapes import AMBIGUOUS_MARGIN, LyingPiece, lying_upon
from tabletop.vision.score.piecepack.structure_grid import structure_size
from tabletop.vision.score.tally import NO_CARRIER, Built, PhotoTable

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


def turret_faults(
    tables: Sequence[PhotoTable],
    seats: Mapping[int, Built],
    *,
    make: str,
    stated: frozenset[str],
    carriers: frozenset[str],
) -> list[Message]:
    """Return what is wrong with where turrets stand, and which ones are missing.

    ``stated``: the structures on which a turret is stated to stand, or ``NO_CARRIER``; ``carriers``: those on which one
    is stated or seen to stand.
    """
    twice = {turret: on for turret, on in stands_of(tables, make).items() if len(on) > 1}
    faults = [Message(TURRET_TWICE, turret=turret, pieces=tuple(sorted(on))) for turret, on in sorted(twice.items())]
    faults += [Message(TURRET_BETWEEN, turret=turret) for turret in _between(tables, make)]
    moved = _moved(tables, make)
    faults += [Message(TURRET_MOVED, turret=turret, structure=PieceRef(one)) for turret, one in sorted(moved)]
    faults += _of_others(tables, seats, make)
    if NO_CARRIER not in stated:
        faults += _missing(tables, seats, make, stated, carriers)
    # A turret that is seen on two structures is reported above.
    under = carriers.difference(*twice.values())
    together = [sorted(under & built.cells.keys()) for _, built in sorted(seats.items())]
    faults += [Message(TURRETS_TOGETHER, pieces=listed_pieces(on)) for on in together if len(on) > 1]
    known = {piece for built in seats.values() for piece in _known(built)}
    unseen = [(TURRET_UNSEEN, one) for one in sorted(stated - known - {NO_CARRIER})]
    unseen += [(TURRET_OUTSIDE, one) for one in sorted(under - known - stated)]
    return [*faults, *(Message(text, structure=PieceRef(one)) for text, one in unseen)]


def _missing(
    tables: Sequence[PhotoTable],
    seats: Mapping[int, Built],
    make: str,
    stated: frozenset[str],
    carriers: frozenset[str],
) -> Iterator[Message]:
    """Iterate over faults of palazzi whose turret is in no picture, if any is seen: then all have tags.

    Without markers it is unknown whose the turrets are that stand on no structure.  If none is seen or stated,
    pawns may stand, or something may cover them all.
    """
    shown = {piece.piece for table in tables for piece in table.pieces if piece.piece in TURRETS}
    if not shown and not stated and any(map(_known, seats.values())):
        yield TURRETS_UNSEEN
    idle, marked = shown - stands_of(tables, make).keys(), _marked(tables)
    for seat, built in sorted(seats.items()):
        known = _known(built)
        has_turret = TURRETS[seat] in shown if f"seat{seat}" in marked else idle
        if shown and known and not has_turret and carriers.isdisjoint(known):
            yield Message(TURRET_UNSHOWN, seat=seat + 1)


def _known(built: Built) -> set[str]:
    """Return the structures of a seat, including those that do not count, which are reported elsewhere."""
    return {*built.cells, *built.unplaced, *itertools.chain.from_iterable(built.contradicting)}


def stands_of(tables: Sequence[PhotoTable], make: str) -> dict[str, set[str]]:
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
    found, stands = set(), stands_of(tables, make)
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
    stands = stands_of(tables, make)
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
    for turret, on in sorted(stands_of(tables, make).items()):
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
    size = structure_size([piece.tag for piece in structures], make)
    return [piece._replace(size=size) for piece in structures]
