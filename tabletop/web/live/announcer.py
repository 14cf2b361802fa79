"""What a table says to everybody, in one language: what happened, whose turn it is, what is needed."""

from __future__ import annotations

import math
from collections.abc import Callable

from flask import Flask

from tabletop.referee.snapshot import Snapshot
from tabletop.web.games import ui_of
from tabletop.web.i18n import gettext as _
from tabletop.web.i18n import in_language
from tabletop.web.live.hub import Hub
from tabletop.web.seating.room import Room
from tabletop.web.views import happened
from tabletop.web.views.prompts import prompts, status

MAX_COUNTING_S = 12.0
"""How long, at most, the winner is withheld while a television counts the score (suspense.js)."""


class Announcer:
    """Puts the news that everybody may know into sentences, each of them once.

    While a television counts the score, it withholds the winner, as the phones do; ``steady`` gives monotonic seconds.
    """

    def __init__(self, app: Flask, hub: Hub, room: Room, language: str, steady: Callable[[], float]) -> None:
        self._app, self._hub, self._room, self._language, self._steady = app, hub, room, language, steady
        self._match, self._standing = hub.snapshot.match, list[str]()
        self._counted_by = math.inf  # the time by which the winner is named; -inf once that is done

    def waits(self) -> bool:
        """Return whether a television counts the score, so that news has to be asked for again without any change."""
        return math.isfinite(self._counted_by)

    def news(self, now: Snapshot) -> list[str]:
        """Return the sentences that are new since the last call."""
        with self._app.app_context(), in_language(self._language):
            ui, names = ui_of(now.position.game), self._room.seating.called(now.position.names)
            happenings = [event["text"] for event in happened.happened_since(self._match, now.match, ui, None, names)]
            refused = [ui.explain(now.refused)] if now.refused is not None else []
            wanted = [text for kind, text in prompts(now, None, ui, names) if kind != "wait"]
            counting = self._is_counting(now)
            stands = _("Look at the television: who has won?") if counting else status(now, None, ui, names)
            standing = [*refused, *wanted, stands]
        fresh = [text for text in standing if text not in self._standing]
        self._match, self._standing = now.match, standing
        return [text for text in (*happenings, *fresh) if text]

    def _is_counting(self, now: Snapshot) -> bool:
        """Return whether a television still counts the score; once it has, it does not begin again."""
        if not now.over or now.match.ended:
            self._counted_by = math.inf
            return False
        time = self._steady()
        counts = self._hub.televised and time < self._counted_by
        self._counted_by = min(self._counted_by, time + MAX_COUNTING_S) if counts else -math.inf
        return counts
