"""Words for choices that several games share."""

from __future__ import annotations

from collections.abc import Mapping

from tabletop.messages import N_
from tabletop.rules.game import Action, Position

ACTS: Mapping[str, str] = {
    "money": N_("turning up money"),
    "build": N_("building"),
    "rebuild": N_("rebuilding"),
    "buy": N_("buying"),
    "auction": N_("calling an auction"),
    "bid": N_("bidding"),
    "pass": N_("passing"),
    "claim": N_("claiming a tile"),
    "place": N_("placing a tile"),
    "scrap": N_("discarding a tile"),
    "take": N_("taking a card"),
    "deal": N_("dealing"),
    "reveal": N_("turning something up"),
    "play": N_("playing a card"),
    "floor": N_("placing a floor"),
    "move": N_("moving a floor"),
    "skip": N_("skipping the move"),
    "coin": N_("taking a coin"),
    "reserve": N_("using the reserve"),
    "turret": N_("placing the turret"),
    "purchase": N_("buying a structure"),
    "keep": N_("keeping a structure"),
}
"""Action → how a sentence names it."""


def points_after(position: Position, action: Action, seat: int) -> int:
    """Return by how much an action changes a seat's points."""
    return position.after(action).score()[seat].points - position.score()[seat].points
