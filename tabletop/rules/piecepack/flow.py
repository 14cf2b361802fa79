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
    new = {**vars(state), **fields}
    short = len(new["yard"]) < YARD and new["stack"]
    if len(new["bank"]) < BANK and (new["coins"] or new["discards"]):
        new["phase"], new["awaits"] = "reveal", "coin"
    elif short and (new["options"].yard_refill == IMMEDIATE or not (new["left"] or new["pending"])):
        new["phase"], new["awaits"] = "reveal", "structure"
    else:
        new["awaits"] = ""
        if new["left"]:
            new["phase"] = "action"
        elif new["pending"]:
            new["phase"] = "place"
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
