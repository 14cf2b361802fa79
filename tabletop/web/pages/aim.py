"""The page on which the camera is aimed: what it sees now, how well each zone can be read, and what to do.

For the host alone: the picture may show hands.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, TypedDict, cast

import flask_babel
from flask import Blueprint, Flask, current_app, render_template
from flask.typing import ResponseReturnValue

from tabletop.web.http.responses import jpeg_response
from tabletop.web.i18n import say
from tabletop.web.pages import session
from tabletop.web.pages.host import become_host_page
from tabletop.web.pages.pages import cards_are_shown

aim = Blueprint("aim", __name__)

EXTENSION_KEY = "tabletop aim"
AimReport: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Finder:
    """Where the page gets its data: the newest look's report (None while there is no picture), and its JPEG."""

    report: Callable[[], AimReport | None]
    picture: Callable[[], bytes | None]


def attach(app: Flask, report: Callable[[], AimReport | None], picture: Callable[[], bytes | None]) -> None:
    """Add the page to an application."""
    app.extensions[EXTENSION_KEY] = Finder(report, picture)
    app.register_blueprint(aim)
    app.jinja_env.globals["with_aim"] = True


class LookFacts(TypedDict):
    """Facts for the list of one look: the report, and its hints in sentences."""

    report: AimReport | None
    hints: Mapping[str, Sequence[str]]
    decimal: Callable[[float, int], str]


def look_facts(report: AimReport | None) -> LookFacts:
    """Return what the page reads of one look, in its language."""
    hints = {kind: [say(hint["message"]) for hint in report[kind]] for kind in ("warnings", "advice")} if report else {}
    return {"report": report, "hints": hints, "decimal": decimal}


def decimal(value: float, digits: int) -> str:
    """Return a number with that many digits after the point, as the page's language writes it."""
    return str(flask_babel.format_decimal(value, format="0." + "0" * digits))


def _finder() -> Finder:
    return cast(Finder, current_app.extensions[EXTENSION_KEY])


@aim.get("/host/aim")
def page() -> ResponseReturnValue:
    """Show the page, or ask for the host's code."""
    if not session.is_host():
        return become_host_page(next="/host/aim")
    return render_template("aim/page.html", page="aim")


@aim.get("/host/aim/list")
def listed() -> ResponseReturnValue:
    """Return the list of the newest look as a part of the page, which asks for it again and again."""
    session.require_host()
    return render_template("aim/list.html", **look_facts(_finder().report()))


@aim.get("/host/aim/picture.jpg")
def picture() -> ResponseReturnValue:
    """Return the picture of the newest look; nothing while dealt cards may lie before the camera."""
    session.require_host()
    hidden = cards_are_shown(session.context().mailbox.snapshot)
    return jpeg_response(None if hidden else _finder().picture())
