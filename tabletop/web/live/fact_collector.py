"""Collects what the templates of a live page read, for everybody and for one audience."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import NamedTuple

from tabletop.messages import N_
from tabletop.referee.snapshot import Snapshot
from tabletop.rules.game import Position
from tabletop.web.games import hint_lines
from tabletop.web.games.game_ui import AnyUI, LogLine, Names
from tabletop.web.games.help import help_link, topic_of
from tabletop.web.http.addresses import Addresses
from tabletop.web.i18n import gettext as _
from tabletop.web.i18n import spoken_language
from tabletop.web.listening import page as by_ear
from tabletop.web.live.hub import Audience, Hub
from tabletop.web.live.live_facts import AudienceFacts, CommonFacts, OwnFacts, TableOffers
from tabletop.web.live.regions import HANDS_PAGES, HOST_PAGES, STAGE_PAGES
from tabletop.web.live.shared_regions import SharedRegions
from tabletop.web.seating.looks import ShownLooks, shown_looks
from tabletop.web.seating.room import Room
from tabletop.web.seating.seat_hints import Hints
from tabletop.web.seating.votes import Vote, Votes
from tabletop.web.views import game_log, host_view, stage
from tabletop.web.views.prompts import About, about, at_panel, confirmation, let_in, prompts, status

CONFIRMATION_S = 60.0
"""How long, at least, the pages say which phone was confirmed; they keep saying it until something else changes."""
MAX_LOG_LINES = 12
ALL_LINES = 1_000_000
"""More lines than any log has."""
CAMERA_SENTENCES: Mapping[str, str] = {
    "ok": N_("The camera sees the table."),
    "lost": N_("The camera gives no picture."),
    "none": N_("This table has no camera."),
}
"""State of the camera → its sentence."""


class Collected(NamedTuple):
    """Facts for the regions of one audience's page besides the common facts, and how the page as a whole looks."""

    facts: Mapping[str, object]
    about: About


class FactCollector:
    """Collects the facts of one moment from the parts of a table."""

    def __init__(
        self, hub: Hub, *, room: Room, votes: Votes, hints: Hints, addresses: Addresses, offers: TableOffers
    ) -> None:
        self._hub, self._room, self._votes, self._hints = hub, room, votes, hints
        self._addresses, self._offers = addresses, offers
        self._logs: dict[tuple[str, int], game_log.Log] = {}

    def names(self, position: Position) -> Names:
        """Return the names of the seats: those that their people chose, else those with which the match began."""
        return self._room.seating.called(position.names)

    def looks(self, snapshot: Snapshot, ui: AnyUI) -> ShownLooks:
        """Return the colour and mark of each seat; in a past game, or where pieces have colours, the usual ones."""
        chosen = self._room.seating.looks if snapshot.mark == self._hub.snapshot.mark else {}
        return shown_looks(chosen, len(snapshot.position.names), hues=not ui.own_colours)

    def common(self, snapshot: Snapshot, ui: AnyUI, names: Names) -> CommonFacts:
        """Return the facts that everybody may know."""
        position, refused = snapshot.position, snapshot.refused
        vote, own_buttons = self._open_vote(snapshot), self._room.admission.own_buttons
        lines, asked = self._lines(snapshot, None, ui, names), snapshot.match.undo_to(drawn=True)
        newest, concerned = self._room.claims.confirmed(CONFIRMATION_S), ui.concerned(position)
        return {
            **self._offers,
            **self._addresses.way_in(self._room.code),
            **self.looks(snapshot, ui),
            "snapshot": snapshot,
            "phase": position.phase,
            "over": snapshot.over,
            "names": names,
            "decider": position.decider,
            "active": position.active,
            "concerned": concerned,
            "deciding": None if snapshot.over or snapshot.match.paused else concerned,
            "lit": bool(snapshot.signals) and (self._offers["simulated"] or self._room.admission.confirm),
            "camera": _(CAMERA_SENTENCES[snapshot.camera]),
            "refused": ui.explain(refused) if refused else None,
            "refused_rule": refused.rule if refused else "",
            "explain": ui.explain,
            "topic_of": partial(topic_of, ui.topics),
            "help": help_link,
            "room": self._room,
            "hints": self._hints,
            "confirmed": confirmation(newest, names) if newest is not None else "",
            "confirmed_host": newest is not None and newest.seat is None,
            "let_in": partial(let_in, admission=self._room.admission),
            "vote": vote,
            "vote_at_panel": at_panel(vote, own_buttons, names) if vote and self._speaks_of_votes else "",
            "vote_refused": self._votes.refused(snapshot.match.position_since),
            "vote_after": self._vote_after(snapshot, ui, names),
            "called": ui.called,
            "lines": lines,
            "undo_asked": asked,
            "undo_act": _first_after(asked, lines),
            "unknown": [""] * len(names),
        }

    def of_audience(self, shared: SharedRegions, audience: Audience, ui: AnyUI) -> Collected:
        """Return the further facts that one audience may know."""
        common, page, seat = shared.facts, audience.page, audience.seat
        snapshot, names = common["snapshot"], common["names"]
        reader = None if audience.together else seat
        seen = self._seen_by(common, audience, reader, ui)
        facts, scene = dict[str, object](seen), ""
        if page in STAGE_PAGES:
            stands = stage.facts(snapshot, self._room, ui, names, simulated=common["simulated"])
            facts, scene = facts | stands, stands["scene"]
        if page in HOST_PAGES:
            facts |= host_view.facts(snapshot, ui, names)
        if seat is not None:
            facts |= self._of_seat(common, audience, seat, ui, seen)
        if page == "listen":
            facts |= by_ear.facts(
                snapshot,
                reader,
                ui,
                names,
                status=seen["status"],
                prompts=[*filter(None, [common["refused"]]), *(text for _kind, text in seen["prompts"])],
                lines=seen["lines"],
                board=shared.board,
            )
        return Collected(
            facts, about(mine=seen["mine"], scene=scene, hues=common["hues"], televised=self._hub.televised)
        )

    def _seen_by(self, common: CommonFacts, audience: Audience, reader: int | None, ui: AnyUI) -> AudienceFacts:
        """Return what the page of any audience shows, as the ``reader`` may know it."""
        snapshot, names, page, seat = common["snapshot"], common["names"], audience.page, audience.seat
        wanted = prompts(
            snapshot,
            reader,
            ui,
            names,
            simulated=common["simulated"],
            again=snapshot.over and common["begins"] and page not in ("seat", *HOST_PAGES),  # these have the button
            panel=self._room.admission.confirm,
            watched=page in HANDS_PAGES,
            choosing=self._room.seating.people if page == "demo" else (),
        )
        return {
            "common_lines": common["lines"],
            "page": page,
            "me": seat,
            "mine": seat is not None and seat == common["deciding"],
            "status": status(snapshot, seat, ui, names),
            "together": audience.together,
            "prompts": wanted,
            "lines": self._lines(snapshot, reader, ui, names, ALL_LINES if page == "history" else MAX_LOG_LINES),
        }

    def _of_seat(
        self, common: CommonFacts, audience: Audience, seat: int, ui: AnyUI, seen: AudienceFacts
    ) -> Mapping[str, object]:
        """Return the further facts of a seat's page; one for several seats together gets no hand."""
        snapshot = common["snapshot"]
        decides = seen["mine"] and snapshot.position.decider == seat and not audience.together
        free = snapshot.match.undo_freely_to(seat)
        own: OwnFacts = {
            "lesson": ui.lessons.get(snapshot.position.phase, "") if decides else "",
            "undo_free": free,
        }
        if free is not None:
            own["undo_act"] = _first_after(free, seen["lines"])
        if snapshot.over:
            own["ties"] = stage.ties(snapshot.match.scores, ui, ended=snapshot.match.ended)
        hint = hint_lines.facts(self._hints, snapshot, seat, ui, common["names"])
        if audience.page != "seat" or audience.together:
            return {**hint, **own}
        return {**ui.hand_and_choices(snapshot.position, seat, over=snapshot.over), **hint, **own}

    @property
    def _speaks_of_votes(self) -> bool:
        """True if votes are answered at a panel; while a phone waits to be let in, the panel is for that alone."""
        return self._room.admission.confirm and not self._room.claims.waiting

    def _open_vote(self, snapshot: Snapshot) -> Vote | None:
        """Return the vote that people are asked to answer now; in a pause they are asked for nothing."""
        return None if snapshot.match.halted else self._votes.open(snapshot.match.position_since)

    def _vote_after(self, snapshot: Snapshot, ui: AnyUI, names: Names) -> str:
        """Return the line of the last event that would still count after the vote that is open."""
        vote = self._open_vote(snapshot)
        kept = [step for step in snapshot.match.steps if vote is not None and step.event.number <= vote.to]
        lines = (game_log.line(kept, at, ui, None, names) for at in reversed(range(len(kept))))
        line = next((line for line in lines if line is not None), None)
        return ui.in_a_sentence(line) if line else _("The game begins.")

    def _lines(
        self, snapshot: Snapshot, seat: int | None, ui: AnyUI, names: Names, most: int = MAX_LOG_LINES
    ) -> list[LogLine]:
        """Return the newest lines of the log, newest first."""
        log = self._logs.setdefault((spoken_language(), most), game_log.Log())
        return log.newest(snapshot.match.steps, snapshot.match.undone, ui, seat, names, most)


def _first_after(number: int | None, lines: Sequence[LogLine]) -> LogLine | None:
    """Return the line of the first counting event after ``number``, or None; ``lines`` have the newest first."""
    counting = (line for line in reversed(lines) if not line.undone)
    return next((line for line in counting if number is not None and line.number > number), None)
