"""The page on which the camera is aimed: what it sees now, what each zone can be read with, and what to do.

For the host alone: the picture may show hands.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias, cast

import flask_babel
from flask import Blueprint, Flask, Response, current_app, render_template
from flask.typing import ResponseReturnValue

from tabletop.web.http import session
from tabletop.web.i18n import N_, retold, retold_each
from tabletop.web.i18n import gettext as _
from tabletop.web.pages.pages import cards_are_shown

aim = Blueprint("aim", __name__)

KEY = "tabletop aim"
Told: TypeAlias = Mapping[str, Any]
LEAST, GOOD = 0.9, 1.2
"""Px a module: below the first tags are missed, from the second on they are read in nearly any light."""

SENTENCES: Mapping[str, str] = {
    "no-marker": N_("No zone card can be read."),
    "black": N_("The picture is black: is the lens covered, or the light off?"),
    "white": N_("The picture is white: there is far too much light, or the exposure is wrong."),
    "edgeless": N_("Nothing in the picture has an edge: it is badly out of focus, or the lens is fogged up."),
    "missing": N_("Not seen: %(zones)s."),
    "cut-off": N_("Only partly in the picture: %(zones)s."),
    "too-small": N_("Tags are too small to be read reliably (%(modules)s px per module): %(zones)s."),
    "blurred": N_("The picture is blurred: edges are %(blur)s px wide (%(modules)s modules of a tag)."),
    "bright": N_("White paper is overexposed (grey level %(paper)s of 255)."),
    "dark": N_(
        "The picture is too dark or has too little contrast: ink has grey level %(ink)s, paper %(paper)s of 255."
    ),
    "glare": N_("Glare hides what lies there: %(zones)s."),
    "lay-markers": N_("Put the printed zone cards on the table and point the camera straight down at them."),
    "straighten": N_(
        "The camera is tilted by %(aslant)s°. Move it %(cm)s cm towards %(edge)s, so that it is above the middle "
        "of the table, and point it straight down."
    ),
    "turn": N_("Turn the camera by 90°: the table is longer in the other direction than the picture."),
    "shift": N_("Move the camera %(cm)s cm towards %(edge)s."),
    "higher": N_("Move the camera %(cm)s cm higher (to about %(height_cm)s cm above the table)."),
    "lower": N_("Move the camera %(cm)s cm lower: a module then has %(modules)s px."),
    "lay-zones": N_("Put these zone cards where the camera sees all of them: %(zones)s."),
    "focus": N_("Turn the lens until the edges are as sharp as possible, and make sure nothing shakes."),
    "mend-bright": N_("Dim the lamp or lower the exposure."),
    "mend-dark": N_("Bring more light onto the table."),
    "lamp": N_("Move the lamp aside, or hang a sheet of paper in front of it, until nothing shines there."),
    "larger-tags": N_("Print tags of %(tag_mm)s mm, or use a camera with more pixels."),
    "print-scale": N_(
        "The pieces’ tags are printed at %(percent)s %% of the scale of the zone cards: print both at actual size."
    ),
}
"""Hint → its sentence."""
EDGES: Mapping[str, str] = {
    "left": N_("the left edge of its picture"),
    "right": N_("the right edge of its picture"),
    "top": N_("the top edge of its picture"),
    "bottom": N_("the bottom edge of its picture"),
}


@dataclass(frozen=True, slots=True)
class Finder:
    """What the page works with: what the newest look says (None while there is no picture), and its picture as JPEG."""

    told: Callable[[], Told | None]
    picture: Callable[[], bytes | None]


def attach(app: Flask, told: Callable[[], Told | None], picture: Callable[[], bytes | None]) -> None:
    """Add the page to an application."""
    app.extensions[KEY] = Finder(told, picture)
    app.register_blueprint(aim)
    app.context_processor(lambda: {"with_aim": True})


def sentence(hint: Mapping[str, Any]) -> str:
    """Return what a hint says in the page's language."""
    facts = {name: _in_words(fact) for name, fact in hint["facts"].items()}
    codes = [hint["code"]]
    if hint["code"] == "higher" and "tag_mm" in facts:
        codes.append("larger-tags")
    if "edge" in facts:
        edge = EDGES[facts["edge"]]
        facts["edge"] = _(edge)
    templates = [SENTENCES[code] for code in codes]
    return " ".join(_(template, **facts) if facts else _(template) for template in templates)


def decimal(value: float, digits: int) -> str:
    """Return a number with so many digits after the point, as the page's language writes it."""
    return str(flask_babel.format_decimal(value, format="0." + "0" * digits))


def _in_words(fact: Any) -> Any:
    """Return what fills a gap: zones as their cards are called, and numbers as they are written, in this language."""
    if isinstance(fact, list):
        return ", ".join(retold(title, {}) for title in fact)
    return str(flask_babel.format_decimal(fact)) if isinstance(fact, float) else fact


def _finder() -> Finder:
    return cast(Finder, current_app.extensions[KEY])


@aim.get("/host/aim")
def page() -> ResponseReturnValue:
    """Show the page, or ask for the host's code."""
    if not session.is_host():
        return render_template("become_host.html", page="host-code", next="/host/aim")
    return render_template("aim/page.html", page="aim")


@aim.get("/host/aim/list")
def listed() -> ResponseReturnValue:
    """Return what the newest look says, as a part of the page: it is asked for again and again."""
    session.require_host()
    told = _finder().told()
    hints = {kind: [sentence(hint) for hint in told[kind]] for kind in ("warnings", "advice")} if told else {}
    return render_template(
        "aim/list.html", told=told, hints=hints, least=LEAST, good=GOOD, say=retold_each, decimal=decimal
    )


@aim.get("/host/aim/picture.jpg")
def picture() -> ResponseReturnValue:
    """Return the newest look as a picture; nothing while dealt cards may lie before the camera."""
    session.require_host()
    hidden = cards_are_shown(session.parts().desk.snapshot)
    jpeg = None if hidden else _finder().picture()
    return Response(status=204) if jpeg is None else Response(jpeg, mimetype="image/jpeg")
