"""The changes by which hands reach an arrangement: the difference between what lies on the table and what should."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from tabletop.rules.layout import Anywhere, Arrangement, Columns, Grid, Hidden, Layout, Pile, Tower, pieces_of
from tabletop.simulator.table.hands import Change, Lay, TakePiece
from tabletop.simulator.table.simulated_table import SimulatedTable

Column = tuple[str, ...]


def changes_to(table: SimulatedTable, zone: str, arrangement: Arrangement, carried: Sequence[str] = ()) -> list[Change]:
    """Return the changes after which a zone has an arrangement, including pieces that must go elsewhere.

    ``carried`` are pieces that hands move anyway, in order: if either of two pieces could be moved, the first one is.
    """
    match arrangement:
        case Anywhere(pieces):
            # A piece that is on its way stays in the hand that took it.
            return [TakePiece(piece, zone) for piece in carried if piece in pieces and piece in table.lying]
        case Tower():
            return []
        case Hidden(pieces):
            return [TakePiece(piece, zone) for piece in sorted(pieces) if table.where(piece) != zone]
        case Columns(columns):
            return [*_columns(table, zone, columns, carried)]
        case Grid():
            return [*_grid(table, zone, arrangement)]
        case Pile(pieces):
            return [Lay(piece, zone) for piece in pieces if table.where(piece) != zone]
        case _:
            return [Lay(piece, zone) for piece in sorted(pieces_of(arrangement)) if table.where(piece) != zone]


def tower_changes(table: SimulatedTable, layout: Layout) -> list[Change]:
    """Return the changes after which the towers are as in a layout, using any of the interchangeable pieces."""
    taken: list[str] = []
    missing: list[tuple[str, str]] = []
    for zone, arrangement in layout.items():
        if isinstance(arrangement, Tower) and zone in table.zones:
            there = table.tower(zone)
            same = 0
            for piece, like in zip(there, arrangement.floors, strict=False):
                if table.pieces[piece].like != like:
                    break
                same += 1
            taken += reversed(there[same:])
            missing += [(zone, like) for like in arrangement.floors[same:]]
    changes: list[Change] = []
    for zone, like in missing:
        spare = (piece for piece in (*taken, *table.away) if table.pieces[piece].like == like)
        piece = next(piece for piece in spare if not any(change.piece == piece for change in changes))
        changes.append(Lay(piece, zone))
    moved = {change.piece for change in changes}
    return [*(TakePiece(piece, "box") for piece in taken if piece not in moved), *changes]


def _grid(table: SimulatedTable, zone: str, wanted: Grid) -> Iterator[Change]:
    """Yield the changes that make a grid: first pieces leave their cells, then they are laid row by row, bottom up."""
    there = table.cells(zone)
    new = {piece: cell for piece, cell in wanted.cells if there.get(piece) != cell}
    yield from (TakePiece(piece, "hand") for piece in sorted(new) if piece in there)
    for piece, cell in sorted(new.items(), key=lambda placed: (placed[1][1], placed[1][0])):
        yield Lay(piece, zone, cell=cell)
    for upper, lower in sorted(wanted.upon):
        if table.upon(upper) != lower:
            yield Lay(upper, zone, upon=lower)


def _columns(table: SimulatedTable, zone: str, wanted: Collection[Column], carried: Sequence[str]) -> Iterator[Change]:
    """Yield the changes that make the wanted columns, each from the present column that shares most of its pieces."""
    there = table.columns(zone)
    standing = [column for column in there if column not in wanted]
    missing = sorted(column for column in wanted if column not in there)
    stays = {piece for column in wanted for piece in column}
    lays: list[Change] = []
    while missing:
        column, base = max(
            ((column, base) for column in missing for base in (*standing, ())),
            key=lambda pair: _likeness(pair[0], pair[1], carried),
        )
        missing.remove(column)
        keeps = [piece for piece in base if piece in column]
        if keeps:
            standing.remove(base)
        if keeps != [piece for piece in column if piece in keeps]:
            keeps = []
        new = [piece for piece in column if piece not in keeps]
        # A piece that still stands among the others would count as a floor of that column.
        yield from (TakePiece(piece, "hand") for piece in base if piece not in keeps and (new or piece not in stays))
        for piece in new:
            level = column.index(piece)
            below = [other for other in column if other in keeps or other in column[:level]]
            lays.append(Lay(piece, zone, onto=below[0] if below else None, at=level if below else None))
    yield from lays


def _likeness(column: Column, base: Column, carried: Sequence[str]) -> tuple[int, int, int]:
    """Return how many pieces two columns share, how many of those are not carried, and how late the others come."""
    shared = [piece for piece in base if piece in column]
    held = [carried.index(piece) for piece in shared if piece in carried]
    return len(shared), len(shared) - len(held), sum(held)
