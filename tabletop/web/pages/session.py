"""What a request handler works with: the parts of the table, and the seat or host behind the request's cookies."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypedDict, cast

from flask import Flask, Response, abort, current_app, make_response, request
from markupsafe import Markup

from tabletop.match.archive import Archive
from tabletop.match.event import Source
from tabletop.messages import N_
from tabletop.referee.mailbox import Mailbox
from tabletop.rules.game import Position
from tabletop.web.games import ui_of
from tabletop.web.http.guard import Limiter
from tabletop.web.i18n import gettext as _
from tabletop.web.live.fact_collector import FactCollector
from tabletop.web.live.hub import Audience, Hub, Stamp
from tabletop.web.live.regions import HOST_PAGES, SEAT_PAGES
from tabletop.web.live.renderer import RenderedPage, Renderer
from tabletop.web.message_text import language
from tabletop.web.seating.presence import Presence
from tabletop.web.seating.room import Room
from tabletop.web.seating.seat_hints import Hints
from tabletop.web.seating.seating import Person
from tabletop.web.seating.tokens import new_token
from tabletop.web.seating.votes import Votes
from tabletop.web.views.photo_queue import PhotoQueue, PhotoReader

Begin = Callable[[Sequence[Person], Mapping[str, Any]], None]
"""Begins the next game with these people and options.

Raises Declined if the game refuses them or another one is being played, JournalError if the disk does.
"""
EXTENSION_KEY = "tabletop"
"""The key in ``app.extensions`` of what the pages work with."""
YEAR_S = 365 * 24 * 3600
NO_SEAT = N_("This phone has no seat, or another phone has taken it over.")


@dataclass(frozen=True, slots=True)
class RateLimiters:
    """How often somebody may join, guess the code, report chance or correct the record, send a photograph, and act."""

    joins: Limiter
    guesses: Limiter
    tries: Limiter
    photos: Limiter
    acts: Limiter


@dataclass(frozen=True, kw_only=True)
class TableParts:
    """The parts of a table that its pages use; a page whose optional part is missing does not exist.

    ``addresses`` are those that people type, the numeric one first (``http://192.168.1.20:8000``): names other than
    these are refused as hosts, and they may change (:class:`~tabletop.web.http.addresses.Addresses`).  ``hints`` are
    those that seats may ask for, ``picture`` is the camera's picture with what was understood drawn in, as JPEG.
    ``press`` presses a button of the demo's panel by name, or holds it down; ``begin`` begins the next game once one is
    over.
    """

    mailbox: Mailbox
    room: Room
    addresses: Sequence[str]
    votes: Votes = field(default_factory=Votes)
    hints: Hints = field(default_factory=Hints)
    archive: Archive | None = None
    picture: Callable[[], bytes | None] | None = None
    press: Callable[[str, bool], None] | None = None
    photo_reader: PhotoReader | None = None
    begin: Begin | None = None


@dataclass(frozen=True, kw_only=True)
class PageContext(TableParts):
    """The context that request handlers share; put together once by :func:`tabletop.web.app.create_app`."""

    presence: Presence
    hub: Hub
    collector: FactCollector
    renderer: Renderer
    limits: RateLimiters
    photo_queue: PhotoQueue


def context() -> PageContext:
    """Return the page context of the app that handles this request."""
    return context_of(current_app)


def context_of(app: Flask) -> PageContext:
    """Return the page context of an app."""
    return cast(PageContext, app.extensions[EXTENSION_KEY])


def seats() -> tuple[int, ...]:
    """Return the seats of the sender of this request, none for a spectator."""
    return context().room.seating.held_by(token("seat"))


def own_seat(data: Mapping[str, Any] | None = None) -> int:
    """Return the seat for which this request is made: a phone that holds several names it in its ``data``.

    Ends the request with 403 if the phone does not hold it.
    """
    held = seats()
    named = held[0] if len(held) == 1 else (data or {}).get("seat", request.args.get("seat", type=int))
    if named not in held or isinstance(named, bool):
        abort(403, _(NO_SEAT))
    return int(named)


def object_of(data: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    """Return an object of a request.  Ends it with 400 if there is none."""
    value = data.get(key)
    if not isinstance(value, dict):
        abort(400, _("“%(key)s” is missing.", key=key))
    return value


def number_of(data: Mapping[str, Any], key: str) -> int:
    """Return a whole number of a request.  Ends it with 400 if there is none."""
    value = data.get(key)
    if not isinstance(value, int) or isinstance(value, bool):
        abort(400, _("“%(key)s” must be a number.", key=key))
    return value


def texts_of(data: Mapping[str, Any], key: str) -> list[str]:
    """Return a list of texts of a request, empty if it is left out.  Ends the request with 400 for anything else."""
    value = data.get(key, [])
    if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
        abort(400, _("“%(key)s” must be a list of texts.", key=key))
    return value


def whole_number(text: str) -> int | None:
    """Return a form's text as a whole number of at most nine digits, None if it is not one."""
    return int(text) if text.isdecimal() and len(text) <= 9 else None


def decided_on(data: Mapping[str, Any]) -> int:
    """Return the number of the event on which a request was decided, 0 if that was in another game."""
    return number_of(data, "on") if is_about_this_game(data) else 0


def is_about_this_game(data: Mapping[str, Any]) -> bool:
    """Return whether a request is about the game at the table; the pages always name the one that they show."""
    return data.get("game") in (None, context().mailbox.snapshot.mark)


def id_of(data: Mapping[str, Any], seat: int | None) -> str:
    """Return the request's id, prefixed by its sender, so that nobody gets the answer to another's request.

    ``seat`` None is the host.  Ends the request with 400 if there is none.
    """
    value = data.get("id")
    if not isinstance(value, str) or not 8 <= len(value) <= 64:
        abort(400, _("“id” must be a text of 8 to 64 characters."))
    return f"page-{'host' if seat is None else seat}-{value}"


def audience(page: str) -> Callable[[], Audience | None]:
    """Return a function that returns this browser's audience for a page, or None once it may not see it any more."""
    key, speech, parts = token("host" if page in HOST_PAGES else "seat"), language(), context()

    def who() -> Audience | None:
        if page in HOST_PAGES:
            return Audience(page, None, speech) if key in parts.room.hosts else None
        if page not in SEAT_PAGES:
            return Audience(page, None, speech)
        held = parts.room.seating.held_by(key)
        if len(held) < 2:
            return Audience(page, held[0], speech) if held else None
        return Audience(page, _next(held, parts.mailbox.snapshot.position), speech, held)

    return who


class LiveFacts(TypedDict):
    """Facts for a page that listens to its stream: what it shows to begin with, its stamp, and its regions as HTML."""

    page: str
    shown: RenderedPage
    stamp: Stamp
    me: int | None
    regions: Mapping[str, Markup]


def live(page: str) -> LiveFacts | None:
    """Return the facts for rendering a page that listens to its stream; None if this browser may not see it."""
    who = audience(page)()
    if who is None:
        return None
    shown = context().renderer.show(who, retry=True)
    regions = {region: Markup(html) for region, html in shown.regions.items()}
    return {"page": page, "shown": shown, "stamp": shown.stamp, "me": shown.me, "regions": regions}


def _next(held: tuple[int, ...], position: Position) -> int:
    """Return the seat of one phone that decides, or that will be the next of them to decide."""
    due = ui_of(position.game).concerned(position)
    return min(held, key=lambda seat: (seat - due) % len(position.names))


def source(seat: int) -> Source:
    """Return whose act a request for a seat is: the host's where the host plays for it, else that of its page."""
    by_host = seat in context().mailbox.snapshot.match.deputed and is_host()
    return Source.HOST if by_host else Source.PAGE


def token(name: str) -> str:
    """Return the ``seat`` or ``host`` token of the sender of this request, empty if there is none."""
    return request.cookies.get(name, "")


def is_host() -> bool:
    """Return whether the host sends this request."""
    return token("host") in context().room.hosts


def require_host() -> None:
    """End the request with 403 if it is not the host's."""
    if not is_host():
        abort(403, _("Only the host can do this."))


def phone() -> str:
    """Return the mark of the browser that sends this request, or its address if it has no mark."""
    return token("phone") or request.remote_addr or ""


def with_phone_mark(page: str) -> Response:
    """Return a response with the page, which also gives the browser a mark if it has none yet."""
    response = make_response(page)
    if not token("phone"):
        set_token(response, "phone", new_token())
    return response


def set_token(response: Response, name: str, secret: str) -> None:
    """Give a token to the browser: out of reach of scripts and of other sites, never in an address."""
    response.set_cookie(name, secret, max_age=YEAR_S, httponly=True, samesite="Strict")
