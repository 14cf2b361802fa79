"""A position as data: the whole of it, and what one seat may know of it.

The coins of a hand are their seat's secret, the face-down coins and structures are numbers; all else lies open.
"""

from __future__ import annotations

from collections.abc import Mapping

from tabletop.rules.fields import Data, Field, SeatField
from tabletop.rules.game import Policy

SEAT_FIELDS: Mapping[str, SeatField] = {
    "name": SeatField(Policy.ALL, lambda state, seat: state.names[seat]),
    "hand": SeatField(Policy.OWNER, lambda state, seat: list(state.purses[seat].coins)),
    "die": SeatField(Policy.ALL, lambda state, seat: state.purses[seat].die),
    "turret": SeatField(Policy.ALL, lambda state, seat: state.turrets[seat]),
    "palazzo": SeatField(Policy.ALL, lambda state, seat: state.palazzi[seat].to_json()),
    "reserve": SeatField(Policy.ALL, lambda state, seat: list(state.reserves[seat])),
}
"""The fields of a seat in a position."""

FIELDS: Mapping[str, Field] = {
    "yard": Field(Policy.ALL, lambda state: list(state.yard)),
    "bank": Field(Policy.ALL, lambda state: list(state.bank)),
    "coins": Field(Policy.COUNT, lambda state: list(state.coins)),
    "discards": Field(Policy.ALL, lambda state: list(state.discards)),
    "stack": Field(Policy.COUNT, lambda state: list(state.stack)),
    "active": Field(Policy.ALL, lambda state: state.active),
    "actions_left": Field(Policy.ALL, lambda state: state.left),
    "pending": Field(Policy.ALL, lambda state: list(state.pending)),
    "closing": Field(Policy.ALL, lambda state: None if state.closing is None else list(state.closing), nullable=True),
    "turn": Field(Policy.ALL, lambda state: {"phase": state.phase, "seat": state.decider}),
    "awaits": Field(Policy.ALL, lambda state: state.awaits or None),
}
"""Every field but the game, its options and the seats, in the order of the data."""

DATA = Data(lambda state: {"game": "piecepack", "options": state.options.to_json()}, SEAT_FIELDS, FIELDS)
dump, view = DATA.whole, DATA.seen
