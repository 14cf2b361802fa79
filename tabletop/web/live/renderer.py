"""What each page is made of, and how a region of it is rendered for one audience."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from flask import Flask
from jinja2 import Template
from markupsafe import Markup

from tabletop.match.match import Match
from tabletop.referee.snapshot import Snapshot
from tabletop.rules.game import Position
from tabletop.web.games import hint_lines, part_of
from tabletop.web.games.game_ui import GameUI, LogLine, Names
from tabletop.web.games.help import help_link, topic_of
from tabletop.web.http.addresses import Addresses
from tabletop.web.i18n import gettext as _
from tabletop.web.i18n import in_language, spoken_language
from tabletop.web.listening import page as by_ear
from tabletop.web.live.broken_region import Broken
from tabletop.web.live.hub import Audience, Hub, Stamp
from tabletop.web.seating.looks import seat_looks
from tabletop.web.seating.room import Room
from tabletop.web.seating.seat_hints import Hints
from tabletop.web.seating.votes import Votes, last_act, own_last_act
from tabletop.web.views import game_log, happened, host_view, stage
from tabletop.web.views.prompts import About, about, at_panel, confirmation, let_in, needs, status

PAGES: Mapping[str, tuple[str, ...]] = {
    "table": ("status", "needs", "map", "board", "seats", "log", "join", "final"),
    "seat": ("status", "needs", "covers", "lesson", "do", "hint", "mine", "hand", "table", "others", "log"),
    "listen": ("status", "needs", "do", "answers", "agreed"),
    "demo": ("status", "needs", "panel", "camera"),
    "host": ("status", "needs", "game", "phones", "correct", "history", "evening"),
    "history": ("status", "needs", "history"),
    "after": ("again",),
}
"""Page → its regions, in the order in which a screen reader meets them."""

STAGE_PAGES = ("table",)
"""Pages that also show, sound and say what just happened."""

SEAT_PAGES = ("seat", "listen")
"""Pages for a seat alone."""

NEWS_PAGES = (*STAGE_PAGES, "listen")
"""Pages that get what just happened."""

HOST_PAGES = ("host", "history")
"""Pages for the host alone."""

SECRET_REGIONS = ("do", "hint", "hand")
"""Regions of a seat's page that show its hand: a phone that holds several seats gets them while a button is held."""

CONFIRMATION_S = 60.0
"""For so long at least the pages say which phone was confirmed; they go on until something else changes."""
MAX_LOG_LINES = 12
ALL_LINES = 1_000_000
"""More than a log has."""
MAX_DRAWN_LINES = 2000
"""Lines of the log that are kept as drawn; a game has some hundreds."""


class RenderedPage(NamedTuple):
    """A page as it was rendered: its stamp, the match it shows, the seat, and the HTML of each region.

    ``me`` is the seat shown on a phone that holds several, None on any other; ``whole`` is False if a region could not
    be rendered.  ``about`` is what changes how the whole page looks: data of its body, which style sheets ask for.
    """

    stamp: Stamp
    match: Match
    me: int | None
    regions: dict[str, str]
    whole: bool
    about: About

    @property
    def game(self) -> str:
        """What distinguishes the match from others."""
        return self.match.mark

    @property
    def on(self) -> int:
        """The number of the newest event it shows."""
        return self.match.last


class Common:
    """What everybody may know at one moment, in one language: worked out once for all pages that are rendered then.

    ``facts`` is the context of every region; calling it renders a template from these facts alone, once.  ``drawn``
    holds the log's lines as they were drawn before.
    """

    def __init__(
        self, stamp: Stamp, facts: Mapping[str, Any], find: Callable[[str], Template], drawn: dict[LogLine, Markup]
    ) -> None:
        self.stamp = stamp
        self.drawn = drawn
        self.facts = {**facts, "shared": self}
        self._find = find
        self._made: dict[tuple[str, int | None], Markup] = {}

    def __call__(self, template: str, number: int | None = None) -> Markup:
        """Return the template as all may see it, for the thing of that ``number`` if there are several."""
        if (template, number) not in self._made:
            self._made[template, number] = _drawn(self._find(template), {**self.facts, "number": number})
        return self._made[template, number]

    def each(self, template: str, count: int) -> Markup:
        """Return the template for a number of things."""
        return Markup("".join(self(template, number) for number in range(count)))

    def line(self, line: LogLine) -> Markup:
        """Return a line of the log, drawn when it was first shown to anybody who may read it."""
        if line not in self.drawn:
            self.drawn[line] = _drawn(self._find("parts/line.html"), {**self.facts, "line": line})
        return self.drawn[line]


class StaticBoard(NamedTuple):
    """A table that no longer changes, as HTML: what lies on it, the seats, and the hand of each."""

    board: Markup
    seats: Markup
    hands: list[Markup]


class Renderer:
    """Renders regions, once for all who may see the same.

    ``extra`` is what every region may know and never changes, ``addresses`` are those by which people come now.
    """

    def __init__(
        self,
        app: Flask,
        hub: Hub,
        *,
        room: Room,
        votes: Votes,
        hints: Hints,
        addresses: Addresses,
        extra: Mapping[str, Any],
    ) -> None:
        self._app = app
        self._hub = hub
        self._room = room
        self._votes, self._hints = votes, hints
        self._extra, self._addresses = extra, addresses
        self._turn = threading.Lock()
        self._shown: dict[Audience, RenderedPage] = {}
        self._news: dict[Audience, tuple[RenderedPage | None, RenderedPage, bytes]] = {}
        self._found: dict[str, Template] = {}
        self._common: dict[str, Common] = {}
        self._logs: dict[tuple[str, int], game_log.Log] = {}
        self._broken = Broken()

    def show(self, audience: Audience, *, retry: bool = False) -> RenderedPage:
        """Return the page as it is now; ``retry`` renders it again if a region of it could not be rendered."""
        # One renders, the others wait for it: threads that render side by side only take turns more often.
        with self._turn:
            kept = self._shown.get(audience)
            if kept is None or kept.stamp != self._hub.stamp or (retry and not kept.whole):
                kept = self._shown[audience] = self._make(audience)
            return kept

    def news(self, audience: Audience, sent: RenderedPage | None) -> tuple[RenderedPage, bytes]:
        """Return the page as it is now, and the event that updates a page that has ``sent``; None: nothing."""
        shown = self.show(audience)
        known = self._news.get(audience)
        if known is None or known[0] is not sent or known[1] is not shown:
            before = sent.regions if sent is not None else {}
            changed = {name: html for name, html in shown.regions.items() if before.get(name) != html}
            facts = {"on": shown.on, "game": shown.game, "me": shown.me, "about": shown.about, "regions": changed}
            if sent is not None and audience.page in NEWS_PAGES:
                facts["happened"] = self._happened(sent.match, shown.match, audience)
            data = json.dumps(facts, ensure_ascii=False)
            known = self._news[audience] = sent, shown, f"id: {shown.stamp}\ndata: {data}\n\n".encode()
        return shown, known[2]

    def _happened(self, then: Match, now: Match, audience: Audience) -> list[dict[str, Any]]:
        """Return what happened between two moments, in the language of the page."""
        with self._app.app_context(), in_language(audience.language):
            part, names = part_of(now.game), self.names(now.position)
            return happened.happened_since(then, now, part, None if audience.together else audience.seat, names)

    def _make(self, audience: Audience) -> RenderedPage:
        stamp, snapshot = self._hub.stamp, self._hub.snapshot
        with self._app.app_context(), in_language(audience.language):
            me = audience.seat if audience.together else None
            regions, whole, about = self._render(stamp, snapshot, audience)
            return RenderedPage(stamp, snapshot.match, me, regions, whole, about)

    def _render(self, stamp: Stamp, snapshot: Snapshot, audience: Audience) -> tuple[dict[str, str], bool, About]:
        """Return the HTML of each region, whether all of them could be rendered, and what is said of the page."""
        page, part = audience.page, part_of(snapshot.position.game)
        shown = [region for region in PAGES[page] if not (audience.together and region in SECRET_REGIONS)]
        made = dict.fromkeys(PAGES[page], "")
        try:
            common = self._common_of(stamp, snapshot, audience.language, part)
            context = self._context(common, snapshot, audience, part)
        except Exception as error:  # what all regions are made of
            return made | dict.fromkeys(shown, self._broken.instead(f"the page {page}", error)), False, {}
        whole = True
        for region in shown:
            try:
                made[region] = self._region(snapshot, page, region, context)
            except Exception as error:  # whatever it is, the other regions are shown
                made[region], whole = self._broken.instead(f"{region} on the page {page}", error), False
        return made, whole, about(context)

    def _region(self, snapshot: Snapshot, page: str, region: str, context: dict[str, Any]) -> Markup:
        stands_still = region == "do" and (snapshot.match.paused or snapshot.over)
        template = self._template(snapshot.position.game.name, page, "halted" if stands_still else region)
        html = _drawn(template, context)
        html.encode()  # half a character can be drawn and not be sent
        return html

    def _template(self, game: str, page: str, region: str) -> Template:
        """Return the game's own template of a region, else the generic one."""
        key = f"{game}/{page}/{region}"
        if key not in self._found:
            choices = [f"games/{game}/{page}/{region}.html", f"parts/{page}/{region}.html", f"parts/{region}.html"]
            self._found[key] = self._app.jinja_env.select_template(choices)
        return self._found[key]

    def names(self, position: Position) -> Names:
        """Return what the seats are called: as their people said, else as the match began."""
        return self._room.seating.called(position.names)

    def looks(self, snapshot: Snapshot, part: GameUI) -> dict[str, Any]:
        """Return the colour and the mark of each seat; in a past game, and where seats have colours, the usual ones."""
        seats, now = len(snapshot.position.names), snapshot.mark == self._hub.snapshot.mark
        looks = seat_looks(self._room.seating.looks if now else {}, seats)
        return {
            "hues": [] if part.own_colours else [look.hue for look in looks],
            "marks": [look.mark for look in looks],
        }

    def _common_of(self, stamp: Stamp, snapshot: Snapshot, language: str, part: GameUI) -> Common:
        """Return what everybody may know, worked out by the first who asks."""
        known = self._common.get(language)
        if known is None or known.stamp != stamp:
            facts = {**self._app.jinja_env.globals, **self._facts(snapshot, part, self.names(snapshot.position))}
            same = known is not None and known.facts["snapshot"].mark == snapshot.mark
            drawn = known.drawn if known is not None and same and len(known.drawn) < MAX_DRAWN_LINES else {}
            known = self._common[language] = Common(stamp, facts, self._app.jinja_env.get_template, drawn)
        return known

    def still(self, snapshot: Snapshot, names: Names) -> StaticBoard:
        """Return a table that no longer changes, with all hands open, in the language of the request."""
        shown = self._shower(snapshot, names)
        hands = [shown("seat", "hand", seat) for seat in range(len(names))]
        return StaticBoard(shown("table", "board"), shown("table", "seats"), hands)

    def hand(self, seat: int) -> Markup:
        """Return only a seat's hand, including the cards to choose from, in the request's language."""
        snapshot = self._hub.snapshot
        return self._shower(snapshot, self.names(snapshot.position))("seat", "hand", seat)

    def _shower(self, snapshot: Snapshot, names: Names) -> Callable[..., Markup]:
        """Return what draws a region of a page, for a seat that has nothing to choose or for nobody."""
        part = part_of(snapshot.position.game)
        facts = {**self._app.jinja_env.globals, **self._facts(snapshot, part, names), "me": None}
        common = Common(self._hub.stamp, facts, self._app.jinja_env.get_template, {})

        def shown(page: str, region: str, seat: int | None = None) -> Markup:
            own = {} if seat is None else {"me": seat, **part.hand(snapshot, seat)}
            return _drawn(self._template(part.name, page, region), {**common.facts, **own})

        return shown

    def _facts(self, snapshot: Snapshot, part: GameUI, names: Names) -> dict[str, Any]:
        position = snapshot.position
        vote, own_buttons = self._votes.open(snapshot.number), self._room.admission.own_buttons
        lines, asked = self._lines(snapshot, None, part, names), last_act(snapshot.events)
        newest, concerned = self._room.claims.confirmed(CONFIRMATION_S), part.concerned(position)
        return {
            **self._extra,
            **self._addresses.way_in(self._room.code),
            "snapshot": snapshot,
            "phase": position.phase,
            "over": snapshot.over,
            "names": names,
            "decider": position.decider,
            "active": position.active,
            "concerned": concerned,
            "deciding": None if snapshot.over or snapshot.match.paused else concerned,
            "lit": snapshot.signals and (self._extra.get("simulated") or self._room.admission.confirm),
            "refused": part.explain(snapshot.refused) if snapshot.refused else None,
            "refused_rule": snapshot.refused.rule if snapshot.refused else "",
            "explain": part.explain,
            "topic_of": partial(topic_of, part.topics),
            "help": help_link,
            "room": self._room,
            "confirmed": confirmation(newest, names) if newest is not None else "",
            "confirmed_host": newest is not None and newest.seat is None,
            "let_in": partial(let_in, admission=self._room.admission),
            "vote": vote,
            "vote_at_panel": at_panel(vote, own_buttons, names) if vote and self._speaks_of_votes else "",
            "vote_refused": self._votes.refused(snapshot.number),
            "vote_after": self._vote_after(snapshot, part, names),
            "called": part.called,
            "lines": lines,
            "undo_asked": asked,
            "undo_act": _first_after(asked, lines),
            "unknown": [""] * len(names),
            **self.looks(snapshot, part),
            **part.board(snapshot, names),
        }

    def _context(self, common: Common, snapshot: Snapshot, audience: Audience, part: GameUI) -> dict[str, Any]:
        """Return what one audience may know."""
        page, seat, names = audience.page, audience.seat, common.facts["names"]
        stands_still = snapshot.over or snapshot.match.paused
        simulated = bool(self._extra.get("simulated"))
        reader = None if audience.together else seat
        context = {
            **common.facts,
            "common_lines": common.facts["lines"],
            "page": page,
            "me": seat,
            "mine": seat is not None and seat == common.facts["concerned"] and not stands_still,
            "status": status(snapshot, seat, part, names),
            "together": audience.together,
            "needs": needs(
                snapshot,
                reader,
                part,
                names,
                simulated=simulated,
                again=snapshot.over and bool(self._extra.get("begins")) and page not in HOST_PAGES,
                panel=self._room.admission.confirm,
            ),
            "lines": self._lines(snapshot, reader, part, names),
        }
        if page in STAGE_PAGES:
            context |= stage.facts(snapshot, self._room, part, names, simulated=simulated)
        if page in HOST_PAGES:
            context |= host_view.facts(snapshot, part, names)
        if page == "history":
            context["lines"] = self._lines(snapshot, None, part, names, ALL_LINES)
        if seat is not None:
            context |= self._of_seat(snapshot, audience, seat, part, context)
        if page == "listen":
            context |= by_ear.facts(snapshot, reader, part, names, context)
        return context

    def _of_seat(
        self, snapshot: Snapshot, audience: Audience, seat: int, part: GameUI, context: Mapping[str, Any]
    ) -> dict[str, Any]:
        """Return what the page of a seat shows besides; one that is covered shows no hand."""
        decides = context["mine"] and snapshot.position.decider == seat and not audience.together
        found = part.hand_and_choices(snapshot, seat) if audience.page == "seat" and not audience.together else {}
        found |= hint_lines.facts(self._hints, snapshot, seat, part, context["names"])
        free = own_last_act(snapshot.events, seat)
        if free is not None:
            found["undo_act"] = _first_after(free, context["lines"])
        lesson = part.lessons.get(snapshot.position.phase, "") if decides else ""
        return {"lesson": lesson, **found, "undo_free": free}

    @property
    def _speaks_of_votes(self) -> bool:
        """True if a panel takes the answers; while a phone waits to be let in, it speaks of that alone."""
        return self._room.admission.confirm and not self._room.claims.waiting

    def _vote_after(self, snapshot: Snapshot, part: GameUI, names: Names) -> str:
        """Return the line of the last event that would still count after the vote that is open."""
        vote = self._votes.open(snapshot.number)
        kept = [step for step in snapshot.match.steps if vote is not None and step.event.number <= vote.to]
        told = (game_log.line(kept, at, part, None, names) for at in reversed(range(len(kept))))
        line = next((line for line in told if line is not None), None)
        return part.in_a_sentence(line) if line else _("The game begins.")

    def _lines(
        self, snapshot: Snapshot, seat: int | None, part: GameUI, names: Names, most: int = MAX_LOG_LINES
    ) -> list[LogLine]:
        """Return the newest lines of the log, newest first."""
        log = self._logs.setdefault((spoken_language(), most), game_log.Log())
        return log.newest(snapshot.match.steps, snapshot.match.undone, part, seat, names, most)


def _drawn(template: Template, context: dict[str, Any]) -> Markup:
    """Return a template rendered in a context that holds everything: Template.render would copy all of it each time."""
    return Markup("".join(template.root_render_func(template.new_context(context, shared=True))))


def _first_after(number: int | None, lines: Sequence[LogLine]) -> LogLine | None:
    """Return the line of the first event that counts after one, of lines that have the newest first, or None."""
    counting = (line for line in reversed(lines) if not line.undone)
    return next((line for line in counting if number is not None and line.number > number), None)
