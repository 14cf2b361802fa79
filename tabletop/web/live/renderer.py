"""Renders the pages for their audiences, and the events that update them."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping
from typing import NamedTuple

from flask import Flask
from markupsafe import Markup

from tabletop.match.match import Match
from tabletop.referee.snapshot import Snapshot
from tabletop.web.games import ui_of
from tabletop.web.games.game_ui import AnyUI, Names
from tabletop.web.i18n import in_language
from tabletop.web.live.broken_region import Broken
from tabletop.web.live.fact_collector import FactCollector
from tabletop.web.live.hub import Audience, Hub, Stamp
from tabletop.web.live.region_templates import RegionTemplates, draw
from tabletop.web.live.regions import NEWS_PAGES, PAGES, SECRET_REGIONS
from tabletop.web.live.shared_regions import SharedRegions
from tabletop.web.views import happened
from tabletop.web.views.prompts import About


class RenderedPage(NamedTuple):
    """A page as it was rendered: its stamp, the match it shows, the seat, and the HTML of each region.

    ``me`` is the seat shown on a phone that holds several, None on any other; ``whole`` is False if a region could not
    be rendered.  ``about`` holds the data of its body, by which style sheets change how the whole page looks.
    """

    stamp: Stamp
    match: Match
    me: int | None
    regions: dict[str, str]
    whole: bool
    about: About

    @property
    def game(self) -> str:
        """An id that distinguishes the match from others."""
        return self.match.mark

    @property
    def on(self) -> int:
        """The number of the newest event it shows."""
        return self.match.last


class StaticBoard(NamedTuple):
    """A table that no longer changes, as HTML: what lies on it, the seats, and the hand of each."""

    board: Markup
    seats: Markup
    hands: list[Markup]


class Renderer:
    """Renders pages, once for all who may see the same, and keeps each until something changes."""

    def __init__(self, app: Flask, hub: Hub, collector: FactCollector, templates: RegionTemplates) -> None:
        self._app, self._hub = app, hub
        self._collector, self._templates = collector, templates
        self._turn = threading.Lock()
        self._shown: dict[Audience, RenderedPage] = {}
        self._news: dict[Audience, tuple[RenderedPage | None, RenderedPage, bytes]] = {}
        self._shared: dict[str, SharedRegions] = {}
        self._broken = Broken()

    def show(self, audience: Audience, *, retry: bool = False) -> RenderedPage:
        """Return the page as it is now; ``retry`` renders it again if a region of it could not be rendered."""
        # One thread renders and the others wait: threads that render side by side only take turns more often.
        with self._turn:
            kept = self._shown.get(audience)
            if kept is None or kept.stamp != self._hub.stamp or (retry and not kept.whole):
                kept = self._shown[audience] = self._make(audience)
            return kept

    def news(self, audience: Audience, sent: RenderedPage | None) -> tuple[RenderedPage, bytes]:
        """Return the page as it is now, and the event that updates a browser that has ``sent`` (None: nothing)."""
        shown = self.show(audience)
        known = self._news.get(audience)
        if known is None or known[0] is not sent or known[1] is not shown:
            before = sent.regions if sent is not None else {}
            changed = {name: html for name, html in shown.regions.items() if before.get(name) != html}
            facts = {
                "plays": shown.match.game.name, "on": shown.on, "game": shown.game, "me": shown.me,
                "about": shown.about, "regions": changed,
            }  # fmt: skip
            if sent is not None and audience.page in NEWS_PAGES:
                facts["happened"] = self._happened(sent.match, shown.match, audience)
            data = json.dumps(facts, ensure_ascii=False)
            known = self._news[audience] = sent, shown, f"id: {shown.stamp}\ndata: {data}\n\n".encode()
        return shown, known[2]

    def still(self, snapshot: Snapshot, names: Names) -> StaticBoard:
        """Return a table that no longer changes, with all hands open, in the language of the request."""
        shown = self._shower(snapshot, names)
        hands = [shown("seat", "hand", seat) for seat in range(len(names))]
        return StaticBoard(shown("table", "board"), shown("table", "seats"), hands)

    def hand(self, seat: int) -> Markup:
        """Return only a seat's hand, including the cards to choose from, in the request's language."""
        snapshot = self._hub.snapshot
        return self._shower(snapshot, self._collector.names(snapshot.position))("seat", "hand", seat)

    def _happened(self, then: Match, now: Match, audience: Audience) -> list[happened.Happened]:
        """Return what happened between two moments, in the language of the page."""
        with self._app.app_context(), in_language(audience.language):
            ui, names = ui_of(now.game), self._collector.names(now.position)
            return happened.happened_since(then, now, ui, None if audience.together else audience.seat, names)

    def _make(self, audience: Audience) -> RenderedPage:
        stamp, snapshot = self._hub.stamp, self._hub.snapshot
        stamp = stamp._replace(match=snapshot.revision)  # it may be newer than the stamp
        with self._app.app_context(), in_language(audience.language):
            me = audience.seat if audience.together else None
            regions, whole, about = self._render(stamp, snapshot, audience)
            return RenderedPage(stamp, snapshot.match, me, regions, whole, about)

    def _render(self, stamp: Stamp, snapshot: Snapshot, audience: Audience) -> tuple[dict[str, str], bool, About]:
        """Return the HTML of each region, whether all of them could be rendered, and the data of the page's body."""
        page, ui = audience.page, ui_of(snapshot.position.game)
        shown = [region for region in PAGES[page] if not (audience.together and region in SECRET_REGIONS)]
        made = dict.fromkeys(PAGES[page], "")
        try:
            shared = self._shared_by_all(stamp, snapshot, audience.language, ui)
            own = self._collector.of_audience(shared, audience, ui)
        except Exception as error:  # these facts are needed by all regions
            return made | dict.fromkeys(shown, self._broken.instead(f"the page {page}", error)), False, {}
        context, whole = {**shared.context, **own.facts}, True
        for region in shown:
            try:
                made[region] = self._region(snapshot, page, region, context)
            except Exception as error:  # whatever it is, the other regions are shown
                made[region], whole = self._broken.instead(f"{region} on the page {page}", error), False
        return made, whole, own.about

    def _region(self, snapshot: Snapshot, page: str, region: str, context: Mapping[str, object]) -> Markup:
        stands_still = region == "do" and (snapshot.match.paused or snapshot.over)
        name = "halted" if stands_still else region
        html = draw(self._templates.of_region(snapshot.position.game.name, page, name), context)
        html.encode()  # half of a surrogate pair can be drawn but not sent
        return html

    def _shared_by_all(self, stamp: Stamp, snapshot: Snapshot, language: str, ui: AnyUI) -> SharedRegions:
        """Return what everybody may know, worked out once per stamp and language."""
        known = self._shared.get(language)
        if known is None or known.stamp != stamp:
            names = self._collector.names(snapshot.position)
            facts = self._collector.common(snapshot, ui, names)
            board = ui.board(snapshot.position, names, over=snapshot.over)
            known = self._shared[language] = SharedRegions(stamp, facts, board, self._templates, before=known)
        return known

    def _shower(self, snapshot: Snapshot, names: Names) -> Callable[..., Markup]:
        """Return a function that draws a region of a page, for a seat without its choices or for nobody."""
        ui = ui_of(snapshot.position.game)
        facts = self._collector.common(snapshot, ui, names)
        board = ui.board(snapshot.position, names, over=snapshot.over)
        shared = SharedRegions(self._hub.stamp, facts, board, self._templates)

        def shown(page: str, region: str, seat: int | None = None) -> Markup:
            hand = {} if seat is None else ui.hand(snapshot.position, seat)
            return draw(self._templates.of_region(ui.name, page, region), {**shared.context, "me": seat, **hand})

        return shown
