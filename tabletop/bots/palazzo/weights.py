"""The weights of the rules of thumb for Palazzo; the defaults here were guessed, better ones are learned."""

from __future__ import annotations

from typing import NamedTuple


class Weights(NamedTuple):
    """The weights of the rules of thumb; the defaults were guessed, not learned.

    Attributes:
        hope_1: what a palazzo of one tile may still gain at the beginning of a game; ``hope_2`` … ``hope_4`` likewise.
        foot: the weight of a missing floor below relative to one above, for the room that a palazzo has.
        pure: what one material is worth while a palazzo grows; ``pure_more`` for each tile from the third on.
        crowd: what a new palazzo costs for each existing one.
        urgency: the factor from the share of the game left to the share of hope that counts (at most 1).
        insertion: what it costs, in points, to insert a tile by a rebuild.
        further: the worth of each further tile relative to the one before.
        money_a_point: how much money a point is worth.
        purse_lost: the extra cost of each coin that the purse loses by paying; ``card_lost`` of each card.
        bid_price: the factor by which money is dearer in an auction.
        late_money: the least worth of money, at the end of the game, relative to the beginning.
        money: what the money action is worth with an empty purse.
        money_a_coin: how much less it is worth for each coin in the purse.
        money_late: how much less it is worth at the end of the game.
        build: what the build action is worth, with ``enough`` in the purse.
        build_a_coin: how much more it is worth for each coin.
        build_most: the most that coins can add to its worth.
        build_buy: the weight of what the seat could then buy, with one more tile in the warehouse.
        build_auction: the weight of what the next quarry offers.
        enough: the purse, in coins, with which building is worth ``build``.
        rebuild: what a rebuild must gain.
        rebuild_pay: the cost of each coin of the card that pays for it.
        face: what each coin of a card is worth beyond what it adds to the purse.
        group: what each card of the same value in another currency adds to the worth of a card.
        certificate: what a certificate is worth beyond its face.
        auction: the weight of an auction's tiles for the seat that starts it.
        auction_rival: the weight, against that, of what they are worth to the best other seat.
        bid_card: the cost of each card in a bid.
        rival: the weight of a tile's worth to the best other seat for a seat that takes it.
    """

    hope_1: float = 8.0
    hope_2: float = 6.5
    hope_3: float = 3.5
    hope_4: float = 2.0
    foot: float = 0.5
    pure: float = 1.0
    pure_more: float = 0.0
    crowd: float = 0.0
    urgency: float = 1.5
    insertion: float = 3.0
    further: float = 0.9
    money_a_point: float = 2.2
    purse_lost: float = 0.0
    card_lost: float = 0.0
    bid_price: float = 1.0
    late_money: float = 0.3
    money: float = 3.0
    money_a_coin: float = 0.12
    money_late: float = 1.0
    build: float = 1.0
    build_a_coin: float = 0.12
    build_most: float = 1.5
    build_buy: float = 0.0
    build_auction: float = 0.0
    enough: float = 14.0
    rebuild: float = 2.0
    rebuild_pay: float = 0.0
    face: float = 0.3
    group: float = 2.0
    certificate: float = 0.0
    auction: float = 0.55
    auction_rival: float = 0.0
    bid_card: float = 0.05
    rival: float = 0.0
