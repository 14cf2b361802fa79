"""Palazzo's rules in short."""

from __future__ import annotations

from collections.abc import Mapping

from tabletop.messages import N_
from tabletop.web.games.help import Topic

TOPICS = (
    Topic(
        "setup",
        N_("Setup"),
        N_("Each quarry and the warehouse start with one tile; everyone has a secret hand of four money cards."),
        ["Setup"],
    ),
    Topic(
        "turn",
        N_("A turn"),
        N_(
            "Do exactly one of three things: turn up money; build (two tiles are turned up, then you buy or "
            "auction); or rebuild. Then it is the next seat’s turn, no matter who won an auction."
        ),
        ["A turn"],
    ),
    Topic(
        "money",
        N_("Money"),
        N_(
            "One more card is turned up than there are seats: you take two, then every other seat takes one. Pay "
            "with cards of one currency; certificates (2 each) and groups go with any. A group is the same value "
            "in all three currencies, or three certificates; played together it is worth 15. When the deck runs "
            "out, the discards are shuffled into a new one."
        ),
        ["Money"],
    ),
    Topic(
        "build",
        N_("Build"),
        N_(
            "Two tiles are turned up: from stack I until it runs out, then II, then III. The first goes to the "
            "warehouse. The second goes to the quarry found by counting its windows clockwise from the architect. "
            "An end tile is set aside and not replaced. Then you buy or auction."
        ),
        [],
    ),
    Topic(
        "buy",
        N_("Buy"),
        N_(
            "Buy one or two tiles from the warehouse. Each costs 10 minus the number of tiles there, including the "
            "new one. You may pay too much, but there is no change."
        ),
        ["Buy"],
    ),
    Topic(
        "auction",
        N_("Auction"),
        N_(
            "The architect moves clockwise to the next quarry with tiles; all of them are auctioned together. The "
            "start certificate opens with 3 for the seat that called the auction. In turn, each seat adds cards "
            "until it has the highest bid, or passes and takes its cards back. The winner discards the cards it "
            "bid and takes the tiles. Your first card of a currency fixes your currency; groups and certificates "
            "do not."
        ),
        ["Auction"],
    ),
    Topic(
        "hand-out",
        N_("Hand-out"),
        N_(
            "Four or more tiles are never auctioned: you take one, then every other seat takes one in clockwise "
            "order, all for free. Any that are left go to the box."
        ),
        [],
    ),
    Topic(
        "building",
        N_("Building"),
        N_(
            "Floors go up from bottom to top. Gaps are allowed, but not the same floor twice. A new tile goes on "
            "top of a palazzo whose highest floor is lower, starts a new palazzo, or goes to the box."
        ),
        ["Building"],
    ),
    Topic(
        "rebuild",
        N_("Rebuild"),
        N_(
            "For one money card: take a tile out of a palazzo and stand it alone, put a tile that stands alone "
            "into another palazzo at its height, or discard a tile that stands alone."
        ),
        ["Rebuild"],
    ),
    Topic(
        "end",
        N_("End and score"),
        N_(
            "The game ends at once with the fifth end tile. A palazzo of one tile loses 5 points; one of two tiles "
            "scores nothing. From three tiles on, the windows count; four tiles score 3 more, five score 6 more. "
            "If all tiles are of one material, add 3, or 6 with five tiles. Ties go to the hand that could make "
            "the highest payment."
        ),
        ["End and score"],
    ),
    Topic("options", N_("Options"), N_("What was agreed for this table before the game began."), ["Options"]),
)

LESSONS: Mapping[str, str] = {
    "action": N_("A turn is one of three things: turn up money, build, or rebuild."),
    "take": N_("Everyone gets money. The same value in three colours, or three certificates, make 15 together."),
    "choose": N_("Buy from the warehouse what fits, or auction everything on the next quarry."),
    "bid": N_("Lay cards to have the highest bid, or pass and take all of them back: only the winner pays."),
    "claim": N_("Four tiles or more are given away: everyone takes one, for free."),
    "place": N_("Floors rise from bottom to top. A tile alone costs 5 points; from three floors on, windows count."),
}
"""What to know the first time a seat decides in a phase."""
