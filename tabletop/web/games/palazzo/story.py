"""What happened in a game of Palazzo, as its log tells it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from tabletop.match.event import Event
from tabletop.messages import N_
from tabletop.rules.game import Json
from tabletop.rules.palazzo.components import END_TILES
from tabletop.rules.palazzo.phases.auction import OPENING
from tabletop.rules.palazzo.phases.money import read
from tabletop.rules.palazzo.state import State
from tabletop.web.games.game_ui import Around, LogLine, Names
from tabletop.web.i18n import gettext as _

LINES: Mapping[str, str] = {
    "reveal": N_("Turned up:"),
    "reveal-warehouse": N_("Turned up for the warehouse:"),
    "reveal-quarry": N_("Turned up for quarry %(number)s:"),
    "reveal-aside": N_("Turned up and set aside:"),
    "reveal-end": N_("End tile %(number)s of 5, set aside:"),
    "reveal-last": N_("The last of 5 end tiles: the game ends."),
    "deal": N_("%(name)s is dealt four cards."),
    "money": N_("%(name)s turns up money."),
    "take": N_("%(name)s takes"),
    "build": N_("%(name)s builds: two tiles are turned up."),
    "rebuild-lift": N_("%(name)s pays a card and stands a tile alone:"),
    "rebuild-insert": N_("%(name)s pays a card and inserts a tile:"),
    "rebuild-scrap": N_("%(name)s pays a card and discards a tile:"),
    "buy": N_("%(name)s buys for %(value)s:"),
    "auction": N_("%(name)s calls an auction: the architect moves on."),
    "auction-quarry": N_("%(name)s calls an auction in quarry %(number)s."),
    "auction-handout": N_("%(name)s has the tiles in quarry %(number)s handed out."),
    "auction-empty": N_("%(name)s calls an auction, but no quarry has a tile: nothing happens."),
    "bid": N_("%(name)s adds %(value)s to the bid:"),
    "pass": N_("%(name)s passes."),
    "pass-won": N_("%(name)s passes. %(winner)s wins the auction for %(value)s."),
    "pass-unraised": N_("%(name)s passes. Nobody raised: %(winner)s gets everything for free."),
    "claim": N_("%(name)s takes from the hand-out"),
    "place": N_("%(name)s builds"),
    "scrap": N_("%(name)s discards"),
}
"""The log: action, and what of it differs → what is said before its pieces."""


def _how(event: Event, around: Around) -> dict[str, Json]:
    """Return what only the positions before and after an action tell.

    That is where a tile went, which end tile came, what an auction is about, and who won by the last pass.
    """
    before, after = cast(State, around.before), cast(State, around.after)
    match event.data["do"]:
        case "reveal" if event.data["piece"] in END_TILES:
            number = len(after.end_tiles)
            return {"how": "end" if number < len(END_TILES) else "last", "number": number}
        case "reveal":
            return _place(event.data["piece"], after)
        case "auction":
            how = {"bid": "quarry", "claim": "handout"}.get(after.phase)
            return {"how": how, "number": after.architect} if how else {"how": "empty"}
        case "pass" if after.phase == "place":
            value = before.bid_of(after.seat)
            assert before.laid is not None
            raised = before.laid[after.seat] != OPENING
            return {"how": "won" if raised else "unraised", "winner": after.seat, "value": value}
    return {}


def _place(piece: str, after: State) -> dict[str, Json]:
    """Return where a tile went that was turned up; nothing of a card."""
    if piece in after.warehouse:
        return {"how": "warehouse"}
    quarry = next((number for number, tiles in enumerate(after.quarries, start=1) if piece in tiles), None)
    return {"how": "quarry", "number": quarry} if quarry else {}


def line(event: Event, seat: int | None, names: Names, around: Around | None) -> LogLine | None:
    """Return the log's line; cards that were dealt are told to their own seat only."""
    if event.kind != "action":
        return None
    data: Mapping[str, Any] = {**event.data, **(_how(event, around) if around is not None else {})}
    kind = str(data["do"])
    who = data["seat"] if kind == "deal" else event.seat
    how = data.get("kind" if kind == "rebuild" else "how")
    said = _(
        LINES[f"{kind}-{how}" if how else kind],
        name=names[who] if who is not None else "",
        winner=names[data["winner"]] if "winner" in data else "",
        value=data.get("value", _worth(data)),
        number=data.get("number", 0),
    )
    return LogLine(event.number, who, said, _pieces(data) if kind != "deal" or who == seat else ())


def _worth(data: Mapping[str, Json]) -> int:
    """Return what the cards of a purchase or a bid make together, 0 if an act has none."""
    reading = read(data.get("pay" if data["do"] == "buy" else "cards") or ()) if data["do"] in ("buy", "bid") else None
    return reading.value if reading else 0


def _pieces(data: Mapping[str, Json]) -> tuple[str, ...]:
    found: list[str] = []
    for key in ("piece", "tile", "tiles", "card", "cards", "pay"):
        value = data.get(key, ())
        found += [value] if isinstance(value, str) else list(value)
    return tuple(found)
