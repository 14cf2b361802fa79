"""Every sentence with which Palazzo refuses an action: key -> code, template, clause."""

from __future__ import annotations

from collections.abc import Mapping

from tabletop.rules.refusals import MEANINGS as COMMON
from tabletop.rules.refusals import Reason

REASONS: Mapping[str, Reason] = {
    "wrong-phase": Reason("wrong-phase", "{do} is not possible now: {phase} comes first.", "A turn"),
    "over": Reason("game-over", "The game has ended.", "End and score"),
    "handout-scrap": Reason(
        "wrong-phase", "On this table a handed-out tile must be built; {tile} may start a new palazzo.", "Options"
    ),
    "deck-too-short": Reason(
        "deck-too-short",
        "Money needs {needed} cards to turn up, but deck and discards hold only {there}.",
        "Money",
    ),
    "not-drawn": Reason("not-in-pool", "{piece} cannot come now: it is not in {where}.", "Setup"),
    "deal-number": Reason("bad-request", "A seat is dealt {needed} cards, not {number}.", "Setup"),
    "deal-seat": Reason("not-your-turn", "Seat {due} is dealt its cards now, not seat {seat}.", "Setup"),
    "not-in-row": Reason("not-in-pool", "{card} does not lie in the money row.", "Money"),
    "not-pending": Reason("not-in-pool", "{tile} is not a tile to be placed now.", "Building"),
    "not-in-hand": Reason("not-in-hand", "{card} is not in this seat's hand.", "Money"),
    "not-in-warehouse": Reason("not-in-warehouse", "{tile} does not lie in the warehouse.", "Buy"),
    "too-many-tiles": Reason("too-many-tiles", "One or two tiles may be bought at once, not {number}.", "Buy"),
    "price-short": Reason(
        "too-little", "{needed} is needed ({count} × {price}); the cards make {value}, {short} short.", "Buy"
    ),
    "price-short-add": Reason(
        "too-little", "{needed} is needed ({count} × {price}); the cards make {value}, {short} short: add {add}.", "Buy"
    ),
    "bid-short": Reason(
        "too-little", "The bid would be {value} in all; it must be higher than {highest}: {short} short.", "Auction"
    ),
    "bid-short-add": Reason(
        "too-little",
        "The bid would be {value} in all; it must be higher than {highest}: {short} short, add {add}.",
        "Auction",
    ),
    "mixed": Reason("mixed-currencies", "Cards of {currencies} cannot be paid together, except in groups.", "Money"),
    "locked": Reason(
        "currency-locked", "This seat bids in {locked} in this auction; {currency} cards must be in groups.", "Money"
    ),
    "lone-certificates": Reason(
        "not-a-payment", "On this table a loose certificate needs a loose card of a currency with it.", "Options"
    ),
    "empty-bid": Reason("not-a-payment", "A bid needs at least one card; or pass.", "Auction"),
    "not-on-quarry": Reason("not-on-quarry", "{tile} is not on the architect's quarry.", "Auction"),
    "not-own": Reason("not-your-palazzo", "{tile} stands in no palazzo of this seat.", "Rebuild"),
    "stands-alone": Reason("stands-alone", "{tile} stands alone already.", "Rebuild"),
    "into-itself": Reason("stands-alone", "{tile} stands alone and cannot go into itself.", "Rebuild"),
    "not-alone": Reason("not-alone", "{tile} does not stand alone; lift it out first.", "Rebuild"),
    "duplicate-floor": Reason(
        "duplicate-floor", "That palazzo already has a floor {floor}; {tile} cannot join it.", "Building"
    ),
    "not-the-top": Reason("not-on-top", "{onto} is not the top of its palazzo; tiles are built on top.", "Building"),
    "too-low": Reason(
        "not-on-top", "Floor {floor} cannot be built on floor {top}: floors ascend from bottom to top.", "Building"
    ),
    "no-money-left": Reason("no-money-left", "Rebuilding costs a money card and this seat has none.", "Rebuild"),
}
"""The sentences.  Their fields are the facts of the refusal."""

MEANINGS: Mapping[str, str] = (
    {
        code: COMMON[code]
        for code in ("not-your-turn", "wrong-phase", "unknown-action", "unknown-piece", "not-in-pool", "not-in-hand")
    }
    | {
        "not-in-warehouse": "Only tiles that lie in the warehouse can be bought.",
        "not-on-quarry": "Only tiles on the architect's quarry can be claimed.",
        "too-many-tiles": "At most two tiles are bought at once.",
        "too-little": "The cards are worth less than is needed.",
        "mixed-currencies": "A payment has cards of one currency only, besides groups and certificates.",
        "currency-locked": "The first card of a currency laid in an auction fixes that seat's currency.",
        "not-a-payment": "These cards make no payment.",
        "duplicate-floor": "A floor never stands twice in a palazzo.",
        "not-on-top": "A tile is built on the top of a palazzo whose highest floor is lower.",
        "not-alone": "Only a tile that stands alone can be inserted or scrapped.",
        "stands-alone": "The tile stands alone already.",
        "not-your-palazzo": "The tile stands in no palazzo of this seat.",
        "no-money-left": "Rebuilding costs one money card.",
        "deck-too-short": "There are too few money cards left to turn up.",
    }
    | {code: COMMON[code] for code in ("game-over", "bad-position", "bad-request")}
)
"""Every code of this game, in one sentence a player understands."""
