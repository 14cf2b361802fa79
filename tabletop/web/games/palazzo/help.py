"""Palazzo's rules in short."""

from __future__ import annotations

from tabletop.web.games.help import Topic
from tabletop.web.i18n import N_

TOPICS = (
    Topic(
        "setup",
        N_("Setup"),
        N_("One tile lies on each quarry and one in the warehouse; everybody holds four money cards, in secret."),
        ["Setup"],
    ),
    Topic(
        "turn",
        N_("A turn"),
        N_(
            "Exactly one of three: have money turned up; build, which turns up two tiles, and then buy or "
            "auction; or rebuild. Then it is the next seat’s turn, whoever won an auction."
        ),
        ["A turn"],
    ),
    Topic(
        "money",
        N_("Money"),
        N_(
            "One card more than there are seats is turned up: you take two, then each other seat takes one. "
            "You pay with cards of one currency; certificates (2 each) and groups go with any. A group is "
            "three equal values of the three currencies, or three certificates: laid at the same time it is "
            "worth 15. When the deck is used up, the discards are shuffled into a new one."
        ),
        ["Money"],
    ),
    Topic(
        "build",
        N_("Build"),
        N_(
            "Two tiles are turned up, from stack I until it is used up, then from II, then from III. The first goes "
            "to the warehouse. The second goes as many quarries clockwise of the architect as it has windows. An end "
            "tile is laid aside and not replaced. Then you buy or auction."
        ),
        [],
    ),
    Topic(
        "buy",
        N_("Buy"),
        N_(
            "One or two tiles of the warehouse. Each costs 10 less the number of tiles that lie there, the new "
            "one counted. You may pay too much, but there is no change."
        ),
        ["Buy"],
    ),
    Topic(
        "auction",
        N_("Auction"),
        N_(
            "The architect moves clockwise to the next quarry with tiles; all of them are auctioned together. "
            "The start certificate opens with 3 for the seat that called. In turn each seat adds cards until "
            "it is highest, or passes and takes its cards back. The winner discards what it laid and takes the "
            "tiles. Your first card of a currency fixes your currency; groups and certificates do not."
        ),
        ["Auction"],
    ),
    Topic(
        "hand-out",
        N_("Hand-out"),
        N_(
            "Four tiles or more are never auctioned: you take one, then each other seat clockwise takes one, "
            "all for nothing. What is left goes to the box."
        ),
        [],
    ),
    Topic(
        "building",
        N_("Building"),
        N_(
            "Floors ascend from bottom to top. Gaps are fine, the same floor twice is not. A new tile goes on "
            "top of a palazzo whose highest floor is lower, starts a new palazzo, or goes to the box."
        ),
        ["Building"],
    ),
    Topic(
        "rebuild",
        N_("Rebuild"),
        N_(
            "For one money card: take a tile out of a palazzo and stand it alone, or put a tile that stands "
            "alone into another palazzo at its height, or discard a tile that stands alone."
        ),
        ["Rebuild"],
    ),
    Topic(
        "end",
        N_("End and score"),
        N_(
            "The game ends at once with the fifth end tile. A palazzo of one tile loses 5 points, one of two "
            "brings none. Three tiles bring their windows, four bring 3 more, five bring 6 more. All of one "
            "material brings 3 more, with five tiles 6. A tie goes to the highest payment that a hand could "
            "make."
        ),
        ["End and score"],
    ),
    Topic("options", N_("Options"), N_("What was agreed on for this table before the game began."), ["Options"]),
)
