"""A seat by ear: the page on which a listener asks and chooses, and the steps of its choices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

from flask import Blueprint, jsonify, redirect, render_template
from flask.typing import ResponseReturnValue

from tabletop.web.games import ui_of
from tabletop.web.http.guard import json_body
from tabletop.web.i18n import gettext as _
from tabletop.web.listening.choosing import ChoiceStep
from tabletop.web.listening.page import first_step
from tabletop.web.listening.questions import QUESTIONS
from tabletop.web.pages import session

listen = Blueprint("listen", __name__)

MAX_CHOICES = 100
"""The most choices that a request may name; no action takes as many."""


class QuestionFacts(TypedDict):
    """Facts for the listening page besides its regions: the questions, each with its id."""

    questions: Sequence[tuple[str, str]]


class StepFacts(TypedDict):
    """Facts for a step of the choices: the step, and the choices that led there."""

    step: ChoiceStep
    path: Sequence[int]


@listen.get("/seat/listen")
def page() -> ResponseReturnValue:
    """Show the listening page of a seat; a phone without a seat is sent to choose one."""
    made = session.live("listen")
    if made is None:
        return redirect("/join")
    bids = ui_of(session.context().mailbox.snapshot.position.game).spoken.bids
    questions = [(key, _(text)) for key, text in QUESTIONS.items() if key != "bids" or bids]
    facts: QuestionFacts = {"questions": questions}
    return render_template("listen.html", **made, **facts)


@listen.post("/seat/choose")
def choose() -> ResponseReturnValue:
    """Return the step to which choices lead: ``{path, on}``, the numbers of what was chosen.  Changes nothing."""
    data = json_body()
    seat, context = session.own_seat(data), session.context()
    snapshot, path = context.mailbox.snapshot, _path_of(data)
    names, ui = context.room.seating.called(snapshot.position.names), ui_of(snapshot.position.game)
    fresh = session.decided_on(data) == snapshot.number and len(session.seats()) == 1
    step = first_step(snapshot, seat, ui, names, path) if path and fresh else None
    if step is None:
        who = session.audience("listen")()
        return jsonify(ok=True, regions={"do": context.renderer.show(who).regions["do"]} if who is not None else {})
    facts: StepFacts = {"step": step, "path": path}
    return jsonify(ok=True, regions={"do": render_template("parts/listen/do.html", **facts)})


def _path_of(data: Mapping[str, Any]) -> list[int]:
    """Return the choices of a request, none if they are missing or malformed."""
    path = data.get("path")
    fits = isinstance(path, list) and len(path) <= MAX_CHOICES and all(type(choice) is int for choice in path)
    return path if isinstance(path, list) and fits else []
