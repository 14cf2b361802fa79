"""Lets what was understood of a photograph count, once it is confirmed."""

from __future__ import annotations

from flask import redirect
from flask.typing import ResponseReturnValue

from tabletop.match.errors import JournalError
from tabletop.match.event import Source
from tabletop.messages import Declined, said_by
from tabletop.referee.snapshot import Answer
from tabletop.web.http.guard import form_body
from tabletop.web.i18n import gettext as _
from tabletop.web.i18n import say
from tabletop.web.pages import session
from tabletop.web.pages.answers import MOVED_ON
from tabletop.web.pages.photos.photo_pages import refused_page, understood_page
from tabletop.web.views import score_photo, table_photo
from tabletop.web.views.photo_queue import Photo


def confirmed(photo: Photo) -> ResponseReturnValue:
    """Let what was understood count, and answer with what became of it."""
    try:
        answer, to = _counts(photo)
    except Declined as declined:
        return refused_page(photo, declined), 422
    except JournalError as error:
        return understood_page(photo, say(said_by(error))), 507
    if answer.stale:
        return understood_page(photo, _(MOVED_ON)), 409
    if not answer.ok:
        assert answer.error is not None
        return refused_page(photo, answer.error), 422
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
