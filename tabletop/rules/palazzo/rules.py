"""The phases of Palazzo: what each one waits for, and the rule of each kind of action in it."""

from __future__ import annotations

from collections.abc import Mapping

from tabletop.messages import Message
from tabletop.rules.palazzo.phases import auction, buying, chance, placing, rebuilding, turn
from tabletop.rules.phase import Phase, Rule, never

REVEAL = Rule(chance.reveals, chance.why_not_reveal, chance.reveal)

PHASES: Mapping[str, Phase] = {
    "setup": Phase(Message("turning up the first five tiles"), reveal=REVEAL),
    "deal": Phase(Message("dealing the cards"), deal=Rule(chance.deals, chance.why_not_deal, chance.deal)),
    "action": Phase(
        Message("the choice of money, build or rebuild"),
        money=Rule(turn.money_options, turn.why_not_money, turn.money),
        build=Rule(turn.build_options, never, turn.build),
        rebuild=Rule(rebuilding.rebuilds, rebuilding.why_not_rebuild, rebuilding.rebuild),
    ),
    "reveal": Phase(Message("turning up what comes from the stack"), reveal=REVEAL),
    "take": Phase(Message("taking a money card from the row"), take=Rule(turn.takes, turn.why_not_take, turn.take)),
    "choose": Phase(
        Message("the choice to buy or to auction"),
        buy=Rule(buying.buys, buying.why_not_buy, buying.buy, buying.thrifty_buys),
        auction=Rule(auction.auctions, never, auction.auction),
    ),
    "bid": Phase(
        Message("a bid or a pass"),
        bid=Rule(auction.bids, auction.why_not_bid, auction.bid, auction.thrifty_bids),
        **{"pass": Rule(auction.passes, never, auction.pass_)},
    ),
    "claim": Phase(
        Message("claiming a handed-out tile"), claim=Rule(auction.claims, auction.why_not_claim, auction.claim)
    ),
    "place": Phase(
        Message("placing the new tile"),
        place=Rule(placing.places, placing.why_not_place, placing.place),
        scrap=Rule(placing.scraps, placing.why_not_scrap, placing.scrap),
    ),
    "over": Phase(),
}
