"""The setup on a page: what the wizard says, step by step, for the host."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, cast

from flask import Blueprint, abort, current_app, jsonify, render_template
from flask.typing import ResponseReturnValue

from tabletop.bots.levels import LEVELS, level_name
from tabletop.messages import N_, Message, said_by
from tabletop.rules.game import Game
from tabletop.rules.new_game import seats_of
from tabletop.setup.draft import STEPS, Draft, TrialOutcome
from tabletop.setup.trials import Trial
from tabletop.setup.wizard import Refused, SetupWizard
from tabletop.web.http.guard import json_body
from tabletop.web.http.responses import attachment_response, jpeg_response
from tabletop.web.i18n import gettext as _
from tabletop.web.i18n import say
from tabletop.web.pages import aim, session
from tabletop.web.pages.host import become_host_page
from tabletop.web.seating.seating import typed_name

setup = Blueprint("setup", __name__)

EXTENSION_KEY = "tabletop setup"
STEP_TITLES = {
    "game": N_("Game and seats"),
    "panel": N_("Buttons and lights"),
    "camera": N_("Camera"),
    "sheets": N_("Sheets to print"),
    "save": N_("Finish"),
}
"""Step → its title."""
MAKE_TITLES = {"printed": N_("printed pieces"), "box": N_("the pieces of the box")}
"""Make → its title; a make that a game from another package brings goes by its own name."""


@dataclass(frozen=True, slots=True)
class SetupParts:
    """The parts behind the page: the wizard, the games that can be chosen, and the camera's picture as JPEG."""

    wizard: SetupWizard
    games: Sequence[Game]
    picture: Callable[[], bytes | None]


def _parts() -> SetupParts:
    return cast(SetupParts, current_app.extensions[EXTENSION_KEY])


@setup.get("/setup")
def page() -> ResponseReturnValue:
    """Show the step that the wizard is at, or ask for the host's code."""
    if not session.is_host():
        return become_host_page(next="/setup")
    return render_template("maintenance/setup.html", page="setup", **_facts())


@setup.get("/setup/step")
def step() -> ResponseReturnValue:
    """Return the step alone: the page asks for it repeatedly while buttons and camera are tried."""
    session.require_host()
    return render_template("maintenance/step.html", **_facts())


@setup.get("/setup/picture.jpg")
def picture() -> ResponseReturnValue:
    """Return what the camera sees, with the tags that were read drawn in."""
    session.require_host()
    return jpeg_response(_parts().picture())


@setup.get("/setup/<any(sheets, pieces):kind>-<paper>.pdf")
def sheets(kind: str, paper: str) -> ResponseReturnValue:
    """Return the sheets of the chosen game, tags or whole pieces, to be printed at true size."""
    session.require_host()
    from tabletop.setup.sheets import PAPERS, pdf

    if paper not in PAPERS:
        abort(404)
    draft, whole = _parts().wizard.draft, kind == "pieces"
    name = f"{draft.game}-{'pieces' if whole else 'tags'}-{paper}.pdf"
    return attachment_response(pdf(draft, paper, whole=whole), name, "application/pdf")


@setup.post("/setup/do")
def do() -> ResponseReturnValue:
    """Do one thing with the wizard: ``{what, …}``; 422 with the sentence if it is refused."""
    session.require_host()
    data = json_body()
    act = ACTS.get(str(data.get("what")))
    if act is None:
        abort(400, _("“what” is unknown."))
    try:
        act(_parts().wizard, data)
    except Refused as error:
        return jsonify(ok=False, text=say(said_by(error))), 422
    return jsonify(ok=True)


Act = Callable[[SetupWizard, Mapping[str, Any]], None]


def _choose(wizard: SetupWizard, data: Mapping[str, Any]) -> None:
    names = data.get("seats", [])
    seats = [typed_name(str(name)) for name in names] if isinstance(names, list) else []
    make, edition, letter = (
        str(data.get("make", ""))[:24],
        str(data.get("edition", ""))[:200],
        str(data.get("set", ""))[:4],
    )
    levels = data.get("bots", [])
    bots = [str(level)[:24] for level in levels] if isinstance(levels, list) else []
    wizard.choose(str(data.get("game", "")), seats, make, edition, letter, str(data.get("size", ""))[:12], bots)


def _answer(wizard: SetupWizard, data: Mapping[str, Any]) -> None:
    with suppress(ValueError):
        wizard.answer(str(data.get("trial", "")), TrialOutcome(str(data.get("how"))))


ACTS: Mapping[str, Act] = {
    "go": lambda wizard, data: wizard.go(str(data.get("step", ""))),
    "onward": lambda wizard, data: wizard.onward(str(data.get("done", ""))),
    "choose": _choose,
    "answer": _answer,
    "again": lambda wizard, _data: wizard.again(),
    "no-panel": lambda wizard, _data: wizard.without_panel(),
    "panel": lambda wizard, _data: wizard.with_panel(),
    "camera": lambda wizard, data: wizard.camera(str(data.get("source", ""))[:200]),
    "aimed": lambda wizard, _data: wizard.aimed(),
    "save": lambda wizard, _data: wizard.save(),
}
"""Name of an act → what it does with the wizard."""


class SetupFacts(aim.LookFacts):
    """Facts for the setup page: the wizard and its newest look.

    ``steps`` are all of them, with their ``titles``; ``made`` are (game, what its pieces are called), ``makes`` what
    they can be made of; ``most`` is the largest number of seats of any game.  ``trial`` is what is tried now,
    ``outcomes`` are the trials with their outcomes.
    """

    seats_of: Callable[[range], Message]
    levels: Mapping[str, str]
    wizard: SetupWizard
    draft: Draft
    steps: Sequence[str]
    titles: Mapping[str, str]
    games: Sequence[Game]
    size: str
    made: Sequence[tuple[str, Mapping[str, Message]]]
    makes: Mapping[str, str]
    with_camera: bool
    most: int
    trial: Trial | None
    outcomes: Sequence[tuple[Trial, TrialOutcome | None]]


def _facts() -> SetupFacts:
    parts = _parts()
    wizard = parts.wizard
    report = wizard.aim.to_json() if wizard.aim is not None else None
    return {
        **aim.look_facts(report),
        "seats_of": seats_of,
        "levels": {level: say(level_name(level)) for level in LEVELS},
        "wizard": wizard,
        "draft": wizard.draft,
        "steps": STEPS,
        "titles": {name: _(title) for name, title in STEP_TITLES.items()},
        "games": parts.games,
        "size": wizard.draft.size,
        "made": [
            (game.title, game.table.called) for game in parts.games if game.table is not None and game.table.called
        ],
        "makes": {make: _(MAKE_TITLES.get(make, make)) for game in parts.games for make in game.makes},
        "with_camera": any(game.table is not None for game in parts.games if game.name == wizard.draft.game),
        "most": max(game.seat_range[-1] for game in parts.games),
        "trial": wizard.trial,
        "outcomes": wizard.outcomes,
    }
