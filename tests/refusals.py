"""What tests ask of a refusal."""

from __future__ import annotations

from tabletop.messages import Declined


def code_of(refused: Declined | None) -> str:
    """Return the code of a refusal, empty if nothing is refused."""
    return refused.code if refused is not None else ""
