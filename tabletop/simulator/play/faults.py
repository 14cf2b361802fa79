"""What goes wrong at tables, on demand: changes to the steps that hands were about to do.

A tile turned over, a torn sticker, a button that bounces and a stuck camera need no change of steps: they are the step
``Turn``, ``Table.tear``, ``Push(button, bounces)`` and ``SimulatedCamera.stuck``.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from tabletop.rules.game import Position
from tabletop.rules.layout import Spread
from tabletop.rules.table import ZoneShape
from tabletop.simulator.table.hands import HandOut, Lay, Step, Turn, visit
from tabletop.simulator.table.simulated_table import SimulatedTable


def mislaid(table: SimulatedTable, position: Position, rng: random.Random) -> list[Step]:
    """Return the steps with which the active seat's hand lays an open piece into an empty zone; none if none can be."""
    layout = position.layout()
    pieces = [
        piece
        for zone, there in layout.items()
        if isinstance(there, Spread)
        for piece in sorted(layout.pieces(zone))
        if piece in table.lying
    ]
    empty = [name for name, zone in table.zones.items() if zone.shape is ZoneShape.SPREAD and not table.hold(name)]
    if not pieces or not empty:
        return []
    return visit(table, position.active, [Lay(rng.choice(pieces), rng.choice(empty))])


def hand_stays(steps: Sequence[Step]) -> list[Step]:
    """Return the steps without the last withdrawal: the hand stays where it is."""
    last = max((number for number, step in enumerate(steps) if isinstance(step, HandOut)), default=-1)
    return [step for number, step in enumerate(steps) if number != last]


def laid_wrongly(steps: Sequence[Step], piece: str, zone: str) -> list[Step]:
    """Return the steps with a piece laid in another zone than it should be."""
    return [Lay(piece, zone) if isinstance(step, Lay) and step.piece == piece else step for step in steps]


def mixed_up(steps: Sequence[Step], piece: str, other: str) -> list[Step]:
    """Return the steps with another piece laid in the place of one."""
    return [
        Lay(other, step.zone, step.onto, step.at, step.face_up)
        if isinstance(step, Lay) and step.piece == piece
        else step
        for step in steps
    ]


def face_down(steps: Sequence[Step], piece: str) -> list[Step]:
    """Return the steps with a piece laid face down."""
    result: list[Step] = []
    for step in steps:
        result.append(step)
        if isinstance(step, Lay) and step.piece == piece:
            result.append(Turn(piece, False))
    return result
