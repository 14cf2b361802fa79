"""Helpers for tests of refusals."""

from __future__ import annotations

from tabletop.messages import Declined
from tabletop.rules.game import Action, Illegal


def code_of(refused: Declined | None) -> str:
    """Return the code of a refusal, empty if nothing is refused."""
    return refused.code if refused is not None else ""


def refused(found: Illegal | None) -> Illegal:
    """Return a refusal by the rules; fail if there is none."""
    assert found is not None
    return found


def nearest_of(found: Illegal | None) -> Action:
    """Return the nearest legal action that a refusal names; fail if there is none."""
    nearest = refused(found).nearest
    assert nearest is not None
    return nearest
