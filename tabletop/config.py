"""``table.toml``: how one table is set up, typed and checked; a mistake is one sentence with its line."""

from __future__ import annotations

import dataclasses
import re
import string
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from tabletop.files.toml import TomlError, TomlFile
from tabletop.messages import Message, either, said_by
from tabletop.rules import registry
from tabletop.rules.validate import unfit

NO_CAMERA = "none"
"""The camera source of a table that is played with buttons and pages alone; the program draws its chance."""
SIMULATED_CAMERA = "simulated"
"""The camera source of a simulated table, which nobody lays anything on."""
NO_PANEL = "none"
"""The pins of a table without buttons and lights: the game is played on the pages."""
SIZE_PATTERN = re.compile(r"([1-9]\d{2,3})x([1-9]\d{2,3})")
"""A picture's width and height, px."""
SET_LETTERS = ("", *string.ascii_uppercase)
"""The letters that distinguish the tags of several copies."""
SCALE_RANGE = (0.5, 5.0)
"""The least and largest scale of pieces' tags: 10 to 100 mm for tags that measure 20 mm unscaled."""

_T = TypeVar("_T")


class ConfigError(ValueError):
    """A configuration cannot be used; the text names the file, the line and what would be right."""


@dataclass(frozen=True, slots=True)
class CameraConfig:
    """Where pictures come from.

    ``mains`` is the frequency of the mains in Hz, ``rate`` in pictures per second, ``work`` the percentage of one core
    for recognition; ``size`` is that of the pictures in px, None for the largest that the camera has.
    """

    source: str = "picamera2"
    mains: int = 50
    rate: int = 5
    work: int = 40
    size: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class PiecesConfig:
    """The pieces: their ``make`` (empty: the game's usual one), and the ``set`` and the ``scale`` of their tags."""

    make: str = ""
    set: str = ""
    scale: float = 1.0


@dataclass(frozen=True, slots=True)
class PanelConfig:
    """Buttons and lights; ``file`` None is the shipped panel, ``chip`` None the GPIO chip of the header.

    ``pins`` are real ones (``gpio``), in memory (``mock``), or NO_PANEL.
    """

    pins: str = "gpio"
    file: Path | None = None
    chip: int | None = None
    sound: bool = True


@dataclass(frozen=True, slots=True)
class PagesConfig:
    """Where the pages are served, and under which further host names.

    ``connections`` is how many one address may hold, ``acts`` how many acts per minute one seat may do in the long run;
    with ``hints`` seats may ask what a bot would do.
    """

    bind: str = "0.0.0.0"  # noqa: S104 (a table serves its room)
    port: int = 8080
    hosts: tuple[str, ...] = ()
    connections: int = 64
    acts: int = 60
    hints: bool = False


@dataclass(frozen=True, slots=True)
class VoiceConfig:
    """Whether the table itself speaks, in its language."""

    on: bool = False


@dataclass(frozen=True, slots=True)
class Config:
    """A whole table; paths are absolute or relative to the working folder.

    ``edition`` is the file that says what is printed on this table's pieces, None for the included one.  ``bots`` names
    for each seat the level at which the program plays it until somebody sits down, empty for a person's seat.
    """

    game: str = registry.DEFAULT
    seats: tuple[str, ...] = ("Seat 1", "Seat 2", "Seat 3")
    language: str = "en"
    games: Path = Path("games")
    edition: Path | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    camera: CameraConfig = CameraConfig()
    panel: PanelConfig = PanelConfig()
    pages: PagesConfig = PagesConfig()
    pieces: PiecesConfig = PiecesConfig()
    voice: VoiceConfig = VoiceConfig()
    bots: tuple[str, ...] = ()


def load(path: Path | None = None) -> Config:
    """Read and check a configuration; None is the one that ships with the program.

    Raises :class:`ConfigError` if something is wrong with it, or the file cannot be read.
    """
    if path is None:
        return Config()
    try:
        return _TomlReader(TomlFile.read(path), path.parent).config()
    except OSError as error:
        raise ConfigError(Message("{file} cannot be read: {error}.", file=path, error=error.strerror)) from None
    except TomlError as error:
        raise ConfigError(said_by(error)) from None


class _TomlReader:
    """Reads the values of one file; a mistake is reported with its line."""

    def __init__(self, file: TomlFile, folder: Path) -> None:
        self._file, self._folder = file, folder

    def config(self) -> Config:
        """Return the whole configuration."""
        file, names = self._file, [one.name for one in dataclasses.fields(Config)]
        file.only(file.data, names)
        for part in (PiecesConfig, CameraConfig, PanelConfig, PagesConfig, VoiceConfig):
            table = part.__name__.removesuffix("Config").lower()
            file.only(file.table(table), (one.name for one in dataclasses.fields(part)), table)
        default = Config()
        seats = self._seats(default.seats)
        return Config(
            game=self._file.string(default.game, "game"),
            seats=seats,
            bots=self._bots(len(seats)),
            language=self._file.string(default.language, "language"),
            games=self._folder / self._file.string(str(default.games), "games"),
            edition=self._file_of("edition"),
            options=file.table("options"),
            pieces=self._pieces(default.pieces),
            camera=self._camera(default.camera),
            panel=self._panel(default.panel),
            pages=self._pages(default.pages),
            voice=VoiceConfig(self._one_of((True, False), default.voice.on, "voice", "on")),
        )

    def _pieces(self, default: PiecesConfig) -> PiecesConfig:
        letter = self._file.string(default.set, "pieces", "set").upper()
        if letter not in SET_LETTERS:
            fact = Message("“set” has to be one letter A to Z, or empty, not “{letter}”.", letter=letter)
            raise self._file.error(fact, "pieces", "set")
        make = self._file.string(default.make, "pieces", "make")
        return PiecesConfig(make, letter, self._number(*SCALE_RANGE, default.scale, "pieces", "scale"))

    def _camera(self, default: CameraConfig) -> CameraConfig:
        source = self._file.string(default.source, "camera", "source")
        known = source in ("picamera2", SIMULATED_CAMERA, NO_CAMERA) or source.partition(":")[0] in ("opencv", "images")
        if not known or source in ("opencv", "opencv:", "images", "images:"):
            kinds = "picamera2, opencv:DEVICE, images:FOLDER, simulated, none"
            fact = Message("there is no camera “{name}”; choose {kinds}.", name=source, kinds=kinds)
            raise self._file.error(fact, "camera", "source")
        mains = self._one_of((50, 60), default.mains, "camera", "mains")
        rate = self._whole(1, 15, default.rate, "camera", "rate")
        work = self._whole(5, 100, default.work, "camera", "work")
        return CameraConfig(source, mains, rate, work, self._size("camera", "size"))

    def _size(self, *path: str) -> tuple[int, int] | None:
        """Return a size such as “2304x1296”, None if the text is empty."""
        text = self._file.string("", *path)
        found = SIZE_PATTERN.fullmatch(text)
        if text and found is None:
            fact = Message("“{key}” has to be like “2304x1296”, not “{size}”.", key=path[-1], size=text)
            raise self._file.error(fact, *path)
        return (int(found[1]), int(found[2])) if found else None

    def _panel(self, default: PanelConfig) -> PanelConfig:
        chip = self._whole(-1, 255, -1, "panel", "chip")
        return PanelConfig(
            pins=self._one_of(("gpio", "mock", NO_PANEL), default.pins, "panel", "pins"),
            file=self._file_of("panel", "file"),
            chip=None if chip < 0 else chip,
            sound=self._one_of((True, False), default.sound, "panel", "sound"),
        )

    def _pages(self, default: PagesConfig) -> PagesConfig:
        bind = self._file.string(default.bind, "pages", "bind")
        return PagesConfig(
            bind,
            self._whole(1, 65535, default.port, "pages", "port"),
            self._names("pages", "hosts"),
            self._whole(8, 400, default.connections, "pages", "connections"),
            self._whole(10, 1_000_000, default.acts, "pages", "acts"),
            self._one_of((True, False), default.hints, "pages", "hints"),
        )

    def _seats(self, default: tuple[str, ...]) -> tuple[str, ...]:
        if "seats" not in self._file.data:
            return default
        seats = self._names("seats")
        if not seats or len(set(seats)) < len(seats) or not all(name.strip() for name in seats):
            raise self._file.error(Message("“seats” has to list a name for each seat, no two alike."), "seats")
        if code := unfit(seats):
            fact = Message("A name contains {code}, which cannot be shown. Type it again.", code=code)
            raise self._file.error(fact, "seats")
        return seats

    def _bots(self, seats: int) -> tuple[str, ...]:
        levels = self._names("bots")
        if len(levels) > seats:
            raise self._file.error(Message("“bots” must not list more levels than there are seats."), "bots")
        return levels

    def _value(self, default: Any, *path: str) -> Any:
        return self._file.table(*path[:-1]).get(path[-1], default)

    def _file_of(self, *path: str) -> Path | None:
        """Return the path that a key names, relative to the configuration's folder; None if the text is empty."""
        name = self._file.string("", *path)
        return self._folder / name if name else None

    def _whole(self, least: int, most: int, default: int, *path: str) -> int:
        value = self._value(default, *path)
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            fact = Message(
                "“{key}” has to be a whole number from {least} to {most}, not {value}.",
                key=path[-1], least=least, most=most, value=repr(value),
            )  # fmt: skip
            raise self._file.error(fact, *path)
        return value

    def _number(self, least: float, most: float, default: float, *path: str) -> float:
        value = self._value(default, *path)
        if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value <= most:
            fact = Message(
                "“{key}” has to be a number from {least} to {most}, not {value}.",
                key=path[-1], least=f"{least:g}", most=f"{most:g}", value=repr(value),
            )  # fmt: skip
            raise self._file.error(fact, *path)
        return float(value)

    def _names(self, *path: str) -> tuple[str, ...]:
        value = self._value([], *path)
        if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
            fact = Message("“{key}” has to be a list of texts, not {value}.", key=path[-1], value=repr(value))
            raise self._file.error(fact, *path)
        return tuple(value)

    def _one_of(self, choices: tuple[_T, ...], default: _T, *path: str) -> _T:
        value = self._value(default, *path)
        for choice in choices:
            if type(value) is type(choice) and value == choice:
                return choice
        known = either([f"“{choice}”" if isinstance(choice, str) else str(choice).lower() for choice in choices])
        fact = Message("“{key}” has to be {choices}, not {value}.", key=path[-1], choices=known, value=repr(value))
        raise self._file.error(fact, *path)
