"""What each page is made of, and how a region of it is rendered for one audience."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from typing import Any, NamedTuple

from flask import Flask
from jinja2 import Template

from tabletop.referee.state import Snapshot
from tabletop.rules.game import Position
from tabletop.web.games import part_of
from tabletop.web.games.part import Line, Names, Part
from tabletop.web.hub import Hub, Stamp
from tabletop.web.language import gettext as _
from tabletop.web.language import speaking
from tabletop.web.needs import needs
from tabletop.web.room import Room
from tabletop.web.votes import Votes, last_act, own_last_act

PAGES: Mapping[str, tuple[str, ...]] = {
    "table": ("status", "needs", "board", "seats", "log", "join"),
    "seat": ("status", "needs", "do", "hand", "mine", "table", "log"),
    "demo": ("status", "needs", "panel", "camera"),
    "host": ("status", "needs", "phones", "history"),
}
"""Page → its regions, in the order in which a screen reader meets them."""

LOG_LINES = 12
"""How many lines of the log a page shows."""


class Audience(NamedTuple):
    """For whom a page is rendered: ``seat`` None is a spectator, and the host is one."""

    page: str
    seat: int | None
    language: str


class Shown(NamedTuple):
    """A page as it was rendered: its stamp, the number of the newest event it shows, and the HTML of each region."""

    stamp: Stamp
    on: int
    regions: dict[str, str]


class Screen:
    """Renders regions.  What spectators see is rendered once for all of them, for each language."""

    def __init__(self, app: Flask, hub: Hub, room: Room, votes: Votes, extra: Mapping[str, Any]) -> None:
        self._app = app
        self._hub = hub
        self._room = room
        self._votes = votes
        self._extra = extra
        self._turn = threading.Lock()
        self._shared: dict[Audience, Shown] = {}
        self._news: dict[Audience, tuple[Shown, Shown, str]] = {}
        self._found: dict[str, Template] = {}

    def show(self, audience: Audience) -> Shown:
        """Return the page as it is now."""
        if audience.seat is not None:
            return self._make(audience)
        # Fifty spectators wake at once: one of them renders, the others wait for it.
        with self._turn:
            kept = self._shared.get(audience)
            if kept is None or kept.stamp != self._hub.stamp:
                kept = self._shared[audience] = self._make(audience)
            return kept

    def news(self, audience: Audience, sent: Shown) -> tuple[Shown, str]:
        """Return the page as it is now, and what tells it to a page that has ``sent``, as JSON."""
        shown = self.show(audience)
        known = self._news.get(audience)
        if known is None or known[0] is not sent or known[1] is not shown:
            changed = {name: html for name, html in shown.regions.items() if sent.regions.get(name) != html}
            known = sent, shown, json.dumps({"on": shown.on, "regions": changed}, ensure_ascii=False)
            if audience.seat is None:
                self._news[audience] = known
        return shown, known[2]

    def _make(self, audience: Audience) -> Shown:
        stamp, snapshot = self._hub.stamp, self._hub.snapshot
        with self._app.app_context(), speaking(audience.language):
            return Shown(stamp, snapshot.number, self._render(snapshot, audience))

    def _render(self, snapshot: Snapshot, audience: Audience) -> dict[str, str]:
        part = part_of(snapshot.position.game)
        context = self.context(snapshot, audience, part)
        return {
            region: self._template(part.name, audience.page, region).render(context) for region in PAGES[audience.page]
        }

    def _template(self, game: str, page: str, region: str) -> Template:
        """Return the game's own template of a region, else the generic one."""
        key = f"{game}/{page}/{region}"
        if key not in self._found:
            choices = [f"games/{game}/{page}/{region}.html", f"parts/{page}/{region}.html", f"parts/{region}.html"]
            self._found[key] = self._app.jinja_env.select_template(choices)
        return self._found[key]

    def names(self, position: Position) -> Names:
        """Return what the seats are called: as their people said, else as the match began."""
        given = self._room.names
        return [given.get(seat, name) for seat, name in enumerate(position.names)]

    def context(self, snapshot: Snapshot, audience: Audience, part: Part) -> dict[str, Any]:
        """Return what the templates of a page may use."""
        names = self.names(snapshot.position)
        seat = audience.seat
        context = {
            **self._extra,
            "snapshot": snapshot,
            "phase": snapshot.position.phase,
            "over": snapshot.position.over,
            "names": names,
            "me": seat,
            "decider": snapshot.position.decider,
            "active": snapshot.position.active,
            "mine": seat is not None and seat == part.concerned(snapshot.position) and not snapshot.position.over,
            "concerned": part.concerned(snapshot.position),
            "status": self._status(snapshot, seat, part, names),
            "needs": needs(snapshot, seat, part, names, simulated=bool(self._extra.get("simulated"))),
            "refused": part.explain(snapshot.refused) if snapshot.refused else None,
            "refused_rule": snapshot.refused.rule if snapshot.refused else "",
            "lines": self._lines(snapshot, seat, part, names),
            "explain": part.explain,
            "room": self._room,
            "vote": self._votes.open(snapshot.number),
            **part.board(snapshot, names),
        }
        if seat is not None:
            context |= part.desk(snapshot, seat)
            context |= {
                "undo_free": own_last_act(snapshot.events, seat),
                "undo_asked": last_act(snapshot.events),
            }
        return context

    def _status(self, snapshot: Snapshot, seat: int | None, part: Part, names: Names) -> str:
        position = snapshot.position
        if snapshot.paused:
            return _("The game is paused.")
        if position.over:
            return _("The game is over.")
        if position.decider is None:
            due = part.concerned(position)
            return part.waiting(snapshot, due == seat, names[due])
        return part.deciding(position, position.decider == seat, names[position.decider])

    def _lines(self, snapshot: Snapshot, seat: int | None, part: Part, names: Names) -> list[Line]:
        """Return the newest lines of the log, newest first."""
        found: list[Line] = []
        for event in reversed(snapshot.events):
            line = part.line(event, seat, names)
            if line is not None:
                found.append(line)
            if len(found) == LOG_LINES:
                break
        return found
