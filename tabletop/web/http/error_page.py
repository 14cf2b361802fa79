"""The answer to a request that ends in an error: one sentence, in the form in which it was asked."""

from __future__ import annotations

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
"""What is said of an error that has no sentence of its own."""


def sorry(error: HTTPException) -> ResponseReturnValue:
    """Answer an error with one sentence, in the form of the request."""
    if error.response is not None or (error.code or 500) < 400:
        return error
    code = error.code or 500
    ours = error.description != type(error).description
    text = error.description if ours else gettext(DEFAULT_SENTENCES.get(code, DEFAULT_SENTENCES[400]))
    if request.method == "POST" and "text/html" not in request.headers.get("Accept", ""):
        return jsonify(ok=False, text=text), code
    home = error.home if isinstance(error, WrongAddress) else ""
    return render_template("error.html", page="error", code=code, text=text, home=home), code
