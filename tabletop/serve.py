"""The real table: what the configuration asks for, put together and served."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from tabletop import app as table
from tabletop.config import Config
from tabletop.hardware import wiring
from tabletop.hardware.camera import opener
from tabletop.hardware.panel import Press
from tabletop.hardware.pins import open_factory
from tabletop.referee import shelf
from tabletop.referee.journal import Journal
from tabletop.referee.match import Match
from tabletop.referee.referee import Draw
from tabletop.rules import registry
from tabletop.web.room import Room, new_code


class ServeError(RuntimeError):
    """The table cannot be served; the text says why and what to do."""


def run(config: Config, say: Callable[[str], None], *, fresh: bool = False) -> None:
    """Serve the table until the process is told to end; an unfinished match is taken up again unless ``fresh``.

    Raises ServeError, and what the parts raise where pins, journal or game cannot be had.
    """
    host, port = config.pages.bind, config.pages.port
    trouble = table.port_in_use(host, port)
    if trouble:
        raise ServeError(trouble)
    # What can be refused comes first: nothing is begun at a table that cannot be had.
    wires = _wires(config)
    factory = open_factory(config.panel.pins, config.panel.chip, _folder(config))
    open_camera = opener(config.camera.source, time.monotonic, mains=config.camera.mains)
    journal, match = _match(config, say, fresh)
    with ExitStack() as stack:
        ended = stack.enter_context(table.told_to_end())
        app = table.App(
            journal,
            match,
            clocks=table.Clocks(time.time, time.monotonic),
            wiring=wires,
            factory=factory,
            open_camera=open_camera,
            draw=None if match.game.table is not None else _drawing(),
        )
        room = Room(
            new_code(),
            seats=range(len(match.position.names)),
            confirm=True,
            host_code=(code := new_code(8)),
            store=config.games / "seats.json",
        )
        app.on_press(lambda press: _confirm(room, press))
        stack.enter_context(app)
        names = [table.numeric_address(), *config.pages.hosts, "localhost"]
        addresses = [f"http://{name}:{port}" for name in names]
        say(f"{match.game.title} with {', '.join(match.position.names)}.")
        say(f"  the table   {addresses[0]}/")
        say(f"  to join     {addresses[0]}/join?code={room.code}")
        say(f"  host        {addresses[0]}/host   one-time code {code}")
        table.serve(table.pages(app, room, addresses), host, port, ended)
        say("Every move is on the disk; the table is put away.")


def _wires(config: Config) -> wiring.Wiring:
    """Read the panel file, as this machine can wire it."""
    try:
        return wiring.load(config.panel.file, wiring.taken_pins() if config.panel.pins == "gpio" else {})
    except OSError as error:
        raise ServeError(f"The panel file {config.panel.file} cannot be read: {error.strerror}.") from None


def _folder(config: Config) -> Path:
    """Make the folder of the games where there is none."""
    try:
        config.games.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        why = f"The folder {config.games} for the games cannot be made: {error.strerror}."
        raise ServeError(f"{why} Name another as “games” in table.toml.") from None
    return config.games


def _match(config: Config, say: Callable[[str], None], fresh: bool) -> tuple[Journal, Match]:
    """Take up the newest unfinished match, or start one."""
    unfinished: Path | None = None if fresh else shelf.unfinished(config.games)
    if unfinished is None:
        return shelf.start(config.games, registry.game(config.game), config.seats, time.time(), config.options)
    journal, match, damage = Journal.open(unfinished)
    say(f"The match of {unfinished.stem} goes on after {match.last} events (--new starts another).")
    if damage:
        say(damage)
    return journal, match


def _drawing() -> Draw:
    """Return how chance is drawn for a game that is played on pages alone."""
    rng = random.SystemRandom()
    return lambda match: match.game.draw(match.position, rng)


def _confirm(room: Room, press: Press) -> bool:
    """Let an OK at the panel confirm the phone that waits for a seat; then it is no OK to the referee."""
    waiting = sorted(room.claims)
    if press.button != "OK" or not waiting:
        return False
    return room.accept(waiting[0])
