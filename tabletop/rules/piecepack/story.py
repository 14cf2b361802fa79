"""Sentences for what happened in a game; the pieces that an action names are listed after its sentence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tabletop.messages import N_, Message, SeatRef

LINES: Mapping[str, str] = {
    "reveal": N_("Turned up:"),
    "deal": N_("{name} is dealt two coins."),
    "coin": N_("{name} takes"),
    "reserve-add": N_("{name} builds from the reserve"),
    "reserve-remove": N_("{name} puts into the reserve"),
    "reserve-exchange": N_("{name} takes from the reserve and puts into it:"),
    "turret": N_("{name} sets the turret on"),
    "purchase": N_("{name} buys and pays:"),
    "purchase-die": N_("{name} buys and pays, also with the die:"),
    "pass": N_("{name} passes."),
    "build": N_("{name} builds"),
    "keep": N_("{name} keeps"),
}
"""Action and variant → the words before its pieces."""


def describe(action: Any, seat: int | None) -> Message:
    """Return what an action of a seat does."""
    kind = str(action.do)
    key = f"reserve-{action.kind}" if kind == "reserve" else kind
    if kind == "purchase" and action.die:
        key = "purchase-die"
    who = action.seat if kind == "deal" else seat
    return Message(LINES[key], **({} if who is None else {"name": SeatRef(who)}))
