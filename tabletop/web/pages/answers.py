"""How requests are answered: the same small forms for every action of a page."""

from __future__ import annotations

from flask import Response, jsonify, request
from flask.typing import ResponseReturnValue

from tabletop.referee.snapshot import Answer
from tabletop.rules.game import Illegal
from tabletop.web.games import ui_of
from tabletop.web.i18n import gettext as _
from tabletop.web.i18n import say
from tabletop.web.pages import session


def answer_response(answer: Answer) -> ResponseReturnValue:
    """Return what became of a request."""
    if answer.stale:
        return jsonify(ok=False, text=_("The game has moved on. Look again.")), 409
    if answer.error is not None:
        return refusal_response(answer.error)
    return jsonify(ok=answer.ok, number=answer.number)


def refusal_response(illegal: Illegal) -> tuple[Response, int]:
    """Return a refusal with its rule, in the language of the page."""
    ui = ui_of(session.context().mailbox.snapshot.position.game)
    return jsonify(ok=False, text=ui.explain(illegal), rule=say(illegal.rule), code=illegal.code), 422


def declined_response(code: str, text: str) -> tuple[Response, int]:
    """Return why the table declines a request that breaks no rule of the game, in the language of the page."""
    return jsonify(ok=False, text=text, rule="", code=code), 422


def address() -> str:
    """Return where the request comes from."""
    return request.remote_addr or ""
