"""What requests hold and how they are answered: the same small forms for every act of a page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import Response, abort, jsonify, request
from flask.typing import ResponseReturnValue

from tabletop.referee.snapshot import Answer
from tabletop.rules.game import Illegal
from tabletop.web.games import part_of
from tabletop.web.i18n import gettext as _
from tabletop.web.i18n import say
from tabletop.web.pages import session


def answered(answer: Answer) -> ResponseReturnValue:
    """Return what became of a request."""
    if answer.stale:
        return jsonify(ok=False, text=_("The game has moved on. Look again.")), 409
    if answer.error is not None:
        return refused(answer.error)
    return jsonify(ok=answer.ok, number=answer.number)


def refused(illegal: Illegal) -> tuple[Response, int]:
    """Return a refusal with its rule, in the language of the page."""
    part = part_of(session.parts().desk.snapshot.position.game)
    return jsonify(ok=False, text=part.explain(illegal), rule=say(illegal.rule), code=illegal.code), 422


def address() -> str:
    """Return where the request comes from."""
    return request.remote_addr or ""


def object_of(data: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    """Return an object of a request.  Ends it with 400 if there is none."""
    value = data.get(key)
    if not isinstance(value, dict):
        abort(400, _("“%(key)s” is missing.", key=key))
    return value


def number_of(data: Mapping[str, Any], key: str) -> int:
    """Return a whole number of a request.  Ends it with 400 if there is none."""
    value = data.get(key)
    if not isinstance(value, int) or isinstance(value, bool):
        abort(400, _("“%(key)s” must be a number.", key=key))
    return value


def decided_on(data: Mapping[str, Any]) -> int:
    """Return the number of the event on which a request was decided, 0 if that was in another game."""
    return number_of(data, "on") if data.get("game") in (None, session.parts().desk.snapshot.mark) else 0


def id_of(data: Mapping[str, Any], seat: int | None) -> str:
    """Return the request's id, made the sender's own: nobody gets the answer to another's request.

    ``seat`` None is the host.  Ends the request with 400 if there is none.
    """
    value = data.get("id")
    if not isinstance(value, str) or not 8 <= len(value) <= 64:
        abort(400, _("“id” must be a text of 8 to 64 characters."))
    return f"page-{'host' if seat is None else seat}-{value}"
