"""The facts of a refusal, by the names under which its sentence uses them."""

from __future__ import annotations

from string import Formatter
from typing import Any

from tabletop.rules.game import Action, Illegal, Json
from tabletop.rules.piecepack.components import COST, HAND, ORDER, SUITING
from tabletop.rules.piecepack.phases.acting import unheld
from tabletop.rules.piecepack.phases.chance import undealable
from tabletop.rules.piecepack.phases.nearest import helpful, nearby
from tabletop.rules.piecepack.phases.reasons import REASONS
from tabletop.rules.piecepack.state import State
from tabletop.rules.refusals import refuse


def explain(state: State, key: str, action: Action) -> Illegal:
    """Return the refusal with the facts that its sentence names, and the nearest legal action where one is near."""
    if key == "unknown-action":
        return Illegal(key, "There is no such action in this game.")
    if key == "too-little" and helpful(state, action):
        key = "too-little-add"
    reason = REASONS[key]
    facts = {name: _fact(state, name, action) for _, name, _, _ in Formatter().parse(reason.template) if name}
    return refuse(reason, nearby(state, action), **facts)


def _fact(state: State, name: str, action: Any) -> Json:
    match name:
        case "phase" | "due" | "awaits":
            return getattr(state, name)
        case "number":
            return len(action.cards)
        case "piece":
            return undealable(state, action.cards) if action.do == "deal" else action.piece
        case "coin":
            return unheld(state, action.pay) if action.do == "purchase" else action.coin
        case "needed" | "value" | "short":
            return _amount(state, name, action)
        case "add":
            return " or ".join(helpful(state, action))
        case "gone":
            return action.swap or action.structure
        case "cell":
            return list(state.palazzo.sites(action.structure)[0])
        case "neighbours":
            return _clashes(state, action)
        case "at":
            return list(action.at)
        case _:
            return getattr(action, name)


def _amount(state: State, name: str, action: Any) -> int:
    if action.do == "deal":
        return HAND
    needed, value = COST[action.structure], state.purses[state.active].paid(action)
    return {"needed": needed, "value": value, "short": needed - value}[name]


def _clashes(state: State, action: Any) -> str:
    """Return the neighbours that share neither suit nor value with the structure, in words."""
    swap: Any = getattr(action, "swap", None)
    x, y = action.at or state.palazzo.cells[swap]
    return " and ".join(
        other
        for other, (column, row) in state.palazzo.cells.items()
        if abs(column - x) + abs(row - y) == 1 and other != swap and not SUITING[action.structure][ORDER[other]]
    )
