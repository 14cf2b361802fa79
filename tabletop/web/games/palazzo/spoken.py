"""Palazzo read out: words for its view and its actions."""

from __future__ import annotations

from typing import Any

from tabletop.messages import N_
from tabletop.rules.palazzo.position import PalazzoPosition
from tabletop.rules.palazzo.story import cards_laid, worth
from tabletop.web.games.spoken import PHASES, Spoken

PLACES = {
    "warehouse": N_("In the warehouse"),
    "quarries.*": N_("Quarry %(number)s"),
    "architect": N_("The architect’s quarry"),
    "row": N_("Money row"),
    "drawn": N_("Turned up just now"),
    "pending": N_("To be built"),
    "handout": N_("Still to take a tile"),
    "auction.laid": N_("Cards laid as bids"),
    "auction.out": N_("Out of the auction"),
    "end_tiles": N_("End tiles turned up"),
    "deck": N_("Cards in the deck"),
    "discards": N_("Discards"),
    "box": N_("In the box"),
    "unseen.*": N_("Not turned up yet, stack %(key)s"),
    "mine.hand": N_("Your hand"),
    "mine.palazzi": N_("Your palazzi, each from the bottom up"),
    "seats.*.hand": N_("Cards in %(name)s’s hand"),
    "seats.*.palazzi": N_("Palazzi of %(name)s, each from the bottom up"),
}
PHASE_WORDS = {
    "turn.phase=action": N_("money, build or rebuild"),
    "turn.phase=take": N_("money cards are taken"),
    "turn.phase=choose": N_("buy or auction"),
    "turn.phase=bid": N_("an auction"),
    "turn.phase=claim": N_("a hand-out"),
    "turn.phase=place": N_("tiles are built"),
}
ACTS = {
    "money": N_("Money"),
    "build": N_("Build"),
    "rebuild": N_("Rebuild"),
    "rebuild.kind": N_("How?"),
    "rebuild.kind=lift": N_("stand alone"),
    "rebuild.kind=insert": N_("put into"),
    "rebuild.kind=scrap": N_("discard"),
    "rebuild.tile": N_("Which tile?"),
    "rebuild.onto": N_("Into the palazzo with which tile?"),
    "rebuild.pay": N_("Pay with one card"),
    "take": N_("Take a money card"),
    "take.card": N_("Which card?"),
    "buy": N_("Buy"),
    "buy.tiles": N_("One or two tiles"),
    "buy.pay": N_("Pay with"),
    "buy.pay=": N_("nothing"),
    "auction": N_("Call the auction"),
    "bid": N_("Raise"),
    "bid.cards": N_("Add to your bid"),
    "pass": N_("Pass"),
    "claim": N_("Take a tile"),
    "claim.tile": N_("Which tile?"),
    "place": N_("Build a tile"),
    "place.tile": N_("Which tile?"),
    "place.onto": N_("On top of which tile?"),
    "place.onto=": N_("Start a new palazzo"),
    "scrap": N_("Discard a tile to the box"),
    "scrap.tile": N_("Which tile?"),
}


def cost(_position: PalazzoPosition, action: Any) -> tuple[int, int]:
    """Return the value of the cards laid with an action, and their number."""
    cards = cards_laid(action)
    return worth(cards), len(cards)


SPOKEN = Spoken(
    places=PLACES,
    seats=frozenset({"auction.out", "auction.laid", "handout"}),
    words={**PHASES, **PHASE_WORDS},
    bids=frozenset({"auction"}),
    acts=ACTS,
    cost=cost,
)
