"""The answer to a request that ends in an error: one sentence, as a page or as JSON, depending on the request."""

from __future__ import annotations

from typing import TypedDict

from flask import jsonify, render_template, request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import HTTPException

from tabletop.messages import N_
from tabletop.web.http.guard import WrongAddress
from tabletop.web.i18n import gettext

DEFAULT_SENTENCES = {
    400: N_("The table could not understand that request."),
    404: N_("This page does not exist."),
    413: N_("This is too large to send."),
    500: N_("Something went wrong. The game is safe; try again."),
}
"""Status code → the sentence for an error that has none of its own."""


class ErrorFacts(TypedDict):
    """Facts for the error page: the status code, the sentence, and the table's address if this is not it."""

    page: str
    code: int
    text: str
    home: str


def error_response(error: HTTPException) -> ResponseReturnValue:
    """Answer an error with one sentence: as JSON for a script's POST, otherwise as a page."""
    if error.response is not None or (error.code or 500) < 400:
        return error
    code = error.code or 500
    own = error.description if error.description != type(error).description else None
    text = own or gettext(DEFAULT_SENTENCES.get(code, DEFAULT_SENTENCES[400]))
    if request.method == "POST" and "text/html" not in request.headers.get("Accept", ""):
        return jsonify(ok=False, text=text), code
    home = error.home if isinstance(error, WrongAddress) else ""
    facts: ErrorFacts = {"page": "error", "code": code, "text": text, "home": home}
    return render_template("error.html", **facts), code
