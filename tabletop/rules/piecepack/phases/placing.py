"""Placing what was purchased: into the palazzo or into the reserve."""

from __future__ import annotations

from tabletop.messages import Message, PieceRef, listed
from tabletop.rules.layout import Cell
from tabletop.rules.phase import Why, why
from tabletop.rules.piecepack.actions import BUILD, KEEP, Build, Keep
from tabletop.rules.piecepack.building.palazzo import PiecepackPalazzo
from tabletop.rules.piecepack.components import ORDER, SUITING_TABLES, with_one
from tabletop.rules.piecepack.phases.flow import S, go_on
from tabletop.rules.piecepack.state import State
from tabletop.rules.value import replaced, without

# Build.


def builds(state: State) -> list[Build]:
    """List every purchased structure on every cell that takes it."""
    pending = state.pending
    if not pending:
        return []
    palazzo = state.palazzo
    return [BUILD[structure][cell] for structure in pending for cell in palazzo.sites(structure)]


def why_not_build(state: State, action: Build) -> Why | None:
    """Return why a structure cannot be built on a cell: it must be pending, and the building rules must allow it."""
    return _unpending(state, action.structure) or why_unbuildable(state.palazzo, action.structure, action.at)


def why_unbuildable(palazzo: PiecepackPalazzo, structure: str, at: Cell) -> Why | None:
    """Return why a structure may not be built on the cell, or None if it may."""
    key = palazzo.fault(structure, at)
    match key:
        case None:
            return None
        case "cell-taken":
            return why(key, at=list(at))
        case "clashing-neighbour":
            return why(key, structure=structure, neighbours=clashing_neighbours(palazzo, structure, at))
    return why(key, structure=structure, at=list(at))


def clashing_neighbours(palazzo: PiecepackPalazzo, structure: str, at: Cell) -> Message:
    """Return the neighbours of the cell that share neither suit nor value with the structure, in words."""
    return listed(
        [
            PieceRef(other)
            for other, (column, row) in palazzo.cells.items()
            if abs(column - at[0]) + abs(row - at[1]) == 1 and not SUITING_TABLES[structure][ORDER[other]]
        ]
    )


def build(state: S, action: Build) -> S:
    """Put the structure into the palazzo."""
    palazzi = replaced(state.palazzi, state.active, state.palazzo.put(action.structure, action.at))
    return go_on(state, palazzi=palazzi, pending=without(state.pending, action.structure))


# Keep.


def keeps(state: State) -> list[Keep]:
    """List every purchased structure that may go to the reserve."""
    pending = state.pending
    return [KEEP[structure] for structure in pending if _may_keep(state, structure)] if pending else []


def _may_keep(state: State, structure: str) -> bool:
    """Return whether a structure may go to the reserve: by an option only if it fits nowhere in the palazzo."""
    return not (state.options.reserve_only_if_unplaceable and state.palazzo.sites(structure))


def why_not_keep(state: State, action: Keep) -> Why | None:
    """Return why a structure cannot be kept: it must be pending and, by an option, fit nowhere in the palazzo."""
    structure = action.structure
    unpending = _unpending(state, structure)
    if unpending is not None or _may_keep(state, structure):
        return unpending
    return why("must-build", structure=structure)


def keep(state: S, action: Keep) -> S:
    """Put the structure into the reserve."""
    reserves = replaced(state.reserves, state.active, with_one(state.reserve, action.structure))
    return go_on(state, reserves=reserves, pending=without(state.pending, action.structure))


def _unpending(state: State, structure: str) -> Why | None:
    """Return why a structure is not pending, or None if it is."""
    if not state.pending:
        return why("nothing-pending")
    return None if structure in state.pending else why("not-pending", structure=structure)
