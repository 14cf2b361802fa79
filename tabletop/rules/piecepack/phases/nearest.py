"""The legal action nearest to a refused one: the payment that adds least, the nearest cell that takes the structure."""

from __future__ import annotations

from collections.abc import Sequence

from tabletop.rules.game import Action
from tabletop.rules.layout import Cell
from tabletop.rules.piecepack.actions import Build, Coin, Keep, Purchase, Reserve, Turret
from tabletop.rules.piecepack.phases.acting import coins, turrets
from tabletop.rules.piecepack.phases.payments import necessary_payments
from tabletop.rules.piecepack.state import State
from tabletop.rules.refusals import nearest


def nearby_action(state: State, action: Action) -> Action | None:
    """Return a legal action of the deciding seat that is near the refused one; None if none is."""
    placing = state.phase in ("action", "place")
    match action:
        case Build(structure, at) if placing and structure in state.pending:
            cell = closest_cell(state.palazzo.sites(structure), at)
            return None if cell is None else Build(structure, cell)
        case Keep(structure) if placing and structure in state.pending:
            return Build(structure, state.palazzo.sites(structure)[0])
    if state.phase != "action":
        return None
    match action:
        case Coin():
            return nearest(action, coins(state))
        case Turret():
            return nearest(action, turrets(state))
        case Purchase(structure) if structure in state.yard:
            return _enough(state, action)
        case Reserve():
            return _reserve(state, action)
    return None


def closest_cell(cells: Sequence[Cell], at: Cell) -> Cell | None:
    """Return the cell that is the fewest steps away from ``at``; None if there are no cells."""
    return min(cells, key=lambda cell: (abs(cell[0] - at[0]) + abs(cell[1] - at[1]), cell), default=None)


def _reserve(state: State, action: Reserve) -> Reserve | None:
    """Return the action on the nearest cell that takes the structure that comes in; None if there is none."""
    palazzo, at, swap = state.palazzo, action.at, action.swap
    if at is None or action.structure not in state.reserve:
        return None
    if action.kind == "exchange":
        if state.options.exchange_same_cell or swap is None or swap not in palazzo:
            return None
        palazzo = palazzo.without(swap)
    cell = closest_cell(palazzo.sites(action.structure), at)
    return None if cell is None else action._replace(at=cell)


def _enough(state: State, action: Purchase) -> Purchase | None:
    """Return the sufficient payment that leaves out the least of the refused one, the smallest of several."""
    purse = state.purses[state.active]

    def change(way: Purchase) -> tuple[int, int, Purchase]:
        left_out = sum(coin not in way.pay for coin in action.pay) + (action.die and not way.die)
        return left_out, purse.paid(way), way

    return min(purse.purchases((action.structure,), necessary_payments), key=change, default=None)
