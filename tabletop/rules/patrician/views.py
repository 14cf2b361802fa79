"""A position as data: the whole of it, and what one seat may know of it.

One table says of each field how it is read and who may know it; there is no other way out of a position, so a field
cannot be public by oversight.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from tabletop.rules.game import Json, Policy
from tabletop.rules.patrician.components import COLOURS
from tabletop.rules.patrician.scoring import tokens
from tabletop.rules.patrician.state import State


class Field(NamedTuple):
    """One field of the data: who may know it, and its value (None: it does not apply in this phase)."""

    policy: Policy
    value: Callable[[State], Json]


class SeatField(NamedTuple):
    """One field of a seat's data: who may know it, and its value."""

    policy: Policy
    value: Callable[[State, int], Json]


def _cities(state: State) -> Json:
    return {
        city.id: {
            "A": [COLOURS[seat] for seat in state.towers[2 * number]],
            "B": [COLOURS[seat] for seat in state.towers[2 * number + 1]],
            "scored": state.scored(number),
        }
        for number, city in enumerate(state.cities)
    }


def _market(state: State) -> Json:
    return {city.id: card for city, card in zip(state.cities, state.market, strict=True)}


def _pending(state: State) -> Json:
    return {"card": state.card, "floors": state.left} if state.card else None


def _space(state: State) -> Json:
    """Tell the space to be filled where the market does not: never in a game, where the deck keeps it full."""
    ambiguous = state.phase == "reveal" and state.market.count(None) > 1
    return state.cities[state.space].id if ambiguous else None


SEAT_FIELDS: Mapping[str, SeatField] = {
    "name": SeatField(Policy.ALL, lambda state, seat: state.names[seat]),
    "colour": SeatField(Policy.ALL, lambda _, seat: COLOURS[seat]),
    # The deal is secret.  A card taken from the market was seen by all, but then it is held: people may remember it,
    # the referee does not remind them.
    "hand": SeatField(Policy.OWNER, lambda state, seat: list(state.hands[seat])),
    # Each card was seen when it was played; covered, it and the totals of the heads are its seat's.
    "played": SeatField(Policy.OWNER, lambda state, seat: list(state.played[seat])),
    "supply": SeatField(Policy.ALL, lambda state, seat: state.supply[seat]),
    "tokens": SeatField(Policy.ALL, tokens),
}
"""The fields of a seat in a position."""

TOP = SeatField(Policy.ALL, lambda state, seat: state.played[seat][-1] if state.played[seat] else None)
"""What everybody sees of a pile: its last card.  Views have it as ``top`` beside ``played``."""

FIELDS: Mapping[str, Field] = {
    "cities": Field(Policy.ALL, _cities),
    "market": Field(Policy.ALL, _market),
    # Deck and hands together are what is not in the open: a list of the deck would tell the hands.
    "deck": Field(Policy.COUNT, lambda state: list(state.deck)),
    "active": Field(Policy.ALL, lambda state: state.active),
    "turn": Field(Policy.ALL, lambda state: {"phase": state.phase, "seat": state.decider}),
    "pending": Field(Policy.ALL, _pending),
    "space": Field(Policy.ALL, _space),
}
"""Every field but the game, what was agreed before it (options, edition) and the seats, in the order of the data."""


def dump(state: State) -> dict[str, Json]:
    """Return the whole position as the protocol's data, secrets included."""
    seats = [{name: field.value(state, seat) for name, field in SEAT_FIELDS.items()} for seat in range(state.seats)]
    data = {**_agreed(state, state.edition.to_json()), "seats": seats}
    for name, field in FIELDS.items():
        if (value := field.value(state)) is not None:
            data[name] = value
    return data


def view(state: State, seat: int | None) -> dict[str, Json]:
    """Return what the seat may know (None: a spectator): what is counted or another's comes as a number."""
    fields = {**SEAT_FIELDS, "top": TOP}
    if state.options.open_heads or state.phase == "over":
        fields["played"] = fields["played"]._replace(policy=Policy.ALL)
    seats = [
        {name: _shown(field.value(state, other), field.policy, other == seat) for name, field in fields.items()}
        for other in range(state.seats)
    ]
    data = {**_agreed(state, state.edition.shown), "seats": seats}
    for name, field in FIELDS.items():
        if (value := field.value(state)) is not None:
            data[name] = _shown(value, field.policy, own=False)
    return data


def _agreed(state: State, edition: Json) -> dict[str, Json]:
    return {"game": "patrician", "options": state.options.to_json(), "edition": edition}


def _shown(value: Json, policy: Policy, own: bool) -> Json:
    if policy is Policy.ALL or (policy is Policy.OWNER and own):
        return value
    return len(value)
