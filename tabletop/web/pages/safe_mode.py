"""The pages of a table without a game: why it is in safe mode, its health, its setup."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypedDict

from flask import Flask, render_template
from werkzeug.exceptions import HTTPException

from tabletop.rules.game import Game
from tabletop.setup.wizard import SetupWizard
from tabletop.web.http.assets import Assets
from tabletop.web.http.error_page import error_response
from tabletop.web.http.guard import Limiter, guard
from tabletop.web.message_text import LANGUAGES, language, theme, translate_templates
from tabletop.web.pages import host, session
from tabletop.web.pages.health import HealthActions, attach
from tabletop.web.pages.setup import EXTENSION_KEY as SETUP_KEY
from tabletop.web.pages.setup import SetupParts, setup
from tabletop.web.seating.room import Room
from tabletop.web.seating.seating import MAX_NAME_LENGTH


class Quiet:
    """The hub of pages that have no streams to end."""

    def close(self) -> None:
        """Do nothing."""


@dataclass(frozen=True, slots=True)
class JoinLimit:
    """How often somebody may try to become the host."""

    joins: Limiter


@dataclass(frozen=True, slots=True)
class MaintenanceContext:
    """The part of a :class:`~tabletop.web.pages.session.PageContext` that these pages have: a host and no game."""

    room: Room
    limits: JoinLimit
    hub: Quiet


class HomeFacts(TypedDict):
    """Facts for the first page: why the table is in safe mode, and whether it can be started from here."""

    page: str
    why: str
    leaves: bool


class MaintenanceFacts(TypedDict):
    """Facts for all pages of a table without a game."""

    languages: Mapping[str, str]
    language: str
    theme: str
    without_game: bool


def create_maintenance_app(
    wizard: SetupWizard,
    actions: HealthActions,
    *,
    room: Room,
    addresses: Sequence[str],
    why: str,
    picture: Callable[[], bytes | None],
    games: Sequence[Game],
) -> Flask:
    """Return the application of these pages; ``why`` says why this is safe mode, and is empty if it is setup."""
    app = Flask("tabletop.web")
    translate_templates(app)
    guard(app, addresses)
    app.jinja_env.globals |= {"asset": Assets(app).address, "max_name_length": MAX_NAME_LENGTH}
    app.extensions[session.EXTENSION_KEY] = MaintenanceContext(
        room, JoinLimit(Limiter(time.monotonic, rate=0.2, burst=12)), Quiet()
    )
    app.extensions[SETUP_KEY] = SetupParts(wizard, games, picture)
    app.register_blueprint(setup)
    attach(app, actions)
    app.add_url_rule("/host", view_func=host.become, methods=["POST"])
    app.register_error_handler(HTTPException, error_response)

    @app.get("/")
    def home() -> str:
        facts: HomeFacts = {"page": "home", "why": why, "leaves": actions.leave is not None}
        return render_template("maintenance/home.html", **facts)

    app.context_processor(_shared_facts)
    return app


def _shared_facts() -> dict[str, object]:
    facts: MaintenanceFacts = {
        "languages": LANGUAGES,
        "language": language(),
        "theme": theme(),
        "without_game": True,
    }
    return dict(facts)
