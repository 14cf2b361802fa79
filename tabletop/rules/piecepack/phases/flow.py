"""What comes next: the order in which bank, extra actions, placing and yard follow one another in a turn."""

from __future__ import annotations

from tabletop.rules.piecepack.components import BANK, YARD
from tabletop.rules.piecepack.options import IMMEDIATE
from tabletop.rules.piecepack.state import Draft


def lay_out(new: Draft) -> None:
    """In the setup turn up the yard, then the bank; then coins are dealt."""
    if len(new["bank"]) == BANK:
        new["phase"], new["awaits"] = "deal", ""
    elif len(new["yard"]) == YARD:
        new["awaits"] = "coin"


def deal_on(new: Draft) -> None:
    """Begin the first turn after the last seat has its coins."""
    if all(purse.coins for purse in new["purses"]):
        new["phase"] = "action"


def go_on(new: Draft) -> None:
    """Go on to the phase that follows an action.

    The bank is filled at once after each action; then comes an extra action, then placing, then the yard is filled,
    or with the option before both; then the turn is over.
    """
    turn_goes_on = new["left"] or new["pending"]
    if len(new["bank"]) < BANK and (new["coins"] or new["discards"]):
        new["phase"], new["awaits"] = "reveal", "coin"
    elif len(new["yard"]) < YARD and new["stack"] and (not turn_goes_on or new["options"].yard_refill == IMMEDIATE):
        new["phase"], new["awaits"] = "reveal", "structure"
    elif turn_goes_on:
        new["phase"], new["awaits"] = "action" if new["left"] else "place", ""
    elif new["closing"] is None and (new["yard"] or new["stack"]):
        new["phase"], new["awaits"] = "action", ""
        new["active"], new["left"] = (new["active"] + 1) % len(new["names"]), 1
    else:
        _close(new)


def _close(new: Draft) -> None:
    """Let each seat after the one that purchased the last structure act once more; with the option that one last."""
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
