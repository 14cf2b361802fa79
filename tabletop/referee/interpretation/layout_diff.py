"""The differences between where pieces should lie and where they do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from tabletop.messages import EMPTY, Message
from tabletop.rules.layout import Anywhere, Arrangement, Columns, Grid, Heap, Hidden, Layout, Pile, Spread, Tower


@dataclass(frozen=True, slots=True)
class PieceMove:
    """A piece that lies where it should not, and where it has to be laid.

    ``lies`` is its zone, empty if it is not seen; ``belongs`` is where it has to go, empty if it is to be taken away.
    ``rule`` says in one sentence why it belongs there, if the piece was moved without an action (tidying up needs no
    reason).  An interchangeable piece is named by what it looks like.
    """

    piece: str
    lies: str
    belongs: str
    rule: Message = EMPTY


def differences(expected: Layout, seen: Layout) -> tuple[PieceMove, ...]:
    """Return every piece that lies where it should not, and every piece that should be seen and is not.

    Only the top piece of a pile must be seen, and not even that if the whole pile is gone: it is in somebody's hand.
    No piece of a heap must be seen; pieces that may lie anywhere are never wrong; hidden pieces are wrong only if they
    are seen in another zone.  Towers are compared if they are seen, and their floors are named by what they look like.
    Pieces that the record does not know are left out (they are foreign to this game).
    """
    lies = seen.zone_of()
    moves = [move for zone in expected for move in _zone_differences(zone, expected, seen, lies)]
    return (*moves, *_tower_differences(expected, seen))


def completed_layout(expected: Layout, seen: Layout, unseen: frozenset[str]) -> Layout:
    """Return the seen layout plus the ``unseen`` pieces where the record has them: nobody saw them leave.

    A zone that differs from the record in other ways is left as it is seen, unless it is a spread, in which nothing
    else needs to agree.
    """
    missing = unseen - seen.zone_of().keys()
    added: dict[str, Arrangement] = {}
    for zone, arrangement in expected.items() if missing else ():
        here = missing & expected.pieces(zone)
        if here and not isinstance(arrangement, Hidden | Anywhere | Heap):
            there = seen.get(zone, Spread(frozenset()))
            if isinstance(arrangement, Spread):
                added[zone] = Spread(seen.pieces(zone) | here)
            elif without_pieces(arrangement, here) == there:
                added[zone] = arrangement
    return Layout({**seen, **added}) if added else seen


def spots(layout: Layout) -> dict[str, str]:
    """Return piece → where it lies: the piece it lies upon in a grid, or else its zone."""
    return layout.zone_of() | dict(layout.upon)


def moved_pieces(before: Layout, after: Layout) -> frozenset[str]:
    """Return the pieces that lie in different spots in two layouts, and the zones of towers that differ."""
    lay, lie = spots(before), spots(after)
    towers = (zone for zone, there in after.items() if isinstance(there, Tower) and there != before.get(zone))
    return frozenset((*(piece for piece in lay.keys() | lie.keys() if lay.get(piece) != lie.get(piece)), *towers))


def newly_laid(before: Layout, after: Layout) -> frozenset[str]:
    """Return the pieces that can be seen in the layout ``after`` and lie in another zone than ``before``."""
    lay = before.zone_of()
    open_zones = (zone for zone, arrangement in after.items() if not isinstance(arrangement, Hidden | Anywhere))
    return frozenset(piece for zone in open_zones for piece in after.pieces(zone) if lay.get(piece) != zone)


def without_pieces(arrangement: Arrangement, pieces: Collection[str]) -> Arrangement:
    """Return an arrangement without some of its pieces."""
    match arrangement:
        case Columns(columns):
            left = (tuple(piece for piece in column if piece not in pieces) for column in columns)
            return Columns(frozenset(column for column in left if column))
        case Grid(cells, upon, askew):
            there = frozenset(cell for cell in cells if cell[0] not in pieces)
            return Grid(there, frozenset(cell for cell in upon if cell[0] not in pieces), askew.difference(pieces))
        case Pile(pile):
            return Pile(tuple(piece for piece in pile if piece not in pieces))
        case Spread() | Heap():
            return type(arrangement)(arrangement.pieces.difference(pieces))
    return arrangement


def _zone_differences(zone: str, expected: Layout, seen: Layout, lies: dict[str, str]) -> Iterator[PieceMove]:
    arrangement = expected[zone]
    match arrangement:
        case Anywhere() | Tower():
            return
        case Heap(pieces):
            # None of them has to be seen; one that lies elsewhere belongs back.
            yield from (
                PieceMove(piece, lies[piece], zone) for piece in sorted(pieces) if lies.get(piece, zone) != zone
            )
        case Hidden(pieces):
            # A store is a place on the table: a piece that lies there with its face up is where it belongs.
            open_ones = sorted(pieces & lies.keys())
            yield from (PieceMove(piece, lies[piece], zone) for piece in open_ones if lies[piece] != zone)
        case Pile(pieces):
            top = pieces[-1:] if not lies.keys().isdisjoint(pieces) else ()
            for piece in pieces:
                where = lies.get(piece, "")
                if where != zone and (where or piece in top):
                    yield PieceMove(piece, where, zone)
        case Columns(columns):
            yield from _column_differences(zone, columns, seen, lies)
        case Grid():
            yield from _grid_differences(zone, arrangement, seen, lies)
        case _:
            for piece in sorted(arrangement.pieces):
                if lies.get(piece, "") != zone:
                    yield PieceMove(piece, lies.get(piece, ""), zone)


def _column_differences(
    zone: str, columns: frozenset[tuple[str, ...]], seen: Layout, lies: dict[str, str]
) -> Iterator[PieceMove]:
    there = seen.get(zone)
    shown = there.columns if isinstance(there, Columns) else frozenset()
    for column in sorted(columns - shown):
        strays = [piece for piece in column if lies.get(piece, "") != zone]
        # All its tiles are in the right area but not in one column: the whole column is named.
        yield from (PieceMove(piece, lies.get(piece, ""), zone) for piece in (strays or column))


def _grid_differences(zone: str, grid: Grid, seen: Layout, lies: dict[str, str]) -> Iterator[PieceMove]:
    there = seen.get(zone)
    shown = there.laid_on(grid) if isinstance(there, Grid) else Grid(frozenset())
    amiss = sorted(piece for piece, _ in grid.cells - shown.cells)
    strays = [piece for piece in amiss if lies.get(piece, "") != zone]
    # If some are missing, the others may be counted from another corner: only the missing ones are named.
    upon = sorted(piece for piece, _ in grid.upon - shown.upon)
    yield from (PieceMove(piece, lies.get(piece, ""), zone) for piece in (*(strays or amiss), *upon))


def _tower_differences(expected: Layout, seen: Layout) -> Iterator[PieceMove]:
    """Yield the floors that each visible tower lacks or has too many of, from the first one that differs."""
    missing: list[tuple[str, str]] = []
    surplus: list[tuple[str, str]] = []
    for zone, arrangement in expected.items():
        there = seen.get(zone)
        if isinstance(arrangement, Tower) and isinstance(there, Tower) and arrangement != there:
            was, now = arrangement.floors, there.floors
            pairs = zip((*was, ""), (*now, ""), strict=False)
            same = next(at for at, (old, new) in enumerate(pairs) if old != new)
            if Counter(was) == Counter(now):
                yield PieceMove(was[same], zone, zone)
                continue
            lacks, has = Counter(was[same:]), Counter(now[same:])
            missing += [(floor, zone) for floor in (lacks - has).elements()]
            surplus += [(floor, zone) for floor in (has - lacks).elements()]
    for floor, zone in missing:
        lies = next((where for like, where in surplus if like == floor), "")
        if lies:
            surplus.remove((floor, lies))
        yield PieceMove(floor, lies, zone)
    yield from (PieceMove(floor, zone, "") for floor, zone in surplus)
