"""Sentences for what happened in a game of Patrician; the pieces that an action names are listed after its sentence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from tabletop.messages import N_, Message, SeatRef
from tabletop.rules.game import Around
from tabletop.rules.patrician.components import CITIES, CITY_NUMBER, City
from tabletop.rules.patrician.state import State

LINES: Mapping[str, str] = {
    "reveal": N_("Turned up:"),
    "reveal-beside": N_("Turned up beside {city}:"),
    "deal": N_("{name} is dealt three cards."),
    "play": N_("{name} plays"),
    "floor": N_("{name} builds on site {site}."),
    "floor-in": N_("{name} builds in {city}, on site {site}."),
    "move": N_("{name} moves a floor in {city} from site {site} to site {other}."),
    "skip": N_("{name} does not move a floor."),
    "take": N_("{name} takes"),
}
"""Action → the words before its pieces; some actions have a second line that names the city."""
CITY_LINES: Mapping[str, str] = {"reveal": "reveal-beside", "floor": "floor-in"}


def describe(action: Any, seat: int | None, around: Around | None) -> Message:
    """Return what an action of a seat does; the city is left out if the positions around it are not known."""
    kind = str(action.do)
    city = _city(action, cast(State, around.before)) if around is not None else None
    if kind == "move":
        city = CITIES[CITY_NUMBER[action.city]]
    who = action.seat if kind == "deal" else seat
    facts: dict[str, Any] = {} if who is None else {"name": SeatRef(who)}
    if city is not None:
        facts["city"] = city.title
    if kind in ("floor", "move"):
        facts |= {"site": action.site, "other": "B" if action.site == "A" else "A"}
    return Message(LINES[CITY_LINES.get(kind, kind) if city else kind], **facts)


def _city(action: Any, before: State) -> City | None:
    """Return the city in which a floor was laid, or beside which a card was turned up; None for other actions."""
    match action.do:
        case "floor":
            return before.cities[before.built]
        case "reveal":
            return before.cities[before.space]
    return None
