"""What a table says to everybody, in one language: what happened, whose turn it is, what is needed."""

from __future__ import annotations

from flask import Flask

from tabletop.referee.snapshot import Snapshot
from tabletop.web.games import ui_of
from tabletop.web.i18n import in_language
from tabletop.web.seating.room import Room
from tabletop.web.views import happened
from tabletop.web.views.prompts import prompts, status


class Announcer:
    """Puts what is new into sentences, each of them once; only what everybody may know."""

    def __init__(self, app: Flask, room: Room, language: str, now: Snapshot) -> None:
        self._app, self._room, self._language = app, room, language
        self._match, self._standing = now.match, list[str]()

    def news(self, now: Snapshot) -> list[str]:
        """Return the sentences that were not true or not known when this was asked before."""
        with self._app.app_context(), in_language(self._language):
            ui, names = ui_of(now.position.game), self._room.seating.called(now.position.names)
            happenings = [event["text"] for event in happened.happened_since(self._match, now.match, ui, None, names)]
            refused = [ui.explain(now.refused)] if now.refused is not None else []
            wanted = [text for kind, text in prompts(now, None, ui, names) if kind != "wait"]
            standing = [*refused, *wanted, status(now, None, ui, names)]
        fresh = [text for text in standing if text not in self._standing]
        self._match, self._standing = now.match, standing
        return [text for text in (*happenings, *fresh) if text]
