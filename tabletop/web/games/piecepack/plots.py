"""A palazzo of the piecepack that can be tapped: free cells to build on, structures to move or to set the turret on.

Every change of a palazzo is chosen by a tap on the palazzo itself; what is not possible is listed beside it, with the
reason.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from tabletop.messages import N_
from tabletop.rules.game import Action
from tabletop.rules.layout import Cell
from tabletop.rules.piecepack.actions import ADD, BUILD, EXCHANGES, REMOVES, TURRETS, Purchase
from tabletop.rules.piecepack.components import ORDER
from tabletop.rules.piecepack.position import PiecepackPosition
from tabletop.rules.piecepack.state import State
from tabletop.web.games.choice import Choice
from tabletop.web.games.piecepack.tokens import token
from tabletop.web.games.words import points_after
from tabletop.web.i18n import gettext as _

STEPS: Sequence[tuple[Cell, str]] = (
    ((-1, 0), N_("right of %(piece)s")),
    ((1, 0), N_("left of %(piece)s")),
    ((0, -1), N_("above %(piece)s")),
    ((0, 1), N_("below %(piece)s")),
)
"""Offset from a cell to a neighbour, and how that neighbour describes the cell's place."""


class CellSpot(NamedTuple):
    """One cell: the structure that stands there, empty for none, and what a tap on it does, None for nothing."""

    piece: str
    choice: Choice | None


class Plot(NamedTuple):
    """The palazzo of the active seat: rows of spots from the top down, and why the rest is closed.

    ``piece`` is what is to be built, empty if nothing is; ``gain`` is what a free cell brings, the same for all of
    them, None if none can be built on; ``best`` is the most points that any spot brings.
    """

    piece: str
    rows: list[list[CellSpot]]
    closed: list[Choice]
    gain: int | None
    best: int | None


def to_build(position: PiecepackPosition, structure: str) -> Plot:
    """Return where a purchased structure may be built."""
    return _plot(position, structure, {cell: BUILD[structure][cell] for cell in beside(position)}, {})


def from_reserve(position: PiecepackPosition, structure: str) -> Plot:
    """Return where a structure of the reserve may be built, and for which structures it may be exchanged."""
    added: Mapping[Cell, Action] = {cell: ADD[structure][cell] for cell in beside(position)}
    swapped: Mapping[str, Action] = {}
    if position.options.exchange_same_cell:
        swapped = {other: EXCHANGES[structure][ORDER[other]] for other in position.palazzo}
    return _plot(position, structure, added, swapped)


def to_remove(position: PiecepackPosition) -> Plot:
    """Return which structures may be put into the reserve."""
    return _plot(position, "", {}, {structure: REMOVES[ORDER[structure]] for structure in position.palazzo})


def for_turret(position: PiecepackPosition) -> Plot:
    """Return where the turret may be set."""
    return _plot(position, "", {}, {structure: TURRETS[ORDER[structure]] for structure in position.palazzo})


def closed_cells(position: PiecepackPosition) -> Iterator[Choice]:
    """Iterate over what the active seat may be unable to build, buy, move or set, with the reason if it is."""
    for structure in position.pending:
        yield from (replace(choice, pieces=(structure,)) for choice in to_build(position, structure).closed)
    if position.phase != "action":
        return
    purse = position.purses[position.active]
    for structure in position.yard:
        action = Purchase(structure, purse.coins, bool(purse.die))
        yield Choice(
            "", {"do": "purchase", "structure": structure}, pieces=(structure,), refusal=position.refusal(action)
        )
    for structure in position.reserve:
        yield from (replace(choice, pieces=(structure,)) for choice in from_reserve(position, structure).closed)
    yield from (*to_remove(position).closed, *for_turret(position).closed)


def beside(state: State) -> list[Cell]:
    """Return the free cells that share an edge with the active seat's palazzo; for an empty one, one cell."""
    taken = set(state.palazzo.cells.values())
    free = {(x + dx, y + dy) for x, y in taken for (dx, dy), _text in STEPS} - taken
    return sorted(free) or [(0, 0)]


def grid(palazzo: Mapping[str, Sequence[int]]) -> list[list[str]]:
    """Return a palazzo as rows from the top down, empty cells as empty texts."""
    at = {(x, y): piece for piece, (x, y) in palazzo.items()}
    return [[at.get(cell, "") for cell in row] for row in _rows(at)]


def where(state: State, at: Cell) -> str:
    """Return where a cell lies, described by a neighbour."""
    lies = {cell: piece for piece, cell in state.palazzo.cells.items()}
    for (dx, dy), text in STEPS:
        piece = lies.get((at[0] + dx, at[1] + dy))
        if piece:
            return _(text, piece=token(piece).label)
    return _("as the first")


def _rows(cells: Mapping[Cell, Any]) -> Iterator[list[Cell]]:
    """Iterate over the rows of the smallest rectangle around cells, from the top down."""
    if cells:
        columns, rows = [x for x, _y in cells], [y for _x, y in cells]
        for y in range(max(rows), min(rows) - 1, -1):
            yield [(x, y) for x in range(min(columns), max(columns) + 1)]


def _plot(position: PiecepackPosition, piece: str, free: Mapping[Cell, Action], standing: Mapping[str, Action]) -> Plot:
    lies: dict[Cell, str] = {cell: structure for structure, cell in position.palazzo.cells.items()}
    on_free = {cell: _choice(position, where(position, cell), action) for cell, action in free.items()}
    on_taken = {structure: _choice(position, token(structure).label, action) for structure, action in standing.items()}
    choices = [*on_free.values(), *on_taken.values()]
    open_cells = {cell: choice for cell, choice in on_free.items() if choice.refusal is None}
    rows = [
        [
            CellSpot(lies.get(cell, ""), _open(on_taken.get(lies[cell]) if cell in lies else on_free.get(cell)))
            for cell in row
        ]
        for row in _rows({**lies, **open_cells})
    ]
    gains = [choice.gain for choice in choices if choice.gain is not None]
    gain = next((choice.gain for choice in open_cells.values()), None)
    return Plot(piece, rows, [choice for choice in choices if choice.refusal], gain, max(gains, default=None))


def _choice(position: PiecepackPosition, title: str, action: Action) -> Choice:
    refusal = position.refusal(action)
    gain = points_after(position, action, position.active) if refusal is None else None
    return Choice(title, action.to_json(), refusal=refusal, gain=gain)


def _open(choice: Choice | None) -> Choice | None:
    return choice if choice is not None and choice.refusal is None else None
