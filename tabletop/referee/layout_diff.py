"""Does the table agree with the record?  The differences between where pieces should lie and where they do."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from tabletop.referee.snapshot import PieceMove
from tabletop.rules.game import Position
from tabletop.rules.layout import Anywhere, Arrangement, Columns, Grid, Heap, Hidden, Layout, Pile, Spread, Tower


def differences(expected: Layout, seen: Layout) -> tuple[PieceMove, ...]:
    """Return every piece that lies where it should not, and every piece that should be seen and is not.

    Of a pile only the top must be seen; pieces that may lie anywhere are never wrong; hidden pieces are wrong only
    when they are seen.  Pieces that the record does not know are left out (they are foreign to this game).
    """
    lies = seen.zone_of()
    return tuple(move for zone in expected for move in _zone_differences(zone, expected, seen, lies))


def completed(expected: Layout, seen: Layout, unseen: frozenset[str]) -> Layout:
    """Return what is seen with the pieces that were never seen where the record has them: nobody saw them go, either.

    ``unseen`` are those pieces.  A zone that is seen with other differences as well is left as it is seen; where pieces
    lie loosely side by side nothing else needs to agree.
    """
    missing = unseen - seen.zone_of().keys()
    added: dict[str, Arrangement] = {}
    for zone, arrangement in expected.items() if missing else ():
        here = missing & expected.pieces(zone)
        if here and not isinstance(arrangement, Hidden | Anywhere):
            there = seen.get(zone, Spread(frozenset()))
            if isinstance(arrangement, Spread):
                added[zone] = Spread(seen.pieces(zone) | here)
            elif without(arrangement, here) == there:
                added[zone] = arrangement
    return Layout({**seen, **added}) if added else seen


def awaited(position: Position) -> frozenset[str]:
    """Return the pieces that should be seen now or may be laid next: what lies open or anywhere, the decider's hand.

    Of a pile it is the one on top.
    """
    found: set[str] = set()
    layout = position.layout()
    for zone, arrangement in layout.items():
        match arrangement:
            case Pile(pile):
                found.update(pile[-1:])
            case Hidden(pieces):
                found.update(pieces if zone == f"hand{position.decider}" else ())
            case _:
                found |= layout.pieces(zone)
    return frozenset(found)


def laid(before: Layout, after: Layout) -> frozenset[str]:
    """Return the pieces that one record has where they can be seen, and not where the record before it had them."""
    lay = before.zone_of()
    open_zones = (zone for zone, arrangement in after.items() if not isinstance(arrangement, Hidden | Anywhere))
    return frozenset(piece for zone in open_zones for piece in after.pieces(zone) if lay.get(piece) != zone)


def without(arrangement: Arrangement, pieces: Collection[str]) -> Arrangement:
    """Return an arrangement without some of its pieces."""
    match arrangement:
        case Columns(columns):
            left = (tuple(piece for piece in column if piece not in pieces) for column in columns)
            return Columns(frozenset(column for column in left if column))
        case Grid(cells):
            return Grid(frozenset(cell for cell in cells if cell[0] not in pieces))
        case Pile(pile):
            return Pile(tuple(piece for piece in pile if piece not in pieces))
        case Spread(there):
            return Spread(there.difference(pieces))
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
            yield from (PieceMove(piece, lies[piece], zone) for piece in sorted(pieces & lies.keys()))
        case Pile(pieces):
            top = pieces[-1:]
            for piece in pieces:
                where = lies.get(piece, "")
                if where != zone and (where or piece in top):
                    yield PieceMove(piece, where, zone)
        case Columns(columns):
            yield from _column_differences(zone, columns, seen, lies)
        case Grid(cells):
            yield from _grid_differences(zone, cells, seen, lies)
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


def _grid_differences(
    zone: str, cells: frozenset[tuple[str, tuple[int, int]]], seen: Layout, lies: dict[str, str]
) -> Iterator[PieceMove]:
    there = seen.get(zone)
    shown = there.cells if isinstance(there, Grid) else frozenset()
    if _from_corner(cells) == _from_corner(shown):
        return
    strays = [piece for piece, _ in sorted(cells) if lies.get(piece, "") != zone]
    yield from (
        PieceMove(piece, lies.get(piece, ""), zone) for piece in (strays or sorted(piece for piece, _ in cells - shown))
    )


def _from_corner(cells: frozenset[tuple[str, tuple[int, int]]]) -> frozenset[tuple[str, tuple[int, int]]]:
    """Return the grid shifted so that its smallest x and y are 0: grids that differ by a shift are the same."""
    if not cells:
        return cells
    left = min(x for _, (x, _) in cells)
    low = min(y for _, (_, y) in cells)
    return frozenset((piece, (x - left, y - low)) for piece, (x, y) in cells)
