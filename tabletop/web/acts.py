"""What a page may do: each a small JSON request that names what it was decided on and may be repeated harmlessly."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from flask import Blueprint, Response, abort, jsonify, request
from flask.typing import ResponseReturnValue

from tabletop.referee.state import Answer
from tabletop.rules.game import Illegal
from tabletop.web import visit
from tabletop.web.games import part_of
from tabletop.web.guard import json_body, photo_body
from tabletop.web.language import gettext as _
from tabletop.web.votes import last_act, own_last_act

acts = Blueprint("acts", __name__)


@acts.post("/join")
def join() -> ResponseReturnValue:
    """Take a seat: ``{code, seat, name}``.  The token comes as a cookie; it counts now, or once it is confirmed."""
    data = json_body()
    parts = visit.parts()
    parts.joins.take(_address())
    parts.joins.take("everybody")
    if not parts.room.knows(str(data.get("code", ""))[:20]):
        abort(403, _("This is not the code. It stands on the table page."))
    seat = data.get("seat")
    if not isinstance(seat, int) or isinstance(seat, bool) or seat not in parts.room.seats:
        abort(400, _("This seat cannot be taken."))
    token = parts.room.claim(seat, str(data.get("name", "")))
    response = jsonify(ok=True, waits=parts.room.confirm)
    visit.set_token(response, "seat", token)
    return response


@acts.post("/join/state")
def join_state() -> ResponseReturnValue:
    """Tell a waiting phone whether its claim counts by now."""
    json_body()
    return jsonify(holds=visit.seat() is not None)


@acts.post("/seat/leave")
def leave() -> ResponseReturnValue:
    """Give the seat back."""
    json_body()
    visit.parts().room.leave(visit.own_seat())
    return jsonify(ok=True)


@acts.post("/seat/act")
def act() -> ResponseReturnValue:
    """Do an action: ``{action, on, id}``."""
    seat, data = visit.own_seat(), json_body()
    parts = visit.parts()
    position = parts.desk.snapshot.position
    wanted = _object(data, "action")
    try:
        action = position.game.action(dict(wanted))
    except Illegal as illegal:
        return _refused(illegal)
    if position.decider is None:
        parts.tries.take(str(seat))
        due = wanted.get("seat", seat) == seat and action.do in part_of(position.game).told_by(seat, position)
        if not due:
            return _refused(Illegal("not-your-turn", _("This is not yours to tell.")))
    answer = parts.desk.act(action, on=_number(data, "on"), id=_id(data, seat), seat=seat)
    return _answer(answer)


@acts.post("/seat/ask")
def ask() -> ResponseReturnValue:
    """Say what a choice would cost or bring, changing nothing: ``{action}``.

    Only for who decides: what chance may bring depends on what others hold.
    """
    seat, data = visit.own_seat(), json_body()
    position = visit.parts().desk.snapshot.position
    if position.decider != seat:
        abort(403, _("It is not your turn to decide."))
    return jsonify(asdict(part_of(position.game).preview(position, _object(data, "action"))))


@acts.post("/seat/undo")
def undo() -> ResponseReturnValue:
    """Take back the last act: ``{on, id}``.  One's own is free until something follows; else the others are asked."""
    seat, data = visit.own_seat(), json_body()
    parts, on = visit.parts(), _number(data, "on")
    snapshot = parts.desk.snapshot
    own, last = own_last_act(snapshot.events, seat), last_act(snapshot.events)
    if own is not None:
        return _answer(parts.desk.undo(own, on=on, id=_id(data, seat)))
    if last is None:
        return _refused(Illegal("bad-request", _("There is nothing to take back.")))
    if on != snapshot.number:
        return _answer(Answer(False, snapshot.number, stale=True))
    vote = parts.votes.ask(last, on=on, asker=seat, voters=parts.room.taken)
    if vote.passed:
        return _answer(parts.desk.undo(last, on=on, id=_id(data, seat)))
    return jsonify(ok=True, asked=sorted(vote.voters))


@acts.post("/seat/vote")
def vote() -> ResponseReturnValue:
    """Agree or not to take an act back: ``{agree, on, id}``."""
    seat, data = visit.own_seat(), json_body()
    parts, on = visit.parts(), _number(data, "on")
    result = parts.votes.answer(seat, data.get("agree") is True, on=on)
    if result is not None and result.passed:
        return _answer(parts.desk.undo(result.to, on=on, id=_id(data, seat)))
    return jsonify(ok=True)


@acts.post("/seat/photo")
def photo() -> ResponseReturnValue:
    """Read a photograph of cards and return the ids found: the phone shows them, and asks before it sends them."""
    visit.own_seat()
    parts = visit.parts()
    if parts.read_photo is None:
        abort(404, _("Photographs cannot be read at this table."))
    parts.photos.take(_address())
    try:
        found = parts.read_photo(photo_body())
    except ValueError as error:
        return jsonify(ok=False, text=str(error)), 422
    return jsonify(ok=True, pieces=found)


@acts.post("/demo/press")
def press() -> ResponseReturnValue:
    """Press a button of the demo's panel: ``{button}``."""
    data, push = json_body(), visit.parts().press
    if push is None:
        abort(404, "There is no demo panel at this table.")
    push(str(data.get("button", ""))[:20])
    return jsonify(ok=True)


@acts.post("/host")
def become_host() -> ResponseReturnValue:
    """Become the host by the one-time code of the console: ``{code}``."""
    data, parts = json_body(), visit.parts()
    parts.joins.take(_address())
    token = parts.room.become_host(str(data.get("code", ""))[:20])
    if token is None:
        abort(403, _("This is not the host’s code, or it was used already."))
    response = jsonify(ok=True)
    visit.set_token(response, "host", token)
    return response


@acts.post("/host/claim")
def claim() -> ResponseReturnValue:
    """Confirm or refuse a phone that waits for a seat: ``{seat, accept}``."""
    visit.require_host()
    data, room = json_body(), visit.parts().room
    seat = _number(data, "seat")
    if data.get("accept") is True:
        room.accept(seat)
    else:
        room.refuse(seat)
    return jsonify(ok=True)


@acts.post("/host/free")
def free() -> ResponseReturnValue:
    """Take a seat away from its phone: ``{seat}``."""
    visit.require_host()
    visit.parts().room.leave(_number(json_body(), "seat"))
    return jsonify(ok=True)


@acts.post("/host/undo")
def host_undo() -> ResponseReturnValue:
    """Take back every event after one: ``{to, on, id}``."""
    visit.require_host()
    data = json_body()
    answer = visit.parts().desk.undo(_number(data, "to"), on=_number(data, "on"), id=_id(data, None))
    return _answer(answer)


def _answer(answer: Answer) -> ResponseReturnValue:
    if answer.stale:
        return jsonify(ok=False, text=_("The table went on in the meantime. Look again.")), 409
    if answer.error is not None:
        return _refused(answer.error)
    return jsonify(ok=answer.ok, number=answer.number)


def _refused(illegal: Illegal) -> tuple[Response, int]:
    part = part_of(visit.parts().desk.snapshot.position.game)
    return jsonify(
        ok=False, text=part.explain(illegal), rule=_(illegal.rule) if illegal.rule else "", code=illegal.code
    ), 422


def _address() -> str:
    return request.remote_addr or ""


def _object(data: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value = data.get(key)
    if not isinstance(value, dict):
        abort(400, f"“{key}” is missing.")
    return value


def _number(data: Mapping[str, Any], key: str) -> int:
    value = data.get(key)
    if not isinstance(value, int) or isinstance(value, bool):
        abort(400, f"“{key}” must be a number.")
    return value


def _id(data: Mapping[str, Any], seat: int | None) -> str:
    """Return the request's id, made the sender's own: nobody gets the answer to another's request."""
    value = data.get("id")
    if not isinstance(value, str) or not 8 <= len(value) <= 64:
        abort(400, "“id” must be a text of 8 to 64 characters.")
    return f"page-{'host' if seat is None else seat}-{value}"
