"""Every sentence with which Palazzo refuses an action: key -> code, template, clause."""

from __future__ import annotations

from collections.abc import Mapping

from tabletop.messages import N_, Message
from tabletop.rules.palazzo.components import START_CERTIFICATE
from tabletop.rules.refusals import Reason, meanings

REASONS: Mapping[str, Reason] = {
    "wrong-phase": Reason("wrong-phase", N_("{do} is not possible now: {phase} comes first."), Message("A turn")),
    "over": Reason("game-over", N_("The game has ended."), Message("End and score")),
    "handout-scrap": Reason(
        "wrong-phase",
        N_("On this table a handed-out tile must be built; {tile} may start a new palazzo."),
        Message("Options"),
    ),
    "deck-too-short": Reason(
        "deck-too-short",
        N_("Money turns up {needed} cards, but deck and discards hold only {there}."),
        Message("Money"),
    ),
    "not-drawn": Reason("not-in-pool", N_("{piece} cannot be turned up now: it is not in {where}."), Message("Setup")),
    "deal-number": Reason("bad-request", N_("A seat is dealt {needed} cards, not {number}."), Message("Setup")),
    "deal-twice": Reason("not-in-pool", N_("{piece} is named twice; it can be dealt only once."), Message("Setup")),
    "deal-seat": Reason("not-your-turn", N_("Seat {due} is dealt its cards now, not seat {seat}."), Message("Setup")),
    "not-in-row": Reason("not-in-pool", N_("{card} is not in the money row."), Message("Money")),
    "not-pending": Reason("not-in-pool", N_("{tile} is not a tile to be placed now."), Message("Building")),
    "not-in-hand": Reason("not-in-hand", N_("{card} is not in this seat's hand."), Message("Money")),
    "not-in-warehouse": Reason("not-in-warehouse", N_("{tile} is not in the warehouse."), Message("Buy")),
    "too-many-tiles": Reason(
        "too-many-tiles", N_("One or two tiles may be bought at once, not {number}."), Message("Buy")
    ),
    "price-short": Reason(
        "too-little",
        N_("{needed} is needed ({count} × {price}); the cards make {value}, {short} short."),
        Message("Buy"),
    ),
    "price-short-add": Reason(
        "too-little",
        N_("{needed} is needed ({count} × {price}); the cards make {value}, {short} short: add {add}."),
        Message("Buy"),
    ),
    "bid-short": Reason(
        "too-little",
        N_("The bid would be {value} in all; it must be higher than {highest}: {short} short."),
        Message("Auction"),
    ),
    "bid-short-add": Reason(
        "too-little",
        N_("The bid would be {value} in all; it must be higher than {highest}: {short} short, add {add}."),
        Message("Auction"),
    ),
    "mixed": Reason(
        "mixed-currencies", N_("Cards of {currencies} cannot be paid together, except in groups."), Message("Money")
    ),
    "locked": Reason(
        "currency-locked",
        N_("This seat bids in {locked} in this auction; {currency} cards must be in groups."),
        Message("Money"),
    ),
    "lone-certificates": Reason(
        "not-a-payment",
        N_("On this table a loose certificate needs a loose card of a currency with it."),
        Message("Options"),
    ),
    "empty-bid": Reason("not-a-payment", N_("A bid needs at least one card; or pass."), Message("Auction")),
    "not-on-quarry": Reason("not-on-quarry", N_("{tile} is not on the architect's quarry."), Message("Auction")),
    "not-own": Reason("not-your-palazzo", N_("{tile} is not in any palazzo of this seat."), Message("Rebuild")),
    "stands-alone": Reason("stands-alone", N_("{tile} already stands alone."), Message("Rebuild")),
    "into-itself": Reason("stands-alone", N_("{tile} stands alone and cannot go into itself."), Message("Rebuild")),
    "not-alone": Reason("not-alone", N_("{tile} does not stand alone; lift it out first."), Message("Rebuild")),
    "duplicate-floor": Reason(
        "duplicate-floor", N_("That palazzo already has a floor {floor}; {tile} cannot join it."), Message("Building")
    ),
    "not-the-top": Reason(
        "not-on-top", N_("{onto} is not the top of its palazzo; tiles are built on top."), Message("Building")
    ),
    "too-low": Reason(
        "not-on-top",
        N_("Floor {floor} cannot be built on floor {top}: floors go up from bottom to top."),
        Message("Building"),
    ),
    "no-money-left": Reason(
        "no-money-left", N_("Rebuilding costs a money card and this seat has none."), Message("Rebuild")
    ),
}
"""The sentences by key; their fields are the facts of the refusal."""

MEANINGS: Mapping[str, str] = meanings(
    {
        "not-in-warehouse": "Only tiles that lie in the warehouse can be bought.",
        "not-on-quarry": "Only tiles on the architect's quarry can be claimed.",
        "too-many-tiles": "At most two tiles can be bought at once.",
        "too-little": "The cards are worth less than is needed.",
        "mixed-currencies": "Apart from groups and certificates, a payment has cards of only one currency.",
        "currency-locked": "The first card of a currency laid in an auction fixes that seat's currency.",
        "not-a-payment": "These cards do not make a payment.",
        "duplicate-floor": "A palazzo never has the same floor twice.",
        "not-on-top": "A tile is built on the top of a palazzo whose highest floor is lower.",
        "not-alone": "Only a tile that stands alone can be inserted or scrapped.",
        "stands-alone": "The tile already stands alone.",
        "not-your-palazzo": "The tile is not in any palazzo of this seat.",
        "no-money-left": "Rebuilding costs one money card.",
        "deck-too-short": "There are too few money cards left to turn up.",
    }
)
"""Every code of this game, in one sentence a player understands."""

ZONE_RULES: Mapping[str, Message] = {
    "warehouse": Message("The first tile turned up goes to the warehouse; tiles leave it only when they are bought."),
    "quarry": Message(
        "The second tile goes to the quarry found by counting its windows clockwise from the architect, and stays "
        "there."
    ),
    "row": Message("Money that was turned up lies in the row until somebody takes it."),
    "discards": Message("Cards that were paid are discarded."),
    "end": Message("An end tile is set aside."),
    "seat": Message("A tile stays where it was built; moving one is rebuilding and costs a card."),
    "bid": Message("Cards that were bid stay there until the auction is over."),
    "hand": Message("If you pass, you take your cards back; a hand is not shown."),
    "deck": Message("When a card is needed and the deck is empty, the discards are shuffled into a new deck."),
    "stack": Message("Tiles are turned up only by the seat that chose to build."),
    START_CERTIFICATE: Message(
        "Between auctions the start certificate lies in the warehouse; a seat that calls one lays it as its first bid."
    ),
    "box": Message("Discarded tiles, and those left over from a hand-out, go to the box."),
}
"""Zone, without its number, or piece → the rule by which it belongs there."""
