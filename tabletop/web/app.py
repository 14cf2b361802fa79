"""Assembles the pages: one Flask application around one referee."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from typing import TypedDict

from flask import Flask, request
from jinja2 import ChoiceLoader, FunctionLoader
from werkzeug.exceptions import HTTPException

from tabletop.bots.levels import level_name
from tabletop.match.archive import Archive
from tabletop.messages import N_
from tabletop.referee.mailbox import Mailbox
from tabletop.web.games import UIS, static_of, template_of
from tabletop.web.http.addresses import live
from tabletop.web.http.assets import Assets
from tabletop.web.http.error_page import sorry
from tabletop.web.http.guard import MAX_BACKUP_BYTES, MAX_PHOTO_BYTES, Limiter, guard
from tabletop.web.http.places import MAX_PER_ADDRESS
from tabletop.web.i18n import number, plainly, points, signed
from tabletop.web.live.fact_collector import FactCollector
from tabletop.web.live.hub import Hub
from tabletop.web.live.live_facts import TableOffers
from tabletop.web.live.region_templates import RegionTemplates
from tabletop.web.live.renderer import Renderer
from tabletop.web.message_text import LANGUAGES, language, theme, translate_templates
from tabletop.web.pages import session
from tabletop.web.pages.acts import acts
from tabletop.web.pages.again import again
from tabletop.web.pages.host import host
from tabletop.web.pages.listen import listen
from tabletop.web.pages.pages import pages
from tabletop.web.pages.past import past
from tabletop.web.pages.photos import photos
from tabletop.web.seating.presence import Presence
from tabletop.web.seating.room import Room
from tabletop.web.seating.seat_hints import Hints
from tabletop.web.seating.seating import MAX_NAME_LENGTH
from tabletop.web.seating.votes import Votes
from tabletop.web.views.photo_queue import PhotoQueue, PhotoReader

BLUEPRINTS = (pages, acts, again, host, listen, past, photos)
"""Every page and act, by what it is about."""
MAX_SPECTATOR_STREAMS = 64
"""How many pages without a seat can be live at a time."""
ACTS_PER_MINUTE = 60
"""Acts and undos of one seat, for as long as it likes: more than people ever need."""
ACTS_BURST = 120
"""Acts and undos of one seat without a pause."""
TOO_FAST = N_("Too many actions from this seat. Wait a few seconds and try again.")


class SiteFacts(TableOffers):
    """What every page of a table reads: addresses of styles, languages, and the game that is played (``plays``)."""

    style_of: Callable[[str], str]
    languages: Mapping[str, str]
    with_camera: bool
    plays: str


class VisitorFacts(TypedDict):
    """What every page reads about who asks for it; ``counts`` says that they may score a final table from photos."""

    language: str
    theme: str
    hosting: bool
    counts: bool
    seated: bool
    join_code: str


def create_app(
    mailbox: Mailbox,
    *,
    room: Room,
    addresses: Sequence[str],
    clock: Callable[[], float] = time.monotonic,
    picture: Callable[[], bytes | None] | None = None,
    press: Callable[[str, bool], None] | None = None,
    photo_reader: PhotoReader | None = None,
    archive: Archive | None = None,
    votes: Votes | None = None,
    begin: session.Begin | None = None,
    hints: Hints | None = None,
    spectators: int = MAX_SPECTATOR_STREAMS,
    per_address: int = MAX_PER_ADDRESS,
    acts: int = ACTS_PER_MINUTE,
) -> Flask:
    """Return the pages in front of a referee's ``mailbox``.

    A page whose optional part is missing is not there.

    ``addresses`` are those that people type, the numeric one first (``http://192.168.1.20:8000``): names other than
    these are refused as hosts, and they may change (:class:`~tabletop.web.http.addresses.Addresses`).  ``clock`` gives
    monotonic seconds for limits on rates, ``picture`` the camera's picture with what was understood drawn in, as JPEG.
    ``press`` presses a button of the demo's panel by name, or holds it down; ``photo_reader`` reads photographs;
    ``begin`` begins the next game once one is over; ``hints`` are those that seats may ask for.
    At most ``spectators`` pages that are neither a seat's nor a host's listen, and an address holds ``per_address``
    connections, half of them such pages.  A seat does ``acts`` things a minute for as long as it likes, and
    :data:`ACTS_BURST` without a pause.  Raises UnusablePart if what the game brings to the pages cannot be loaded.
    """
    UIS.part(mailbox.snapshot.position.game.name)
    app, votes, hints, addresses = _app_without_table(per_address), votes or Votes(), hints or Hints(), live(addresses)
    guard(app, addresses)
    run = secrets.token_hex(4)
    hub = Hub(mailbox, room, votes, addresses, hints, run=run, spectators=spectators, per_address=per_address)
    offers: TableOffers = {
        "with_photo": photo_reader is not None,
        "simulated": press is not None,
        "with_games": archive is not None,
        "begins": begin is not None,
    }
    collector = FactCollector(hub, room=room, votes=votes, hints=hints, addresses=addresses, offers=offers)
    renderer = Renderer(app, hub, collector, RegionTemplates(app.jinja_env))
    app.extensions[session.EXTENSION_KEY] = session.PageContext(
        mailbox=mailbox, archive=archive, room=room, presence=Presence(mailbox, room), votes=votes, hints=hints,
        hub=hub, collector=collector, renderer=renderer, limits=_limits(clock, acts), addresses=addresses,
        picture=picture, press=press, photo_reader=photo_reader, photo_queue=PhotoQueue(clock), begin=begin,
    )  # fmt: skip
    _share_with_templates(app, mailbox, offers)
    return app


def _limits(clock: Callable[[], float], acts: int) -> session.Limits:
    return session.Limits(
        joins=Limiter(clock, rate=0.2, burst=12),
        guesses=Limiter(clock, rate=2.0, burst=120),
        tries=Limiter(clock, rate=0.2, burst=12),
        photos=Limiter(clock, rate=0.2, burst=6),
        acts=Limiter(clock, rate=acts / 60, burst=max(ACTS_BURST, acts), why=TOO_FAST),
    )


def _app_without_table(per_address: int) -> Flask:
    """Return an application with its pages, templates and languages, but no table yet."""
    app = Flask(__name__)
    app.config.update(MAX_CONTENT_LENGTH=MAX_PHOTO_BYTES, PER_ADDRESS=per_address)
    app.jinja_loader = ChoiceLoader([app.jinja_loader, FunctionLoader(template_of)])  # type: ignore[list-item]
    translate_templates(app)
    app.jinja_env.globals |= {
        "level_name": level_name,
        "enumerate": enumerate,
        "largest_backup": MAX_BACKUP_BYTES,
        "max_name_length": MAX_NAME_LENGTH,
        "with_aim": False,  # until their pages are attached
        "with_health": False,
    }
    app.jinja_env.filters |= {"decimal": plainly, "number": number, "signed": signed, "points": points}
    app.jinja_env.autoescape = True  # whatever a template is called
    for blueprint in BLUEPRINTS:
        app.register_blueprint(blueprint)
    app.register_error_handler(HTTPException, sorry)
    return app


def _share_with_templates(app: Flask, mailbox: Mailbox, offers: TableOffers) -> None:
    """Let every template know what is the same on all pages, and what belongs to this request."""
    assets = Assets(app, static_of)
    app.jinja_env.globals["asset"] = assets.address  # a game's own regions show pictures

    @app.context_processor
    def shared() -> dict[str, object]:
        game = mailbox.snapshot.position.game
        site: SiteFacts = {
            **offers,
            "style_of": assets.style_of,
            "languages": LANGUAGES,
            "with_camera": game.table is not None,
            "plays": game.name,
        }
        return {**site, **_visitor(offers)} if request else dict(site)


def _visitor(offers: TableOffers) -> VisitorFacts:
    """Return what every page reads about the browser that sends this request."""
    seated, hosting = bool(session.seats()), session.is_host()
    return {
        "language": language(),
        "theme": theme(),
        "hosting": hosting,
        "counts": offers["with_photo"] and (hosting or seated),
        "seated": seated,
        "join_code": session.context().room.code,
    }
