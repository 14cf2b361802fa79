"""What tests ask of a refusal."""

from __future__ import annotations

from tabletop.messages import Declined
from tabletop.rules.game import Action, Illegal


def code_of(refused: Declined | None) -> str:
    """Return the code of a refusal, empty if nothing is refused."""
    return refused.code if refused is not None else ""


def refused(found: Illegal | None) -> Illegal:
    """Return a refusal of the rules that must be there."""
    assert found is not None
    return found


def nearest_of(found: Illegal | None) -> Action:
    """Return the legal action that a refusal names, which must be there."""
    nearest = refused(found).nearest
    assert nearest is not None
    return nearest
