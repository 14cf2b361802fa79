"""What comes next: the order in which bank, extra actions, placing and yard follow one another in a turn."""

from __future__ import annotations

from typing import Any, TypeVar

from tabletop.rules.piecepack.components import BANK, YARD
from tabletop.rules.piecepack.options import IMMEDIATE
from tabletop.rules.piecepack.state import State

S = TypeVar("S", bound=State)


def go_on(state: S, **fields: Any) -> S:
    """Return the state with the fields changed, in the phase that follows.

    The bank is filled at once after each action; then comes an extra action, then placing, then the yard is filled,
    or with the option before both; then the turn is over.
    """

    get = fields.get
    short = len(get("yard", state.yard)) < YARD and get("stack", state.stack)
    if len(get("bank", state.bank)) < BANK and (get("coins", state.coins) or get("discards", state.discards)):
        return state.change(phase="reveal", awaits="coin", **fields)
    if short and state.options.yard_refill == IMMEDIATE:
        return state.change(phase="reveal", awaits="structure", **fields)
    if get("left", state.left):
        return state.change(phase="action", awaits="", **fields)
    if get("pending", state.pending):
        return state.change(phase="place", awaits="", **fields)
    if short:
        return state.change(phase="reveal", awaits="structure", **fields)
    return end_turn(state, **fields)


def end_turn(state: S, **fields: Any) -> S:
    """Return the state at the next seat's turn, or at the end, with the fields changed.

    Once yard and stack are empty each seat after this one may act once more; with the option this one as the last.
    """
    seats, active = len(state.names), state.active
    closing = state.closing
    if closing is not None:
        closing = closing[1:]
    elif not fields.get("yard", state.yard) and not fields.get("stack", state.stack):
        closing = (*range(active + 1, seats), *range(active))
        if state.options.final_action_includes_ender:
            closing = (*closing, active)
    if closing == ():
        return state.change(phase="over", awaits="", closing=closing, **fields)
    seat = (active + 1) % seats if closing is None else closing[0]
    return state.change(**{**fields, "phase": "action", "awaits": "", "closing": closing, "active": seat, "left": 1})
