"""What comes next: the order in which bank, extra actions, placing and yard follow one another in a turn."""

from __future__ import annotations

from typing import Any, TypeVar

from tabletop.rules.piecepack.components import BANK, YARD
from tabletop.rules.piecepack.options import IMMEDIATE
from tabletop.rules.piecepack.state import State

S = TypeVar("S", bound=State)


def go_on(state: S, new: dict[str, Any]) -> S:
    """Return the state of the new fields, a draft of this one, in the phase that follows.

    The bank is filled at once after each action; then comes an extra action, then placing, then the yard is filled,
    or with the option before both; then the turn is over.
    """
    left, pending = new["left"], new["pending"]
    turn_goes_on = left or pending
    new["awaits"] = ""
    if len(new["bank"]) < BANK and (new["coins"] or new["discards"]):
        new["phase"], new["awaits"] = "reveal", "coin"
    elif len(new["yard"]) < YARD and new["stack"] and (not turn_goes_on or new["options"].yard_refill == IMMEDIATE):
        new["phase"], new["awaits"] = "reveal", "structure"
    elif turn_goes_on:
        new["phase"] = "action" if left else "place"
    else:
        _end_turn(new)
    return state.of(new)


def _end_turn(new: dict[str, Any]) -> None:
    """Make it the next seat's turn, or the end.

    Once yard and stack are empty each seat after this one may act once more; with the option this one as the last.
    """
    seats, active, closing = len(new["names"]), new["active"], new["closing"]
    if closing is not None:
        closing = closing[1:]
    elif not new["yard"] and not new["stack"]:
        closing = (*range(active + 1, seats), *range(active))
        if new["options"].final_action_includes_ender:
            closing = (*closing, active)
    new["closing"] = closing
    if closing == ():
        new["phase"] = "over"
    else:
        new["phase"], new["left"] = "action", 1
        new["active"] = (active + 1) % seats if closing is None else closing[0]
