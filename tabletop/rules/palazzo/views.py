"""A position as data: the whole of it, and what one seat may know of it.

The tables here say of each field how it is read and who may know it.
"""

from __future__ import annotations

from collections.abc import Mapping

from tabletop.rules.fields import Data, Field, SeatField
from tabletop.rules.game import Json, Policy
from tabletop.rules.palazzo.components import STACKS
from tabletop.rules.palazzo.state import State


def _auction(state: State) -> Json:
    if state.laid is None:
        return None
    laid = {str(seat): [list(act) for act in stake.acts] for seat, stake in enumerate(state.laid) if stake.acts}
    return {"laid": laid, "out": list(state.out)}


SEAT_FIELDS: Mapping[str, SeatField] = {
    "name": SeatField(Policy.ALL, lambda state, seat: state.names[seat]),
    # The deal is secret.  A card taken from the row was seen by all, but then it is held: people may remember it, the
    # referee does not remind them.
    "hand": SeatField(Policy.OWNER, lambda state, seat: list(state.hands[seat])),
    "palazzi": SeatField(Policy.ALL, lambda state, seat: [list(column) for column in state.palazzi[seat]]),
}

FIELDS: Mapping[str, Field] = {
    "warehouse": Field(Policy.ALL, lambda state: list(state.warehouse)),
    "quarries": Field(Policy.ALL, lambda state: [list(tiles) for tiles in state.quarries]),
    "architect": Field(Policy.ALL, lambda state: state.architect),
    # Which tiles have not come yet follows from those that have; their order is nowhere.
    "unseen": Field(Policy.ALL, lambda state: {name: list(state.unseen[at]) for at, name in enumerate(STACKS)}),
    "end_tiles": Field(Policy.ALL, lambda state: list(state.end_tiles)),
    # Deck and hands together are what is not in the open: a list of the deck would tell the hands.
    "deck": Field(Policy.COUNT, lambda state: list(state.deck)),
    "discards": Field(Policy.ALL, lambda state: list(state.discards)),
    # Every tile in the box has lain face up on the table before.
    "box": Field(Policy.ALL, lambda state: list(state.box)),
    "row": Field(Policy.ALL, lambda state: list(state.row)),
    "active": Field(Policy.ALL, lambda state: state.active),
    "turn": Field(Policy.ALL, lambda state: {"phase": state.phase, "seat": state.decider}),
    "pending": Field(Policy.ALL, lambda state: list(state.pending)),
    "drawn": Field(Policy.ALL, lambda state: None if state.drawn is None else list(state.drawn)),
    "auction": Field(Policy.ALL, _auction),
    "handout": Field(Policy.ALL, lambda state: None if state.handout is None else list(state.handout)),
}
"""Every field but the game, its options (known to all by their nature) and the seats, in the order of the data."""

DATA = Data(lambda state: {"game": "palazzo", "options": state.options.to_json()}, SEAT_FIELDS, FIELDS)
dump, view = DATA.whole, DATA.seen
