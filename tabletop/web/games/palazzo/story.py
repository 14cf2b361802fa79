"""What happened in a game of Palazzo, as its log tells it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from tabletop.match.event import Event
from tabletop.rules.game import Json
from tabletop.rules.palazzo.components import END_TILES, TILES
from tabletop.rules.palazzo.phases.auction import HANDOUT
from tabletop.rules.palazzo.phases.money import read
from tabletop.web.games.game_ui import LogLine, Names
from tabletop.web.i18n import N_
from tabletop.web.i18n import gettext as _

LINES: Mapping[str, str] = {
    "reveal": N_("Turned up:"),
    "reveal-warehouse": N_("Turned up for the warehouse:"),
    "reveal-quarry": N_("Turned up for quarry %(number)s:"),
    "reveal-aside": N_("Turned up and laid aside:"),
    "reveal-end": N_("End tile %(number)s of 5, laid aside:"),
    "reveal-last": N_("The last of 5 end tiles: the game ends."),
    "deal": N_("%(name)s is dealt four cards."),
    "money": N_("%(name)s has money turned up."),
    "take": N_("%(name)s takes"),
    "build": N_("%(name)s builds: two tiles are turned up."),
    "rebuild-lift": N_("%(name)s stands a tile alone, for a card:"),
    "rebuild-insert": N_("%(name)s inserts a tile, for a card:"),
    "rebuild-scrap": N_("%(name)s discards a tile, for a card:"),
    "buy": N_("%(name)s buys for %(value)s:"),
    "auction": N_("%(name)s calls an auction: the architect moves on."),
    "auction-quarry": N_("%(name)s calls an auction in quarry %(number)s."),
    "auction-handout": N_("%(name)s has the tiles of quarry %(number)s handed out."),
    "auction-empty": N_("%(name)s calls an auction, but no quarry holds a tile: nothing happens."),
    "bid": N_("%(name)s adds %(value)s to the bid:"),
    "pass": N_("%(name)s passes."),
    "pass-won": N_("%(name)s passes. %(winner)s wins for %(value)s."),
    "pass-unraised": N_("%(name)s passes. Nobody has raised: %(winner)s wins for nothing."),
    "claim": N_("%(name)s takes from the hand-out"),
    "place": N_("%(name)s builds"),
    "scrap": N_("%(name)s discards"),
}
"""The log: action, and what of it differs → what is said before its pieces."""

START = 3
"""What the start certificate is worth, which opens an auction."""


def placed(event: Event, before: Sequence[Event]) -> Event:
    """Return the event with what only the events before it tell.

    That is where a tile went, which end tile came, what an auction is about, and who won by the last pass.
    """
    match event.data.get("do"):
        case "reveal" if event.data["piece"] in END_TILES:
            more = _end(before)
        case "reveal" if event.data["piece"] in TILES:
            more = _place(event.data["piece"], before)
        case "auction":
            more = _auctioned(before)
        case "pass":
            more = _victory(event, before)
        case _:
            more = {}
    return replace(event, data={**event.data, **more}) if more else event


def _end(before: Sequence[Event]) -> dict[str, Json]:
    """Return which of the end tiles comes now; nothing but that it is one where the table was changed by hand."""
    if any(event.kind == "position" for event in before):
        return {"how": "aside"}
    number = 1 + sum(act.data.get("piece") in END_TILES for act in _acts(before))
    return {"how": "end" if number < len(END_TILES) else "last", "number": number}


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
    known = _quarries(before)
    return {"how": "quarry", "number": _onward(known[0], TILES[tile].windows)} if known else {}


def _auctioned(before: Sequence[Event]) -> dict[str, Json]:
    """Return the quarry that an auction is about, and how; nothing where the events do not tell it."""
    known = _quarries(before)
    if known is None:
        return {}
    quarry = _goal(*known)
    if quarry is None:
        return {"how": "empty"}
    return {"how": "handout" if known[1][quarry] >= HANDOUT else "quarry", "number": quarry}


def _goal(architect: int, tiles: Mapping[int, int]) -> int | None:
    """Return the quarry to which the architect goes next; None where none holds a tile."""
    return next((quarry for step in (1, 2, 3, 4) if tiles[quarry := _onward(architect, step)]), None)


def _quarries(before: Sequence[Event]) -> tuple[int, dict[int, int]] | None:
    """Return the architect's quarry and how many tiles lie in each, after these events.

    None where the table was changed by hand meanwhile.
    """
    if any(event.kind == "position" for event in before) or not before or before[0].kind != "start":
        return None
    where = int(before[0].data.get("options", {}).get("architect", 1))
    tiles = dict.fromkeys((1, 2, 3, 4), 0)
    turned_up, of = 0, "setup"
    for act in reversed(list(_acts(before))):
        if act.data["do"] != "reveal":
            turned_up, of = 0, act.data["do"]
            if of == "auction":
                where = _goal(where, tiles) or where
                tiles[where] = 0
            continue
        turned_up += 1
        piece = act.data["piece"]
        if of == "setup" and turned_up <= 4:
            tiles[turned_up] += 1
        elif of == "build" and turned_up == 2 and piece in TILES:
            tiles[_onward(where, TILES[piece].windows)] += 1
    return where, tiles


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
                how = "won" if bids else "unraised"
                bids[act.seat] = bids.get(act.seat, 0) + START
                left = set(range(len(before[0].data.get("seats", ())))) - out
                winner = left.pop() if len(left) == 1 else None
                return {"how": how, "winner": winner, "value": bids[winner]} if winner in bids else {}
    return {}


def line(event: Event, seat: int | None, names: Names) -> LogLine | None:
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
    return LogLine(event.number, who, said, _pieces(data) if kind != "deal" or who == seat else ())


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
