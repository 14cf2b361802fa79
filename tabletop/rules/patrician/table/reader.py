"""Reads from a layout of Patrician's table which actions were done; for wooden floors two buttons say it.

One function per phase reads the table.  It returns the action that the pieces show, legal or not; refusing it with a
reason is left to the rules.  Within a turn hands may move pieces in any order: a later step that is begun too soon is
waited for, except that a new market card must go back, because it reveals something.
"""

from __future__ import annotations

from typing import TypeAlias

from tabletop.messages import EMPTY, Message, PieceRef
from tabletop.rules.chance_actions import Deal
from tabletop.rules.look import Look
from tabletop.rules.patrician.actions import FLOOR, MOVE, PLAY, REVEAL, TAKE, Move
from tabletop.rules.patrician.components import CITIES, COLOURS, HAND_SIZE, MASON, SITE_ZONES, SITES
from tabletop.rules.patrician.phases.turn import offers
from tabletop.rules.patrician.position import PatricianPosition
from tabletop.rules.table import TableReading, into_hand

PatricianLook: TypeAlias = Look[PatricianPosition]
MARKETS = [f"market{city.id}" for city in CITIES]


def _beside(zone: str) -> str:
    """Return the other site of a site's city."""
    return SITE_ZONES[SITE_ZONES.index(zone) ^ 1]


def _taken(look: PatricianLook) -> list[str]:
    """Return the market cards that were taken: they are in a hand, or shown beside the pile of the deciding seat."""
    return [card for zone in MARKETS for card in look.out(zone, shown=f"show{look.seat}")]


def _begun(look: PatricianLook, moves: bool = True) -> frozenset[str]:
    """Return what may become a legal part of this turn: own floors, one floor moved across, one market card."""
    grown, shrunk = look.grown(), look.shrunk()
    over = [zone for zone, floors in grown.items() if shrunk.get(_beside(zone)) == floors]
    begun = [zone for zone, floors in grown.items() if zone not in over and set(floors) == {COLOURS[look.seat]}]
    if moves:
        begun += [zone for zone, floors in shrunk.items() if len(floors) == 1]
        begun += [zone for zone in over if len(grown[zone]) == 1]
    taken = _taken(look)
    return frozenset(begun + (taken if len(taken) == 1 else []))


def read_deal(look: PatricianLook) -> TableReading:
    """Read the deal: each seat in turn shows its three start cards beside its pile, then takes them up."""
    text = Message("{name}: show your three start cards beside your pile ({seen} of 3 seen).", name="", seen=0)
    return TableReading.of_deal(look, Deal, "show", look.position.due, HAND_SIZE, text, out_of="deck")


def read_reveal(look: PatricianLook) -> TableReading:
    """Read which card of the deck lies beside the city whose space is empty."""
    city, fresh = CITIES[look.position.space], look.turned_up("deck")
    there = [card for card in fresh if look.lying[card] == f"market{city.id}"]
    text = Message("Turn up a card and put it beside {city}.", city=city.title)
    many = Message("Only one card lies beside {city}; put the others back.", city=city.title)
    return TableReading.of_one(there, REVEAL.__getitem__, fresh, waiting=text, many=many)


def read_play(look: PatricianLook) -> TableReading:
    """Read which card is new on the seat's pile."""
    laid = look.came(f"played{look.seat}", "card")
    text = Message("Put a card on your pile.")
    many = Message("Only one card is played; take the others back.")
    return TableReading.of_one(laid, PLAY.__getitem__, _begun(look), waiting=text, many=many)


def read_floor(look: PatricianLook) -> TableReading:
    """Read how many own floors are new on the towers of the card's city.

    A column that was pushed over to the other site counts for nothing.
    """
    position, city, grown = look.position, CITIES[look.position.built], look.grown()
    underway = _begun(look, position.faces[position.card].move)
    # The empty site comes first, so that floors on both sites are legal in the order in which they are read.
    numbers = sorted((2 * position.built, 2 * position.built + 1), key=lambda number: bool(position.towers[number]))
    here = {SITE_ZONES[number]: FLOOR[number % 2] for number in numbers}
    brought = look.gained([*here])
    own = [here[zone] for zone, floor in brought if floor == COLOURS[look.seat]]
    colours = {floor for _, floor in brought}
    others = [seat for seat in range(position.seats) if seat != look.seat and COLOURS[seat] in colours]
    # An own floor in another city may have been moved there from the city's other site.
    far = [zone for zone in underway & grown.keys() if zone not in here and _beside(zone) not in look.shrunk()]
    amiss = EMPTY
    if others:
        amiss = Message("That floor belongs to {name}.", name=look.name(others[0]))
    elif len(own) < position.left and (soon := _too_soon(look)):
        amiss = Message("First the floors: put {card} back on the deck.", card=soon)
    elif far:
        amiss = Message("{card} builds in {city}.", card=PieceRef(position.card), city=city.title)
    if amiss:
        return TableReading(underway=underway.union(look.turned_up("deck")), question=amiss)
    left = Message.plural("one floor", "{count} floors", position.left)
    text = Message("Place {more} in {city}.", more=left, city=city.title)
    if not any(map(look.sees, here)):
        text = Message(
            "Place {more} in {city}: press MONEY for site A or BUILD for site B, or choose on the page.", **text.facts
        )
    return TableReading(own[: position.left], underway, text)


def _too_soon(look: PatricianLook) -> PieceRef | None:
    """Return a market card that was turned up too soon, None if none was."""
    fresh = (card for card in look.turned_up("deck") if look.lying[card].startswith("market"))
    return next(map(PieceRef, fresh), None)


def read_move(look: PatricianLook) -> TableReading:
    """Read the move: the top floor of a tower lies on the other site of its city; others may never have been laid."""
    underway, gone, new = _begun(look), look.shrunk(), look.grown()
    if not any(map(look.sees, SITE_ZONES)):
        return _read_said_move(look, underway)
    over = [zone for zone, floors in gone.items() if new.get(_beside(zone)) == floors[-1:] == floors]
    moves = [MOVE[SITE_ZONES.index(zone)] for zone in over]
    pushed = [zone for zone, floors in gone.items() if floors[1:] and {*floors} & {*new.get(_beside(zone), ())}]
    odd = [*look.mixed(), *pushed, *(over if len(over) > 1 else ())]
    if odd:
        text = Message("Only the top floor of a tower is moved; put the others back.")
        return TableReading(underway=underway.union(odd), question=text)
    soon = _too_soon(look)
    if soon and not moves:
        text = Message("First the move, or PASS: put {card} back on the deck.", card=soon)
        return TableReading(underway=underway.union(look.turned_up("deck")), question=text)
    text = EMPTY if moves else Message("Move the top floor of a tower, or press PASS.")
    return TableReading(moves, underway, text)


def _read_said_move(look: PatricianLook, underway: frozenset[str]) -> TableReading:
    """Read a move of wooden floors: the mason marks the city, a button names the site where the floor stands now."""
    city = next((city.id for city in look.position.cities if city.id in look.lies(MASON)), "")
    if look.confirmed and look.intent in SITES and city:
        return TableReading([Move(city, SITES[1 - SITES.index(look.intent)])], underway)
    text = Message(
        "Lay the mason on the city of your move and press MONEY if the floor now stands on site A, BUILD if on site B; "
        "or press PASS."
    )
    return TableReading(underway=underway, waiting=text, confirms=frozenset({"MONEY", "BUILD"} if city else ()))


def read_take(look: PatricianLook) -> TableReading:
    """Read which market card has left the table, or is shown beside the seat's pile."""
    position, text = look.position, Message("Take a card from beside a city.")
    if offers(position) == (position.market[position.built],):
        text = Message("Take the card beside {city}.", city=CITIES[position.built].title)
    many = Message("Only one card is taken; put the others back.")
    astray = into_hand(look, MARKETS, f"show{look.seat}")
    return TableReading.of_one(_taken(look), TAKE.__getitem__, waiting=astray or text, many=many)
