"""For each kind of action: which ones are legal, why one is not, and what it does.

Each rule is written once, in the ``why_not`` of its action or in a function that it shares with the listing.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any, TypeVar

from tabletop.messages import either
from tabletop.rules.chance_actions import Deal, Reveal
from tabletop.rules.patrician.actions import FLOOR, MOVE, PLAY, REVEAL, SKIP, TAKE, Floor, Move, Play, Skip, Take
from tabletop.rules.patrician.components import CITIES, CITY_NUMBER, CITY_OF, HAND_SIZE, SITES
from tabletop.rules.patrician.state import State
from tabletop.rules.phase import Why, why
from tabletop.rules.value import Ids, replaced

S = TypeVar("S", bound=State)

CAPACITY = tuple(city.capacity for city in CITIES)
SITE_NUMBER = {site: number for number, site in enumerate(SITES)}


# Setup: three start cards to each seat, then a market card beside each city.


def start_cards(state: State) -> Ids:
    """Return the start cards that have not been dealt."""
    faces = state.faces
    return tuple(card for card in state.deck if faces[card].start)


def deals(state: State) -> list[Deal]:
    """List every hand that the seat may be dealt; no two cards are interchangeable."""
    return [Deal(state.due, cards) for cards in combinations(start_cards(state), HAND_SIZE)]


def why_not_deal(state: State, action: Deal) -> Why | None:
    """Return why a deal is refused: three start cards from the deck go to the seat that is due."""
    if misdealt := action.misdealt(state.due, HAND_SIZE):
        return misdealt
    for card in action.cards:
        if card not in state.deck:
            return why("not-in-deck", card=card)
        if not state.faces[card].start:
            return why("not-a-start-card", card=card)
    return None


def deal(state: S, action: Deal) -> S:
    """Give the seat its hand; after the last hand the market is laid out."""
    hands = replaced(state.hands, action.seat, tuple(sorted(action.cards)))
    deck = tuple(card for card in state.deck if card not in action.cards)
    if () in hands:
        return state.change(hands=hands, deck=deck)
    return state.change(hands=hands, deck=deck, phase="setup", space=0)


# Setup and step 5: a market card is turned up.


def reveals(state: State) -> list[Reveal]:
    """List every card of the deck, because its order is unknown."""
    return [REVEAL[card] for card in state.deck]


def why_not_reveal(state: State, action: Reveal) -> Why | None:
    """Return why a card cannot be turned up: only cards of the deck can."""
    return None if action.piece in state.deck else why("not-in-deck", card=action.piece)


def reveal(state: S, action: Reveal) -> S:
    """Lay the card beside the city whose space is empty, whatever city it shows."""
    at = state.deck.index(action.piece)
    deck = state.deck[:at] + state.deck[at + 1 :]
    market = replaced(state.market, state.space, action.piece)
    if state.phase == "reveal":
        return end_turn(state, market=market, deck=deck)
    if None in market:
        return state.change(market=market, deck=deck, space=market.index(None))
    return state.change(market=market, deck=deck, space=-1, phase="play")


# Step 1: play a card.


def plays(state: State) -> list[Play]:
    """List the cards of the hand."""
    return [PLAY[card] for card in state.hands[state.active]]


def why_not_play(state: State, action: Play) -> Why | None:
    """Return why a card cannot be played: only cards of the seat's hand can."""
    return None if action.card in state.hands[state.active] else why("not-in-hand", card=action.card)


def play(state: S, action: Play) -> S:
    """Lay the card on the seat's pile; a floor follows for each of its crests, as long as the supply lasts."""
    seat, card = state.active, action.card
    hand = tuple([held for held in state.hands[seat] if held != card])
    left = min(state.edition.faces[card].crests, state.supply[seat])
    new = state.change(
        hands=replaced(state.hands, seat, hand),
        played=replaced(state.played, seat, (*state.played[seat], card)),
        card=card,
        left=left,
        phase="floor",
    )
    return new if left else after_floors(new)


# Step 2: place floors.


def floors(state: State) -> list[Floor]:
    """List the sites of the played card's city that may take the floor."""
    return [FLOOR[site] for site in (0, 1) if floor_fault(state, site) is None]


def why_not_floor(state: State, action: Floor) -> Why | None:
    """Return why a floor cannot go on a site: either site takes it, unless it is the city's last."""
    site = SITE_NUMBER.get(action.site)
    if site is None:
        return why("unknown-site", site=action.site)
    key = floor_fault(state, site)
    if key is None:
        return None
    city = CITIES[state.built]
    other: dict[str, Any] = {"other": SITES[1 - site]} if key == "must-use-empty-site" else {}
    return why(key, capacity=city.capacity, city=city.title, **other)


def floor_fault(state: State, site: int) -> str | None:
    """Return why a floor may not go on a site: the city is full, or its last floor must go on the empty site."""
    city = CITY_OF[state.card]
    here, there = state.towers[2 * city + site], state.towers[2 * city + 1 - site]
    room = CAPACITY[city] - len(here) - len(there)
    if room > 1:
        return None
    if room < 1:
        return "city-full"
    return "must-use-empty-site" if here and not there else None


def floor(state: S, action: Floor) -> S:
    """Place one floor.  A city that is full needs no other mark to be scored: its towers never change again."""
    seat, at = state.active, 2 * CITY_OF[state.card] + SITE_NUMBER[action.site]
    new = state.change(
        towers=replaced(state.towers, at, (*state.towers[at], seat)),
        supply=replaced(state.supply, seat, state.supply[seat] - 1),
        left=state.left - 1,
    )
    return new if new.left else after_floors(new)


# Step 3: move a top floor, or do without.


def possible_moves(state: State) -> Iterator[Move]:
    """Iterate over the legal moves."""
    for city in range(len(state.market)):
        if city_fault(state, city) is None:
            for site in (0, 1):
                if site_fault(state, city, site) is None:
                    yield MOVE[2 * city + site]


def can_move(state: State) -> bool:
    """Return whether some move is legal."""
    return next(possible_moves(state), None) is not None


def why_not_move(state: State, action: Move) -> Why | None:
    """Return why a move is refused: the city is judged first, then the site that loses its top floor."""
    city, site = CITY_NUMBER.get(action.city), SITE_NUMBER.get(action.site)
    if city is None or city >= len(state.market):
        return why("unknown-city", city=action.city)
    if site is None:
        return why("unknown-site", site=action.site)
    title = CITIES[city].title
    key = city_fault(state, city)
    if key is not None:
        movable = dict.fromkeys(CITIES[CITY_NUMBER[move.city]].title for move in possible_moves(state))
        capacity: dict[str, Any] = {"capacity": CAPACITY[city]} if key == "city-scored" else {}
        return why(key, city=title, **capacity, movable=either([*movable]))
    key = site_fault(state, city, site)
    if key is None:
        return None
    other: dict[str, Any] = {"other": SITES[1 - site]} if key == "empty-site" else {}
    return why(key, site=action.site, city=title, **other)


def city_fault(state: State, city: int) -> str | None:
    """Return why the seat may not move in a city: just built in, scored, or without a floor of its own."""
    if city == state.built:
        return "own-city-just-built"
    if state.full(city):
        return "city-scored"
    own = state.active in state.towers[2 * city] or state.active in state.towers[2 * city + 1]
    return None if own else "no-own-floor"


def site_fault(state: State, city: int, site: int) -> str | None:
    """Return why a site may not lose its top floor: it has none, or an option forbids emptying a site."""
    height = len(state.towers[2 * city + site])
    if height == 0:
        return "empty-site"
    return "would-empty-site" if height == 1 and not state.options.move_may_empty_site else None


def move(state: S, action: Move) -> S:
    """Put the top floor of the site on the city's other site."""
    at = 2 * CITY_NUMBER[action.city] + SITE_NUMBER[action.site]
    towers = list(state.towers)
    towers[at ^ 1] = (*towers[at ^ 1], towers[at][-1])
    towers[at] = towers[at][:-1]
    return after_move(state.change(towers=tuple(towers)))


def skips(state: State) -> list[Skip]:
    """List skipping the move, which can be chosen if some move is legal."""
    return [SKIP] if can_move(state) else []


def skip(state: S, _action: Skip) -> S:
    """Skip the move."""
    return after_move(state)


# Step 4: take a market card.


def offers(state: State) -> Ids:
    """Return the market cards that the seat may take.

    That is the card beside the city just built in, or any card if the played card says so or that space is empty.
    """
    own = state.market[CITY_OF[state.card]]
    if own is None or state.edition.faces[state.card].any:
        return tuple([card for card in state.market if card is not None])
    return (own,)


def takes(state: State) -> list[Take]:
    """List the market cards that the seat may take."""
    return [TAKE[card] for card in offers(state)]


def why_not_take(state: State, action: Take) -> Why | None:
    """Return why a card cannot be taken: it must lie in the market, beside the right city."""
    if action.card in offers(state):
        return None
    if action.card not in state.market:
        return why("not-in-market", card=action.card)
    beside, city = CITIES[state.market.index(action.card)].title, CITIES[state.built].title
    return why("wrong-market", card=action.card, beside=beside, city=city, offer=offers(state)[0])


def take(state: S, action: Take) -> S:
    """Take the card into the hand; its space is filled again as long as the deck lasts."""
    seat, space = state.active, state.market.index(action.card)
    market = replaced(state.market, space, None)
    hands = replaced(state.hands, seat, tuple(sorted((*state.hands[seat], action.card))))
    if state.deck:
        return state.change(market=market, hands=hands, card="", phase="reveal", space=space)
    return end_turn(state, market=market, hands=hands)


# What follows.


def after_floors(state: S) -> S:
    """Go on to the move if the card shows one and one is legal, else past it."""
    if state.edition.faces[state.card].move and can_move(state):
        return state.change(phase="move")
    return after_move(state)


def after_move(state: S) -> S:
    """Go on to taking a card, or past it if no market card is left."""
    return state.change(phase="take") if any(state.market) else end_turn(state)


def end_turn(state: S, **fields: Any) -> S:
    """Go on to the next seat that has cards, with the other fields changed; if none has any, the game is over."""
    hands = fields.get("hands", state.hands)
    seats, active = len(hands), state.active
    for seat in (*range(active + 1, seats), *range(active + 1)):
        if hands[seat]:
            return state.change(phase="play", active=seat, card="", left=0, space=-1, **fields)
    return state.change(phase="over", card="", left=0, space=-1, **fields)
