"""Options that several commands share, and the settings that ``--config`` names."""

from __future__ import annotations

import functools
import math
import os
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import click

from tabletop.rules import registry
from tabletop.rules.game import Illegal
from tabletop.rules.new_game import not_for

if TYPE_CHECKING:
    from tabletop.config import Config
    from tabletop.rules.game import Game


Option: TypeAlias = Callable[[Callable[..., Any]], Callable[..., Any]]
"""A decorator that gives a command an option."""


SETTINGS_FILE, DEFAULT_SETTINGS = Path("table.toml"), Path("none")
"""The file to which tabletop setup writes by default, and the name that stands for the default settings."""


class BadSettings(click.ClickException):
    """A configuration cannot be used: for every command this is bad usage."""

    exit_code = 2


def settings(file: Path | None) -> Config:
    """Return the configuration of a file, the shipped one for None; end the command if it cannot be used."""
    from tabletop.config import ConfigError, load

    try:
        return load(file)
    except ConfigError as error:
        raise BadSettings(str(error)) from None


def game_of(name: str) -> Game:
    """Return the game of that name; one that is unknown, or cannot be loaded, is bad usage."""
    try:
        return registry.game(name)
    except Illegal as error:
        raise click.BadParameter(error.message, param_hint="--game") from None


def for_seats(game: Game, seats: int | None) -> None:
    """Raise UsageError if the game cannot be played with that many seats (None: not given)."""
    if seats is not None and seats not in game.seat_range:
        raise click.UsageError(not_for(game.title, game.seat_range, seats))


def check_make(game: Game, make: str) -> None:
    """Raise UsageError for a make that the game does not have; an empty one means the game's first."""
    if make and make not in game.makes:
        known = f"choose {' or '.join(game.makes)}" if game.makes else "it is played on its pages alone"
        raise click.UsageError(f"{game.title} has no make “{make}”: {known}.")


class Between(click.FloatRange):
    """A number between two others, and not NaN."""

    def convert(self, value: float, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return the number."""
        number = float(super().convert(value, param, ctx))
        if math.isnan(number):
            self.fail(f"{value!r} is not a number.", param, ctx)
        return number


class CameraSize(click.ParamType[tuple[int, int]]):
    """``WIDTHxHEIGHT`` in px, in a shape that cameras have: no higher than wide, at most three times as wide."""

    name = "WxH"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> tuple[int, int]:
        """Return width and height."""
        if isinstance(value, tuple):
            return (int(value[0]), int(value[1]))
        match = re.fullmatch(r"(\d{3,4})x(\d{3,4})", str(value))
        width, height = (int(match[1]), int(match[2])) if match else (0, 1)
        if not height <= width <= 3 * height:
            self.fail(f"“{value}” is not the size of a camera's picture; write for example 1920x1080.", param, ctx)
        return (width, height)


class SetLetter(click.ParamType[str]):
    """The letter of a set of tags; empty for the only set in the room."""

    name = "LETTER"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the letter as a capital."""
        from tabletop.config import SET_LETTERS

        letter = value.upper()
        if letter not in SET_LETTERS:
            self.fail(f"A set is one letter A to Z, not {value!r}.", param, ctx)
        return letter


camera_size = CameraSize()


def _a_camera(_context: click.Context, _option: click.Parameter, source: str | None) -> str | None:
    """Return the value of ``--camera``; one that does not name a camera is bad usage."""
    from tabletop.config import SIMULATED_CAMERA
    from tabletop.hardware.cameras.opener import opener
    from tabletop.hardware.errors import CameraUnknown

    try:
        if source is not None and source != SIMULATED_CAMERA:
            opener(source, time.monotonic)
    except CameraUnknown as error:
        raise click.BadParameter(str(error)) from None
    return source


def _a_camera_or_none(context: click.Context, option: click.Parameter, source: str | None) -> str | None:
    """Return the value of ``--camera``, which may also be NO_CAMERA."""
    from tabletop.config import NO_CAMERA

    return source if source == NO_CAMERA else _a_camera(context, option, source)


def _settings_file(_context: click.Context, _option: click.Parameter, file: Path | None) -> Path | None:
    """Return the settings file, None for the default settings; without the option, one in this folder is used."""
    if file is not None:
        return None if file == DEFAULT_SETTINGS else file
    if not os.access(SETTINGS_FILE, os.F_OK):
        return None
    click.echo(f"Using the settings in ./{SETTINGS_FILE}; --config {DEFAULT_SETTINGS} uses the default ones.", err=True)
    return SETTINGS_FILE


config_option = click.option(
    "--config",
    "file",
    envvar="TABLETOP_CONFIG",
    type=click.Path(dir_okay=False, path_type=Path),
    callback=_settings_file,
    help=f"A file with the table's settings, or {DEFAULT_SETTINGS} for the default ones; TABLETOP_CONFIG can name it "
    f"as well.  [default: {SETTINGS_FILE} in this folder, if there is one]",
)

camera_option = click.option(
    "--camera",
    callback=_a_camera,
    help="picamera2, opencv:DEVICE (opencv:0), images:FOLDER or simulated; overrides the file.",
)

camera_or_none_option = click.option(
    "--camera",
    callback=_a_camera_or_none,
    help="picamera2, opencv:DEVICE (opencv:0), images:FOLDER, simulated or none; overrides the file.",
)

game_option = click.option(
    "--game",
    type=click.Choice(registry.names()),
    default=registry.DEFAULT,
    show_default=True,
    help="Which game.",
)


own_game_option = click.option("--game", type=click.Choice(registry.names()), help="The game; overrides the file.")


def seats_option(help: str, name: str = "seats") -> Option:
    """Return ``--seats``; :func:`for_seats` checks whether a game can be played with that many."""
    return click.option("--seats", name, type=click.IntRange(1), metavar="N", help=help)


def make_option(default: str = "[default: the game's first]") -> Option:
    """Return ``--make``, whose help ends with the ``default``; :func:`check_make` checks the value."""
    text = f"The make of the pieces, such as printed or box.  {default}"
    return click.option("--make", default="", metavar="MAKE", help=text)


def _known_level(level: str) -> str:
    """Return the name of a level.  Raise BadParameter if it is unknown."""
    from tabletop.bots.levels import LEVELS, no_level

    if level not in LEVELS:
        raise click.BadParameter(no_level(level))
    return level


def _level(_context: click.Context, _option: click.Parameter, level: str | None) -> str:
    from tabletop.bots.levels import LEVELS

    return LEVELS[-1] if level is None else _known_level(level)


def levels(_context: click.Context, _option: click.Parameter, named: str | None) -> tuple[str, ...] | None:
    """Return the levels in a comma-separated list, None without a list; the callback of an option."""
    return None if named is None else tuple(_known_level(level.strip()) for level in named.split(","))


level_option = click.option(
    "--level", callback=_level, help="The level of the bot: random, thrifty, …  [default: the strongest]"
)

DEFAULT_PLAYOUTS = 200
"""How many games a bot may try out for each decision."""


def thinking_options(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command ``--seconds`` and ``--playouts``, which it receives as ``budget``."""

    @click.option("--seconds", type=Between(0.001, 3600), help="How many seconds a bot may think about a decision.")
    @click.option(
        "--playouts",
        type=click.IntRange(1, 1_000_000),
        help="Or how many games it may try out, which gives the same result on any machine."
        f"  [default: {DEFAULT_PLAYOUTS}]",
    )
    @functools.wraps(command)
    def with_budget(*given: Any, seconds: float | None, playouts: int | None, **named: Any) -> None:
        from tabletop.bots.bot import Budget

        if seconds is not None and playouts is not None:
            raise click.UsageError("--seconds and --playouts are two ways to say one thing: give one of them.")
        budget = Budget(seconds, DEFAULT_PLAYOUTS if seconds is None and playouts is None else playouts)
        command(*given, budget=budget, **named)

    return with_budget
