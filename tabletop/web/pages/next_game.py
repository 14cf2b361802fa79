"""After a game: a seat begins the next one with the same people, who may have changed places."""

from __future__ import annotations

from flask import Blueprint, abort, jsonify
from flask.typing import ResponseReturnValue

from tabletop.web.http.guard import json_body
from tabletop.web.i18n import gettext as _
from tabletop.web.pages import session
from tabletop.web.pages.host import begin_next

next_game = Blueprint("next_game", __name__)


@next_game.post("/seat/next")
def begin() -> ResponseReturnValue:
    """Begin the next game with the same people and rules: ``{seat, game}``; a repeat is harmless."""
    data = json_body()
    session.own_seat(data)
    return begin_next({"game": data.get("game")})


@next_game.post("/seat/swap")
def swap() -> ResponseReturnValue:
    """Change places with another seat for the next game: ``{seat, other}``; it counts once the other asks the same."""
    data = json_body()
    context, seat, other = session.context(), session.own_seat(data), session.number_of(data, "other")
    if not context.mailbox.snapshot.over:
        abort(409, _("Seats are swapped after a game: hands are secret."))
    if other == seat or other not in context.room.seating.seats:
        abort(400, _("This seat is not available."))
    context.room.swap(seat, other)
    return jsonify(ok=True)
