"""A player who weighs what tiles are worth to him against what they cost."""

from __future__ import annotations

import random
from collections.abc import Sequence

from tabletop.bots.palazzo import worth
from tabletop.rules.game import Action, View
from tabletop.rules.palazzo.components import FLOOR

ENOUGH = 14
"""With a purse like this one can think of building."""
AUCTION_SHARE = 0.55
"""What the tiles of an auction are worth to the seat that starts it, beside those it can buy: others also bid."""


class ThriftyPlayer:
    """Plays decently: buys what helps its palazzi, bids up to what the tiles are worth to it, mends what it can."""

    def choose(self, view: View, legal: Sequence[Action], rng: random.Random) -> Action:
        """Return the legal action with the highest estimate; the generator decides between equals."""
        return max(legal, key=lambda action: (self._estimate(view, action), rng.random()))

    def _estimate(self, view: View, action: Action) -> float:
        """Return what an action is worth, in points; only differences within one list mean anything."""
        facts = action.to_json()
        left, palazzi = worth.time_left(view), worth.columns(view)
        match action.do:
            case "money":
                return 3.0 - 0.12 * worth.purse(worth.own(view)["hand"]) - (1 - left)
            case "build":
                return min(1.5, (worth.purse(worth.own(view)["hand"]) - ENOUGH) * 0.12) + 1.0
            case "rebuild":
                return self._rebuilt(palazzi, facts["kind"], facts["tile"], facts.get("onto"), left) - 2.0
            case "take":
                return self._card(worth.own(view)["hand"], facts["card"])
            case "buy":
                cost = worth.money(facts["pay"]) / worth.MONEY_A_POINT
                return worth.gain_of_all(palazzi, facts["tiles"], left) - cost * max(0.3, left)
            case "auction":
                return AUCTION_SHARE * self._offered_next(view, palazzi, left)
            case "bid":
                return self._bid(view, palazzi, left, facts["cards"])
            case "claim":
                return worth.gain(palazzi, facts["tile"], left)
            case "place":
                grown = worth.placed(palazzi, facts["tile"], facts["onto"])
                return sum(worth.column_worth(c, left) for c in grown) - sum(
                    worth.column_worth(c, left) for c in palazzi
                )
        return 0.0

    def _rebuilt(self, palazzi: Sequence[worth.Column], kind: str, tile: str, onto: str | None, left: float) -> float:
        """Return what a rebuild gains."""
        home = next(column for column in palazzi if tile in column)
        before = worth.column_worth(home, left)
        rest = tuple(other for other in home if other != tile)
        if kind == "scrap":
            return -before
        if kind == "lift":
            return worth.column_worth(rest, left) + worth.column_worth((tile,), left) - before
        target = next(column for column in palazzi if onto in column)
        grown = tuple(sorted((*target, tile), key=lambda t: FLOOR[t]))
        return worth.column_worth(grown, left) - worth.column_worth(target, left) - before

    def _card(self, hand: Sequence[str], card: str) -> float:
        """Return what a card is worth to a hand: what it adds to the purse, and a little for a group in sight."""
        more = worth.purse([*hand, card]) - worth.purse(hand)
        same = {other[0] for other in hand if other[1] == card[1] and other[0] != card[0]}
        return more + int(card[1]) * 0.3 + 2.0 * len(same)

    def _offered_next(self, view: View, palazzi: Sequence[worth.Column], left: float) -> float:
        """Return what lies on the next quarry that holds a tile is worth to this seat."""
        quarries, architect = view["quarries"], view["architect"]
        for step in range(1, 5):
            tiles = quarries[(architect - 1 + step) % 4]
            if tiles:
                return worth.gain_of_all(palazzi, tiles, left)
        return 0.0

    def _bid(self, view: View, palazzi: Sequence[worth.Column], left: float, cards: Sequence[str]) -> float:
        """Return what winning with this bid leaves: worth less cost, slightly less for each card given away."""
        seat = str(view["turn"]["seat"])
        laid = view["auction"]["laid"].get(seat, [])
        total = worth.money(cards) + sum(worth.money(act) for act in laid)
        offered = view["quarries"][view["architect"] - 1]
        value = worth.gain_of_all(palazzi, offered, left)
        return value - total / worth.MONEY_A_POINT * max(0.3, left) - 0.05 * len(cards)
