"""Photographs from phones: taken, read, shown with what was understood, and confirmed.

Plain forms, so that no page needs a script; nothing counts before it is confirmed, and a photograph is shown only to
the one who took it.
"""

from __future__ import annotations

from collections.abc import Callable

from flask import Blueprint, Response, abort, jsonify, make_response, redirect, render_template, request
from flask.typing import ResponseReturnValue

from tabletop.messages import Declined
from tabletop.web.http.guard import form_body, photo_body
from tabletop.web.http.responses import jpeg_response
from tabletop.web.i18n import gettext as _
from tabletop.web.pages import session
from tabletop.web.pages.answers import address
from tabletop.web.pages.photos.photo_access import NO_LONGER_KEPT, own_photo, photo_before, taker_for
from tabletop.web.pages.photos.photo_confirm import confirmed
from tabletop.web.pages.photos.photo_pages import refused_page, scored_games, taking_page, understood_page
from tabletop.web.views import score_photo
from tabletop.web.views.photo_facts import WaitFacts
from tabletop.web.views.photo_queue import PhotoFindings

photos = Blueprint("photos", __name__)
READING_TIMEOUT_S = 3.0
"""After waiting this long for its photograph, a page says that it is still being read."""


@photos.after_request
def own_referrer(response: Response) -> Response:
    """Let forms send their origin: if no referrer at all is allowed, browsers leave that out as well."""
    response.headers["Referrer-Policy"] = "same-origin"
    return response


@photos.get("/photo/<purpose>")
def ask(purpose: str) -> ResponseReturnValue:
    """Show what to photograph, and the way to the phone's camera."""
    _, photo_reader = taker_for(purpose)
    photo_reader.open()
    return taking_page(purpose)


@photos.post("/photo/<purpose>")
def take(purpose: str) -> ResponseReturnValue:
    """Accept a photograph, ``photo`` of a form; the response leads to what was understood of it."""
    (taker, photo_reader), context = taker_for(purpose), session.context()
    context.limits.photos.take(address())
    snapshot, data = context.mailbox.snapshot, photo_body()
    before = photo_before(taker)
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
    (taker, photo_reader), context = taker_for("score"), session.context()
    before = photo_before(taker)
    if before is None or before.seen is None:
        abort(404, _(NO_LONGER_KEPT))
    try:
        stated = score_photo.stated_in(form_body().getlist("carriers[]"), before, photo_reader)
    except Declined as declined:
        return refused_page(before, declined), 422
    context.limits.photos.take(address())
    read = score_photo.rereading(photo_reader, context.mailbox.snapshot, before, stated)
    photo = context.photo_queue.take(
        "score", *taker, before.game, b"", read, mark=before.mark, before=before.key, stated=stated
    )
    return redirect(f"/photo/score/{photo.key}", 303)


@photos.get("/photo/<purpose>/<key>")
def show(purpose: str, key: str) -> ResponseReturnValue:
    """Show what was understood, to be confirmed; while the photo is still being read, a page that reloads itself."""
    photo = own_photo(purpose, key)
    if not photo.ready.wait(READING_TIMEOUT_S):
        facts: WaitFacts = {"page": "photo", "ahead": session.context().photo_queue.ahead(photo)}
        waiting = make_response(render_template("photo/wait.html", **facts))
        # A different address each time: a page that is reloaded at the same one keeps its scroll position.
        waiting.headers["Refresh"] = f"0; url={request.path}?again={request.args.get('again', 0, type=int) + 1}"
        return waiting
    if photo.seen is None:
        return taking_page(purpose, photo), 422
    return understood_page(photo)


@photos.get("/photo/<purpose>/<key>/<int:number>.jpg")
def picture(purpose: str, key: str, number: int) -> ResponseReturnValue:
    """Return a picture of what was understood."""
    photo = own_photo(purpose, key)
    if photo.seen is None or number >= len(photo.seen.pictures):
        abort(404)
    return jpeg_response(photo.seen.pictures[number][1])


@photos.post("/photo/<purpose>/<key>")
def confirm(purpose: str, key: str) -> ResponseReturnValue:
    """Let what was understood count, as the form says; a repeat changes nothing."""
    photo = own_photo(purpose, key)
    if not photo.ready.wait(READING_TIMEOUT_S) or photo.seen is None:
        abort(409, _("This photo is still being read."))
    with photo.turn:
        return redirect(photo.done, 303) if photo.done else confirmed(photo)


def _scored_game() -> str:
    game = form_body().get("game", session.context().mailbox.snapshot.position.game.name)
    if game not in {scored.name for scored in scored_games()}:
        abort(400, _("This game is not scored from photos."))
    return game


def _wants_page() -> bool:
    """Return whether a browser asks for a page, and not a script for JSON."""
    return "text/html" in request.headers.get("Accept", "")
