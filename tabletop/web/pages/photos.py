"""Photographs from phones: taken, read, shown with what was understood, and confirmed.

Plain forms, so that no page needs a script; nothing counts before it is confirmed, and a photograph is shown only to
the one who took it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from flask import Blueprint, Response, abort, jsonify, make_response, redirect, render_template, request
from flask.typing import ResponseReturnValue

from tabletop.match.errors import JournalError
from tabletop.match.event import Source
from tabletop.messages import N_, Declined, said_by
from tabletop.referee.snapshot import Answer, Snapshot
from tabletop.rules import registry
from tabletop.rules.game import Game
from tabletop.web.games import ui_of
from tabletop.web.games.game_ui import AnyUI, Names
from tabletop.web.http.guard import form_body, photo_body
from tabletop.web.http.responses import jpeg_response
from tabletop.web.i18n import gettext as _
from tabletop.web.i18n import say
from tabletop.web.pages import session
from tabletop.web.pages.answers import MOVED_ON, address
from tabletop.web.pages.pages import cards_are_shown
from tabletop.web.views import score_photo, table_photo
from tabletop.web.views.photo_facts import CardsFacts, TakeFacts, UnderstoodFacts, WaitFacts
from tabletop.web.views.photo_queue import Photo, PhotoFindings, PhotoReader

photos = Blueprint("photos", __name__)

PURPOSES = ("cards", "table", "score")
"""What a photograph shows: a seat's cards at the deal; what the camera cannot see on the table; a final table."""
READING_TIMEOUT_S = 3.0
"""After waiting this long for its photograph, a page says that it is still being read."""

NO_LONGER_KEPT = N_("This photo is no longer kept. Take it again.")
"""The answer about a photograph that is gone, or somebody else's."""


class Taker(NamedTuple):
    """Who takes a photograph: the token that may see it again, and the seat that it is for, None if for no seat."""

    owner: str
    seat: int | None


@photos.after_request
def own_referrer(response: Response) -> Response:
    """Let forms send their origin: if no referrer at all is allowed, browsers leave that out as well."""
    response.headers["Referrer-Policy"] = "same-origin"
    return response


@photos.get("/photo/<purpose>")
def ask(purpose: str) -> ResponseReturnValue:
    """Show what to photograph, and the way to the phone's camera."""
    _, photo_reader = _taker(purpose)
    photo_reader.open()
    return _page(purpose)


@photos.post("/photo/<purpose>")
def take(purpose: str) -> ResponseReturnValue:
    """Accept a photograph, ``photo`` of a form; the response leads to what was understood of it."""
    (taker, photo_reader), context = _taker(purpose), session.context()
    context.limits.photos.take(address())
    snapshot, data = context.mailbox.snapshot, photo_body()
    before = _before(taker)
    stated = before.stated if before is not None else None
    read: Callable[[bytes], PhotoFindings]
    match purpose:
        case "cards":
            read = photo_reader.pieces
        case "table":
            read = photo_reader.table
        case _:
            game = before.game if before is not None else _scored_game()
            read = score_photo.reading(photo_reader, snapshot, game, before)

    name = snapshot.position.game.name if purpose != "score" else game
    mark, key = (before.mark, before.key) if before is not None else (snapshot.mark, "")
    photo = context.photo_queue.take(
        purpose, taker.owner, taker.seat, name, data, read, mark=mark, before=key, stated=stated
    )
    to = f"/photo/{purpose}/{photo.key}"
    return jsonify(ok=True, next=to) if not _wants_page() else redirect(to, 303)


@photos.post("/photo/score/carriers")
def count_carriers() -> ResponseReturnValue:
    """Score the same photographs again, with the pieces on which one without a tag is stated to stand."""
    (taker, photo_reader), context = _taker("score"), session.context()
    before = _before(taker)
    if before is None or before.seen is None:
        abort(404, _(NO_LONGER_KEPT))
    try:
        stated = score_photo.stated_in(form_body().getlist("carriers[]"), before, photo_reader)
    except Declined as declined:
        return _refused(before, declined), 422
    context.limits.photos.take(address())
    read = score_photo.rereading(photo_reader, context.mailbox.snapshot, before, stated)
    photo = context.photo_queue.take(
        "score", *taker, before.game, b"", read, mark=before.mark, before=before.key, stated=stated
    )
    return redirect(f"/photo/score/{photo.key}", 303)


@photos.get("/photo/<purpose>/<key>")
def show(purpose: str, key: str) -> ResponseReturnValue:
    """Show what was understood, to be confirmed; while the photo is still being read, a page that reloads itself."""
    photo = _own(purpose, key)
    if not photo.ready.wait(READING_TIMEOUT_S):
        facts: WaitFacts = {"page": "photo", "ahead": session.context().photo_queue.ahead(photo)}
        waiting = make_response(render_template("photo/wait.html", **facts))
        # A different address each time: a page that is reloaded at the same one keeps its scroll position.
        waiting.headers["Refresh"] = f"0; url={request.path}?again={request.args.get('again', 0, type=int) + 1}"
        return waiting
    if photo.seen is None:
        return _page(purpose, photo), 422
    return _understood(photo)


@photos.get("/photo/<purpose>/<key>/<int:number>.jpg")
def picture(purpose: str, key: str, number: int) -> ResponseReturnValue:
    """Return a picture of what was understood."""
    photo = _own(purpose, key)
    if photo.seen is None or number >= len(photo.seen.pictures):
        abort(404)
    return jpeg_response(photo.seen.pictures[number][1])


@photos.post("/photo/<purpose>/<key>")
def confirm(purpose: str, key: str) -> ResponseReturnValue:
    """Let what was understood count, as the form says; a repeat changes nothing."""
    photo = _own(purpose, key)
    if not photo.ready.wait(READING_TIMEOUT_S) or photo.seen is None:
        abort(409, _("This photo is still being read."))
    with photo.turn:
        return redirect(photo.done, 303) if photo.done else _confirmed(photo)


def _confirmed(photo: Photo) -> ResponseReturnValue:
    """Let what was understood count, and answer with what became of it."""
    try:
        answer, to = _counts(photo)
    except Declined as declined:
        return _refused(photo, declined), 422
    except JournalError as error:
        return _understood(photo, say(said_by(error))), 507
    if answer.stale:
        return _understood(photo, _(MOVED_ON)), 409
    if not answer.ok:
        assert answer.error is not None
        return _refused(photo, answer.error), 422
    photo.done = to
    return redirect(to, 303)


def _counts(photo: Photo) -> tuple[Answer, str]:
    """Let what was understood count; return the answer and the page that shows it."""
    context = session.context()
    match photo.purpose:
        case "cards":
            return _deal(photo), "/seat"
        case "table":
            by_host = photo.seat is None or session.source(photo.seat) == Source.HOST
            answer = table_photo.act_on_photo(
                photo, form_body(), context.mailbox, by_host=by_host, count=context.limits.tries.take
            )
            return answer, "/seat" if photo.seat is not None else "/host"
        case _:
            photo_reader = context.photo_reader if context.archive is not None else None
            return Answer(True, 0), score_photo.keep_score(photo, form_body(), context.mailbox, photo_reader)


def _deal(photo: Photo) -> Answer:
    """Record the ticked cards as the hand that was dealt."""
    context, seat = session.context(), photo.seat
    snapshot = context.mailbox.snapshot
    context.limits.tries.take(str(seat))
    assert seat is not None
    cards = form_body().getlist("cards[]")
    action = snapshot.position.game.action({"do": "deal", "seat": seat, "cards": cards})
    on = form_body().get("on", 0, type=int)
    id = f"photo-{photo.key}-{on}-{'-'.join(cards)}"
    return context.mailbox.act(action, on=on, id=id, seat=seat, source=Source.PHOTO)


def _refused(photo: Photo, declined: Declined) -> str:
    """Return the page with what was understood and why it is declined."""
    ui = ui_of(session.context().mailbox.snapshot.position.game)
    return _understood(photo, ui.explain(declined), say(declined.rule))


def _understood(photo: Photo, refused: str = "", rule: str = "") -> str:
    """Return the page with what was understood; ``refused`` is why it does not count, ``rule`` the rule behind it."""
    context = session.context()
    snapshot, seen = context.mailbox.snapshot, photo.seen
    assert seen is not None
    ui = ui_of(snapshot.position.game)
    names = context.room.seating.called(snapshot.position.names)
    shown = ui_of(registry.game(photo.game)).shown()
    seen_by_all: UnderstoodFacts = {
        "page": "photo",
        "photo": photo,
        "base": f"/photo/{photo.purpose}/{photo.key}",
        "on": snapshot.number,
        "names": names,
        "doubts": [(number, say(text, shown)) for number, text in seen.doubts],
        "refused": refused,
        "refused_rule": rule,
    }
    return render_template(
        f"photo/{photo.purpose}.html",
        **{
            **seen_by_all,
            **ui.board(snapshot.position, names, over=snapshot.over),
            **_of_purpose(photo, seen, snapshot, ui, names),
        },
    )


def _of_purpose(
    photo: Photo, seen: PhotoFindings, snapshot: Snapshot, ui: AnyUI, names: Names
) -> CardsFacts | table_photo.TablePhotoFacts | score_photo.ScoredPhotoFacts:
    """Return what the page for photographs of this purpose reads in addition."""
    match photo.purpose:
        case "cards":
            return {"dealt": ui.dealt(snapshot.position), "ticked": seen.pieces, "due": _is_due(photo)}
        case "table":
            return table_photo.facts(photo, snapshot, ui, names)
        case _:
            context = session.context()
            assert context.photo_reader is not None
            return score_photo.facts(photo, snapshot, names, context.photo_reader, kept=context.archive is not None)


def _is_due(photo: Photo) -> bool:
    position = session.context().mailbox.snapshot.position
    ui = ui_of(position.game)
    return ui.dealt(position) is not None and ui.concerned(position) == photo.seat


def _page(purpose: str, unreadable: Photo | None = None) -> str:
    """Return the page that asks for a photograph, or for another one in place of one that is ``unreadable``."""
    snapshot = session.context().mailbox.snapshot
    games = {game.name: game.title for game in _scored()} if purpose == "score" else {}
    game, before = request.args.get("game", snapshot.position.game.name), request.args.get("with", "")[:40]
    trouble = ""
    if unreadable is not None:
        game, before = unreadable.game, unreadable.before
        trouble = _("The photo: %(why)s", why=say(unreadable.trouble))
    facts: TakeFacts = {
        "page": "photo",
        "purpose": purpose,
        "trouble": trouble,
        "games": games,
        "chosen": game,
        "before": before,
        "seat": request.args.get("seat", type=int),
    }
    return render_template("photo/take.html", **facts)


def _scored_game() -> str:
    game = form_body().get("game", session.context().mailbox.snapshot.position.game.name)
    if game not in {scored.name for scored in _scored()}:
        abort(400, _("This game is not scored from photos."))
    return game


def _scored() -> Sequence[Game]:
    """Return the games whose final table is scored from photographs."""
    photo_reader = session.context().photo_reader
    return photo_reader.scored() if photo_reader is not None else ()


def _before(taker: Taker) -> Photo | None:
    """Return the photograph to which this one is added, None if it stands for itself.

    Ends the request if that one is no longer kept: what it showed would be missing.
    """
    key = request.args.get("with", "")
    if not key:
        return None
    photo = session.context().photo_queue.find(key)
    if photo is None or photo.owner != taker.owner or photo.purpose != "score" or photo.done:
        abort(404, _(NO_LONGER_KEPT))
    if photo.seen is None:
        abort(409, _("This photo is still being read."))
    return photo


def _own(purpose: str, key: str) -> Photo:
    """Return a photograph to the one who took it and still holds that seat.  Ends the request for everybody else.

    Once another match has begun, only one of a final table is returned: it can be kept as a game of its own.
    """
    photo = session.context().photo_queue.find(key)
    mine = (
        photo is not None and photo.purpose == purpose and photo.owner in (session.token("seat"), session.token("host"))
    )
    old = photo is not None and purpose != "score" and photo.mark != session.context().mailbox.snapshot.mark
    if photo is None or not mine or old:
        abort(404, _(NO_LONGER_KEPT))
    held = session.seats()
    allowed = photo.seat in held if photo.seat is not None else bool(held) or session.is_host()
    if not allowed:
        abort(403, _(session.NO_SEAT))
    return photo


def _taker(purpose: str) -> tuple[Taker, PhotoReader]:
    """Return who takes a photograph for this purpose, and what reads it.

    Ends the request unless this browser may do that.
    """
    if purpose not in PURPOSES:
        abort(404)
    photo_reader = session.context().photo_reader
    if photo_reader is None:
        abort(404, _("This table cannot read photos."))
    match purpose:
        case "cards":
            return _taker_of_cards(), photo_reader
        case "table":
            return _taker_of_table(), photo_reader
    held = session.seats()
    if not held and not session.is_host():
        abort(403, _("Only the host and people with a seat at this table can score it from photos."))
    return Taker(session.token("seat") if held else session.token("host"), held[0] if held else None), photo_reader


def _taker_of_cards() -> Taker:
    position = session.context().mailbox.snapshot.position
    ui = ui_of(position.game)
    due = ui.concerned(position)
    if position.game.table is None or ui.dealt(position) is None or due not in session.seats():
        abort(403, _("You are not being dealt cards now."))
    return Taker(session.token("seat"), due)


def _taker_of_table() -> Taker:
    snapshot = session.context().mailbox.snapshot
    if snapshot.position.game.table is None or snapshot.over or snapshot.match.paused:
        abort(403, _("Nothing on the table is being read now."))
    if cards_are_shown(snapshot):
        abort(403, _("Dealt cards lie on the table: take the photo when they have been picked up."))
    due = ui_of(snapshot.position.game).concerned(snapshot.position)
    if due in session.seats():
        return Taker(session.token("seat"), due)
    if not session.is_host():
        abort(403, _("Only the host and the seat whose turn it is can photograph the table."))
    return Taker(session.token("host"), None)


def _wants_page() -> bool:
    """Return whether a browser asks for a page, and not a script for JSON."""
    return "text/html" in request.headers.get("Accept", "")
