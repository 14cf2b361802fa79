"""What a page may do: small JSON requests that name the state they are based on and can safely be repeated."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from flask import Blueprint, Response, abort, jsonify, redirect, request
from flask.typing import ResponseReturnValue

from tabletop.messages import Declined, Message
from tabletop.referee.admin import why_halted
from tabletop.rules.game import Illegal
from tabletop.web.games import ui_of
from tabletop.web.http.guard import form_body, json_body
from tabletop.web.i18n import gettext as _
from tabletop.web.live.hub import Audience
from tabletop.web.message_text import language
from tabletop.web.pages import session
from tabletop.web.pages.answers import (
    MOVED_ON,
    address,
    answer_response,
    ask_no_longer,
    ask_to_undo,
    claim_response,
    declined_response,
    moved_on_response,
    repeated,
)
from tabletop.web.seating.claims import Waits
from tabletop.web.seating.looks import NO_LOOK, SeatLook, chosen_look
from tabletop.web.seating.losses import loss_sentence
from tabletop.web.seating.tokens import same_code
from tabletop.web.views.prompts import let_in

acts = Blueprint("acts", __name__)

EVERYBODY_KEY = "everybody"
"""The key under which wrong codes from all addresses are counted together."""


@acts.post("/join")
def join() -> ResponseReturnValue:
    """Take a seat: ``{code, seat, name, hue, mark, also}``.

    The token is set as a cookie; it counts at once, or when it is confirmed.  With ``also`` the phone keeps its other
    seats.
    """
    data = json_body()
    context = session.context()
    _limit()
    _require_code(data)
    seat = data.get("seat")
    if not isinstance(seat, int) or isinstance(seat, bool) or seat not in context.room.seating.seats:
        abort(400, _("This seat is not available."))
    also = session.token("seat") if data.get("also") is True else ""
    return _claimed(seat, str(data.get("name", "")), also, chosen_look(data))


def _claimed(seat: int, name: str, also: str, look: SeatLook) -> Response:
    """Claim a seat for the phone that sends this request, and answer with its token."""
    room = session.context().room
    try:
        marked = bool(session.token("phone"))
        token = room.claim(seat, name, also=also, by=session.phone(), marked=marked, look=look)
    except Waits:
        abort(409, _("Another phone is waiting for this seat: confirm or refuse it first."))
    response = jsonify(ok=True, waits=bool(room.claims.of(token)))
    session.set_token(response, "seat", token)
    return response


def _limit() -> None:
    """Count an attempt to join from this address.  Ends the request with 429 after too many, or too many guesses."""
    context = session.context()
    context.limits.joins.take(address())
    context.limits.guesses.check(EVERYBODY_KEY)


def _require_code(data: Mapping[str, Any]) -> None:
    """End the request with 403 if it does not name the table's code; wrong codes of all addresses are added up."""
    context = session.context()
    if not same_code(str(data.get("code", ""))[:20], context.room.code):
        context.limits.guesses.take(EVERYBODY_KEY)
        abort(403, _("That is not the code. It is shown on the table page."))


@acts.post("/join/state")
def join_state() -> ResponseReturnValue:
    """Tell a phone how many seats it holds now, how many it is waiting for, and why it lost the one it had."""
    json_body()
    context = session.context()
    claims_of = context.room.claims.of
    waits = len(claims_of(session.token("seat")) + claims_of(session.token("host")))
    loss = context.room.loss_of(session.token("seat"))
    names = context.mailbox.snapshot.position.names
    why = "" if loss is None else loss_sentence(loss, names, context.room.seating.called(names))
    return jsonify(holds=len(session.seats()), waits=waits, why=why)


@acts.post("/seat/back")
def back() -> ResponseReturnValue:
    """Ask again for the seat that this phone lost, under its old name and without the code; else like :func:`join`."""
    json_body()
    context = session.context()
    room = context.room
    _limit()
    loss = room.loss_of(session.token("seat"))
    if loss is None or loss.seat not in room.seating.seats:
        abort(403, _(session.NO_SEAT))
    names = context.mailbox.snapshot.position.names
    return _claimed(loss.seat, loss.was_called(names) if loss.seat < len(names) else "", "", NO_LOOK)


@acts.post("/seat/claim")
def hand_over() -> ResponseReturnValue:
    """Give this phone's seat to the phone that asks for it, or keep it: ``{seat, claim, accept}``."""
    data, room = json_body(), session.context().room
    seat = session.own_seat(data)
    claim = room.claims.waiting.get(seat)
    if data.get("accept") is True and claim is not None and not room.admission.guarded:
        return jsonify(ok=False, text=let_in(claim, room.admission)), 409
    return claim_response(data, seat)


@acts.post("/join/host")
def ask_to_host() -> ResponseReturnValue:
    """Ask to be the host: ``{code}``, that of the table page; it takes effect once OK is held at the panel."""
    data, context = json_body(), session.context()
    _limit()
    if not context.room.admission.confirm:
        abort(404, _("This table has no panel."))
    _require_code(data)
    held, names = session.seats(), context.room.seating.called(context.mailbox.snapshot.position.names)
    response = jsonify(ok=True)
    try:
        token = context.room.ask_to_host(session.phone(), names[held[0]] if held else "")
        session.set_token(response, "host", token)
    except Waits:
        abort(409, _("Another phone is asking to be the host: confirm or refuse it first."))
    return response


@acts.post("/seat/leave")
def leave() -> ResponseReturnValue:
    """Give a seat back: ``{seat}``."""
    seat = session.own_seat(json_body())
    session.context().room.leave(seat, session.token("seat"))
    ask_no_longer(seat)
    response = jsonify(ok=True)
    if not session.seats():
        # A token that holds no seat would be taken for one that has lost its seat.
        response.delete_cookie("seat")
    return response


@acts.post("/seat/act")
def act() -> ResponseReturnValue:
    """Do an action: ``{action, on, id}``."""
    data = json_body()
    seat = session.own_seat(data)
    context = session.context()
    context.limits.acts.take(str(seat))
    if (known := repeated(data, seat)) is not None:
        return known
    snapshot, on = context.mailbox.snapshot, session.decided_on(data)
    position = snapshot.position
    wanted = session.object_of(data, "action")
    try:
        action = position.game.action(dict(wanted))
    except Illegal as illegal:
        return declined_response(illegal, missing=ui_of(position.game).missing(wanted))
    if on != snapshot.number:  # what is examined here has to be what the referee acts on
        return moved_on_response()
    if position.decider is None:
        context.limits.tries.take(str(seat))
        due = wanted.get("seat", seat) == seat and ui_of(position.game).may_tell(seat, position, action)
        if not due:
            return declined_response(Declined("not-your-turn", Message("You cannot report this.")))
    id, source = session.id_of(data, seat), session.source(seat)
    return answer_response(context.mailbox.act(action, on=on, id=id, seat=seat, source=source))


@acts.post("/seat/ask")
def ask() -> ResponseReturnValue:
    """Say what a choice would cost or bring, changing nothing: ``{action}``, and ``on`` if the page knows it.

    Only for the seat that decides: what chance may bring depends on what others hold.  A page that asks as its turn
    ends did nothing forbidden: it is told that the game has moved on.
    """
    data = json_body()
    seat = session.own_seat(data)
    snapshot = session.context().mailbox.snapshot
    position = snapshot.position
    if position.decider != seat:
        if "on" in data and session.decided_on(data) != snapshot.number:
            return jsonify(ok=False, text=_(MOVED_ON))
        abort(403, _("It is not your turn to decide."))
    return jsonify(asdict(ui_of(position.game).preview(position, session.object_of(data, "action"))))


@acts.post("/seat/undo")
def undo() -> ResponseReturnValue:
    """Undo the last action: ``{on, id}``.  One's own is free until something follows; for another all are asked."""
    data = json_body()
    seat = session.own_seat(data)
    context, on = session.context(), session.decided_on(data)
    context.limits.acts.take(str(seat))
    if (known := repeated(data, seat)) is not None:
        return known
    snapshot = context.mailbox.snapshot
    own, last = snapshot.match.undo_freely_to(seat), snapshot.match.undo_to(drawn=True)
    if own is not None:
        return answer_response(
            context.mailbox.undo(own, on=on, id=session.id_of(data, seat), source=session.source(seat))
        )
    if last is None:
        return declined_response(Declined("bad-request", Message("There is nothing to undo.")))
    if not snapshot.match.unchanged_since(on):
        return moved_on_response()
    if (halted := why_halted(snapshot.match)) is not None:
        return declined_response(halted)
    since, voters = snapshot.match.position_since, context.room.asked - set(session.seats())
    vote = ask_to_undo(last, on=since, asker=seat, voters=voters)
    if vote.passed:
        return answer_response(context.mailbox.undo(last, on=on, id=session.id_of(data, seat)))
    return jsonify(ok=True, asked=sorted(vote.voters))


@acts.post("/seat/hint")
def hint() -> ResponseReturnValue:
    """Ask what a bot would do: ``{on, id}``, as JSON or, from a page without scripts, as a form.

    Everybody is told that the seat asked.  The answer appears on the seat's own page; asking again about the same
    decision gives the same hint and counts once.
    """
    plain_form = request.mimetype == "application/x-www-form-urlencoded"
    data = _numbered(form_body()) if plain_form else json_body()
    seat = session.own_seat(data)
    context = session.context()
    context.limits.acts.take(str(seat))
    if not context.hints.allowed:
        abort(404, _("The host has not allowed hints at this table."))
    if context.hints.of(seat, context.mailbox.snapshot.position) is None:
        answer = context.mailbox.hint(seat, on=session.decided_on(data), id=session.id_of(data, seat))
        if not answer.ok and not plain_form:
            return answer_response(answer)
        # A request that is repeated, or overtaken by an act, is not about what is decided now.
        if answer.ok and (match := context.mailbox.snapshot.match).unchanged_since(answer.number):
            context.hints.ask(match, seat)
    return redirect("/seat", 303) if plain_form else jsonify(ok=True)


def _numbered(form: Mapping[str, str]) -> dict[str, Any]:
    """Return a form's fields like those of a JSON request: ``on`` and ``seat`` as numbers, or None."""
    return {name: session.whole_number(text) if name in ("on", "seat") else text for name, text in form.items()}


@acts.post("/seat/vote")
def vote() -> ResponseReturnValue:
    """Agree or not to undo every event after ``to``, for every seat on this phone: ``{agree, to, on, id}``.

    The pages always send ``to``; without it, as in older programs, the answer is to whatever is asked.
    """
    data = json_body()
    seat = session.own_seat(data)
    context, on = session.context(), session.decided_on(data)
    match = context.mailbox.snapshot.match
    if not match.unchanged_since(on):
        return jsonify(ok=True)
    if (halted := why_halted(match)) is not None:
        return declined_response(halted)
    asked = context.votes.open(match.position_since)
    if asked is None:
        return jsonify(ok=True)
    if "to" in data and session.number_of(data, "to") != asked.to:
        return moved_on_response()
    for held in session.seats():
        result = context.votes.answer(held, data.get("agree") is True, on=asked.on, to=asked.to)
        if result is not None and result.passed:
            return answer_response(context.mailbox.undo(result.to, on=result.on, id=session.id_of(data, seat)))
    return jsonify(ok=True)


@acts.post("/seat/open")
def open_hand() -> ResponseReturnValue:
    """Show a hand on a phone that holds several seats: ``{seat, held}``.  Changes nothing.

    While its button is ``held``, that is all; otherwise the seat that decides also gets its choices.
    """
    data = json_body()
    seat = session.own_seat(data)
    renderer = session.context().renderer
    if data.get("held") is True:
        return jsonify(ok=True, regions={"hand": renderer.hand(seat)})
    shown = renderer.show(Audience("seat", seat, language()))
    due = session.audience("seat")()
    wanted = ("do", "hint", "hand") if due is not None and due.seat == seat else ("hand",)
    return jsonify(ok=True, regions={region: shown.regions[region] for region in wanted})


@acts.post("/demo/press")
def press() -> ResponseReturnValue:
    """Press a button of the demo's panel: ``{button, held}``."""
    data, push = json_body(), session.context().press
    if push is None:
        abort(404, _("This table has no demo panel."))
    push(str(data.get("button", ""))[:20], data.get("held") is True)
    return jsonify(ok=True)
