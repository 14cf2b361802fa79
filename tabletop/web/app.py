"""Puts the pages together: one Flask application around one referee's desk."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

from flask import Flask, request
from flask_babel import Babel
from jinja2 import ChoiceLoader, FunctionLoader
from werkzeug.exceptions import HTTPException

from tabletop.match.archive import Archive
from tabletop.referee.mailbox import Mailbox
from tabletop.web.games import static_of, template_of
from tabletop.web.http.addresses import Addresses, live
from tabletop.web.http.assets import Assets
from tabletop.web.http.error_page import sorry
from tabletop.web.http.guard import LARGEST_BACKUP, LARGEST_PHOTO, Limiter, guard, is_here_alone
from tabletop.web.http.places import PER_ADDRESS
from tabletop.web.http.qr import qr
from tabletop.web.i18n import gettext, marked, ngettext, number, points, say, signed
from tabletop.web.live.hub import Hub
from tabletop.web.live.renderer import Renderer
from tabletop.web.message_text import LANGUAGES, language, theme
from tabletop.web.pages import session
from tabletop.web.pages.acts import acts
from tabletop.web.pages.host import host
from tabletop.web.pages.pages import pages
from tabletop.web.pages.past import past
from tabletop.web.pages.photos import photos
from tabletop.web.seating.presence import Presence
from tabletop.web.seating.room import Room
from tabletop.web.seating.votes import Votes
from tabletop.web.views.photo_queue import PhotoQueue, PhotoReader

BLUEPRINTS = (pages, acts, host, past, photos)
"""Every page and act, by what it is about."""
SPECTATORS = 64
"""Streams of pages without a seat that may be open at once."""


def create_app(
    desk: Mailbox,
    *,
    room: Room,
    addresses: Sequence[str],
    clock: Callable[[], float] = time.monotonic,
    picture: Callable[[], bytes | None] | None = None,
    press: Callable[[str, bool], None] | None = None,
    eye: PhotoReader | None = None,
    archive: Archive | None = None,
    votes: Votes | None = None,
    begin: session.Begin | None = None,
    spectators: int = SPECTATORS,
    per_address: int = PER_ADDRESS,
) -> Flask:
    """Return the pages of a table.

    Args:
        desk: the referee's desk; all that is shown comes from its snapshots.
        room: who sits where.
        addresses: the pages' addresses as people type them, the numeric one first (``http://192.168.1.20:8000``);
            names other than these are refused as hosts.  :class:`~tabletop.web.addresses.Addresses` may change.
        clock: monotonic seconds, for limits on rates.
        picture: gives the camera's picture with what was understood drawn in, as JPEG, or None; for the demo page.
        press: presses a button of the demo's panel by name, or holds it down; without it there is no demo page.
        eye: reads photographs; None: there are none at this table.
        archive: the games that were played here; None: this table keeps none.
        votes: the votes on taking back, where somebody besides the pages answers them.
        begin: begins the next game once one is over; None: this table is for one game.
        spectators: how many pages that are neither a seat's nor a host's may listen at once.
        per_address: how many connections one address may hold, half of them such pages.
    """
    app = _bare()
    app.config["PER_ADDRESS"] = per_address
    guard(app, addresses)
    votes = votes or Votes()
    addresses = live(addresses)
    hub = Hub(desk, room, votes, addresses, run=secrets.token_hex(4), spectators=spectators,
              per_address=per_address)  # fmt: skip
    has = {"with_photo": eye is not None, "simulated": press is not None, "with_games": archive is not None,
           "begins": begin is not None}  # fmt: skip
    screen = Renderer(app, hub, room, votes, has, _way_in(room, addresses))
    app.extensions[session.KEY] = session.PageContext(
        desk, archive, room, Presence(desk, room), votes, hub, screen,
        joins=Limiter(clock, rate=0.2, burst=12), tries=Limiter(clock, rate=0.2, burst=12),
        photos=Limiter(clock, rate=0.2, burst=6),
        addresses=addresses, picture=picture, press=press, eye=eye, photo_queue=PhotoQueue(clock), begin=begin,
    )  # fmt: skip
    for blueprint in BLUEPRINTS:
        app.register_blueprint(blueprint)
    app.register_error_handler(HTTPException, sorry)
    _share(app, desk, with_demo=press is not None, with_games=archive is not None, with_photo=eye is not None)
    return app


def _way_in(room: Room, addresses: Addresses) -> Callable[[], Mapping[str, object]]:
    """Return what tells every page how people come to the table now."""
    drawn = lru_cache(maxsize=1)(qr)

    def told() -> Mapping[str, object]:
        address = addresses.first
        link = f"{address}/join?code={room.code}"
        here_alone, awaits = is_here_alone(address), addresses.awaits_network
        return {"address": address, "here_alone": here_alone, "awaits_network": awaits, "link": link,
                "qr": drawn(link), "code": room.code}  # fmt: skip

    return told


def _bare() -> Flask:
    """Return an application that has templates and languages and no page yet."""
    app = Flask(__name__)
    app.config.update(MAX_CONTENT_LENGTH=LARGEST_PHOTO, JSON_SORT_KEYS=False)
    app.jinja_loader = ChoiceLoader([app.jinja_loader, FunctionLoader(template_of)])  # type: ignore[list-item]
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.jinja_env.globals |= {"say": say, "enumerate": enumerate, "largest_backup": LARGEST_BACKUP}
    Babel(app, locale_selector=language)
    app.jinja_env.install_gettext_callables(gettext, ngettext, newstyle=True)  # type: ignore[attr-defined]
    app.jinja_env.globals["_"] = marked
    app.jinja_env.filters |= {"number": number, "signed": signed, "points": points}
    app.jinja_env.autoescape = True  # whatever a template is called
    return app


def _share(app: Flask, desk: Mailbox, **facts: bool) -> None:
    """Let every template know what is the same on all pages, and what belongs to this request."""
    assets = Assets(app, static_of)
    app.jinja_env.globals["asset"] = assets.address  # a game's own regions show pictures
    own = {"style_of": assets.style_of, "languages": LANGUAGES, **facts}

    @app.context_processor
    def shared() -> dict[str, object]:
        game = desk.snapshot.position.game
        served = {"with_health": "health" in app.blueprints, "with_camera": game.table is not None, "plays": game.name}
        if not request:
            return own | served
        return (
            own
            | served
            | {"language": language(), "theme": theme(), "hosting": session.is_host(), "counts": _counts(facts)}
        )


def _counts(facts: Mapping[str, bool]) -> bool:
    """Return whether the person who asks may score a final table from photos."""
    return facts["with_photo"] and (session.is_host() or bool(session.seats()))
