"""The rules of thumb of Patrician: what each action is worth to the seat that does it."""

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
from tabletop.rules.patrician.components import CITIES, CITY_OF, HEAD_SET, HEAD_SET_POINTS, NUMBER, SITES, cards
from tabletop.rules.patrician.phases.towers import Tower, awards
from tabletop.rules.patrician.scoring import heads
from tabletop.rules.patrician.state import State


class PatricianStrategy(Strategy):
    """Builds where it takes or keeps a tower, and plays heads that make three."""

    weights = Weights()

    def may_hide(self, view: View, seen: Seen) -> Mapping[str, Collection[str]]:
        """Return the cards; who watched from the beginning saw all that was played, and what was dealt had a star."""
        every, faces = cards(len(view["seats"])), view["edition"]["cards"]
        if not seen.complete:
            return {"hand": every, "deck": every, "played": every}
        return {"hand": [card for card in every if faces[card]["start"]], "deck": every, "played": ()}

    def recall(self, view: View, seen: Seen) -> Seen:
        """Return what was seen with the top of each covered pile, which lies open."""
        known = {**seen.known}
        for seat, data in enumerate(view["seats"]):
            top, place = data["top"], f"seats.{seat}.played"
            if isinstance(data["played"], int) and top is not None and top not in known.get(place, ()):
                known[place] = (*known.get(place, ()), top)
        return Seen(known, seen.complete)

    def suppose(self, view: View, seen: Seen, rng: random.Random) -> Seen:
        """Return what was seen with cards for the piles, of which somebody who came later knows nothing."""
        guessed = None if seen.complete else covered(view, seen.known, rng)
        if guessed is None:
            return seen
        known = {place: (*cards, *seen.known.get(place, ())) for place, cards in guessed.items()}
        return Seen({**seen.known, **known}, seen.complete)

    def reasons(self, position: Any, action: Action) -> Sequence[Message]:
        """Return what a card places and which heads it shows, for a card that is played or taken."""
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
        shown = sum(self._head_worth(count) for count in heads(state, seat).values())
        return [tokens, shown, float(position.active == seat)]

    def weigh(self, position: Any, legal: Sequence[Action]) -> list[float]:
        """Return what each of the legal actions is worth to the seat that decides, in points."""
        state: State = position
        match state.phase:
            case "play":
                return [self._played(state, action.card) for action in legal]  # type: ignore[attr-defined]
            case "take":
                return [self._card(state, action.card) for action in legal]  # type: ignore[attr-defined]
            case "floor":
                city = CITY_OF[state.card]
                pair = state.towers[2 * city : 2 * city + 2]
                return [
                    self._built(city, pair, action.site, state)  # type: ignore[attr-defined]
                    for action in legal
                ]
        return [self._moved(state, action) for action in legal]

    def _city(self, city: int, first: Tower, second: Tower, state: State) -> float:
        """Return what a city is worth to the active seat beside the best other one."""
        own, *others = _shares(city, first, second, state.active, state.seats, self.weights)
        rival: float = self.weights.rival
        return own - rival * max(others)

    def _built(self, city: int, pair: Sequence[Tower], site: str, state: State) -> float:
        first, second = pair
        if site == SITES[0]:
            return self._city(city, (*first, state.active), second, state)
        return self._city(city, first, (*second, state.active), state)

    def _played(self, state: State, card: str) -> float:
        """Return what playing a card brings, and the best card that can be taken then, which is played later."""
        beside = state.market[CITY_OF[card]]
        free = state.faces[card].any or beside is None
        offered = [there for there in state.market if there is not None] if free else [beside]
        taken = max([self._card(state, there) for there in offered if there is not None], default=0.0)
        hand: float = self.weights.hand
        return self._card(state, card) + hand * taken

    def _card(self, state: State, card: str) -> float:
        """Return what playing a card now would bring, with its floors where they are best."""
        city, face, weights = CITY_OF[card], state.faces[card], self.weights
        first, second = state.towers[2 * city : 2 * city + 2]
        room, seat = CITIES[city].capacity - len(first) - len(second), state.active
        crests = min(face.crests, state.supply[seat], room)
        now = self._city(city, first, second, state)
        best = max(
            self._city(city, first + (seat,) * (crests - more), second + (seat,) * more, state)
            for more in range(crests + 1)
        )
        bonus: float = weights.any_city * face.any + weights.move * face.move
        return best - now + bonus + self._heads(state, face.heads)

    def _heads(self, state: State, shown: Sequence[str]) -> float:
        if not shown:
            return 0.0
        there = heads(state, state.active)[shown[0]]
        return self._head_worth(there + len(shown)) - self._head_worth(there)

    def _head_worth(self, count: int) -> float:
        single = (0.0, self.weights.head_1, self.weights.head_2)
        return count // HEAD_SET * HEAD_SET_POINTS + single[count % HEAD_SET]

    def _moved(self, state: State, action: Any) -> float:
        if action.do != "move":
            return 0.0
        city = NUMBER[action.city]
        first, second = state.towers[2 * city : 2 * city + 2]
        now = self._city(city, first, second, state)
        if action.site == SITES[0]:
            first, second = first[:-1], (*second, first[-1])
        else:
            first, second = (*first, second[-1]), second[:-1]
        return self._city(city, first, second, state) - now


@lru_cache(maxsize=1 << 16)
def _shares(city: int, first: Tower, second: Tower, seat: int, seats: int, weights: Weights) -> Sequence[float]:
    """Return the tokens of a city that the seat can expect, then those that each other one can."""
    town = CITIES[city]
    room = town.capacity - len(first) - len(second)
    order = [seat, *(other for other in range(seats) if other != seat)]
    if room == 0:
        won = awards(town, first, second)
        return [float(sum([award.points for award in won if award.seat == one])) for one in order]
    sharpness = weights.sharpness / (1 + weights.ease * room)
    taller = 1 / (1 + exp(-sharpness * (len(first) - len(second))))
    high, low = town.tokens
    worth = [0.0] * seats
    for tower, chance in ((first, taller), (second, 1 - taller)):
        shares = [exp(sharpness * (tower.count(one) + weights.top * (tower[-1:] == (one,)))) for one in order]
        token = (chance * high + (1 - chance) * low) / sum(shares)
        worth = [before + token * share for before, share in zip(worth, shares, strict=True)]
    return worth
