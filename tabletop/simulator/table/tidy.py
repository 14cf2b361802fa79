"""How hands put a simulated table in order: the steps after which everything lies as a position says."""

from __future__ import annotations

from collections.abc import Iterator

from tabletop.rules.game import Position
from tabletop.rules.layout import Columns, Hidden, Layout, Pile, Spread
from tabletop.simulator.table.hands import Change, Lay, Step, TakePiece, visit
from tabletop.simulator.table.simulated_table import SimulatedTable


def tidy(table: SimulatedTable, position: Position) -> list[Step]:
    """Return the steps after which everything lies as the position says, as far as it says anything."""
    expected = position.layout()
    steps: list[Step] = []
    for seat, changes in _by_seat(position, _misplaced(table, expected)):
        steps += visit(table, seat, changes)
    return steps


def _misplaced(table: SimulatedTable, expected: Layout) -> Iterator[Change]:
    """Yield what must be moved, what leaves the table first."""
    lays: list[Change] = []
    for zone, arrangement in expected.items():
        match arrangement:
            case Hidden(pieces):
                yield from (TakePiece(piece, zone) for piece in sorted(pieces) if table.where(piece) != zone)
            case Columns(columns):
                lays += _columns_amiss(table, zone, columns)
            case Pile(pieces):
                lays += [Lay(piece, zone) for piece in pieces if table.where(piece) != zone]
            case Spread(pieces):
                lays += [Lay(piece, zone) for piece in sorted(pieces) if table.where(piece) != zone]
    yield from lays


def _columns_amiss(table: SimulatedTable, zone: str, columns: frozenset[tuple[str, ...]]) -> list[Change]:
    there = set(table.columns(zone))
    changes: list[Change] = []
    for column in sorted(columns - there):
        changes += [TakePiece(tile, "hand") for tile in column if table.where(tile) == zone]
        changes += [Lay(tile, zone, onto=column[0] if level else None) for level, tile in enumerate(column)]
    return changes


def _by_seat(position: Position, changes: Iterator[Change]) -> Iterator[tuple[int, list[Change]]]:
    """Group what is to be moved by whose hand does it: each seat its own things, the active one all else."""
    groups: dict[int, list[Change]] = {}
    for change in changes:
        goes = change.zone if isinstance(change, Lay) else getattr(change, "to", "")
        owner = goes.removeprefix("hand").removeprefix("seat")
        groups.setdefault(int(owner) if owner.isdigit() else position.active, []).append(change)
    yield from sorted(groups.items(), key=lambda group: group[0] != position.active)
