"""The pages, and the streams that keep them up to date.  Nothing here changes the game or the seats."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TypedDict

from flask import Blueprint, Response, abort, make_response, redirect, render_template, request
from flask.typing import ResponseReturnValue

from tabletop.referee.snapshot import Snapshot
from tabletop.web.games import ui_of
from tabletop.web.games.game_ui import Names
from tabletop.web.games.help import Topic
from tabletop.web.games.rule_options import sentences
from tabletop.web.http.responses import jpeg_response
from tabletop.web.i18n import gettext as _
from tabletop.web.live.regions import HOST_PAGES, PAGES, SEAT_PAGES, STAGE_PAGES
from tabletop.web.live.stream import PUSH_KEY, Stream, no_push
from tabletop.web.pages import past, session
from tabletop.web.seating.claims import SeatClaim
from tabletop.web.seating.looks import HUES, MARKS, ShownLooks
from tabletop.web.seating.losses import loss_sentence
from tabletop.web.seating.room import Room
from tabletop.web.views import score_chart
from tabletop.web.views.prompts import let_in, public_names

pages = Blueprint("pages", __name__)

MAX_STAGE_NAME = 40
"""How many characters of the name that a stage gives itself are read."""


class JoinFacts(ShownLooks):
    """Facts for the page for taking a seat.

    ``chooses`` says that people choose their colours, from a ``palette``; ``signs`` are the marks with their names.
    ``wanted`` is the preselected seat, ``held`` are the phone's own seats, ``claims`` those that it waits for; ``lost``
    says why it lost its seat, ``unknown`` that it holds a token that is not known here.
    """

    page: str
    game: str
    deputed: frozenset[int]
    names: Names
    room: Room
    chooses: bool
    palette: Sequence[str]
    signs: Mapping[str, str]
    code: str
    wanted: int | None
    held: Sequence[int]
    claims: Sequence[SeatClaim]
    lost: str
    unknown: bool
    let_in: Callable[[SeatClaim], str]


class RulesFacts(TypedDict):
    """Facts for the page of the rules: the game's title, its topics, and the options of this game in sentences."""

    page: str
    title: str
    topics: Sequence[Topic]
    options: Sequence[str]


def live_page(name: str) -> ResponseReturnValue:
    """Render a page, or send a phone without a seat to choose one, and anybody but the host to the host's code."""
    made = session.live(name)
    if made is None:
        return redirect("/host" if name in HOST_PAGES else "/join")
    return render_template(f"{name}.html", **made)


@pages.get("/")
def table() -> ResponseReturnValue:
    """Show the table page: for a TV or tablet in the room, and for spectators."""
    return live_page("table")


@pages.get("/join")
def join() -> ResponseReturnValue:
    """Show the free seats.  The code may come with the address, as in the QR code; a token never does.

    A phone that holds a seat has shown the code already and is not asked for it again.
    """
    context = session.context()
    held, token = session.seats(), session.token("seat")
    claims, loss = context.room.claims.of(token), context.room.loss_of(token)
    snapshot = context.mailbox.snapshot
    names = context.room.seating.called(snapshot.position.names)
    ui = ui_of(snapshot.position.game)
    facts: JoinFacts = {
        **context.collector.looks(snapshot, ui),
        "page": "join",
        "game": snapshot.position.game.title,
        "deputed": snapshot.match.deputed,
        "names": names,
        "room": context.room,
        "chooses": not ui.own_colours,
        "palette": HUES,
        "signs": MARKS,
        "code": context.room.code if held else request.args.get("code", "")[:12],
        "wanted": request.args.get("seat", type=int),
        "held": held,
        "claims": claims,
        "lost": loss_sentence(loss, snapshot.position.names, names) if loss is not None else "",
        "unknown": bool(token) and not held and not claims and loss is None,
        "let_in": partial(let_in, admission=context.room.admission),
    }
    return session.with_phone_mark(render_template("join.html", **facts))


@pages.get("/seat")
def seat() -> ResponseReturnValue:
    """Show a seat's own page: on a phone for several seats that of whose turn it is, without a seat the choice."""
    response = make_response(live_page("seat"))
    # Without scripts it sends a form, and with no referrer at all browsers would not send its origin either.
    response.headers["Referrer-Policy"] = "same-origin"
    return response


@pages.get("/rules")
def rules() -> ResponseReturnValue:
    """Show the rules in short, topic by topic; the pages link to the topic of what was touched."""
    context = session.context()
    position = context.mailbox.snapshot.position
    ui = ui_of(position.game)
    facts: RulesFacts = {
        "page": "rules",
        "title": position.game.title,
        "topics": ui.topics,
        "options": sentences(position, ui, context.room.seating.called(position.names)),
    }
    return render_template("rules.html", **facts)


@pages.get("/demo")
def demo() -> ResponseReturnValue:
    """Show what the camera sees, and the panel."""
    if session.context().press is None:
        abort(404, _("This table has no demo panel."))
    return live_page("demo")


@pages.get("/demo/picture.jpg")
def picture() -> ResponseReturnValue:
    """Return the camera's picture with what was understood drawn in; none while people's cards are shown to it."""
    if session.context().press is None:
        abort(404)
    return camera_picture(kept_back=bool(session.context().room.seating.taken))


def camera_picture(*, kept_back: bool) -> ResponseReturnValue:
    """Return the camera's picture; with ``kept_back``, nothing while dealt cards may lie before the camera."""
    context = session.context()
    if context.picture is None:
        abort(404)
    hidden = kept_back and cards_are_shown(context.mailbox.snapshot)
    return jpeg_response(None if hidden else context.picture())


@pages.get("/after")
def after() -> ResponseReturnValue:
    """Show the final score, how it came about, and the record to download; before the end, show the table page."""
    context = session.context()
    snapshot = context.mailbox.snapshot
    if not snapshot.over:
        return redirect("/")
    names = context.room.seating.called(snapshot.position.names)
    return past.after(snapshot) or past.score_page(snapshot, names, "")


@pages.get("/record.<form>")
def record(form: str) -> ResponseReturnValue:
    """Return the record of the finished game as text, JSON or CSV; a running game's would reveal the hands."""
    snapshot = session.context().mailbox.snapshot
    if not snapshot.over:
        abort(403, _("The record can be downloaded when the game is over; before that, it would give away the hands."))
    names = session.context().room.seating.called(snapshot.position.names)
    return score_chart.download(form, snapshot, names, snapshot.position.game.name)


@pages.get("/events/<page>")
def events(page: str) -> ResponseReturnValue:
    """Return the stream of a page: its regions as they change.

    A stage sends its name and whether it counts the score at the end: ``?stage=…&counts=yes``.
    """
    if page not in PAGES:
        abort(404)
    who = session.audience(page)
    if who() is None:
        abort(403, _(session.NO_SEAT))
    context = session.context()
    seats = session.seats() if page in SEAT_PAGES else ()
    seen = request.headers.get("Last-Event-ID") or request.args.get("stamp", "")
    push, gone = request.environ.get(PUSH_KEY, no_push), request.environ.get("waitress.client_disconnected", bool)
    stage = request.args.get("stage", "")[:MAX_STAGE_NAME] if page in STAGE_PAGES else ""
    stream = Stream(
        context.hub, context.renderer, who, seats, seen, push, gone, hosts=page in HOST_PAGES, stage=stage,
        counts=bool(stage) and request.args.get("counts") == "yes", address=request.remote_addr or "",
    )  # fmt: skip
    if not context.hub.open(stream):
        return Response("Too many pages are open.", status=503, headers={"Retry-After": "15"})
    return Response(stream, mimetype="text/event-stream")


def cards_are_shown(snapshot: Snapshot) -> bool:
    """Return whether pieces that not everybody may know, such as dealt cards, may lie before the camera.

    They may while the game has them shown to the camera, and until they are taken up again.
    """
    if snapshot.position.shows_secrets:
        return True
    # For a piece whose place nobody knows, the answer must not depend on where it belongs: it would reveal that.
    return bool(snapshot.todo) and not public_names(snapshot).issuperset(move.piece for move in snapshot.todo)
