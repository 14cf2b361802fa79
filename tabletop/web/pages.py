"""The pages, and the streams that keep them true.  Nothing here changes anything."""

from __future__ import annotations

import io

import segno
from flask import Blueprint, Response, abort, redirect, render_template, request
from flask.typing import ResponseReturnValue
from markupsafe import Markup

from tabletop.referee.state import Snapshot
from tabletop.web import bgstats, course, visit
from tabletop.web.language import gettext as _
from tabletop.web.screen import PAGES, Audience
from tabletop.web.stream import stream
from tabletop.web.words import language

pages = Blueprint("pages", __name__)


def _page(name: str, seat: int | None = None) -> str:
    shown = visit.parts().screen.show(Audience(name, seat, language()))
    regions = {region: Markup(html) for region, html in shown.regions.items()}
    return render_template(f"{name}.html", stamp=shown.stamp, on=shown.on, regions=regions, page=name)


@pages.get("/")
def table() -> ResponseReturnValue:
    """Show the table page: for a TV or tablet in the room, and for whoever looks on."""
    return _page("table")


@pages.get("/join")
def join() -> ResponseReturnValue:
    """Show the free seats.  The code may come with the address, as in the QR code; a token never does."""
    parts = visit.parts()
    names = parts.screen.names(parts.desk.snapshot.position)
    return render_template(
        "join.html",
        page="join",
        names=names,
        room=parts.room,
        code=request.args.get("code", "")[:12],
        wanted=request.args.get("seat", type=int),
        holds=visit.seat(),
        claim=parts.room.claim_of(request.cookies.get("seat", "")),
    )


@pages.get("/seat")
def seat() -> ResponseReturnValue:
    """Show a seat's own page; a phone without a seat is sent to choose one."""
    holds = visit.seat()
    return redirect("/join") if holds is None else _page("seat", holds)


@pages.get("/demo")
def demo() -> ResponseReturnValue:
    """Show what the camera sees, and the panel."""
    if visit.parts().press is None:
        abort(404, "There is no demo panel at this table.")
    return _page("demo")


@pages.get("/demo/picture.jpg")
def picture() -> ResponseReturnValue:
    """Return the camera's picture with what was understood drawn in; none while people's cards are shown to it."""
    if visit.parts().press is None:
        abort(404)
    return _picture(kept_back=bool(visit.parts().room.taken))


@pages.get("/host/picture.jpg")
def host_picture() -> ResponseReturnValue:
    """Return the camera's picture to the host, who sees no hands either."""
    visit.require_host()
    return _picture(kept_back=True)


def _picture(*, kept_back: bool) -> ResponseReturnValue:
    """Return the camera's picture; nothing while dealt cards lie before it, where they are to be ``kept_back``."""
    parts = visit.parts()
    if parts.picture is None:
        abort(404)
    hidden = kept_back and _cards_are_shown(parts.desk.snapshot)
    jpeg = None if hidden else parts.picture()
    return Response(status=204) if jpeg is None else Response(jpeg, mimetype="image/jpeg")


@pages.get("/host")
def host() -> ResponseReturnValue:
    """Show the host's page, or ask for the one-time code."""
    return _page("host") if visit.is_host() else render_template("become_host.html", page="host-code")


@pages.get("/after")
def after() -> ResponseReturnValue:
    """Show the final score, how it came about, and the record to take away; before the end there is none."""
    parts = visit.parts()
    snapshot = parts.desk.snapshot
    if not snapshot.position.over:
        return redirect("/")
    names = parts.screen.names(snapshot.position)
    play = bgstats.link(snapshot, names)
    return render_template("after.html", page="after", play=play, **course.story(snapshot, names))


@pages.get("/record.<form>")
def record(form: str) -> ResponseReturnValue:
    """Return the record of the finished game as text, JSON or CSV; a running game's would tell the hands."""
    snapshot = visit.parts().desk.snapshot
    if not snapshot.position.over:
        abort(403, _("The record can be taken when the game is over: before, it would tell the hands."))
    writer = course.RECORDS.get(form)
    if writer is None:
        abort(404)
    text, mimetype = writer(snapshot, visit.parts().screen.names(snapshot.position))
    name = f'attachment; filename="{snapshot.position.game.name}.{form}"'
    return Response(text, mimetype=mimetype, headers={"Content-Disposition": name})


@pages.get("/events/<page>")
def events(page: str) -> ResponseReturnValue:
    """Return the stream of a page: its regions as they change."""
    parts = visit.parts()
    holds = visit.seat() if page == "seat" else None
    if page not in PAGES:
        abort(404)
    if (page == "seat" and holds is None) or (page == "host" and not visit.is_host()):
        abort(403, "This phone holds no seat, or another phone has taken it over.")
    number = parts.hub.open(holds)
    if number is None:
        return Response("Too many pages are open.", status=503, headers={"Retry-After": "15"})
    seen = request.headers.get("Last-Event-ID") or request.args.get("stamp", "")
    gone = request.environ.get("waitress.client_disconnected", bool)
    audience = Audience(page, holds, language())
    return Response(stream(parts.hub, parts.screen, audience, number, seen, gone), mimetype="text/event-stream")


def _cards_are_shown(snapshot: Snapshot) -> bool:
    """Tell whether dealt cards may lie before the camera: at the deal, and until they are taken up after it."""
    if snapshot.position.phase == "deal":
        return True
    newest = next((event for event in reversed(snapshot.events) if event.kind == "action"), None)
    dealt = newest is not None and newest.data.get("do") == "deal"
    return dealt and any(move.belongs.startswith("hand") for move in snapshot.todo)


def qr(text: str) -> Markup:
    """Return a QR code as inline SVG, one unit a module."""
    out = io.BytesIO()
    code = segno.make(text, error="m", micro=False)
    code.save(out, kind="svg", xmldecl=False, svgns=True, nl=False, border=3, omitsize=True, light="#fff", dark="#000")
    return Markup(out.getvalue().decode())
