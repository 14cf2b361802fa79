"""How hands put a simulated table in order: the steps after which everything lies as a position says."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tabletop.rules.game import Position
from tabletop.rules.layout import Layout, owner
from tabletop.simulator.table.changes import changes_to, tower_changes
from tabletop.simulator.table.hands import Change, Lay, Step, TakePiece, visit
from tabletop.simulator.table.simulated_table import SimulatedTable


def tidy(table: SimulatedTable, position: Position) -> list[Step]:
    """Return the steps after which everything lies as the position says, as far as it says anything."""
    expected = position.layout()
    steps: list[Step] = []
    for seat, changes in _by_seat(position, _misplaced(table, expected)):
        steps += visit(table, seat, changes)
    return steps


def _misplaced(table: SimulatedTable, expected: Layout) -> list[Change]:
    """Return what must be moved, what leaves the table first."""
    changes = [change for zone, arrangement in expected.items() for change in changes_to(table, zone, arrangement)]
    changes += tower_changes(table, expected)
    # What only points at a place lies nowhere once it was understood.
    placed = expected.zone_of()
    named = {piece for piece in table.lying if piece in table.pieces and not table.pieces[piece].like}
    changes += [TakePiece(piece, "box") for piece in sorted(named - placed.keys())]
    return sorted(changes, key=lambda change: not isinstance(change, TakePiece))


def _by_seat(position: Position, changes: Iterable[Change]) -> Iterator[tuple[int, list[Change]]]:
    """Group what is to be moved by whose hand does it: each seat its own things, the active one all else.

    The active seat comes after what the others take, which makes room, and before what they lay.
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
