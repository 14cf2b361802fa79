"""The numbers in the rules of thumb of Palazzo: those of a thrifty person here, or better ones that were learned."""

from __future__ import annotations

from typing import NamedTuple


class Weights(NamedTuple):
    """Each number of the rules of thumb; those here were guessed, not learned.

    Attributes:
        hope_1: what a palazzo of one tile may still gain at the beginning of a game; so ``hope_2`` … ``hope_4``.
        foot: what a missing floor below counts beside one above, for the room that a palazzo has.
        pure: what one material is worth while a palazzo grows; ``pure_more`` for each tile from the third on.
        crowd: what a new palazzo costs for each existing one.
        urgency: how much later than half of the game hopes begin to fade.
        insertion: what it costs, in points, to take a tile in by a rebuild.
        further: what each further tile is worth beside the one before.
        money_a_point: how much money one gives for a point.
        purse_lost: what each coin that the purse loses by paying counts beyond that; ``card_lost`` what each card does.
        bid_price: how much dearer money is in an auction.
        late_money: the least that money is worth, at the end of the game beside the beginning.
        money: what the money action is worth with an empty purse.
        money_a_coin: how much less it is worth for each coin in the purse.
        money_late: how much less it is worth at the end of the game.
        build: what the build action is worth, with ``enough`` in the purse.
        build_a_coin: how much more it is worth for each coin.
        build_most: how much more it is worth at most.
        build_buy: how much what the seat could buy then counts, with one more tile in the warehouse.
        build_auction: how much what the next quarry offers counts.
        enough: a purse with which building is worth considering.
        rebuild: what a rebuild must gain.
        rebuild_pay: what each coin of the card that pays for it counts.
        face: what each coin of a card is worth beyond what it adds to the purse.
        group: what each card of the same value in another currency makes a card worth.
        certificate: what a certificate is worth beyond its face.
        auction: what the tiles of an auction are worth to the seat that starts it.
        auction_rival: how much what they are worth to the best other seat lessens that.
        bid_card: what each card in a bid counts.
        rival: how much a tile's worth to the best other seat counts for one that takes it.
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
