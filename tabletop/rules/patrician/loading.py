"""Positions from data: every part is checked, then the parts against each other.

A position that cannot be is refused with ``bad-position``, saying what and where.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from tabletop.rules.edition import EditionError
from tabletop.rules.game import Json
from tabletop.rules.patrician.components import CITY_OF, COLOURS, HAND, SEATS, SITES, SUPPLY, City, cards, cities
from tabletop.rules.patrician.edition import Edition
from tabletop.rules.patrician.options import options
from tabletop.rules.patrician.position import PatricianPosition
from tabletop.rules.patrician.rules import PHASES
from tabletop.rules.patrician.scoring import tokens
from tabletop.rules.validate import MOST, bad, items, member, names, number, one_of, pieces, table, who
from tabletop.rules.value import Ids


def load(data: Json) -> PatricianPosition:
    """Return the position that the data describes.  Raises Illegal (``bad-position``)."""
    if not isinstance(data, dict) or data.get("game") != "patrician":
        raise bad('a position is an object with "game": "patrician"')
    seats = items(member(data, "seats", "the position"), "seats")
    count = len(seats)
    if count not in SEATS:
        raise bad(f"Patrician has 2 to 5 seats, not {count}")
    towns = cities(count)
    turn = table(member(data, "turn", "the position"), "turn")
    phase = one_of(member(turn, "phase", "turn"), "the phase", PHASES)
    market = _by_city(data, "market", towns)
    agreed = data.get("options")
    chosen = options({} if agreed is None else agreed, count, "bad-position")
    position = PatricianPosition.make(
        names=names(seats),
        options=chosen,
        edition=_edition(data, count),
        hands=tuple(tuple(sorted(_cards(seat, "hand", at))) for at, seat in enumerate(seats)),
        played=tuple(_cards(seat, "played", at) for at, seat in enumerate(seats)),
        supply=tuple(
            number(member(seat, "supply", f"seat {at + 1}"), f"the supply of seat {at + 1}", range(SUPPLY[count] + 1))
            for at, seat in enumerate(seats)
        ),
        towers=_towers(data, count),
        market=tuple(market[city.id] for city in towns),
        deck=tuple(sorted(pieces(member(data, "deck", "the position"), "deck", CITY_OF))),
        phase=phase,
        active=chosen.first_seat if phase in ("deal", "setup") else _active(data, count),
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


# The parts, one by one.


def _cards(seat: Json, key: str, at: int) -> Ids:
    return pieces(member(seat, key, f"seat {at + 1}"), f"{key!r} of seat {at + 1}", CITY_OF)


def _active(data: Mapping[str, Json], seats: int) -> int:
    return number(member(data, "active", "the position"), "active", range(seats))


def _edition(data: Mapping[str, Json], seats: int) -> Edition:
    try:
        return Edition.parse(member(data, "edition", "the position"), seats)
    except EditionError as error:
        raise bad(f"the edition: {error}") from error


def _by_city(data: Mapping[str, Json], key: str, towns: tuple[City, ...]) -> Mapping[str, Json]:
    found = table(member(data, key, "the position"), key)
    if set(found) != {city.id for city in towns}:
        raise bad(f"{key!r} must have exactly the cities {', '.join(city.id for city in towns)}")
    return found


def _towers(data: Mapping[str, Json], seats: int) -> tuple[tuple[int, ...], ...]:
    towns = cities(seats)
    built = _by_city(data, "cities", towns)
    towers = []
    for city in towns:
        for site in SITES:
            colours = pieces(member(built[city.id], site, city.id), f"site {site} of {city.id}", COLOURS[:seats])
            towers.append(tuple(COLOURS.index(colour) for colour in colours))
    return tuple(towers)


# The parts against each other.


def _check_cards(position: PatricianPosition) -> None:
    """Every card used is somewhere, once."""
    beside = [one_of(card, "market", CITY_OF) for card in position.market if card is not None]
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


def _check_floors(position: PatricianPosition, data: Mapping[str, Json]) -> None:
    """Every floor is in a supply or on the board, and the colours, scored cities and tokens follow from that."""
    for seat, colour in enumerate(COLOURS[: position.seats]):
        fields = data["seats"][seat]
        if fields.get("colour") != colour:
            raise bad(f"seat {seat + 1} plays {colour}")
        built = sum(tower.count(seat) for tower in position.towers)
        if position.supply[seat] + built != SUPPLY[position.seats]:
            there = f"{position.supply[seat]} in the supply and {built} on the board"
            raise bad(f"there are {SUPPLY[position.seats]} {colour} floors, not {there}")
        won = items(member(fields, "tokens", f"seat {seat + 1}"), f"the tokens of seat {seat + 1}")
        if any(type(token) is not int for token in won) or sorted(won, reverse=True) != tokens(position, seat):
            raise bad(f"the towers give {colour} the tokens {tokens(position, seat)}")
    for at, city in enumerate(position.cities):
        if member(data["cities"][city.id], "scored", city.id) is not position.scored(at):
            raise bad(f"{city.id} must be scored when it is full or the game is over, and only then")


def _with_pending(position: PatricianPosition, data: Mapping[str, Json]) -> PatricianPosition:
    """Return the position with the card that is being played out and the space that is to be filled."""
    if position.phase in ("setup", "reveal"):
        return position.change(space=_empty_space(position, data.get("space")))
    if position.phase not in ("floor", "move", "take"):
        return position
    pending = member(data, "pending", "the position")
    card = one_of(member(pending, "card", "pending"), "pending", CITY_OF)
    left = number(member(pending, "floors", "pending"), "the pending floors", range(MOST))
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
    empty = [at for at, card in enumerate(position.market) if card is None]
    if position.phase == "reveal" and named is not None:
        empty = [at for at in empty if position.cities[at].id == named]
    if not empty:
        raise bad("no market space is empty where a card is to be turned up")
    return empty[0]


def _check_room(position: PatricianPosition) -> None:
    """No city has, or will have, more floors than it takes; a full city has two towers."""
    unplayed = [*position.deck, *(card for hand in position.hands for card in hand), *filter(None, position.market)]
    for at, city in enumerate(position.cities):
        first, second = position.towers[2 * at : 2 * at + 2]
        crests = sum(position.faces[card].crests for card in unplayed if CITY_OF[card] == at)
        coming = crests + (position.left if position.card and position.built == at else 0)
        if len(first) + len(second) + coming > city.capacity:
            floors = len(first) + len(second)
            raise bad(f"{city.id} takes {city.capacity} floors; it has {floors} and {coming} are still to come")
        if position.full(at) and not (first and second):
            raise bad(f"{city.id} is full with an empty site, where its last floor must have gone")


def _check_phase(position: PatricianPosition, turn: Mapping[str, Json]) -> None:
    """The phase has something to decide, by the seat that is named."""
    seat = member(turn, "seat", "turn")
    if type(seat) not in (int, type(None)) or seat != position.decider:
        raise bad(f"in the phase {position.phase} {who(position.decider)} decides")
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
