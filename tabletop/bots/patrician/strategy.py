"""The rules of thumb for Patrician: what each action is worth to the seat that does it."""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from math import exp
from typing import Any

from tabletop.bots.patrician.piles import covered
from tabletop.bots.patrician.weights import Weights
from tabletop.bots.seen import Seen
from tabletop.bots.strategy import Strategy
from tabletop.messages import Message
from tabletop.rules.game import Action, View
from tabletop.rules.patrician.components import CITIES, CITY_NUMBER, CITY_OF, HEAD_SET, HEAD_SET_POINTS, SITES, cards
from tabletop.rules.patrician.phases.towers import Tower, awards
from tabletop.rules.patrician.scoring import heads
from tabletop.rules.patrician.state import State


class PatricianStrategy(Strategy):
    """Builds where it takes or keeps a tower, and plays heads that make three."""

    weights = Weights()

    def may_hide(self, view: View, seen: Seen) -> Mapping[str, Collection[str]]:
        """Return which cards may be hidden where: a seat that watched from the start knows all but dealt cards."""
        every, faces = cards(len(view["seats"])), view["edition"]["cards"]
        if not seen.complete:
            return {"hand": every, "deck": every, "played": every}
        return {"hand": [card for card in every if faces[card]["start"]], "deck": every, "played": ()}

    def recall(self, view: View, seen: Seen) -> Seen:
        """Return what was seen, with the top card of each covered pile, which lies open."""
        known = {**seen.known}
        for seat, data in enumerate(view["seats"]):
            top, place = data["top"], f"seats.{seat}.played"
            if isinstance(data["played"], int) and top is not None and top not in known.get(place, ()):
                known[place] = (*known.get(place, ()), top)
        return Seen(known, seen.complete)

    def suppose(self, view: View, seen: Seen, rng: random.Random) -> Seen:
        """Return what was seen, with guessed cards in the piles if the seat did not watch from the start."""
        guessed = None if seen.complete else covered(view, seen.known, rng)
        if guessed is None:
            return seen
        known = {place: (*cards, *seen.known.get(place, ())) for place, cards in guessed.items()}
        return Seen({**seen.known, **known}, seen.complete)

    def reasons(self, position: Any, action: Action) -> Sequence[Message]:
        """Return what a card that is played or taken brings: its floors, and how many equal heads there are then."""
        card = getattr(action, "card", None)
        if card is None:
            return ()
        face, city = position.faces[card], CITIES[CITY_OF[card]]
        floors = Message.plural("{count} floor in {city}", "{count} floors in {city}", face.crests, city=city.title)
        if not face.heads:
            return [floors]
        count = heads(position, position.active)[face.heads[0]] + len(face.heads)
        same = Message.plural("{count} equal head then", "{count} equal heads then", count)
        return [floors, same]

    def features(self, position: Any, seat: int) -> Sequence[float]:
        """Return the tokens that the seat can expect, what its heads are worth, and whether it is its turn."""
        state: State = position
        towers = state.towers
        tokens = sum(
            _shares(city, towers[2 * city], towers[2 * city + 1], seat, state.seats, self.weights)[0]
            for city in range(len(state.market))
        )
        shown = sum(_head_worth(count, self.weights) for count in heads(state, seat).values())
        return [tokens, shown, float(position.active == seat)]

    def weigh(self, position: Any, legal: Sequence[Action]) -> list[float]:
        """Return what each of the legal actions is worth to the seat that decides, in points."""
        moment = _Moment(position, self.weights)
        return [moment.weigh(action) for action in legal]


class _Moment:
    """What actions are worth in one position; values that several actions need are computed once."""

    def __init__(self, state: State, weights: Weights) -> None:
        self._state, self._weights = state, weights
        self._cards: dict[str, float] = {}

    def weigh(self, action: Any) -> float:
        """Return what an action is worth, in points."""
        match action.do:
            case "play":
                return self._played(action.card)
            case "take":
                return self._card(action.card)
            case "floor":
                return self._built(CITY_OF[self._state.card], action.site)
            case "move":
                return self._moved(CITY_NUMBER[action.city], action.site)
        return 0.0

    def _city(self, city: int, first: Tower, second: Tower) -> float:
        return _beside_rivals(city, first, second, self._state.active, len(self._state.names), self._weights)

    def _built(self, city: int, site: str) -> float:
        first, second = self._state.towers[2 * city : 2 * city + 2]
        seat = self._state.active
        return (
            self._city(city, (*first, seat), second) if site == SITES[0] else self._city(city, first, (*second, seat))
        )

    def _played(self, card: str) -> float:
        """Return what playing a card is worth, with part of the worth of the best card that can then be taken."""
        market = self._state.market
        beside = market[CITY_OF[card]]
        offered = market if self._state.faces[card].any or beside is None else [beside]
        taken = max([self._card(there) for there in offered if there is not None], default=0.0)
        return self._card(card) + self._weights.hand * taken

    def _card(self, card: str) -> float:
        worth = self._cards.get(card)
        if worth is None:
            worth = self._cards[card] = self._worth(card)
        return worth

    def _worth(self, card: str) -> float:
        """Return what playing a card now would earn, with its floors in the best places."""
        state, weights = self._state, self._weights
        city, face, seat = CITY_OF[card], state.faces[card], state.active
        first, second = state.towers[2 * city : 2 * city + 2]
        crests = min(face.crests, state.supply[seat], CITIES[city].capacity - len(first) - len(second))
        now = self._city(city, first, second)
        ways = [(first + (seat,) * (crests - more), second + (seat,) * more) for more in range(crests + 1)]
        best = max([self._city(city, *way) for way in ways])
        return best - now + weights.any_city * face.any + weights.move * face.move + self._heads(face.heads)

    def _heads(self, shown: Sequence[str]) -> float:
        if not shown:
            return 0.0
        there = heads(self._state, self._state.active)[shown[0]]
        return _head_worth(there + len(shown), self._weights) - _head_worth(there, self._weights)

    def _moved(self, city: int, site: str) -> float:
        first, second = self._state.towers[2 * city : 2 * city + 2]
        now = self._city(city, first, second)
        if site == SITES[0]:
            first, second = first[:-1], (*second, first[-1])
        else:
            first, second = (*first, second[-1]), second[:-1]
        return self._city(city, first, second) - now


def _head_worth(count: int, weights: Weights) -> float:
    single = (0.0, weights.head_1, weights.head_2)
    return count // HEAD_SET * HEAD_SET_POINTS + single[count % HEAD_SET]


@lru_cache(maxsize=1 << 16)
def _beside_rivals(city: int, first: Tower, second: Tower, seat: int, seats: int, weights: Weights) -> float:
    """Return what a city is worth to the seat, less a part of its worth to the best other seat."""
    own, *others = _shares(city, first, second, seat, seats, weights)
    return own - weights.rival * max(others)


@lru_cache(maxsize=1 << 16)
def _shares(city: int, first: Tower, second: Tower, seat: int, seats: int, weights: Weights) -> Sequence[float]:
    """Return the points of a city's tokens that the seat can expect, then those that each other seat can."""
    town = CITIES[city]
    room = town.capacity - len(first) - len(second)
    order = [seat, *(other for other in range(seats) if other != seat)]
    if room == 0:
        won = awards(town, first, second)
        return [float(sum([award.points for award in won if award.seat == seat])) for seat in order]
    sharpness = weights.sharpness / (1 + weights.ease * room)
    taller = 1 / (1 + exp(-sharpness * (len(first) - len(second))))
    high, low = town.tokens
    worth = [0.0] * seats
    for tower, chance in ((first, taller), (second, 1 - taller)):
        shares = [exp(sharpness * (tower.count(seat) + weights.top * (tower[-1:] == (seat,)))) for seat in order]
        token = (chance * high + (1 - chance) * low) / sum(shares)
        worth = [before + token * share for before, share in zip(worth, shares, strict=True)]
    return worth
