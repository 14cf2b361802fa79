"""The host's own pages and acts: the game, the phones, what the camera sees, and corrections."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

from flask import Blueprint, Response, abort, jsonify, render_template, request
from flask.typing import ResponseReturnValue

from tabletop.match.errors import JournalError
from tabletop.match.event import EventKind, Source
from tabletop.messages import Declined, Message, said_by
from tabletop.referee.snapshot import Snapshot
from tabletop.rules.game import Illegal
from tabletop.web.games import ui_of
from tabletop.web.http.guard import json_body
from tabletop.web.i18n import gettext as _
from tabletop.web.i18n import say
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
from tabletop.web.pages.pages import camera_picture, live_page
from tabletop.web.seating.claims import SeatClaim, Waits
from tabletop.web.seating.seating import Person, options_for, typed_name

host = Blueprint("host", __name__)

SIMPLE_DECISIONS = (EventKind.PAUSE, EventKind.RESUME, EventKind.END)
"""The host's decisions about the game that carry no data."""


class BecomeHostFacts(TypedDict):
    """Facts for the page for becoming the host.

    ``next`` is the page to show afterwards.  With a ``panel`` one may instead give the table's code and be confirmed
    there; ``asked`` are the claims of this browser that wait for that.
    """

    page: str
    next: str
    panel: bool
    asked: Sequence[SeatClaim]
    join_code: str


def become_host_page(
    *, next: str = "/host", panel: bool = False, asked: Sequence[SeatClaim] = (), code: str = ""
) -> Response:
    """Return the page that asks for the host's code."""
    facts: BecomeHostFacts = {"page": "host-code", "next": next, "panel": panel, "asked": asked, "join_code": code}
    return session.with_phone_mark(render_template("become_host.html", **facts))


@host.get("/host")
def show() -> ResponseReturnValue:
    """Show the host's page, or ask for the one-time code."""
    if session.is_host():
        return live_page("host")
    room = session.context().room
    asked = room.claims.of(session.token("host"))
    # A browser that holds a seat has shown the code already, as on the page for sitting down.
    code = room.code if session.seats() else request.args.get("code", "")[:12]
    return become_host_page(panel=room.admission.confirm, asked=asked, code=code)


@host.get("/host/history")
def history() -> ResponseReturnValue:
    """Show every event, to go back to any of them."""
    return live_page("history")


@host.get("/host/picture.jpg")
def picture() -> ResponseReturnValue:
    """Return the camera's picture to the host, who may not see hands either."""
    session.require_host()
    return camera_picture(kept_back=True)


@host.post("/host")
def become() -> ResponseReturnValue:
    """Become the host by the one-time code of the console: ``{code}``."""
    data, context = json_body(), session.context()
    context.limits.joins.take(address())
    token = context.room.hosts.admit(str(data.get("code", ""))[:20], session.token("phone"))
    if token is None:
        abort(403, _("This is not the host’s code, or it has already been used."))
    response = jsonify(ok=True)
    session.set_token(response, "host", token)
    return response


@host.post("/host/claim")
def claim() -> ResponseReturnValue:
    """Confirm or refuse a phone that waits for a seat: ``{seat, claim, accept}``."""
    session.require_host()
    data = json_body()
    return claim_response(data, session.number_of(data, "seat"))


@host.post("/host/free")
def free() -> ResponseReturnValue:
    """Take a seat away from its phone: ``{seat}``."""
    session.require_host()
    seat = _seat(json_body())
    session.context().room.free(seat)
    ask_no_longer(seat)
    return jsonify(ok=True)


@host.post("/host/bot")
def bot() -> ResponseReturnValue:
    """Let the program play a free seat, or stop it: ``{seat, level}``, with an empty level to stop it."""
    session.require_host()
    data, room = json_body(), session.context().room
    level = data.get("level")
    if level not in ("", *room.levels):
        abort(400, _("“level” must be one of those on the host’s page."))
    seat = _seat(data)
    if level and seat in room.seating.taken:
        return declined_response(_seat_taken())
    room.let_play(seat, level)
    return jsonify(ok=True)


def _seat(data: Mapping[str, Any]) -> int:
    """Return the seat of a request.  Ends it with 409 if it is one in another game, with 400 if it does not exist."""
    seat = session.number_of(data, "seat")
    if not session.is_about_this_game(data):
        abort(409, _(MOVED_ON))
    if seat not in session.context().room.seating.seats:
        abort(400, _("This table has no such seat."))
    return seat


def _seat_taken() -> Declined:
    return Declined("seat-taken", Message("A phone has this seat: free it first."))


@host.post("/host/hints")
def hints() -> ResponseReturnValue:
    """Allow or forbid seats to ask what a bot would do: ``{allow}``."""
    session.require_host()
    found, allow = session.context().hints, json_body().get("allow")
    if not found.possible or not isinstance(allow, bool):
        abort(400, _("“%(key)s” is missing.", key="allow"))
    found.allow(allow)
    return jsonify(ok=True)


@host.post("/host/game")
def game() -> ResponseReturnValue:
    """Pause the game, resume it, or end it early: ``{what, id}``, and ``game`` if the page knows which one."""
    session.require_host()
    data = json_body()
    what = data.get("what")
    if what not in SIMPLE_DECISIONS:
        abort(400, _("“what” must be pause, resume or end."))
    return _decided(EventKind(what), {}, data)


@host.post("/host/next")
def next_game() -> ResponseReturnValue:
    """Begin the next game: ``{seats, options, game}``; without seats and options like the one that is over.

    ``seats`` are names, of which an empty one leaves its place out; ``options`` are texts ``name number``, with the
    number of the value among those that the option may have.  A repeat, which names a ``game`` that is no longer at
    the table, is harmless.
    """
    session.require_host()
    return begin_next(json_body())


def begin_next(data: Mapping[str, Any]) -> ResponseReturnValue:
    """Begin the next game as a request of the host or of a seat asks for it, and answer it."""
    context = session.context()
    if context.begin is None:
        abort(404, _("This table plays only one game."))
    snapshot = context.mailbox.snapshot
    if not session.is_about_this_game(data):
        return jsonify(ok=True)
    try:
        people = _people(data) if "seats" in data else context.room.same_people(snapshot.position.names)
        context.begin(people, _rules(data, snapshot, people))
    except Declined as declined:
        if not session.is_about_this_game(data):
            return jsonify(ok=True)  # somebody else who asked at the same moment has begun it
        return declined_response(declined)
    except JournalError as error:
        return jsonify(ok=False, text=say(said_by(error))), 507
    return jsonify(ok=True)


def _people(data: Mapping[str, Any]) -> list[Person]:
    """Return who plays next.  Ends the request with 400 if that is not a list of names."""
    names = session.texts_of(data, "seats")
    return [Person(typed_name(name), seat) for seat, name in enumerate(names) if name.strip()]


def _rules(data: Mapping[str, Any], snapshot: Snapshot, people: Sequence[Person]) -> dict[str, Any]:
    """Return the options of the next game.  Ends the request with 400 if one is invalid."""
    options = dict(snapshot.match.start.data["options"])
    for name, _space, number in (choice.partition(" ") for choice in session.texts_of(data, "options")):
        values, chosen_value = snapshot.position.game.options.get(name, ()), session.whole_number(number)
        if chosen_value is None or chosen_value >= len(values):
            abort(400, _("“options” names a value that does not exist."))
        options[name] = values[chosen_value]
    return options_for(people, options)


@host.post("/host/deputy")
def deputy() -> ResponseReturnValue:
    """Play for an absent seat until it is freed or taken: ``{seat}``.  Everybody is told."""
    session.require_host()
    context, seat = session.context(), _seat(json_body())
    if seat in context.room.seating.taken:
        return declined_response(_seat_taken())
    try:
        token = context.presence.stand_in(seat, session.token("seat"))
    except Waits:
        abort(409, _("Another phone is waiting for this seat: confirm or refuse it first."))
    except Declined as declined:
        return declined_response(declined)
    response = jsonify(ok=True)
    session.set_token(response, "seat", token)
    return response


@host.post("/host/act")
def act() -> ResponseReturnValue:
    """Record what was done or turned up, where the camera did not see it: ``{action, on, id}``.

    Only what does not depend on a hand; for all else the host plays for the seat.
    """
    session.require_host()
    data, context = json_body(), session.context()
    if (known := repeated(data, None)) is not None:
        return known
    snapshot, on = context.mailbox.snapshot, session.decided_on(data)
    position = snapshot.position
    try:
        action = position.game.action(dict(session.object_of(data, "action")))
    except Illegal as illegal:
        return declined_response(illegal)
    if on != snapshot.number:  # what is examined here has to be what the referee acts on
        return moved_on_response()
    if position.decider is None:
        # A refusal reveals that somebody holds the card: attempts are counted, as those of a seat are.
        context.limits.tries.take("host")
        is_open = not position.game.may_be_secret(action.do)
    else:
        is_open = action.do in ui_of(position.game).open_kinds
    if not is_open:
        why = Message("This depends on what the seat holds: play for it instead; everyone will be told.")
        return declined_response(Declined("not-your-turn", why))
    id = session.id_of(data, None)
    return answer_response(context.mailbox.act(action, on=on, id=id, seat=None, source=Source.HOST))


@host.post("/host/adopt")
def adopt() -> ResponseReturnValue:
    """Let the table win over the record: ``{moves: ["B1.2 warehouse", …], piece, place, on, id}``.

    Every try counts towards a limit, whatever becomes of it.
    """
    session.require_host()
    data = json_body()
    session.context().limits.tries.take("adopt")
    moves = session.texts_of(data, "moves")
    if data.get("piece") and data.get("place"):
        moves = [*moves, f"{data['piece']} {data['place']}"]
    places = dict(move.split(" ", 1) for move in moves if " " in move)
    if not places:
        return declined_response(Declined("bad-request", Message("Say where at least one piece lies.")))
    return answer_response(
        session.context().mailbox.adopt(places, on=session.decided_on(data), id=session.id_of(data, None))
    )


@host.post("/host/undo")
def undo() -> ResponseReturnValue:
    """Undo every event after one: ``{to, on, id}``, once all phones agree; with ``now`` without asking them."""
    session.require_host()
    data, context = json_body(), session.context()
    if (known := repeated(data, None)) is not None:
        return known
    to, on = session.number_of(data, "to"), session.decided_on(data)
    match = context.mailbox.snapshot.match
    if not match.unchanged_since(on):
        return moved_on_response()
    if data.get("now") is not True and not match.halted:  # nobody is asked about an undo that would be refused
        vote = ask_to_undo(to, on=match.position_since, asker=None, voters=context.room.asked)
        if not vote.passed:
            return jsonify(ok=True, asked=sorted(vote.voters))
    return answer_response(context.mailbox.undo(to, on=on, id=session.id_of(data, None), source=Source.HOST))


def _decided(kind: EventKind, facts: Mapping[str, Any], data: Mapping[str, Any]) -> ResponseReturnValue:
    mark = str(data.get("game") or "")
    return answer_response(session.context().mailbox.decide(kind, facts, id=session.id_of(data, None), of=mark))
