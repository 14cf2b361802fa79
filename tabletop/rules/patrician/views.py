"""A position as data: the whole of it, and what one seat may know of it.

The tables here say of each field how it is read and who may know it.
"""

from __future__ import annotations

from collections.abc import Mapping

from tabletop.rules.fields import Data, Field, SeatField
from tabletop.rules.game import Json, Policy
from tabletop.rules.patrician.components import COLOURS
from tabletop.rules.patrician.scoring import tokens
from tabletop.rules.patrician.state import State


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


def _agreed(state: State, edition: Json) -> dict[str, Json]:
    return {"game": "patrician", "options": state.options.to_json(), "edition": edition}


dump = Data(lambda state: _agreed(state, state.edition.to_json()), SEAT_FIELDS, FIELDS).whole

COVERED = Data(lambda state: _agreed(state, state.edition.shown), {**SEAT_FIELDS, "top": TOP}, FIELDS)
OPEN = COVERED._replace(seats={**COVERED.seats, "played": SEAT_FIELDS["played"]._replace(policy=Policy.ALL)})


def view(state: State, seat: int | None) -> dict[str, Json]:
    """Return what the seat may know; what was played lies open at the end, and before where that was agreed."""
    return (OPEN if state.options.open_heads or state.phase == "over" else COVERED).seen(state, seat)
