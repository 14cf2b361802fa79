"""What happened in a game of Patrician, as its log tells it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from tabletop.match.event import Event
from tabletop.messages import N_
from tabletop.rules.patrician.components import CITIES, NUMBER, City
from tabletop.rules.patrician.state import State
from tabletop.web.games.game_ui import Around, LogLine, Names
from tabletop.web.i18n import gettext as _

LINES: Mapping[str, str] = {
    "reveal": N_("Turned up:"),
    "reveal-beside": N_("Turned up beside %(city)s:"),
    "deal": N_("%(name)s is dealt three cards."),
    "play": N_("%(name)s plays"),
    "floor": N_("%(name)s builds on site %(site)s."),
    "floor-in": N_("%(name)s builds in %(city)s, on site %(site)s."),
    "move": N_("%(name)s moves a floor in %(city)s from site %(site)s to site %(other)s."),
    "skip": N_("%(name)s does not move a floor."),
    "take": N_("%(name)s takes"),
}
"""The log: action → what is said before its pieces; where the city is known besides it, with the city."""
WITH_CITY: Mapping[str, str] = {"reveal": "reveal-beside", "floor": "floor-in"}


def _city(event: Event, before: State) -> City | None:
    """Return the city in which a floor was laid, or beside which a card was; None of any other action."""
    match event.data["do"]:
        case "floor":
            return before.cities[before.built]
        case "reveal":
            return before.cities[before.space]
    return None


def line(event: Event, seat: int | None, names: Names, around: Around | None) -> LogLine | None:
    """Return the log's line; cards that were dealt are told to their own seat only."""
    if event.kind != "action":
        return None
    data, kind = event.data, str(event.data["do"])
    who = data["seat"] if kind == "deal" else event.seat
    site = data.get("site") or data.get("from", "")
    city = _city(event, cast(State, around.before)) if around is not None else None
    if city is None and "city" in data:
        city = CITIES[NUMBER[data["city"]]]
    text = _(
        LINES[WITH_CITY.get(kind, kind) if city else kind],
        name=names[who] if who is not None else "",
        city=city.title if city else "",
        site=site,
        other="B" if site == "A" else "A",
    )
    pieces = [data.get("piece") or data.get("card")] if kind != "deal" else data["cards"] if who == seat else []
    return LogLine(event.number, who, text, tuple(filter(None, pieces)))
