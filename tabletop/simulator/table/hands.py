"""The steps of hands at a table: reach in, take, lay, turn, push, withdraw, press a button.

A step is a small value; :func:`carry_out` does it to a table.  Between ``HandIn`` and ``HandOut`` the picture shows the
hand, after ``HandOut`` it is still again: these are the moments at which a frame is worth taking.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeAlias

from tabletop.rules.layout import Cell
from tabletop.simulator.table.simulated_table import Reach, SimulatedTable

MAX_LEAN_MM = 160.0
"""How far to the side of its target an arm may start, because people lean over."""

HAND_MOTION_MM = 5.0
"""How far a hand moves while a picture is exposed."""


class HandIn(NamedTuple):
    """A seat's hand reaches to a place of the table, mm; it stays there until it reaches elsewhere or withdraws."""

    seat: int
    x: float
    y: float


class TakePiece(NamedTuple):
    """A piece leaves the table, or moves from one hidden place to another."""

    piece: str
    to: str


class Lay(NamedTuple):
    """A piece is laid in a zone: onto the column that holds ``onto``, at a level of it, or in a free place.

    In a grid it is laid on a cell, ``upon`` a piece that lies there, or on top of a tower.
    """

    piece: str
    zone: str
    onto: str | None = None
    at: int | None = None
    face_up: bool = True
    cell: Cell | None = None
    upon: str | None = None


class Turn(NamedTuple):
    """A piece is turned over where it lies."""

    piece: str
    face_up: bool


class Nudge(NamedTuple):
    """A piece is pushed by some mm and degrees."""

    piece: str
    x: float
    y: float
    angle: float = 0.0


class Elsewhere(NamedTuple):
    """A loose piece is taken up and laid in another free place of its zone."""

    piece: str


class HandOut(NamedTuple):
    """A seat's hand withdraws."""

    seat: int


class Push(NamedTuple):
    """A button is pressed; ``bounces`` is how often its contact bounces."""

    button: str
    bounces: int = 0


class TurnLamp(NamedTuple):
    """The lamp above the table is turned, so that it is mirrored elsewhere."""


Step: TypeAlias = HandIn | TakePiece | Lay | Turn | Nudge | Elsewhere | HandOut | Push | TurnLamp
Change: TypeAlias = TakePiece | Lay | Turn | Nudge | Elsewhere


def carry_out(step: Step, table: SimulatedTable) -> None:
    """Do a step to the table; buttons and lamps are not on the table, so a Push or TurnLamp changes nothing."""
    match step:
        case HandIn(seat, x, y):
            table.hands = (*_others(table, seat), reach(table, seat, x, y))
        case HandOut(seat):
            table.hands = _others(table, seat)
        case TakePiece(piece, to):
            table.take(piece, to)
        case Lay(piece, zone, onto, at, face_up, cell, upon):
            table.put(piece, zone, onto=onto, at=at, cell=cell, upon=upon, face_up=face_up)
        case Turn(piece, face_up):
            table.turn(piece, face_up=face_up)
        case Nudge(piece, x, y, angle):
            table.nudge(piece, x, y, angle)
        case Elsewhere(piece):
            table.lay_elsewhere(piece)
        case Push() | TurnLamp():
            pass


def visit(table: SimulatedTable, seat: int, changes: Iterable[Change]) -> list[Step]:
    """Return the steps of one visit of a seat's hand: it goes where pieces lie and where they belong, and withdraws.

    Changes that nobody can see (from one hidden place to another) need no hand.
    """
    steps: list[Step] = []
    at = ""
    for change in changes:
        for place in _places(table, change):
            if place != at:
                steps.append(HandIn(seat, *_near(table, place, change.piece)))
                at = place
        steps.append(change)
    if at:
        steps.append(HandOut(seat))
    return steps


def reach(table: SimulatedTable, seat: int, x: float, y: float) -> Reach:
    """Return a seat's arm that reaches to a place from the seat's own edge, slanting towards its chair."""
    home, bottom = table.home(seat)
    aside = max(-MAX_LEAN_MM, min(MAX_LEAN_MM, home - x))
    along = max(200.0, table.extent[1] - y if bottom else y)
    lean = math.degrees(math.atan2(aside, along))
    return Reach(x, y, -lean if bottom else 180 + lean, seat, HAND_MOTION_MM)


def _others(table: SimulatedTable, seat: int) -> tuple[Reach, ...]:
    return tuple(hand for hand in table.hands if hand.person != seat)


def _places(table: SimulatedTable, change: Change) -> Sequence[str]:
    """Return the zones of the table that a change touches, in order."""
    goes = change.zone if isinstance(change, Lay) else ""
    lies = table.lying[change.piece].zone if change.piece in table.lying else ""
    return [place for place in (lies, goes) if place]


def _near(table: SimulatedTable, zone: str, piece: str) -> tuple[float, float]:
    """Return where a hand goes for a piece: to the piece if it lies in the zone, else to the zone's middle."""
    lying = table.lying.get(piece)
    if lying is not None and (lying.zone == zone or zone not in table.fields):
        return lying.pose.x, lying.pose.y + (-12 if table.faces.get(zone) else 12)
    return table.centre(zone)
