"""The health page: the doctor's list, the bug report, and the way into and out of safe mode.

For the host alone, at a table that is served as well as in safe mode.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypedDict, cast

from flask import Blueprint, Flask, abort, current_app, jsonify, render_template, request
from flask.typing import ResponseReturnValue

from tabletop.messages import N_
from tabletop.web.http.guard import json_body
from tabletop.web.http.responses import attachment_response
from tabletop.web.i18n import gettext as _
from tabletop.web.pages import session
from tabletop.web.pages.host import become_host_page

health = Blueprint("health", __name__)

EXTENSION_KEY = "tabletop health"
STATES = {"ok": N_("good"), "warning": N_("check this"), "fault": N_("fault")}
"""State of a check → what the page calls it."""
CHECKS: Mapping[str, str] = {
    "board": N_("board"),
    "system": N_("system"),
    "versions": N_("versions"),
    "memory": N_("memory"),
    "groups": N_("user rights"),
    "power": N_("power"),
    "clock": N_("clock"),
    "disk": N_("disk"),
    "port": N_("port"),
    "pieces": N_("pieces of the game"),
    "panel": N_("panel"),
    "pins": N_("pins"),
    "buttons": N_("buttons"),
    "camera": N_("camera"),
    "modes": N_("picture sizes"),
    "picture": N_("picture"),
    "size": N_("size of the pictures"),
    "focus": N_("focus"),
    "voice": N_("voice"),
    "game": N_("game at the start"),
    "games": N_("games"),
}
"""Check → what the page calls it; one that is named after a library goes by its own name."""
SIGNS = {"ok": "✓", "warning": "!", "fault": "✗"}


@dataclass(frozen=True, slots=True)
class HealthActions:
    """The functions behind the page.

    ``checks`` carries out the doctor's list (``check``, ``state``, ``fact``, ``fix``; the last two as English words
    and what fills their ``{gaps}``, so that the page says them in its own language); ``bug_report`` makes the
    file, with pictures only if they are wanted; ``leave`` puts the table into safe mode, or back, and is None if
    nothing would start it again.
    """

    checks: Callable[[], Sequence[Mapping[str, Any]]]
    bug_report: Callable[[bool], bytes]
    leave: Callable[[], None] | None = None


class HealthFacts(TypedDict):
    """Facts for the health page: the checks, the names of these and of their states, and whether one can play.

    ``leaves`` says that the table can be put into safe mode, or back.
    """

    page: str
    checks: Sequence[Mapping[str, Any]]
    called: Mapping[str, str]
    states: Mapping[str, str]
    signs: Mapping[str, str]
    fit: bool
    leaves: bool


def attach(app: Flask, actions: HealthActions) -> None:
    """Add the page to an application, and the way to it to the host's page."""
    app.extensions[EXTENSION_KEY] = actions
    app.register_blueprint(health)
    app.jinja_env.globals["with_health"] = True


def _actions() -> HealthActions:
    return cast(HealthActions, current_app.extensions[EXTENSION_KEY])


@health.get("/health")
def page() -> ResponseReturnValue:
    """Show the list, or ask for the host's code."""
    if not session.is_host():
        return become_host_page(next="/health")
    checks = _actions().checks()
    facts: HealthFacts = {
        "page": "health",
        "checks": checks,
        "called": CHECKS,
        "states": STATES,
        "signs": SIGNS,
        "fit": all(check["state"] != "fault" for check in checks),
        "leaves": _actions().leave is not None,
    }
    return render_template("maintenance/health.html", **facts)


@health.get("/health/bug-report.zip")
def bug_report() -> ResponseReturnValue:
    """Return the bug report; ``?pictures=on`` adds the camera's newest picture."""
    session.require_host()
    data = _actions().bug_report(request.args.get("pictures") == "on")
    return attachment_response(data, "tabletop-report.zip", "application/zip")


@health.post("/health/leave")
def leave() -> ResponseReturnValue:
    """Put the table into safe mode, or from safe mode back to the game."""
    session.require_host()
    json_body()
    go = _actions().leave
    if go is None:
        abort(404, _("This table was started by hand: stop it and start it again there."))
    answer = jsonify(ok=True)
    # Leaving ends this server, so the answer goes out first.
    answer.call_on_close(go)
    return answer
