"""The responses to requests: the same few forms for every action of a page."""

from __future__ import annotations

import secrets
from collections.abc import Collection, Mapping
from typing import Any

from flask import Response, jsonify, request
from flask.typing import ResponseReturnValue

from tabletop.messages import N_, Declined
from tabletop.referee.snapshot import Answer
from tabletop.web.games import ui_of
from tabletop.web.http.places import plain
from tabletop.web.i18n import gettext as _
from tabletop.web.i18n import say
from tabletop.web.pages import session
from tabletop.web.seating.votes import Vote

MOVED_ON = N_("The game has moved on. Look again.")
"""What a page is told if the game has gone on since the page was drawn."""


def answer_response(answer: Answer) -> ResponseReturnValue:
    """Return the response that says what became of a request."""
    if answer.stale:
        return moved_on_response()
    if answer.error is not None:
        return declined_response(answer.error)
    return jsonify(ok=answer.ok, number=answer.number)


def moved_on_response() -> ResponseReturnValue:
    """Return the response to a request that was not decided on the newest event: nothing was done."""
    return jsonify(ok=False, text=_(MOVED_ON)), 409


def repeated(data: Mapping[str, Any], seat: int | None) -> ResponseReturnValue | None:
    """Return the answer to a request of a seat (None: of the host) that was carried out already, else None.

    Carried out a second time it might be refused because of what it changed the first time.
    """
    known = session.context().mailbox.answered(session.id_of(data, seat))
    return None if known is None else answer_response(known)


def claim_response(data: Mapping[str, Any], seat: int) -> ResponseReturnValue:
    """Accept or refuse the phone that waits for a seat: ``{claim, accept}``, the number of the claim that was seen.

    The pages always send ``claim``; without it, as in older programs, the phone that waits now is meant.
    """
    room, number = session.context().room, session.number_of(data, "claim") if "claim" in data else None
    answered = (room.accept if data.get("accept") is True else room.refuse)(seat, number)
    if number is not None and not answered:
        return jsonify(ok=False, text=_("This phone is no longer waiting for the seat.")), 409
    return jsonify(ok=True)


def ask_to_undo(to: int, *, on: int, asker: int | None, voters: Collection[int]) -> Vote:
    """Open a vote on undoing every event after ``to`` and return it, like :meth:`Votes.ask`."""
    context = session.context()
    vote = context.votes.ask(to, on=on, asker=asker, voters=voters)
    for seat in vote.waits_for - context.room.asked:  # its phone gave it back while the vote was opened
        ask_no_longer(seat)
    return vote


def ask_no_longer(seat: int) -> None:
    """Stop a vote from waiting for a seat that nobody holds any more; if all others have agreed, undo the events."""
    context = session.context()
    match = context.mailbox.snapshot.match
    vote = context.votes.open(match.position_since)
    if vote is None or match.halted or seat in context.room.asked:
        return
    answered = context.votes.answer(seat, True, on=vote.on, to=vote.to)
    if answered is not None and answered.passed:
        context.mailbox.undo(answered.to, on=answered.on, id=f"vote-{secrets.token_hex(8)}")


def declined_response(declined: Declined, *, missing: str = "") -> tuple[Response, int]:
    """Return the response that says why a request is declined, with the rule if any, in the language of the page.

    If something is still ``missing`` in a choice, that is said instead.
    """
    if missing:
        return jsonify(ok=False, text=missing, code=declined.code), 422
    ui = ui_of(session.context().mailbox.snapshot.position.game)
    return jsonify(ok=False, text=ui.explain(declined), rule=say(declined.rule), code=declined.code), 422


def address() -> str:
    """Return the address that the request comes from, in the form in which attempts are counted."""
    return plain(request.remote_addr or "")
