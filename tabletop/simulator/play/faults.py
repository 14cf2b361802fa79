"""Faults on demand, as they happen at real tables: a piece that is laid where it does not belong."""

from __future__ import annotations

import random
from itertools import product

from tabletop.referee.interpretation.interpret import beside_record, meaning
from tabletop.rules.game import Position
from tabletop.rules.layout import Layout, Spread
from tabletop.rules.table import ZoneShape
from tabletop.simulator.table.hands import Lay, Step, visit
from tabletop.simulator.table.simulated_table import SimulatedTable


def mislaying_steps(table: SimulatedTable, position: Position, rng: random.Random) -> list[Step]:
    """Return the steps with which the active seat's hand lays an open piece where the referee calls it wrong.

    It goes into an empty zone or onto a pile; there are no steps if that is impossible.
    """
    layout = position.layout()
    pieces = [
        piece
        for zone, there in layout.items()
        if isinstance(there, Spread)
        for piece in sorted(layout.pieces(zone))
        if piece in table.lying
    ]
    shapes = {name: zone.shape for name, zone in table.zones.items()}
    piles = [name for name, shape in shapes.items() if shape is ZoneShape.PILE]
    empty = [name for name, shape in shapes.items() if shape is ZoneShape.SPREAD and not table.pieces_in(name)]
    ways = list(product(pieces, empty + piles))
    rng.shuffle(ways)
    for piece, zone in ways:
        if _is_wrong(position, piece, zone):
            return visit(table, position.active, [Lay(piece, zone)])
    return []


def _is_wrong(position: Position, piece: str, zone: str) -> bool:
    """Return whether the referee calls a piece wrong that lies in a zone, with all others where they belong."""
    seen = beside_record(position, Layout({zone: Spread(frozenset({piece}))}))
    return any(move.piece == piece for move in meaning(position, seen, None, confirmed=False).moves)
