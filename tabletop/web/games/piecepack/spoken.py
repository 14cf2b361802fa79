"""Palazzo for the piecepack read out: words for its view and its actions."""

from __future__ import annotations

from typing import Any

from tabletop.messages import N_
from tabletop.rules.piecepack.actions import Purchase
from tabletop.rules.piecepack.components import COST
from tabletop.rules.piecepack.position import PiecepackPosition
from tabletop.web.games.spoken import PHASES, Spoken

PLACES = {
    "yard": N_("In the yard"),
    "bank": N_("In the bank"),
    "coins": N_("Face-down coins"),
    "discards": N_("Discards"),
    "stack": N_("Face-down structures"),
    "actions_left": N_("Actions left in this turn"),
    "pending": N_("Bought, to be built or kept"),
    "closing": N_("Still to play in the last round"),
    "awaits": N_("What is turned up next"),
    "mine.hand": N_("Your coins"),
    "mine.die": N_("Your die shows"),
    "mine.turret": N_("Your turret stands on"),
    "mine.palazzo": N_("Your palazzo, each structure with its column and row"),
    "mine.reserve": N_("Your reserve"),
    "seats.*.hand": N_("Coins in %(name)s’s hand"),
    "seats.*.die": N_("The die of %(name)s shows"),
    "seats.*.turret": N_("The turret of %(name)s stands on"),
    "seats.*.palazzo": N_("Palazzo of %(name)s, each structure with its column and row"),
    "seats.*.reserve": N_("Reserve of %(name)s"),
}
WORDS = {
    "turn.phase=action": N_("an action is chosen"),
    "turn.phase=place": N_("a structure is built or kept"),
    "coin": N_("a coin"),
    "structure": N_("a structure"),
}
ACTS = {
    "coin": N_("Take a coin"),
    "coin.coin": N_("Which coin?"),
    "reserve": N_("Use the reserve"),
    "reserve.kind": N_("How?"),
    "reserve.kind=add": N_("build from it"),
    "reserve.kind=remove": N_("put into it"),
    "reserve.kind=exchange": N_("exchange one of each"),
    "reserve.structure": N_("Which structure?"),
    "reserve.at": N_("Where?"),
    "reserve.for": N_("For which structure of the palazzo?"),
    "turret": N_("Set the turret"),
    "turret.on": N_("On which structure?"),
    "purchase": N_("Buy a structure"),
    "purchase.structure": N_("Which structure?"),
    "purchase.pay": N_("Pay with"),
    "purchase.die": N_("Pay also with the die?"),
    "purchase.die=true": N_("with the die"),
    "purchase.die=false": N_("without the die"),
    "pass": N_("Pass"),
    "build": N_("Build"),
    "build.structure": N_("Which structure?"),
    "build.at": N_("Where?"),
    "keep": N_("Keep for later"),
    "keep.structure": N_("Which structure?"),
}


def cost(position: PiecepackPosition, action: Any) -> tuple[int, int]:
    """Return by how much a purchase is overpaid, and how many coins and dice are laid."""
    if not isinstance(action, Purchase):
        return 0, 0
    return position.purses[position.active].paid(action) - COST[action.structure], len(action.pay) + action.die


SPOKEN = Spoken(places=PLACES, seats=frozenset({"closing"}), words={**PHASES, **WORDS}, acts=ACTS, cost=cost)
