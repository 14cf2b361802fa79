"""What several games say of a choice."""

from __future__ import annotations

from tabletop.rules.game import Action, Position


def points_after(position: Position, action: Action, seat: int) -> int:
    """Return by how much the seat's points change with the action."""
    return position.after(action).score()[seat].points - position.score()[seat].points
