"""Faults on demand, as they happen at real tables: a piece that is laid where it does not belong."""

from __future__ import annotations

import random

from tabletop.rules.game import Position
from tabletop.rules.layout import Spread
from tabletop.rules.table import ZoneShape
from tabletop.simulator.table.hands import Lay, Step, visit
from tabletop.simulator.table.simulated_table import SimulatedTable


def mislaying_steps(table: SimulatedTable, position: Position, rng: random.Random) -> list[Step]:
    """Return the steps with which the active seat's hand lays an open piece into an empty zone; empty if impossible."""
    layout = position.layout()
    pieces = [
        piece
        for zone, there in layout.items()
        if isinstance(there, Spread)
        for piece in sorted(layout.pieces(zone))
        if piece in table.lying
    ]
    empty = [name for name, zone in table.zones.items() if zone.shape is ZoneShape.SPREAD and not table.pieces_in(name)]
    if not pieces or not empty:
        return []
    return visit(table, position.active, [Lay(rng.choice(pieces), rng.choice(empty))])
