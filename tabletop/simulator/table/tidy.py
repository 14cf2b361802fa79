"""Tidying a simulated table: the steps after which everything lies as in a position."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tabletop.rules.game import Position
from tabletop.rules.layout import Layout, owner
from tabletop.simulator.table.changes import changes_to, tower_changes
from tabletop.simulator.table.hands import Change, Lay, Step, TakePiece, visit
from tabletop.simulator.table.simulated_table import SimulatedTable


def tidy(table: SimulatedTable, position: Position) -> list[Step]:
    """Return the steps after which everything that is in the position's layout lies as it says."""
    expected = position.layout()
    steps: list[Step] = []
    for seat, changes in _by_seat(position, _misplaced(table, expected)):
        steps += visit(table, seat, changes)
    return steps


def _misplaced(table: SimulatedTable, expected: Layout) -> list[Change]:
    """Return the changes that are needed, those that take pieces off the table first."""
    changes = [change for zone, arrangement in expected.items() for change in changes_to(table, zone, arrangement)]
    changes += tower_changes(table, expected)
    # A piece that only points at a place is removed once that was understood.
    placed = expected.zone_of()
    named = {piece for piece in table.lying if piece in table.pieces and not table.pieces[piece].like}
    changes += [TakePiece(piece, "box") for piece in sorted(named - placed.keys())]
    return sorted(changes, key=lambda change: not isinstance(change, TakePiece))


def _by_seat(position: Position, changes: Iterable[Change]) -> Iterator[tuple[int, list[Change]]]:
    """Group changes by the seat whose hand makes them: each seat those of its own zones, the active one all others.

    The active seat comes after the others' takes, which make room, and before their lays.
    """
    seats, zones = len(position.names), position.layout()
    groups: dict[tuple[int, int], list[Change]] = {}
    for change in changes:
        goes = change.zone if isinstance(change, Lay) else getattr(change, "to", "")
        seat = owner(goes, zones, seats)
        seat = position.active if seat is None else seat
        turn = 1 if seat == position.active else 0 if isinstance(change, TakePiece) else 2
        groups.setdefault((turn, seat), []).append(change)
    for (_, seat), group in sorted(groups.items(), key=lambda item: item[0][0]):
        yield seat, group
