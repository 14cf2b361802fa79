"""The order of the steps in a turn: filling the bank, extra actions, placing, filling the yard."""

from __future__ import annotations

from typing import Any, TypeVar

from tabletop.rules.piecepack.components import BANK_SIZE, YARD_SIZE
from tabletop.rules.piecepack.options import IMMEDIATE
from tabletop.rules.piecepack.state import State

S = TypeVar("S", bound=State)


def lay_out(state: S, **fields: Any) -> S:
    """Return the state after a piece was turned up in the setup: first yard, then bank are filled; the deal follows."""
    new = state.__dict__ | fields
    if len(new["bank"]) == BANK_SIZE:
        new["phase"], new["awaits"] = "deal", ""
    elif len(new["yard"]) == YARD_SIZE:
        new["awaits"] = "coin"
    return state.of(new)


def go_on(state: S, **fields: Any) -> S:
    """Return the state after an action that changed these fields, in the phase that follows.

    The bank is filled at once after each action; then comes an extra action, then placing, then the yard is filled
    (by an option it is filled before both); then the turn is over.
    """
    new = state.__dict__ | fields
    turn_goes_on = new["left"] or new["pending"]
    if len(new["bank"]) < BANK_SIZE and (new["coins"] or new["discards"]):
        new["phase"], new["awaits"] = "reveal", "coin"
    elif (
        len(new["yard"]) < YARD_SIZE and new["stack"] and (not turn_goes_on or new["options"].yard_refill == IMMEDIATE)
    ):
        new["phase"], new["awaits"] = "reveal", "structure"
    elif turn_goes_on:
        new["phase"], new["awaits"] = "action" if new["left"] else "place", ""
    elif new["closing"] is None and (new["yard"] or new["stack"]):
        new["phase"], new["awaits"] = "action", ""
        new["active"], new["left"] = (new["active"] + 1) % len(new["names"]), 1
    else:
        _close(new)
    return state.of(new)


def _close(new: dict[str, Any]) -> None:
    """Let each seat after the one that purchased the last structure act once more; by an option that one acts last."""
    seats, active, closing = len(new["names"]), new["active"], new["closing"]
    if closing is not None:
        closing = closing[1:]
    else:
        closing = (*range(active + 1, seats), *range(active))
        if new["options"].final_action_includes_ender:
            closing = (*closing, active)
    new["closing"], new["awaits"] = closing, ""
    if closing:
        new["phase"], new["active"], new["left"] = "action", closing[0], 1
    else:
        new["phase"] = "over"
