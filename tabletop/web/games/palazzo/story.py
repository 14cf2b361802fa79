"""What happened in a game of Palazzo, as its log tells it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from tabletop.referee.state import Event
from tabletop.rules.game import Json
from tabletop.rules.palazzo.components import END_TILES, TILES
from tabletop.rules.palazzo.money import read
from tabletop.web.games.part import Line, Names
from tabletop.web.language import N_
from tabletop.web.language import gettext as _

LINES: Mapping[str, str] = {
    "reveal": N_("Turned up:"),
    "reveal-warehouse": N_("Turned up for the warehouse:"),
    "reveal-quarry": N_("Turned up for quarry %(number)s:"),
    "reveal-aside": N_("Turned up and laid aside:"),
    "deal": N_("%(name)s is dealt four cards."),
    "money": N_("%(name)s has money turned up."),
    "take": N_("%(name)s takes"),
    "build": N_("%(name)s builds: two tiles are turned up."),
    "rebuild-lift": N_("%(name)s stands a tile alone, for a card:"),
    "rebuild-insert": N_("%(name)s inserts a tile, for a card:"),
    "rebuild-scrap": N_("%(name)s discards a tile, for a card:"),
    "buy": N_("%(name)s buys for %(value)s:"),
    "auction": N_("%(name)s calls an auction: the architect moves on."),
    "bid": N_("%(name)s adds %(value)s to the bid:"),
    "pass": N_("%(name)s passes."),
    "pass-won": N_("%(name)s passes. %(winner)s wins for %(value)s."),
    "claim": N_("%(name)s takes from the hand-out"),
    "place": N_("%(name)s builds"),
    "scrap": N_("%(name)s discards"),
}
"""The log: action, and what of it differs → what is said before its pieces."""

START = 3
"""What the start certificate is worth, which opens an auction."""


def placed(event: Event, before: Sequence[Event]) -> Event:
    """Return the event with what only the events before it tell: where a tile went, or who won by the last pass."""
    match event.data.get("do"):
        case "reveal" if event.data["piece"] in END_TILES:
            more: dict[str, Json] = {"how": "aside"}
        case "reveal" if event.data["piece"] in TILES:
            more = _place(event.data["piece"], before)
        case "pass":
            more = _victory(event, before)
        case _:
            more = {}
    return replace(event, data={**event.data, **more}) if more else event


def _acts(events: Sequence[Event]) -> Iterator[Event]:
    """Iterate over the actions, the newest first, as far back as nobody changed the table by hand."""
    for event in reversed(events):
        if event.kind == "position":
            return
        if event.kind == "action":
            yield event


def _place(tile: str, before: Sequence[Event]) -> dict[str, Json]:
    """Return where a tile went that was turned up; nothing where the events do not tell it."""
    turned_up = 0
    for act in _acts(before):
        if act.data["do"] != "reveal":
            break
        turned_up += 1
    else:
        # The setup: a tile on each quarry, then one in the warehouse.
        return {"how": "quarry", "number": turned_up + 1} if turned_up < 4 else {"how": "warehouse"}
    if not turned_up:
        return {"how": "warehouse"}
    architect = _architect(before)
    return {"how": "quarry", "number": _onward(architect, TILES[tile].windows)} if architect else {}


def _architect(before: Sequence[Event]) -> int | None:
    """Return the architect's quarry after these events; None where the table was changed by hand meanwhile."""
    if any(event.kind == "position" for event in before) or not before or before[0].kind != "start":
        return None
    where = int(before[0].data.get("options", {}).get("architect", 1))
    tiles = dict.fromkeys((1, 2, 3, 4), 0)
    turned_up, of = 0, "setup"
    for act in reversed(list(_acts(before))):
        if act.data["do"] != "reveal":
            turned_up, of = 0, act.data["do"]
            if of == "auction":
                where = next((to for step in (1, 2, 3) if tiles[to := _onward(where, step)]), where)
                tiles[where] = 0
            continue
        turned_up += 1
        piece = act.data["piece"]
        if of == "setup" and turned_up <= 4:
            tiles[turned_up] += 1
        elif of == "build" and turned_up == 2 and piece in TILES:
            tiles[_onward(where, TILES[piece].windows)] += 1
    return where


def _onward(quarry: int, steps: int) -> int:
    """Return the quarry so many steps clockwise of one."""
    return (quarry - 1 + steps) % 4 + 1


def _victory(event: Event, before: Sequence[Event]) -> dict[str, Json]:
    """Return who won an auction by this pass and for how much; nothing where it goes on."""
    out = {event.seat}
    bids: dict[int | None, int] = {}
    for act in _acts(before):
        match act.data["do"]:
            case "pass":
                out.add(act.seat)
            case "bid":
                bids[act.seat] = bids.get(act.seat, 0) + _worth(act.data)
            case "auction":
                bids[act.seat] = bids.get(act.seat, 0) + START
                left = set(range(len(before[0].data.get("seats", ())))) - out
                winner = left.pop() if len(left) == 1 else None
                return {"how": "won", "winner": winner, "value": bids[winner]} if winner in bids else {}
    return {}


def line(event: Event, seat: int | None, names: Names) -> Line | None:
    """Return the log's line; cards that were dealt are told to their own seat only."""
    if event.kind != "action":
        return None
    data: Mapping[str, Any] = event.data
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
    return Line(event.number, who, said, _pieces(data) if kind != "deal" or who == seat else ())


def _worth(data: Mapping[str, Json]) -> int:
    """Return what the cards of a purchase or a bid make together, 0 where an act has none."""
    reading = read(data.get("pay" if data["do"] == "buy" else "cards") or ()) if data["do"] in ("buy", "bid") else None
    return reading.value if reading else 0


def _pieces(data: Mapping[str, Json]) -> tuple[str, ...]:
    found: list[str] = []
    for key in ("piece", "tile", "tiles", "card", "cards", "pay"):
        value = data.get(key, ())
        found += [value] if isinstance(value, str) else list(value)
    return tuple(found)
