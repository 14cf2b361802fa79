"""Who may take a photograph of which purpose, and who may see it again."""

from __future__ import annotations

from typing import NamedTuple

from flask import abort, request

from tabletop.messages import N_
from tabletop.web.games import ui_of
from tabletop.web.i18n import gettext as _
from tabletop.web.pages import session
from tabletop.web.pages.pages import cards_are_shown
from tabletop.web.views.photo_queue import Photo, PhotoReader

PURPOSES = ("cards", "table", "score")
"""What a photograph shows: a seat's cards at the deal; what the camera cannot see on the table; a final table."""

NO_LONGER_KEPT = N_("This photo is no longer kept. Take it again.")
"""The answer about a photograph that is gone, or somebody else's."""


class Taker(NamedTuple):
    """Who takes a photograph: the token that may see it again, and the seat that it is for, None if for no seat."""

    owner: str
    seat: int | None


def photo_before(taker: Taker) -> Photo | None:
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


def own_photo(purpose: str, key: str) -> Photo:
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


def taker_for(purpose: str) -> tuple[Taker, PhotoReader]:
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
