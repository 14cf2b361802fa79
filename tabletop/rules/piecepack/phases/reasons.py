"""Every sentence with which Palazzo for the piecepack refuses an action: key -> code, template, clause."""

from __future__ import annotations

from collections.abc import Mapping

from tabletop.rules.refusals import MEANINGS as COMMON
from tabletop.rules.refusals import Reason

REASONS: Mapping[str, Reason] = {
    "wrong-phase": Reason("wrong-phase", "{do} is not possible now: {phase} comes first.", "A turn"),
    "over": Reason("game-over", "The game has ended.", "End"),
    "deal-seat": Reason("not-your-turn", "Seat {due} is dealt its coins now, not seat {seat}.", "Setup"),
    "deal-number": Reason("bad-request", "A seat is dealt {needed} coins, not {number}.", "Setup"),
    "not-dealt": Reason("not-in-pool", "{piece} cannot be dealt now: it is not among the face-down coins.", "Setup"),
    "not-drawn": Reason(
        "not-in-pool", "{piece} cannot come now: a {awaits} is turned up, and it is not there.", "Setup"
    ),
    "not-in-bank": Reason("not-in-bank", "{coin} does not lie in the bank.", "A turn 1: coin"),
    "no-cell": Reason("bad-request", "The cell is missing: the action names it as at, [x, y].", "A turn 2: reserve"),
    "own-cell": Reason(
        "bad-request", "On this table a structure is exchanged in its own cell; the action names none.", "Options"
    ),
    "nothing-to-exchange": Reason(
        "nothing-to-exchange",
        "An exchange needs a structure in the reserve and one in the palazzo.",
        "A turn 2: reserve",
    ),
    "not-in-reserve": Reason("not-in-reserve", "{structure} is not in this seat's reserve.", "A turn 2: reserve"),
    "not-in-palazzo": Reason("not-in-palazzo", "{structure} is not in this seat's palazzo.", "A turn 2: reserve"),
    "swap-not-in-palazzo": Reason("not-in-palazzo", "{swap} is not in this seat's palazzo.", "A turn 2: reserve"),
    "turret-not-in-palazzo": Reason("not-in-palazzo", "{on} is not in this seat's palazzo.", "A turn 3: turret"),
    "turret-there": Reason("cell-taken", "The turret stands on {on} already.", "A turn 3: turret"),
    "not-in-yard": Reason("not-in-yard", "{structure} does not lie in the yard.", "A turn 4: purchase"),
    "not-in-hand": Reason("not-in-hand", "{coin} is not in this seat's hand.", "A turn 4: purchase"),
    "die-spent": Reason("die-spent", "This seat's die shows null and has no further use.", "A turn 4: purchase"),
    "too-little-add": Reason(
        "too-little",
        "{structure} costs {needed}; this makes {value}, {short} short: add {add}.",
        "A turn 4: purchase",
    ),
    "too-little": Reason(
        "too-little", "{structure} costs {needed}; this makes {value}, {short} short.", "A turn 4: purchase"
    ),
    "may-act": Reason("wrong-phase", "Passing is only for a seat that can do nothing else.", "A turn: pass"),
    "nothing-pending": Reason("wrong-phase", "There is no purchased structure to be placed.", "A turn 4: purchase"),
    "not-pending": Reason("not-in-pool", "{structure} is not a structure to be placed now.", "A turn 4: purchase"),
    "must-build": Reason(
        "wrong-phase", "On this table {structure} must be built while it fits somewhere, as on {cell}.", "Options"
    ),
    "cell-taken": Reason("cell-taken", "The cell {at} is taken already.", "Building"),
    "no-shared-edge": Reason(
        "no-shared-edge", "{structure} on {at} would share no full edge with the palazzo.", "Building"
    ),
    "clashing-neighbour": Reason(
        "clashing-neighbour",
        "{structure} would stand beside {neighbours}; every neighbour must share its suit or its value.",
        "Building",
    ),
    "makes-a-hole": Reason(
        "makes-a-hole", "{structure} on {at} would cut an empty cell off from the outside.", "Building"
    ),
    "removal-hole": Reason("makes-a-hole", "Without {structure} its cell would be a hole in the palazzo.", "Building"),
    "splits": Reason("splits-the-palazzo", "Without {gone} the palazzo would fall into parts.", "Building"),
}
"""The sentences.  Their fields are the facts of the refusal."""

MEANINGS: Mapping[str, str] = (
    {
        code: COMMON[code]
        for code in ("not-your-turn", "wrong-phase", "unknown-action", "unknown-piece", "not-in-pool", "not-in-hand")
    }
    | {
        "not-in-yard": "The structure does not lie in the yard.",
        "not-in-bank": "The coin does not lie in the bank.",
        "not-in-reserve": "The structure is not in the seat's reserve.",
        "not-in-palazzo": "The structure is not in the seat's palazzo.",
        "too-little": "The coins and the die make less than the structure costs.",
        "die-spent": "The die shows null and has no further use.",
        "cell-taken": "Something lies there already.",
        "no-shared-edge": "A structure shares a full edge with the palazzo.",
        "clashing-neighbour": "Every neighbour shares the structure's suit or its value.",
        "makes-a-hole": "No empty cell may be cut off from the outside.",
        "splits-the-palazzo": "The palazzo stays one connected group.",
        "nothing-to-exchange": "An exchange needs a structure in the reserve and one in the palazzo.",
    }
    | {code: COMMON[code] for code in ("game-over", "bad-position", "bad-request")}
)
"""Every code of this game, in one sentence a player understands."""
