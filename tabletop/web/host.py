"""The host's own pages and acts: the evening, the phones, what the camera sees, and what is to be put right."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import Blueprint, abort, jsonify, render_template
from flask.typing import ResponseReturnValue

from tabletop.referee.state import Answer
from tabletop.rules.game import Illegal
from tabletop.web import visit
from tabletop.web.answers import address, answered, id_of, number_of, object_of, refused
from tabletop.web.games import part_of
from tabletop.web.guard import json_body
from tabletop.web.language import gettext as _
from tabletop.web.pages import camera_picture, live_page

host = Blueprint("host", __name__)

SIMPLE = ("pause", "resume", "end")
"""What the host decides about the evening with one word."""


@host.get("/host")
def show() -> ResponseReturnValue:
    """Show the host's page, or ask for the one-time code."""
    if visit.is_host():
        return live_page("host")
    room = visit.parts().room
    return render_template(
        "become_host.html", page="host-code", panel=room.confirm, asked=room.claims_of(visit.token("host"))
    )


@host.get("/host/history")
def history() -> ResponseReturnValue:
    """Show every event, to go back to any of them."""
    visit.require_host()
    return live_page("history")


@host.get("/host/picture.jpg")
def picture() -> ResponseReturnValue:
    """Return the camera's picture to the host, who sees no hands either."""
    visit.require_host()
    return camera_picture(kept_back=True)


@host.post("/host")
def become() -> ResponseReturnValue:
    """Become the host by the one-time code of the console: ``{code}``."""
    data, parts = json_body(), visit.parts()
    parts.joins.take(address())
    token = parts.room.become_host(str(data.get("code", ""))[:20])
    if token is None:
        abort(403, _("This is not the host’s code, or it was used already."))
    response = jsonify(ok=True)
    visit.set_token(response, "host", token)
    return response


@host.post("/host/claim")
def claim() -> ResponseReturnValue:
    """Confirm or refuse a phone that waits for a seat: ``{seat, accept}``."""
    visit.require_host()
    data, room = json_body(), visit.parts().room
    seat = number_of(data, "seat")
    if data.get("accept") is True:
        room.accept(seat)
    else:
        room.refuse(seat)
    return jsonify(ok=True)


@host.post("/host/free")
def free() -> ResponseReturnValue:
    """Take a seat away from its phone: ``{seat}``."""
    visit.require_host()
    visit.parts().room.leave(number_of(json_body(), "seat"))
    return jsonify(ok=True)


@host.post("/host/game")
def game() -> ResponseReturnValue:
    """Pause the game, let it go on, or end it before its time: ``{what, id}``."""
    visit.require_host()
    data = json_body()
    what = data.get("what")
    if what not in SIMPLE:
        abort(400, "“what” must be pause, resume or end.")
    return _decreed(what, {}, data)


@host.post("/host/deputy")
def deputy() -> ResponseReturnValue:
    """Play for an absent seat until it is freed or taken: ``{seat}``.  Everybody is told."""
    visit.require_host()
    parts, seat = visit.parts(), number_of(json_body(), "seat")
    if seat not in parts.room.seats or seat in parts.room.taken:
        return refused(Illegal("seat-taken", _("A phone holds this seat: free it first.")))
    token = parts.presence.stand_in(seat, visit.token("seat"))
    if token is None:
        return refused(Illegal("game-over", _("The game is over.")))
    response = jsonify(ok=True)
    visit.set_token(response, "seat", token)
    return response


@host.post("/host/act")
def act() -> ResponseReturnValue:
    """Record what was done or turned up, where the camera did not see it: ``{action, on, id}``.

    Only what does not depend on a hand; for all else the host plays for the seat.
    """
    visit.require_host()
    data, parts = json_body(), visit.parts()
    position = parts.desk.snapshot.position
    try:
        action = position.game.action(dict(object_of(data, "action")))
    except Illegal as illegal:
        return refused(illegal)
    if position.decider is None:
        # A refusal tells that somebody holds the card: attempts are counted, as those of a seat are.
        parts.tries.take("host")
        told = action.do == "reveal"
    else:
        told = action.do in part_of(position.game).open_kinds
    if not told:
        why = _("This depends on a hand: play for the seat, which everybody is told.")
        return refused(Illegal("not-your-turn", why))
    return answered(parts.desk.act(action, on=number_of(data, "on"), id=id_of(data, None), seat=None, source="host"))


@host.post("/host/adopt")
def adopt() -> ResponseReturnValue:
    """Let the table win over the record: ``{moves: ["B1.2 warehouse", …], piece, place, on, id}``."""
    visit.require_host()
    data = json_body()
    moves = data.get("moves", [])
    if not isinstance(moves, list) or not all(isinstance(move, str) for move in moves):
        abort(400, "“moves” must be a list of texts.")
    if data.get("piece") and data.get("place"):
        moves = [*moves, f"{data['piece']} {data['place']}"]
    places = dict(move.split(" ", 1) for move in moves if " " in move)
    if not places:
        return refused(Illegal("bad-request", _("Say of at least one piece where it lies.")))
    return answered(visit.parts().desk.adopt(places, on=number_of(data, "on"), id=id_of(data, None)))


@host.post("/host/undo")
def undo() -> ResponseReturnValue:
    """Take back every event after one: ``{to, on, id}``, once all phones agree; with ``now`` without asking them."""
    visit.require_host()
    data, parts = json_body(), visit.parts()
    to, on = number_of(data, "to"), number_of(data, "on")
    if on != parts.desk.snapshot.number:
        return answered(Answer(False, on, stale=True))
    if data.get("now") is not True:
        vote = parts.votes.ask(to, on=on, asker=None, voters=parts.room.taken)
        if not vote.passed:
            return jsonify(ok=True, asked=sorted(vote.voters))
    return answered(parts.desk.undo(to, on=on, id=id_of(data, None), source="host"))


def _decreed(kind: str, facts: Mapping[str, Any], data: Mapping[str, Any]) -> ResponseReturnValue:
    return answered(visit.parts().desk.decree(kind, facts, id=id_of(data, None)))
