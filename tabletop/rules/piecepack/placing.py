"""Placing what was purchased: into the palazzo or into the reserve."""

from __future__ import annotations

from typing import TypeVar

from tabletop.rules.piecepack.actions import KEEP, Build, Keep
from tabletop.rules.piecepack.flow import go_on
from tabletop.rules.piecepack.palazzo import Palazzo
from tabletop.rules.piecepack.state import State, with_one
from tabletop.rules.value import replaced, without

S = TypeVar("S", bound=State)


def builds(state: State) -> list[Build]:
    """List every purchased structure on every cell that takes it."""
    found: list[Build] = []
    for structure in state.pending:
        found += state.palazzo.once(_builds, structure)
    return found


def _builds(palazzo: Palazzo, structure: str) -> list[Build]:
    return [Build(structure, cell) for cell in palazzo.sites(structure)]


def why_not_build(state: State, action: Build) -> str | None:
    """A purchased structure goes where the building rules let it."""
    return unpending(state, action.structure) or state.palazzo.fault(action.structure, action.at)


def build(state: S, action: Build) -> S:
    """Put the structure into the palazzo."""
    new = state.draft()
    new["palazzi"] = replaced(state.palazzi, state.active, state.palazzo.put(action.structure, action.at))
    new["pending"] = without(state.pending, action.structure)
    return go_on(state, new)


def keeps(state: State) -> list[Keep]:
    """List the purchased structures, with the option only those that fit nowhere."""
    return [KEEP[structure] for structure in state.pending if may_keep(state, structure)]


def may_keep(state: State, structure: str) -> bool:
    """Say whether a structure may go to the reserve although it has perhaps a place."""
    return not (state.options.reserve_only_if_unplaceable and state.palazzo.sites(structure))


def why_not_keep(state: State, action: Keep) -> str | None:
    """A purchased structure may be kept, with the option only where it fits nowhere."""
    return unpending(state, action.structure) or (None if may_keep(state, action.structure) else "must-build")


def keep(state: S, action: Keep) -> S:
    """Put the structure into the reserve."""
    new = state.draft()
    new["reserves"] = replaced(state.reserves, state.active, with_one(state.reserve, action.structure))
    new["pending"] = without(state.pending, action.structure)
    return go_on(state, new)


def unpending(state: State, structure: str) -> str | None:
    """Return why a structure is not one to be placed now; None where it is."""
    if not state.pending:
        return "nothing-pending"
    return None if structure in state.pending else "not-pending"
