"""Every sentence with which Palazzo for the piecepack refuses an action: key -> code, template, clause."""

from __future__ import annotations

from collections.abc import Mapping

from tabletop.messages import N_, Message
from tabletop.rules.refusals import Reason, meanings

REASONS: Mapping[str, Reason] = {
    "wrong-phase": Reason("wrong-phase", N_("{do} is not possible now: {phase} comes first."), Message("A turn")),
    "over": Reason("game-over", N_("The game has ended."), Message("End")),
    "deal-seat": Reason("not-your-turn", N_("Seat {due} is dealt its coins now, not seat {seat}."), Message("Setup")),
    "deal-number": Reason("bad-request", N_("A seat is dealt {needed} coins, not {number}."), Message("Setup")),
    "deal-twice": Reason("not-in-pool", N_("{piece} is named twice; it can be dealt only once."), Message("Setup")),
    "not-dealt": Reason(
        "not-in-pool", N_("{piece} cannot be dealt now: it is not among the face-down coins."), Message("Setup")
    ),
    "not-a-coin-to-come": Reason(
        "not-in-pool", N_("{piece} cannot be turned up now: it is not among the face-down coins."), Message("Setup")
    ),
    "not-a-structure-to-come": Reason(
        "not-in-pool",
        N_("{piece} cannot be turned up now: it is not among the face-down structures."),
        Message("Setup"),
    ),
    "not-in-bank": Reason("not-in-bank", N_("{coin} is not in the bank."), Message("A turn 1: coin")),
    "no-cell": Reason(
        "bad-request", N_("The cell is missing: the action names it as at, [x, y]."), Message("A turn 2: reserve")
    ),
    "own-cell": Reason(
        "bad-request",
        N_("On this table a structure is exchanged within its own cell, so the action must not name one."),
        Message("Options"),
    ),
    "nothing-to-exchange": Reason(
        "nothing-to-exchange",
        N_("An exchange needs a structure in the reserve and one in the palazzo."),
        Message("A turn 2: reserve"),
    ),
    "not-in-reserve": Reason(
        "not-in-reserve", N_("{structure} is not in this seat's reserve."), Message("A turn 2: reserve")
    ),
    "not-in-palazzo": Reason(
        "not-in-palazzo", N_("{structure} is not in this seat's palazzo."), Message("A turn 2: reserve")
    ),
    "swap-not-in-palazzo": Reason(
        "not-in-palazzo", N_("{swap} is not in this seat's palazzo."), Message("A turn 2: reserve")
    ),
    "turret-not-in-palazzo": Reason(
        "not-in-palazzo", N_("{on} is not in this seat's palazzo."), Message("A turn 3: turret")
    ),
    "turret-there": Reason("cell-taken", N_("The turret already stands on {on}."), Message("A turn 3: turret")),
    "not-in-yard": Reason("not-in-yard", N_("{structure} is not in the yard."), Message("A turn 4: purchase")),
    "not-in-hand": Reason("not-in-hand", N_("{coin} is not in this seat's hand."), Message("A turn 4: purchase")),
    "die-spent": Reason("die-spent", N_("This seat's die shows null and is used up."), Message("A turn 4: purchase")),
    "too-little-add": Reason(
        "too-little",
        N_("{structure} costs {needed}; this makes {value}, {short} short: add {add}."),
        Message("A turn 4: purchase"),
    ),
    "too-little": Reason(
        "too-little",
        N_("{structure} costs {needed}; this makes {value}, {short} short."),
        Message("A turn 4: purchase"),
    ),
    "may-act": Reason("wrong-phase", N_("Only a seat that can do nothing else may pass."), Message("A turn: pass")),
    "nothing-pending": Reason(
        "wrong-phase", N_("There is no bought structure to place."), Message("A turn 4: purchase")
    ),
    "not-pending": Reason(
        "not-in-pool", N_("{structure} is not a structure to place now."), Message("A turn 4: purchase")
    ),
    "must-build": Reason(
        "wrong-phase",
        N_("On this table {structure} must be built, because it fits in the palazzo."),
        Message("Options"),
    ),
    "cell-taken": Reason("cell-taken", N_("The cell {at} is already taken."), Message("Building")),
    "no-shared-edge": Reason(
        "no-shared-edge", N_("{structure} on {at} would share no full edge with the palazzo."), Message("Building")
    ),
    "clashing-neighbour": Reason(
        "clashing-neighbour",
        N_("{structure} would stand beside {neighbours}; every neighbour must share its suit or its value."),
        Message("Building"),
    ),
    "makes-a-hole": Reason(
        "makes-a-hole", N_("{structure} on {at} would cut an empty cell off from the outside."), Message("Building")
    ),
    "removal-hole": Reason(
        "makes-a-hole", N_("Without {structure}, its cell would be a hole in the palazzo."), Message("Building")
    ),
    "splits": Reason("splits-the-palazzo", N_("Without {gone}, the palazzo would fall apart."), Message("Building")),
}
"""The sentences by key; their fields are the facts of the refusal."""

MEANINGS: Mapping[str, str] = meanings(
    {
        "not-in-yard": "The structure does not lie in the yard.",
        "not-in-bank": "The coin does not lie in the bank.",
        "not-in-reserve": "The structure is not in the seat's reserve.",
        "not-in-palazzo": "The structure is not in the seat's palazzo.",
        "too-little": "The coins and the die make less than the structure costs.",
        "die-spent": "The die shows null and has no further use.",
        "cell-taken": "Something lies there already.",
        "no-shared-edge": "A structure must share a full edge with the palazzo.",
        "clashing-neighbour": "Every neighbour must share the structure's suit or its value.",
        "makes-a-hole": "No empty cell may be cut off from the outside.",
        "splits-the-palazzo": "The palazzo must stay one connected group.",
        "nothing-to-exchange": "An exchange needs a structure in the reserve and one in the palazzo.",
    }
)
"""Every code of this game, in one sentence a player understands."""
