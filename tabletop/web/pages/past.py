"""Games that are over: their list, their scores, their replay, their records; and all games as one file.

A game shows everything once it is over, and nothing before: a running game is shown on its own pages.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TypedDict, cast

import flask_babel
from flask import Blueprint, Response, abort, jsonify, redirect, render_template, request
from flask.typing import ResponseReturnValue
from markupsafe import Markup

from tabletop.match import backup
from tabletop.match.archive import Archive, Summary
from tabletop.match.errors import JournalError
from tabletop.match.event import EventKind
from tabletop.match.match import Match
from tabletop.messages import said_by
from tabletop.referee.messages import headline
from tabletop.referee.snapshot import Snapshot
from tabletop.rules.text import record, record_text, recorder
from tabletop.web.games import ui_of
from tabletop.web.games.game_ui import LogLine, Names
from tabletop.web.http.guard import backup_body, json_body
from tabletop.web.http.qr import qr
from tabletop.web.http.responses import attachment_response
from tabletop.web.i18n import gettext as _
from tabletop.web.i18n import say
from tabletop.web.live.renderer import StaticBoard
from tabletop.web.pages import session
from tabletop.web.seating.looks import ShownLooks
from tabletop.web.views import bgstats, score_chart, score_photo
from tabletop.web.views.game_log import line
from tabletop.web.views.people_records import PersonRecord, records

past = Blueprint("past", __name__)

GAMES_PER_PAGE = 20
MAX_COUNTED_GAMES = 500
"""How many of the newest games count for the records of people; each is read once and remembered."""


@dataclass(frozen=True, slots=True)
class Row:
    """One game of the list.

    ``state`` is ``finished``, ``ended``, ``counted`` (from photographs alone), ``running``, ``open`` or ``unreadable``;
    ``ranked`` says that it shows who won.
    """

    game: Summary
    state: str
    ranked: bool
    when: str
    order: tuple[int, ...]


class GamesFacts(TypedDict):
    """Facts for the list of games: a page of it, its number and the last one, and whether the host looks."""

    page: str
    rows: Sequence[Row]
    number: int
    last: int
    host: bool


class PeopleFacts(TypedDict):
    """Facts for the page of people; ``left_out`` says that only the newest games count, ``most`` how many."""

    page: str
    people: Sequence[PersonRecord]
    left_out: bool
    most: int


class KeptFacts(TypedDict):
    """Facts for the page of a game that nobody refereed, besides what photographs showed."""

    page: str
    game: str


class ReplayFacts(TypedDict):
    """Facts for the replay besides the board: the game's ``name``, which event is shown, and the line of its log."""

    page: str
    plays: str
    name: str
    at: int
    last: int
    still: StaticBoard
    names: Names
    told: LogLine


class AfterFacts(session.LiveFacts, ShownLooks, score_chart.ScoreStory, score_photo.CountedFacts):
    """Facts for the page of a final score.

    ``base`` is the address of the game, empty if it has none of its own; ``play`` the link that opens the result in BG
    Stats, and ``scan`` the same as a QR code.
    """

    base: str
    play: str | None
    scan: Markup | None


@past.get("/games")
def games() -> ResponseReturnValue:
    """Show all games that were played here, the newest first."""
    archive = _archive()
    names = archive.names()
    last = max(1, -(-len(names) // GAMES_PER_PAGE))
    number = min(max(1, request.args.get("page", 1, type=int)), last)
    shown = archive.summaries(names[(number - 1) * GAMES_PER_PAGE : number * GAMES_PER_PAGE])
    facts: GamesFacts = {
        "page": "games",
        "rows": [*map(_row, shown)],
        "number": number,
        "last": last,
        "host": session.is_host(),
    }
    return render_template("games.html", **facts)


@past.get("/games/people")
def people() -> ResponseReturnValue:
    """Show what people did across the newest games that are over."""
    archive = _archive()
    names = archive.names()
    found = records(map(_over, archive.summaries(names[:MAX_COUNTED_GAMES])))
    facts: PeopleFacts = {
        "page": "people",
        "people": found,
        "left_out": len(names) > MAX_COUNTED_GAMES,
        "most": MAX_COUNTED_GAMES,
    }
    return render_template("people.html", **facts)


def _over(summary: Summary) -> Summary:
    """Return the summary as it may be shown: the game at the table is not over while it is played."""
    return replace(summary, over=False) if _is_being_played(summary) else summary


@past.get("/games/<name>")
def game(name: str) -> ResponseReturnValue:
    """Show the final score of a game, how it came about, and the record to take away."""
    match = _finished(name)
    if match.only_counted:
        about: KeptFacts = {"page": "after", "game": match.game.title}
        return render_template("photo/kept.html", **about, **score_photo.photo_only_facts(match))
    return score_page(_snapshot(match), match.names, f"/games/{name}")


@past.get("/games/<name>/record.<form>")
def take_record(name: str, form: str) -> ResponseReturnValue:
    """Return the record of a game as text, JSON or CSV."""
    match = _finished(name)
    return score_chart.download(form, _snapshot(match), match.names, name)


@past.get("/games/<name>/replay")
def replay(name: str) -> ResponseReturnValue:
    """Show the table after one event of a game, all hands open: ``?at=17``, the beginning without it."""
    match = _finished(name)
    if match.only_counted:
        abort(404, _("This game was not refereed: its final table was scored from photos."))
    last = len(match.steps)
    at = min(max(1, request.args.get("at", 1, type=int)), last)
    event, position = match.steps[at - 1]
    snapshot = _snapshot(match.first(at))
    ui = ui_of(position.game)
    said = line(match.steps, at - 1, ui, event.data.get("seat"), match.names)
    facts: ReplayFacts = {
        "page": "replay",
        "plays": position.game.name,
        "name": name,
        "at": at,
        "last": last,
        "still": session.context().renderer.still(snapshot, match.names),
        "names": match.names,
        "told": said or LogLine(event.number, None, _("The game begins.")),
    }
    return render_template("replay.html", **{**facts, **ui.board(snapshot.position, match.names, over=snapshot.over)})


@past.get("/seat/record.txt")
def own_record() -> ResponseReturnValue:
    """Return the record of the game as this seat could know it, at any time."""
    seat = session.own_seat()
    snapshot = session.context().mailbox.snapshot
    try:
        own = recorder.seen_by(score_chart.as_record(snapshot), seat)
    except record.UnreadableRecord:
        abort(
            409,
            _(
                "The record of this game was once corrected from the table, so no seat has a record of its "
                "own after that."
            ),
        )
    name = f"{snapshot.position.game.name}-{seat + 1}.txt"
    return attachment_response(record_text.format_record(own), name, "text/plain")


@past.post("/host/games/delete")
def delete() -> ResponseReturnValue:
    """Delete a game for ever: ``{game}``.  The one that is being played cannot be deleted."""
    session.require_host()
    archive, name = _archive(), str(json_body().get("game", ""))
    summary = _summary(name)
    if summary.id and summary.id == _running():
        abort(409, _("This is the game at the table: it cannot be deleted."))
    try:
        with _there():
            archive.delete(name)
    except JournalError as error:
        abort(409, say(said_by(error)))
    return jsonify(ok=True)


@past.post("/host/backup")
def save() -> ResponseReturnValue:
    """Return all games as one file.  A game that is being played is in it with its hands, so everybody is told.

    If the disk refuses to record that, the game is left out, and the name of the file says so.
    """
    session.require_host()
    json_body()
    archive = _archive()
    names = archive.names()  # first of all: nobody would be told about a game that begins from now on
    note = {"what": "backup"}  # after a game that is over it is not recorded
    told = session.context().mailbox.decide(EventKind.NOTE, note, id=f"backup-{secrets.token_hex(8)}").ok
    day = datetime.now(UTC).strftime("%Y-%m-%d")
    name = f"tabletop-{day}{'' if told else '-past-games'}.jsonl.gz"
    pieces = backup.save(archive, names, without="" if told else _running())
    return Response(
        pieces, mimetype="application/gzip", headers={"Content-Disposition": f'attachment; filename="{name}"'}
    )


@past.post("/host/restore")
def restore() -> ResponseReturnValue:
    """Restore the games of a backup; nothing changes if it is damaged."""
    session.require_host()
    try:
        done = backup.restore(_archive(), backup_body(), _running())
    except backup.BadBackup as error:
        return jsonify(ok=False, text=_("Nothing was changed: %(why)s", why=say(said_by(error)))), 422
    except JournalError as error:
        return jsonify(ok=False, text=say(said_by(error))), 507
    text = _(
        "Restored: %(added)s. Already here: %(known)s.", added=len(done.added), known=len(done.known)
    )  # fmt: skip
    if done.running:
        text += " " + _("The game at the table was left unchanged.")
    text = " ".join((text, *map(say, done.faults)))
    return jsonify(ok=True, text=text)


def _archive() -> Archive:
    archive = session.context().archive
    if archive is None:
        abort(404, _("This table does not save games."))
    return archive


def _running() -> str:
    """Return the id of the game at the table."""
    return session.context().mailbox.snapshot.match.start.hash


def _is_being_played(summary: Summary) -> bool:
    """Return whether a game is the one at the table, and not over."""
    return summary.id == _running() and not session.context().mailbox.snapshot.over


@contextmanager
def _there() -> Iterator[None]:
    """End the request with 404 if a name belongs to no game, or no longer."""
    try:
        yield
    except KeyError:
        abort(404, _("There is no such game."))


def _summary(name: str) -> Summary:
    with _there():
        return _archive().summary(name)


def _finished(name: str) -> Match:
    """Return a game that is over.  Ends the request if there is none, or it is not over yet."""
    summary = _summary(name)
    if _is_being_played(summary):
        abort(403, _("This game is still being played."))
    if not summary.readable:
        abort(404, _("This game’s file cannot be read."))
    if not summary.over:
        abort(403, _("This game was not finished: its record would give away the hands."))
    with _there():
        return _archive().match(name)


def _snapshot(match: Match) -> Snapshot:
    return Snapshot(0, match, headline(match))


def _row(summary: Summary) -> Row:
    if not summary.readable:
        return Row(summary, "unreadable", False, "", ())
    over = "counted" if summary.only_counted else "ended" if summary.ended else "finished" if summary.over else "open"
    state = "running" if _is_being_played(summary) else over
    began = datetime.fromtimestamp(summary.started)
    when = f"{flask_babel.format_date(began, rebase=False)}, {flask_babel.format_time(began, 'short', rebase=False)}"
    seats = range(len(summary.names))
    order = sorted(seats, key=lambda seat: summary.scores[seat].rank) if summary.over else seats
    ranked = state == "finished" or (state == "counted" and score_photo.is_decided(summary.game, summary.complete))
    return Row(summary, state, ranked, when, tuple(order))


def score_page(snapshot: Snapshot, names: Names, base: str) -> str:
    """Return the page of a final score; ``base`` is the address of the game, empty if it has none of its own."""
    ui, play = ui_of(snapshot.position.game), None if snapshot.match.ended else bgstats.link(snapshot, names)
    facts: AfterFacts = {
        **cast(session.LiveFacts, session.live("after")),
        **session.context().collector.looks(snapshot, ui),
        "base": base,
        "play": play,
        "scan": qr(play, "l") if play else None,
        **score_chart.story(snapshot, names),
        **score_photo.beside(snapshot, names),
    }
    return render_template("after.html", **{**facts, **ui.board(snapshot.position, names, over=snapshot.over)})


def after(snapshot: Snapshot) -> ResponseReturnValue | None:
    """Return a redirect to the page of the game at the table, which is over; None if it is not in the archive."""
    archive = session.context().archive
    if archive is None:
        return None
    kept = (game.name for game in archive.summaries(archive.names()) if game.id == snapshot.match.start.hash)
    return redirect(f"/games/{kept_as}") if (kept_as := next(kept, None)) else None
