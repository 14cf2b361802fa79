"""Placing what was purchased: into the palazzo or into the reserve."""

from __future__ import annotations

from tabletop.rules.piecepack.actions import BUILD, KEEP, Build, Keep
from tabletop.rules.piecepack.components import with_one
from tabletop.rules.piecepack.state import Draft, State
from tabletop.rules.value import replaced, without


def placings(state: State) -> list[Build | Keep]:
    """List every purchased structure on every cell that takes it, and keeping it."""
    found: list[Build | Keep] = []
    for structure in state.pending:
        built = BUILD[structure]
        found += [built[cell] for cell in state.palazzo.sites(structure)]
    return found + [KEEP[structure] for structure in state.pending if may_keep(state, structure)]


def why_not_build(state: State, action: Build) -> str | None:
    """A purchased structure goes where the building rules let it."""
    return unpending(state, action.structure) or state.palazzo.fault(action.structure, action.at)


def build(state: State, action: Build, new: Draft) -> None:
    """Put the structure into the palazzo."""
    new["palazzi"] = replaced(state.palazzi, state.active, state.palazzo.put(action.structure, action.at))
    new["pending"] = without(state.pending, action.structure)


def may_keep(state: State, structure: str) -> bool:
    """Say whether a structure may go to the reserve although it has perhaps a place."""
    return not (state.options.reserve_only_if_unplaceable and state.palazzo.sites(structure))


def why_not_keep(state: State, action: Keep) -> str | None:
    """A purchased structure may be kept, with the option only where it fits nowhere."""
    return unpending(state, action.structure) or (None if may_keep(state, action.structure) else "must-build")


def keep(state: State, action: Keep, new: Draft) -> None:
    """Put the structure into the reserve."""
    new["reserves"] = replaced(state.reserves, state.active, with_one(state.reserve, action.structure))
    new["pending"] = without(state.pending, action.structure)


def unpending(state: State, structure: str) -> str | None:
    """Return why a structure is not one to be placed now; None where it is."""
    if not state.pending:
        return "nothing-pending"
    return None if structure in state.pending else "not-pending"
