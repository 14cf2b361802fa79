"""The real table: built as the configuration says, and served."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from flask import Flask

from tabletop.bots.levels import LEVELS, no_level
from tabletop.config import NO_CAMERA, NO_PANEL, Config, ConfigError
from tabletop.files.lock import locked
from tabletop.hardware.diagnostics.check import Probe
from tabletop.hardware.diagnostics.probes import folder_advice
from tabletop.hardware.errors import HardwareError
from tabletop.hardware.panel import panel_file
from tabletop.hardware.panel.gpio import Panel, read_wiring
from tabletop.hardware.panel.pin_factories import open_factory
from tabletop.hardware.voice import Voice
from tabletop.match import store
from tabletop.match.errors import MatchError
from tabletop.match.journal import Journal
from tabletop.match.match import Match
from tabletop.messages import EMPTY, Message, join
from tabletop.referee.referee import Draw
from tabletop.referee.voice_loop import VoiceLoop
from tabletop.rules import registry
from tabletop.rules.edition import EditionError
from tabletop.rules.game import Game, Illegal
from tabletop.runtime import editions, network, page_server
from tabletop.runtime.camera_source import camera_opener
from tabletop.runtime.health import bug_report, diagnostics
from tabletop.runtime.health.log_tail import LogTail
from tabletop.runtime.panel_actions import admission_at
from tabletop.runtime.running_table import CameraSetup, Clocks, PanelSetup, RunningTable
from tabletop.service.notify import Notifier
from tabletop.service.starts import StartsFile
from tabletop.service.watchdog import Watchdog
from tabletop.simulator.play import seat_bots
from tabletop.vision.kit import Kit, KitError
from tabletop.web.app import PageLimits
from tabletop.web.http.addresses import Addresses
from tabletop.web.live.announcer import Announcer
from tabletop.web.message_text import LANGUAGES
from tabletop.web.pages import session
from tabletop.web.pages.health import HealthActions, attach
from tabletop.web.pages.pages import cards_are_shown
from tabletop.web.seating import seats_file
from tabletop.web.seating.room import Room
from tabletop.web.seating.tokens import new_code

FAREWELL_S = 2.0
"""How long the lights say that the table was put away: one period of their pattern."""


class ServeError(RuntimeError):
    """The table cannot be served; the text says why and what to do."""


START_ERRORS = (
    ConfigError,
    ServeError,
    HardwareError,
    MatchError,
    Illegal,
    page_server.PagesLost,
    KitError,
)
"""The errors that keep a table from being served, each with a sentence that says why."""


@dataclass(frozen=True, slots=True)
class Supervision:
    """The supervision of a table: systemd, which it notifies, and the file that remembers how its starts went."""

    notify: Notifier
    memory: StartsFile


def run(
    config: Config,
    say: Callable[[str], None],
    *,
    fresh: bool = False,
    skip: bool = False,
    file: Path | None = None,
    service: Supervision | None = None,
) -> None:
    """Serve the table until the process is told to stop; an unfinished match is resumed unless ``fresh``.

    ``skip`` passes over newer matches that cannot be read; without it, or ``fresh``, they are an error.  ``file`` is
    where the configuration came from.  Raises one of START_ERRORS.
    """
    host, port = config.pages.bind, config.pages.port
    trouble = network.port_in_use(host, port)
    if trouble:
        raise ServeError(trouble)
    # Checks that can refuse come first: no match is begun at a table that cannot run.
    folder = _make_games_folder(config)
    _check_config(config)
    with ExitStack() as stack:
        stack.callback(os.close, _locked(folder))
        journal, match, damage = _open_match(config, say, fresh, skip)
        ended, code = stack.enter_context(page_server.stop_signal()), new_code(8)
        table = stack.enter_context(make_table(config, journal, match, code, folder, damage))
        addresses = network.addresses_of(host, config.pages.hosts, port)
        limits = PageLimits(per_address=config.pages.connections, acts=config.pages.acts)
        pages = table.pages(addresses, limits=limits)
        log, live = LogTail(), diagnostics.while_served(table)
        stack.enter_context(log.attached())
        if config.voice.on:
            stack.enter_context(_voice(config.language, table, pages))
        leave = None if service is None else partial(_into_safe_mode, service.memory, ended)
        stack.enter_context(seat_bots.bots_in_seats(table.room, table.mailbox, match.game.name))
        attach(pages, _health_actions(config, file, table, live, log, leave))
        tell = partial(announce, table, match, addresses, code, say)
        page_server.serve(pages, host, port, ended, _watchdog(table, service).beat, addresses, tell)
        if service is not None:
            service.notify.stopping()
        say("Every move is on disk; the table is closed.")


def _check_config(config: Config) -> None:
    """Raise one of START_ERRORS if no such table can be served."""
    game = registry.game(config.game)
    if config.camera.source != NO_CAMERA:
        camera_opener(config.camera, game, len(config.seats), time.monotonic)
    kit_of(config, game)
    if unknown := next((level for level in config.bots if level and level not in LEVELS), None):
        raise ConfigError(join((no_level(unknown), Message("See “bots” in table.toml."))))


def _voice(wanted: str, table: RunningTable, pages: Flask) -> VoiceLoop:
    """Return the loop that speaks the news, in the wanted language if the pages have it, else in English."""
    language = wanted if wanted in LANGUAGES else "en"
    announcer = Announcer(pages, session.context_of(pages).hub, table.room, language, time.monotonic)
    return VoiceLoop(table.mailbox, announcer.news, Voice(language).say, announcer.waits)


def kit_of(config: Config, game: Game) -> Kit:
    """Return the kit with which a game is played at the configured table; another game gets its usual make.

    Raises KitError for a make that the configured game does not have.
    """
    pieces = config.pieces
    return Kit(game, pieces.make if game.name == config.game else "", pieces.set, pieces.scale)


def make_table(
    config: Config, journal: Journal, match: Match, code: str, work: Path, damage: Message = EMPTY
) -> RunningTable:
    """Return the table, with a camera if the game is played in front of one; otherwise chance is drawn here."""
    seen = match.game.table is not None and config.camera.source != NO_CAMERA
    return RunningTable(
        journal,
        match,
        partial(make_room, config, match, code),
        clocks=Clocks(time.time, time.monotonic),
        panel=PanelSetup(
            partial(_open_panel, config, work), config.panel.sound, FAREWELL_S if config.panel.pins == "gpio" else 0.0
        ),
        # A match that is resumed may be another game than the settings ask for, with other seats.
        camera=CameraSetup(
            camera_opener(config.camera, match.game, len(match.position.names), time.monotonic),
            config.camera.rate,
            config.camera.work / 100,
        )
        if seen
        else None,
        draw=None if seen else _random_draw(),
        kit=kit_of(config, match.game),
        damage=damage,
        hints=config.pages.hints,
    )


def _open_panel(config: Config, work: Path) -> Panel:
    """Open the panel, as its file says and this machine can wire it.  Raises PinsError."""
    if config.panel.pins == NO_PANEL:
        wires = panel_file.EMPTY_WIRING
    else:
        wires = read_wiring(config.panel.file, panel_file.taken_pins() if config.panel.pins == "gpio" else {})
    return Panel(wires, open_factory(config.panel.pins, config.panel.chip, work), time.monotonic)


def make_room(config: Config, match: Match, host_code: str, wires: panel_file.Wiring | None) -> Room:
    """Return the room of a table whose panel has these ``wires`` (None: no panel)."""
    return Room(
        new_code(),
        seats=range(len(match.position.names)),
        admission=admission_at(wires),
        host_code=host_code,
        store=seats_file.path_in(config.games),
        levels=LEVELS,
        bots=_bot_levels(config, match),
        match=match.start.hash,
    )


def _bot_levels(config: Config, match: Match) -> Mapping[int, str]:
    """Return the levels of the seats that the program plays at first, by name: a resumed match may have other seats."""
    names = match.position.names
    levels = dict(zip(config.seats, config.bots, strict=False))
    return {seat: levels[name] for seat, name in enumerate(names) if levels.get(name)}


def announce(
    table: RunningTable, match: Match, addresses: Addresses, code: str, say: Callable[[str], None]
) -> None:  # fmt: skip
    """Say at which addresses the table can be opened, and whether its camera or panel is missing."""
    say(_welcome(match, addresses[0], table.room, code))
    network.tell_changes(addresses, say)
    if table.camera is None:
        say("There is no camera; the game is played without one.")
    if table.no_pins is not None:
        say(f"There are no buttons and lights; the game continues on the pages. {table.no_pins}")
    elif table.panel.panel.wiring == panel_file.EMPTY_WIRING:
        say("No panel is set up; the game is played on the pages.")


def _welcome(match: Match, address: str, room: Room, code: str) -> str:
    """Return the text for the console: who plays, and where the pages are."""
    return (
        f"{match.game.title} with {', '.join(match.position.names)}.\n"
        f"  the table   {address}/\n"
        f"  to join     {address}/join?code={room.code}\n"
        f"  host        {address}/host   one-time code {code}"
    )


def _into_safe_mode(memory: StartsFile, ended: page_server.StopRequest) -> None:
    memory.ask()
    ended.set()


def _watchdog(table: RunningTable, service: Supervision | None) -> Watchdog:
    """Return the watchdog, which beats as long as referee and panel answer."""
    parts = {"the referee": table.mailbox.answers, "the panel": table.panel.answers}
    if service is None:
        return Watchdog(Notifier({}), parts, time.monotonic)
    return Watchdog(service.notify, parts, time.monotonic, service.memory.well)


def _health_actions(
    config: Config, file: Path | None, table: RunningTable, live: Mapping[str, Probe], log: LogTail,
    leave: Callable[[], None] | None,
) -> HealthActions:  # fmt: skip
    """Return the actions of the health page for this table while it is being served."""

    def report(pictures: bool) -> bytes:
        # While people show their cards to the camera nobody gets a picture, not even the host.
        shown = pictures and not cards_are_shown(table.mailbox.snapshot)
        picture = table.picture() if shown else None
        return bug_report.make(
            config, file, diagnostics.examine(config, live), log.text(), [picture] if picture else []
        )

    return HealthActions(lambda: [check.to_json() for check in diagnostics.examine(config, live)], report, leave)


def _make_games_folder(config: Config) -> Path:
    """Make the folder of the games if it does not exist, and return it.  Raises ServeError."""
    try:
        config.games.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        fact = Message(
            "The folder {folder} for the games cannot be created: {error}.", folder=config.games, error=error.strerror
        )
        raise ServeError(join((fact, folder_advice(config.games)))) from None
    return config.games


def _locked(folder: Path) -> int:
    """Return an open lock that keeps a second table out of the folder: both would write the same file of seats."""
    try:
        return locked(folder)
    except BlockingIOError:
        why = f"Another table is being served with the games in {folder}."
        raise ServeError(f"{why} Stop it, or name another folder as “games” in table.toml.") from None
    except OSError as error:
        fact = Message(
            "The folder {folder} for the games cannot be used: {error}.", folder=folder, error=error.strerror
        )
        raise ServeError(join((fact, folder_advice(folder)))) from None


def _open_match(config: Config, say: Callable[[str], None], fresh: bool, skip: bool) -> tuple[Journal, Match, Message]:
    """Resume the newest unfinished match, or start one; also return the damage that was found (or empty)."""
    unfinished: Path | None
    store.clean_up(config.games)
    if fresh or skip:
        unfinished, passed = store.pass_over(config.games)
        for name in passed:
            say(f"{name} cannot be read: it is kept, but skipped from now on.")
    else:
        unfinished = store.unfinished(config.games)
    if fresh or unfinished is None:
        return *_start_match(config), EMPTY
    journal, match, damage = Journal.open(unfinished)
    say(f"The match of {unfinished.stem} continues after event {match.last} (--new starts another).")
    if damage:
        say(damage)
    return journal, match, damage


def _start_match(config: Config) -> tuple[Journal, Match]:
    """Start a match with the configured game, seats, options and edition."""
    game, file = registry.game(config.game), config.edition
    if file is None:
        return store.start(config.games, game, config.seats, time.time(), config.options)
    try:
        return store.start(config.games, game, config.seats, time.time(), config.options, editions.read(file))
    except (EditionError, Illegal) as error:
        advice = Message("See tabletop edition check {file}.", file=file)
        raise ServeError(join((editions.unusable(file, error), advice))) from None


def _random_draw() -> Draw:
    """Return the function that draws chance for a game that is played on pages alone."""
    rng = random.SystemRandom()
    return lambda match: match.game.draw(match.position, rng)
