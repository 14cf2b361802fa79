"""Positions from data: every part is checked, then the parts against each other.

A position that cannot be is refused with ``bad-position``, saying what and where.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from tabletop.rules.edition import EditionError
from tabletop.rules.game import Illegal, Json
from tabletop.rules.patrician.components import CITY_OF, COLOURS, HAND, SEATS, SUPPLY, City, cards, cities
from tabletop.rules.patrician.edition import Edition
from tabletop.rules.patrician.options import options
from tabletop.rules.patrician.position import PatricianPosition
from tabletop.rules.patrician.scoring import tokens
from tabletop.rules.patrician.turn import PHASES

LONGEST_NAME = 200
"""Characters."""
MOST = 100
"""More items than this no list of a position has."""


def load(data: Json) -> PatricianPosition:
    """Return the position that the data describes.  Raises Illegal (``bad-position``)."""
    if not isinstance(data, dict) or data.get("game") != "patrician":
        raise bad('a position is an object with "game": "patrician"')
    seats = _list(data, "seats", "the position")
    if len(seats) not in SEATS or not all(isinstance(seat, dict) for seat in seats):
        raise bad("seats must be 2 to 5 objects")
    towns = cities(len(seats))
    turn = _object(data, "turn", "the position")
    phase = _text(turn, "phase", "turn")
    if phase not in PHASES:
        raise bad(f"there is no phase {phase[:20]!r}")
    market = _by_city(data, "market", towns)
    agreed = data.get("options")
    chosen = options({} if agreed is None else agreed, len(seats), "bad-position")
    position = PatricianPosition.make(
        names=tuple(_name(seat) for seat in seats),
        options=chosen,
        edition=_edition(data, len(seats)),
        hands=tuple(tuple(sorted(_texts(seat, "hand", "a seat"))) for seat in seats),
        played=tuple(tuple(_texts(seat, "played", "a seat")) for seat in seats),
        supply=tuple(_number(seat, "supply", "a seat") for seat in seats),
        towers=_towers(data, len(seats)),
        market=tuple(market[city.id] for city in towns),
        deck=tuple(sorted(_texts(data, "deck", "the position"))),
        phase=phase,
        active=chosen.first_seat if phase in ("deal", "setup") else _seat(data, len(seats)),
        card="",
        left=0,
        space=-1,
    )
    _check_cards(position)
    _check_floors(position, data)
    position = _with_pending(position, data)
    _check_room(position)
    _check_phase(position, turn)
    return position


def bad(what: str) -> Illegal:
    """Return the refusal of a position."""
    return Illegal("bad-position", f"This position cannot be: {what}.")


# The parts, one by one.


def _value(data: Mapping[str, Any], key: str, where: str) -> Any:
    if key not in data:
        raise bad(f"{where} has no {key!r}")
    return data[key]


def _object(data: Mapping[str, Any], key: str, where: str) -> dict[str, Any]:
    value = _value(data, key, where)
    if not isinstance(value, dict):
        raise bad(f"{key!r} must be an object")
    return value


def _list(data: Mapping[str, Any], key: str, where: str) -> list[Any]:
    value = _value(data, key, where)
    if not isinstance(value, list):
        raise bad(f"{key!r} must be a list")
    if len(value) > MOST:
        raise bad(f"{key!r} has {len(value)} items; at most {MOST} are possible")
    return value


def _text(data: Mapping[str, Any], key: str, where: str) -> str:
    value = _value(data, key, where)
    if not isinstance(value, str):
        raise bad(f"{key!r} must be a text")
    return value


def _texts(data: Mapping[str, Any], key: str, where: str) -> list[str]:
    values = _list(data, key, where)
    if not all(isinstance(value, str) for value in values):
        raise bad(f"{key!r} must be a list of texts")
    return values


def _number(data: Mapping[str, Any], key: str, where: str) -> int:
    value = _value(data, key, where)
    if type(value) is not int or value < 0:
        raise bad(f"{key!r} must be a whole number, 0 or more")
    return value


def _name(seat: Mapping[str, Any]) -> str:
    name = _text(seat, "name", "a seat")
    if len(name) > LONGEST_NAME:
        raise bad(f"a name has at most {LONGEST_NAME} characters")
    return name


def _seat(data: Mapping[str, Any], seats: int) -> int:
    seat = _number(data, "active", "the position")
    if seat >= seats:
        raise bad(f"there is no seat {seat}; seats count from 0")
    return seat


def _edition(data: Mapping[str, Any], seats: int) -> Edition:
    try:
        return Edition.parse(_value(data, "edition", "the position"), seats)
    except EditionError as error:
        raise bad(f"the edition: {error}") from error


def _by_city(data: Mapping[str, Any], key: str, towns: tuple[City, ...]) -> dict[str, Any]:
    table = _object(data, key, "the position")
    if set(table) != {city.id for city in towns}:
        raise bad(f"{key!r} must have exactly the cities {', '.join(city.id for city in towns)}")
    return table


def _towers(data: Mapping[str, Any], seats: int) -> tuple[tuple[int, ...], ...]:
    towns = cities(seats)
    table = _by_city(data, "cities", towns)
    towers = []
    for city in towns:
        if not isinstance(table[city.id], dict):
            raise bad(f"the city {city.id} must be an object")
        for site in ("A", "B"):
            colours = _texts(table[city.id], site, city.id)
            if any(colour not in COLOURS[:seats] for colour in colours):
                raise bad(f"site {site} of {city.id} has a floor whose colour nobody plays")
            towers.append(tuple(COLOURS.index(colour) for colour in colours))
    return tuple(towers)


# The parts against each other.


def _check_cards(position: PatricianPosition) -> None:
    """Every card used is somewhere, once."""
    beside = [card for card in position.market if card is not None]
    if any(not isinstance(card, str) for card in beside):
        raise bad("a market card must be a card or null")
    places = [*position.hands, *position.played, tuple(beside), position.deck]
    found = Counter(card for place in places for card in place)
    used = cards(position.seats)
    for card, count in found.items():
        if card not in used:
            raise bad(f"{card[:20]!r} is no card of a game of {position.seats} seats")
        if count > 1:
            raise bad(f"the card {card} is there {count} times")
    for card in used:
        if card not in found:
            raise bad(f"the card {card} is missing")


def _check_floors(position: PatricianPosition, data: Mapping[str, Any]) -> None:
    """Every floor is in a supply or on the board, and the colours, scored cities and tokens follow from that."""
    for seat, colour in enumerate(COLOURS[: position.seats]):
        fields = data["seats"][seat]
        if fields.get("colour") != colour:
            raise bad(f"seat {seat} plays {colour}")
        built = sum(tower.count(seat) for tower in position.towers)
        if position.supply[seat] + built != SUPPLY[position.seats]:
            there = f"{position.supply[seat]} in the supply and {built} on the board"
            raise bad(f"there are {SUPPLY[position.seats]} {colour} floors, not {there}")
        won = _list(fields, "tokens", "a seat")
        if any(type(token) is not int for token in won) or sorted(won, reverse=True) != tokens(position, seat):
            raise bad(f"the towers give {colour} the tokens {tokens(position, seat)}")
    for number, city in enumerate(position.cities):
        if _value(data["cities"][city.id], "scored", city.id) is not position.scored(number):
            raise bad(f"{city.id} must be scored when it is full or the game is over, and only then")


def _with_pending(position: PatricianPosition, data: Mapping[str, Any]) -> PatricianPosition:
    """Return the position with the card that is being played out and the space that is to be filled."""
    if position.phase in ("setup", "reveal"):
        return position.change(space=_empty_space(position, data.get("space")))
    if position.phase not in ("floor", "move", "take"):
        return position
    pending = _object(data, "pending", "the position")
    card, left = _text(pending, "card", "pending"), _number(pending, "floors", "pending")
    if position.played[position.active][-1:] != (card,):
        raise bad("the pending card must be the last one its seat has played")
    crests = position.faces[card].crests
    if left > crests:
        raise bad(f"{card} shows {crests} crests, so {left} floors cannot be pending")
    if position.phase == "move" and not position.faces[card].move:
        raise bad(f"{card} shows no move")
    left = min(left, position.supply[position.active])
    if (left > 0) != (position.phase == "floor"):
        raise bad(f"in the phase {position.phase} there are {left} floors to place")
    return position.change(card=card, left=left)


def _empty_space(position: PatricianPosition, named: Json) -> int:
    """Return the space to be filled: the one that is named, else the first that is empty."""
    empty = [number for number, card in enumerate(position.market) if card is None]
    if position.phase == "reveal" and named is not None:
        empty = [number for number in empty if position.cities[number].id == named]
    if not empty:
        raise bad("no market space is empty where a card is to be turned up")
    return empty[0]


def _check_room(position: PatricianPosition) -> None:
    """No city has, or will have, more floors than it takes; a full city has two towers."""
    unplayed = [*position.deck, *(card for hand in position.hands for card in hand), *filter(None, position.market)]
    for number, city in enumerate(position.cities):
        first, second = position.towers[2 * number : 2 * number + 2]
        crests = sum(position.faces[card].crests for card in unplayed if CITY_OF[card] == number)
        coming = crests + (position.left if position.card and position.built == number else 0)
        if len(first) + len(second) + coming > city.capacity:
            floors = len(first) + len(second)
            raise bad(f"{city.id} takes {city.capacity} floors; it has {floors} and {coming} are still to come")
        if position.full(number) and not (first and second):
            raise bad(f"{city.id} is full with an empty site, where its last floor must have gone")


def _check_phase(position: PatricianPosition, turn: Mapping[str, Any]) -> None:
    """The phase has something to decide, by the seat that is named."""
    seat = _value(turn, "seat", "turn")
    if type(seat) not in (int, type(None)) or seat != position.decider:
        raise bad(f"in the phase {position.phase} the seat that decides is {position.decider}")
    begun = any(position.towers) or any(position.played)
    if position.phase == "deal":
        dealt = position.hands.index(()) if () in position.hands else position.seats
        right = all(len(hand) == (HAND if at < dealt else 0) for at, hand in enumerate(position.hands))
        if begun or any(position.market) or dealt == position.seats or not right:
            raise bad("while hands are dealt, some seats have 3 cards, the ones after them none, and nothing is played")
    if position.phase == "setup" and (begun or any(len(hand) != HAND for hand in position.hands)):
        raise bad("while the market is laid out, each seat has 3 cards and nothing is played")
    if position.phase in ("deal", "setup") and not all(
        position.faces[card].start for hand in position.hands for card in hand
    ):
        raise bad("hands are dealt from the start cards")
    if position.phase == "over" and any(position.hands):
        raise bad("the game is not over before every hand is empty")
    if position.phase != "over" and not position.legal:
        raise bad(f"nothing can be decided in the phase {position.phase}")
