"""What happened in a game of Patrician, as its log tells it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from tabletop.match.event import Event
from tabletop.rules.patrician.components import CITIES, CITY_OF, NUMBER
from tabletop.web.games.game_ui import LogLine, Names
from tabletop.web.i18n import N_
from tabletop.web.i18n import gettext as _

LINES: Mapping[str, str] = {
    "reveal": N_("Turned up:"),
    "reveal-beside": N_("Turned up beside %(city)s:"),
    "deal": N_("%(name)s is dealt three cards."),
    "play": N_("%(name)s plays"),
    "floor": N_("%(name)s builds on site %(site)s."),
    "floor-in": N_("%(name)s builds in %(city)s, on site %(site)s."),
    "move": N_("%(name)s moves a floor in %(city)s from site %(site)s to site %(other)s."),
    "skip": N_("%(name)s moves no floor."),
    "take": N_("%(name)s takes"),
}
"""The log: action → what is said before its pieces; where the city is known besides it, with the city."""
WITH_CITY: Mapping[str, str] = {"reveal": "reveal-beside", "floor": "floor-in"}


def placed(event: Event, before: Sequence[Event]) -> Event:
    """Return the event with the city that it happened in, where only the events before it tell which."""
    acts = [one.data for one in before if one.kind == "action"]
    city = None
    if event.data.get("do") == "floor":
        played = next((act["card"] for act in reversed(acts) if act["do"] == "play"), None)
        city = CITIES[CITY_OF[played]].id if played else None
    elif event.data.get("do") == "reveal":
        city = _space(acts)
    return replace(event, data={**event.data, "city": city}) if city else event


def _space(acts: Sequence[Mapping[str, Any]]) -> str | None:
    """Return the city beside which the next card is laid: in the setup the next one, then where one was taken."""
    lies: dict[str, str] = {}
    free: str | None = None
    for act in acts:
        match act["do"]:
            case "reveal":
                city = free or CITIES[len(lies)].id
                lies[act["piece"]], free = city, None
            case "take":
                free = lies.pop(act["card"], None)
    return free or (CITIES[len(lies)].id if len(lies) < len(CITIES) else None)


def line(event: Event, seat: int | None, names: Names) -> LogLine | None:
    """Return the log's line; cards that were dealt are told to their own seat only."""
    if event.kind != "action":
        return None
    data, kind = event.data, str(event.data["do"])
    who = data["seat"] if kind == "deal" else event.seat
    site, city = data.get("site") or data.get("from", ""), data.get("city", "")
    text = _(
        LINES[WITH_CITY.get(kind, kind) if city else kind],
        name=names[who] if who is not None else "",
        city=CITIES[NUMBER[city]].title if city else "",
        site=site,
        other="B" if site == "A" else "A",
    )
    pieces = [data.get("piece") or data.get("card")] if kind != "deal" else data["cards"] if who == seat else []
    return LogLine(event.number, who, text, tuple(filter(None, pieces)))
