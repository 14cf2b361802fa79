"""The rules of thumb for Palazzo: what each action is worth to the seat that does it."""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Mapping, Sequence
from operator import itemgetter
from typing import Any

from tabletop.bots.palazzo.reasons import reasons
from tabletop.bots.palazzo.weights import Weights
from tabletop.bots.palazzo.worth import PalazziWorth, money, purse, time_left
from tabletop.bots.seen import Seen
from tabletop.bots.strategy import Outlook, Strategy
from tabletop.messages import Message
from tabletop.rules.game import Action, View
from tabletop.rules.palazzo.actions import Auction, Bid, Build, Buy, Pass, Place, Rebuild
from tabletop.rules.palazzo.components import MONEY, VALUE
from tabletop.rules.palazzo.phases.auction import goal, thrifty_bids
from tabletop.rules.palazzo.phases.buying import choices, thrifty_payments
from tabletop.rules.palazzo.phases.palazzi import Column, points
from tabletop.rules.palazzo.phases.turn import money_options
from tabletop.rules.palazzo.state import State
from tabletop.rules.value import Ids, without_all

BUILD, AUCTION, PASS = Build(), Auction(), Pass()


class PalazzoStrategy(Strategy):
    """Buys what helps its palazzi, bids up to what the tiles are worth to it, and repairs what it can."""

    weights = Weights()
    kind_weights: Mapping[str, float] = {"build": 4, "money": 3, "place": 6}
    """Building outweighs money so that games end; no kind is so rare that some rule is never exercised."""

    def __init__(self, weights: Weights | None = None, outlook: Outlook = Outlook()) -> None:  # noqa: B008 - a tuple
        super().__init__(weights, outlook)
        self._worth = PalazziWorth(self.weights)

    def may_hide(self, view: View, seen: Seen) -> Mapping[str, Collection[str]]:
        """Return the money cards: no tile is ever in a hand."""
        return {"hand": MONEY, "deck": MONEY}

    def reasons(self, position: Any, action: Action) -> Sequence[Message]:
        """Return in the game's words why one would do the action, the weightiest first."""
        return reasons(position, action)

    def features(self, position: Any, seat: int) -> Sequence[float]:
        """Return points, hopes, money in hand (which counts while there is time to spend it), palazzi and turn."""
        left, own, hand = time_left(position), position.palazzi[seat], position.hands[seat]
        hope, has = self._worth.hope(left), [points(column) for column in own]
        hopes = sum([self._worth.column(column, hope) for column in own]) - sum(has)
        turn = left if position.active == seat else 0.0
        return [sum(has), hopes, purse(hand) * left, sum([VALUE[card] for card in hand]) * left, len(own) * left, turn]

    def weigh(self, position: Any, legal: Sequence[Action]) -> list[float]:
        """Return what each of the legal actions is worth to the seat that decides, in points."""
        moment = _Moment(position, self._worth)
        return [moment.weigh(action) for action in legal]

    def act(self, position: Any, rng: random.Random) -> Action:
        """Return the action that is worth most, without listing every payment for every tile."""
        way = BEST_BY_PHASE.get(position.phase)
        return super().act(position, rng) if way is None else way(_Moment(position, self._worth))


class _Moment:
    """What actions are worth in one position; values that several actions need are computed once."""

    def __init__(self, state: State, worth: PalazziWorth) -> None:
        self._state, self._worth, self._weights = state, worth, worth.weights
        self._left = time_left(state)
        self._hope = worth.hope(self._left)
        self._palazzi, self._hand = state.palazzi[state.seat], state.hands[state.seat]
        self._gains: dict[Ids, float] = {}
        self._prices: dict[Ids, float] = {}

    def weigh(self, action: Any) -> float:
        """Return what an action is worth, in points."""
        weighing = WEIGHINGS.get(action.do)
        return 0.0 if weighing is None else weighing(self, action)

    def _money(self, _: Action) -> float:
        weights = self._weights
        return weights.money - weights.money_a_coin * purse(self._hand) - weights.money_late * (1 - self._left)

    def _build(self, _: Action) -> float:
        weights = self._weights
        more = (purse(self._hand) - weights.enough) * weights.build_a_coin
        worth = min(weights.build_most, more) + weights.build
        if weights.build_buy:
            worth += weights.build_buy * self._bargain()
        if weights.build_auction:
            worth += weights.build_auction * self._next_quarry()
        return worth

    def _bargain(self) -> float:
        """Return what the best tile of the warehouse is worth beyond its price once one more tile has come."""
        state = self._state
        price = state.price_after_build
        if price > purse(self._hand):
            return 0.0
        gains = [self._of_all((tile,)) for tile in state.warehouse]
        return max(0.0, max(gains, default=0.0) - self._price(price))

    def _next_quarry(self) -> float:
        quarry = goal(self._state)
        return 0.0 if quarry is None else self._of_all(self._state.quarries[quarry - 1])

    def _rebuild(self, action: Rebuild) -> float:
        weights, (now, hope) = self._weights, self._worth.changes(self._palazzi)[action[:3]]
        return now + self._hope * hope - weights.rebuild - weights.rebuild_pay * VALUE[action.pay]

    def _take(self, action: Any) -> float:
        """Return what a card adds to the purse, and a little for a group that it may complete."""
        hand, card, weights = self._hand, action.card, self._weights
        more = purse(tuple(sorted((*hand, card)))) - purse(hand)
        same = {other[0] for other in hand if other[1] == card[1] and other[0] != card[0]}
        certificate = weights.certificate if card[0] == "C" else 0.0
        return more + VALUE[card] * weights.face + weights.group * len(same) + certificate

    def _buy(self, action: Buy) -> float:
        price = self._prices.get(action.pay)
        if price is None:
            price = self._prices[action.pay] = self._cost(action.pay, 0)
        return self._of_all(action.tiles) - price

    def _cost(self, cards: Ids, before: int) -> float:
        """Return what it costs, in points, to add these cards to a payment that is already worth ``before``."""
        weights, price = self._weights, self._price(money(cards) + before)
        if weights.purse_lost or weights.card_lost:
            lost = purse(self._hand) - purse(without_all(self._hand, cards))
            price += (weights.purse_lost * lost + weights.card_lost * len(cards)) * self._left
        return price

    def _price(self, value: int) -> float:
        return value / self._weights.money_a_point * max(self._weights.late_money, self._left)

    def _of_all(self, tiles: Ids) -> float:
        gain = self._gains.get(tiles)
        if gain is None:
            gain = self._worth.gain_of_all(self._palazzi, tiles, self._hope)
            if self._weights.rival:
                gain += self._weights.rival * self._to_rivals(tiles)
            self._gains[tiles] = gain
        return gain

    def _to_rivals(self, tiles: Ids) -> float:
        others = [palazzi for seat, palazzi in enumerate(self._state.palazzi) if seat != self._state.seat]
        return max([self._worth.gain_of_all(palazzi, tiles, self._hope) for palazzi in others])

    def _auction(self, _: Action) -> float:
        quarry = goal(self._state)
        if quarry is None:
            return 0.0
        tiles, weights = self._state.quarries[quarry - 1], self._weights
        worth = weights.auction * self._of_all(tiles)
        return worth - weights.auction_rival * self._to_rivals(tiles) if weights.auction_rival else worth

    def _bid(self, action: Bid) -> float:
        """Return what winning with this bid gains: the tiles' worth minus the bid's cost."""
        state = self._state
        return self._of_all(state.quarry) - self._bidding(action, state.bid_of(state.seat))

    def _bidding(self, action: Bid, before: int) -> float:
        """Return what a bid costs, in points, if the seat has already bid ``before``."""
        weights = self._weights
        return self._cost(action.cards, before) * weights.bid_price + weights.bid_card * len(action.cards)

    def _claim(self, action: Any) -> float:
        return self._of_all((action.tile,))

    def _place(self, action: Place) -> float:
        worth, hope = self._worth.column, self._hope
        if action.onto is None:
            return worth((action.tile,), hope) - self._weights.crowd * len(self._palazzi)
        column: Column = next(column for column in self._palazzi if column[-1] == action.onto)
        return worth((*column, action.tile), hope) - worth(column, hope)

    # The best of many actions, each part chosen by itself

    def best_of_turn(self) -> Action:
        """Return money, build or the best rebuild, whose card is chosen independently of its tile."""
        options: list[tuple[float, Action]] = [(self._build(BUILD), BUILD)]
        options += [(self._money(option), option) for option in money_options(self._state)]
        if self._hand and self._palazzi:
            hope, brought = self._hope, self._worth.changes(self._palazzi)
            change = max(brought, key=lambda way: brought[way][0] + hope * brought[way][1])
            dear = -1 if self._weights.rebuild_pay < 0 else 1
            rebuild = Rebuild(*change, min(self._hand, key=lambda card: dear * VALUE[card]))
            options.append((self._rebuild(rebuild), rebuild))
        return max(options, key=itemgetter(0))[1]

    def best_purchase(self) -> Action:
        """Return the auction or the best tiles with the cheapest payment for that many."""
        state = self._state
        best = [self._cheapest(ways, 0) for ways in thrifty_payments(state)]
        found: tuple[float, Ids, Ids] | None = None
        for tiles in choices(state.warehouse, len(best)) if best else ():
            cost, cards = best[len(tiles) - 1] or (0.0, None)
            if cards is not None:
                worth = self._of_all(tiles) - cost
                found = (worth, tiles, cards) if found is None or worth > found[0] else found
        return AUCTION if found is None or self._auction(AUCTION) > found[0] else Buy(found[1], found[2])

    def best_bid(self) -> Action:
        """Return the cheapest bid if the tiles are worth it, else the pass."""
        state = self._state
        before = state.bid_of(state.seat)
        costs = [(self._bidding(bid, before), bid) for bid in thrifty_bids(state)]
        cost, bid = min(costs, key=itemgetter(0), default=(0.0, None))
        return PASS if bid is None or self._of_all(state.quarry) < cost else bid

    def _cheapest(self, ways: Sequence[Ids], before: int) -> tuple[float, Ids] | None:
        return min([(self._cost(cards, before), cards) for cards in ways], default=None)


WEIGHINGS: Mapping[str, Callable[[_Moment, Any], float]] = {
    "money": _Moment._money,
    "build": _Moment._build,
    "rebuild": _Moment._rebuild,
    "take": _Moment._take,
    "buy": _Moment._buy,
    "auction": _Moment._auction,
    "bid": _Moment._bid,
    "claim": _Moment._claim,
    "place": _Moment._place,
}
"""Kind of action → the function that weighs it; other kinds are worth nothing."""
BEST_BY_PHASE: Mapping[str, Callable[[_Moment], Action]] = {
    "action": _Moment.best_of_turn,
    "choose": _Moment.best_purchase,
    "bid": _Moment.best_bid,
}
"""Phase with many legal actions → the function that finds the best one."""
