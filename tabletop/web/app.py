"""Assembles the pages: one Flask application around one referee."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypedDict

from flask import Flask, request
from jinja2 import ChoiceLoader, FunctionLoader
from werkzeug.exceptions import HTTPException

from tabletop.bots.levels import level_name
from tabletop.messages import N_
from tabletop.referee.mailbox import Mailbox
from tabletop.web.games import UIS, static_of, template_of
from tabletop.web.http.addresses import live
from tabletop.web.http.assets import Assets
from tabletop.web.http.error_page import error_response
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
from tabletop.web.pages.host import host
from tabletop.web.pages.listen import listen
from tabletop.web.pages.next_game import next_game
from tabletop.web.pages.pages import pages
from tabletop.web.pages.past import past
from tabletop.web.pages.photos.photos import photos
from tabletop.web.seating.presence import Presence
from tabletop.web.seating.seating import MAX_NAME_LENGTH
from tabletop.web.views.photo_queue import PhotoQueue

BLUEPRINTS = (pages, acts, next_game, host, listen, past, photos)
"""Every page and act, by what it is about."""
MAX_SPECTATOR_STREAMS = 64
"""How many pages without a seat can be live at a time."""
ACTS_BURST = 120
"""How many acts and undos a seat may send without a pause."""
TOO_FAST = N_("Too many actions from this seat. Wait a few seconds and try again.")


@dataclass(frozen=True, slots=True)
class PageLimits:
    """Limits on spectators' pages, on the connections of one address, and on the acts of one seat.

    At most ``spectators`` pages that are neither a seat's nor a host's are live.  An address may hold ``per_address``
    connections, half of them for such pages.  A seat may do ``acts`` things a minute for as long as it likes, and
    :data:`ACTS_BURST` without a pause.
    """

    spectators: int = MAX_SPECTATOR_STREAMS
    per_address: int = MAX_PER_ADDRESS
    acts: int = 60


USUAL_LIMITS = PageLimits()


class SiteFacts(TableOffers):
    """Facts for every page of a table: addresses of styles, languages, and the game that is played (``plays``)."""

    style_of: Callable[[str], str]
    languages: Mapping[str, str]
    with_camera: bool
    plays: str


class VisitorFacts(TypedDict):
    """Facts for every page about its visitor; ``counts`` says that they may score a final table from photos."""

    language: str
    theme: str
    hosting: bool
    counts: bool
    seated: bool
    join_code: str


def create_app(
    table: session.TableParts, limits: PageLimits = USUAL_LIMITS, clock: Callable[[], float] = time.monotonic
) -> Flask:
    """Return the application that serves a table's pages; ``clock`` gives monotonic seconds for limits on rates.

    Raises UnusablePart if what the game brings to the pages cannot be loaded.
    """
    UIS.part(table.mailbox.snapshot.position.game.name)
    app, addresses = _app_without_table(limits.per_address), live(table.addresses)
    mailbox, room, votes, hints = table.mailbox, table.room, table.votes, table.hints
    guard(app, addresses)
    hub = Hub(
        mailbox, room, votes, addresses, hints,
        run=secrets.token_hex(4), spectators=limits.spectators, per_address=limits.per_address,
    )  # fmt: skip
    offers: TableOffers = {
        "with_photo": table.photo_reader is not None,
        "simulated": table.press is not None,
        "with_games": table.archive is not None,
        "begins": table.begin is not None,
    }
    collector = FactCollector(hub, room=room, votes=votes, hints=hints, addresses=addresses, offers=offers)
    app.extensions[session.EXTENSION_KEY] = session.PageContext(
        **{**vars(table), "addresses": addresses}, presence=Presence(mailbox, room), hub=hub, collector=collector,
        renderer=Renderer(app, hub, collector, RegionTemplates(app.jinja_env)), limits=_limiters(clock, limits.acts),
        photo_queue=PhotoQueue(clock),
    )  # fmt: skip
    _share_with_templates(app, mailbox, offers)
    return app


def _limiters(clock: Callable[[], float], acts: int) -> session.RateLimiters:
    return session.RateLimiters(
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
    app.register_error_handler(HTTPException, error_response)
    return app


def _share_with_templates(app: Flask, mailbox: Mailbox, offers: TableOffers) -> None:
    """Give every template the facts that all pages share, and those of the current request."""
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
