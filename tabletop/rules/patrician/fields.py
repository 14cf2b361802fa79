"""A position as data: how each field is shown and read, and who may know it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from tabletop.rules import validate
from tabletop.rules.codec import AS_IS, NAME, SEAT, Codec, PositionDraft, Reader, each, named, number, pieces, word
from tabletop.rules.fields import TURN, Data, Field
from tabletop.rules.game import Json, Policy
from tabletop.rules.patrician.components import CITY_OF, COLOURS, FLOOR_SUPPLY, SITES, cards, cities
from tabletop.rules.patrician.scoring import tokens
from tabletop.rules.patrician.state import State
from tabletop.rules.validate import member, must


def _cards(order: Callable[[Iterable[str]], Iterable[str]] = tuple) -> Codec:
    """Return the codec of the cards in a place; only cards that this number of seats plays with are accepted."""
    return Codec(lambda data, where, draft: pieces(cards(draft.seats), order).read(data, where, draft), list)


def _read_market_card(data: Json, where: str, draft: PositionDraft) -> str | None:
    return None if data is None else _cards().read([data], where, draft)[0]


def _by_city(read: Reader) -> Reader:
    """Return a function that reads an object with a value for each city that this number of seats plays with."""

    def read_all(data: Json, where: str, draft: PositionDraft) -> tuple[Any, ...]:
        towns = [city.id for city in cities(draft.seats)]
        known = validate.table(data, where).keys() <= {*towns}
        must(known, "{where} must have exactly the cities {cities}", where=where, cities=tuple(towns))
        by_city: tuple[Any, ...] = named(towns, Codec(read)).read(data, where, draft)
        return by_city

    return read_all


def _read_city(data: Json, where: str, draft: PositionDraft) -> tuple[Any, ...]:
    """Return the towers on both sites, and whether the city is scored."""
    first, second = named(SITES, each(word(COLOURS[: draft.seats]))).read(data, where, draft)
    return first, second, member(data, "scored", where)


def _show_cities(state: State) -> Json:
    return {
        city.id: {
            "A": [COLOURS[seat] for seat in state.towers[2 * number]],
            "B": [COLOURS[seat] for seat in state.towers[2 * number + 1]],
            "scored": state.scored(number),
        }
        for number, city in enumerate(state.cities)
    }


def _show_market(state: State) -> Json:
    return {city.id: card for city, card in zip(state.cities, state.market, strict=True)}


def _read_pending(data: Json, where: str, draft: PositionDraft) -> tuple[str, int]:
    card, floors = member(data, "card", where), member(data, "floors", where)
    return word(CITY_OF).read(card, where, draft), validate.number(floors, validate.within("floors", where), range(3))


def _show_pending(pending: tuple[str, int]) -> Json:
    return {"card": pending[0], "floors": pending[1]} if pending[0] else None


def _space(state: State) -> Json:
    """Return the city of the space to be filled if the market has several empty ones, which never happens in a game."""
    ambiguous = state.phase == "reveal" and state.market.count(None) > 1
    return state.cities[state.space].id if ambiguous else None


SEAT_FIELDS: Mapping[str, Field] = {
    "name": Field(Policy.ALL, NAME, "names"),
    "colour": Field(Policy.ALL, word(COLOURS), lambda _, seat: COLOURS[seat], follows=True),
    # The deal is secret.  A card taken from the market was seen by all, but then it is held: people may remember it,
    # the referee does not remind them.
    "hand": Field(Policy.OWNER, _cards(sorted), "hands"),
    # Each card was seen when it was played; once covered, it and the totals of the heads are known to its seat alone.
    "played": Field(Policy.OWNER, _cards()),
    "supply": Field(
        Policy.ALL, Codec(lambda data, where, draft: validate.number(data, where, range(FLOOR_SUPPLY[draft.seats] + 1)))
    ),
    "tokens": Field(
        Policy.ALL,
        Codec(lambda data, where, draft: sorted(each(number(range(10))).read(data, where, draft), reverse=True)),
        tokens,
        follows=True,
    ),
}
"""The fields of a seat in a position."""

TOP_FIELD = Field(Policy.ALL, AS_IS, lambda state, seat: state.played[seat][-1] if state.played[seat] else None)
"""The last card of a pile, which everybody sees.  Views have it as ``top`` beside ``played``."""

FIELDS: Mapping[str, Field] = {
    "cities": Field(Policy.ALL, Codec(_by_city(_read_city)), _show_cities),
    "market": Field(Policy.ALL, Codec(_by_city(_read_market_card)), _show_market),
    # Deck and hands together are the cards that are not in the open: a list of the deck would reveal the hands.
    "deck": Field(Policy.COUNT, _cards(sorted)),
    "active": Field(Policy.ALL, SEAT, phases=("play", "floor", "move", "take", "reveal", "over")),
    "turn": TURN,
    "pending": Field(
        Policy.ALL,
        Codec(_read_pending, _show_pending),
        ("card", "left"),
        phases=("floor", "move", "take"),
    ),
    "space": Field(Policy.ALL, AS_IS, _space, absent=None, phases=("reveal",)),
}
"""Every field except the game, what was agreed before it (options, edition) and the seats, in the data's order."""


DATA = Data("patrician", SEAT_FIELDS, FIELDS, lambda state: {"edition": state.edition.to_json()})

VIEW_FIELDS = {**SEAT_FIELDS, "top": TOP_FIELD}
COVERED_PILES, OPEN_PILES = [
    Data("patrician", fields, FIELDS, lambda state: {"edition": state.edition.shown})
    for fields in (VIEW_FIELDS, {**VIEW_FIELDS, "played": SEAT_FIELDS["played"]._replace(policy=Policy.ALL)})
]
