"""One file that shows somebody else what is wrong at a table, and nothing that is none of their business.

A zip archive: the doctor's list, the configuration, the last lines of the log, the record of the newest game as a
spectator may know it, and pictures only if they were asked for.  Seats are numbered in it, not named.
"""

from __future__ import annotations

import contextlib
import io
import json
import platform
import re
import sys
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from tabletop import __version__
from tabletop.config import Config, ConfigError, load
from tabletop.hardware.diagnostics.check import Check
from tabletop.match import store
from tabletop.match.course import before_correction, since_correction
from tabletop.match.errors import JournalError
from tabletop.match.event import EventKind
from tabletop.match.journal_file import read_events
from tabletop.match.match import Match
from tabletop.rules.game import Position
from tabletop.rules.text import record_text, recorder
from tabletop.web.seating import seats_file

CHECKS_FILE, CONFIG_FILE, LOG_FILE, RECORD_FILE, ABOUT_FILE = (
    "checks.json",
    "table.toml",
    "log.txt",
    "record.txt",
    "about.json",
)
MAX_GAMES = 5
"""How many of the newest games are searched for a record and for people's names."""
MAX_PART_BYTES = 8_000_000
"""The most that is read of a part; a game's record has some ten thousand bytes."""
_SECRETS = (
    (re.compile(r"(code[= ]|token[= ])\S+", re.I), r"\1…"),
    (re.compile(r"([?&](?:code|token)=)[^\s&]+", re.I), r"\1…"),
)
"""Patterns of what must not leave the table in a log, the codes for joining it, with their replacements."""
_NAME_BEGINS = r"(?:(?<!\w)|(?<=\\[abefnrtv])|(?<=\\x[0-9A-Fa-f]{2})|(?<=\\u[0-9A-Fa-f]{4})|(?<=\\U[0-9A-Fa-f]{8}))"
"""Where a name can begin: at the start of a word, or after an escape, whose last letter is not part of the word."""
_SEATS_SETTING = re.compile(r"^(\s*seats\s*=).*?(?=^\s*[\w.-]+\s*=|^\s*\[\w|\Z)", re.M | re.S)
"""The “seats” setting in a configuration that may be invalid TOML: up to the next key or table."""


class BadBugReport(ValueError):
    """A file is not a bug report; the text says why."""


class Report(NamedTuple):
    """The contents of a bug report, for its recipient; ``record`` is empty if no game was played."""

    version: str
    system: str
    checks: list[dict[str, str]]
    record: bytes
    pictures: int


def read(data: bytes) -> Report:
    """Open a bug report.  Raises BadBugReport."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            names = archive.namelist()
            if sum(archive.getinfo(name).file_size for name in (ABOUT_FILE, CHECKS_FILE)) > MAX_PART_BYTES:
                raise BadBugReport("It is too large for a bug report.")
            about, checks = json.loads(archive.read(ABOUT_FILE)), json.loads(archive.read(CHECKS_FILE))
            record = archive.open(RECORD_FILE).read(MAX_PART_BYTES) if RECORD_FILE in names else b""
    except (zipfile.BadZipFile, zlib.error, EOFError, KeyError, ValueError, RuntimeError) as error:
        raise BadBugReport(f"This is not a bug report of tabletop doctor ({error}).") from error
    if not isinstance(about, dict) or not isinstance(checks, list) or not all(isinstance(one, dict) for one in checks):
        raise BadBugReport("This is not a bug report of tabletop doctor (its parts have the wrong form).")
    shown = [{key: str(check.get(key, "")) for key in ("check", "state", "fact", "fix")} for check in checks]
    pictures = sum(name.endswith(".jpg") for name in names)
    return Report(str(about.get("tabletop")), str(about.get("system")), shown, record, pictures)


def make(config: Config, file: Path | None, checks: Sequence[Check], log: str, pictures: Sequence[bytes] = ()) -> bytes:
    """Return a bug report as the bytes of a zip archive.  ``pictures`` are JPEG files that somebody agreed to give."""
    settings, seats = ("", ()) if file is None or not file.exists() else _settings(file)
    names = _names(config, seats)
    about = {"tabletop": __version__, "python": sys.version, "system": platform.platform()}
    parts: dict[str, str | bytes] = {
        ABOUT_FILE: json.dumps(about, indent=1),
        CHECKS_FILE: json.dumps([check.to_json() for check in checks], ensure_ascii=False, indent=1),
        LOG_FILE: log,
        RECORD_FILE: _record(config.games),
        CONFIG_FILE: settings,
    }
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, part in parts.items():
            if part:
                archive.writestr(name, scrub(part, names) if isinstance(part, str) and name != RECORD_FILE else part)
        for number, picture in enumerate(pictures, start=1):
            archive.writestr(f"picture-{number}.jpg", picture)
    return out.getvalue()


def scrub(text: str, names: Mapping[str, str]) -> str:
    """Return a text without joining codes, and with seats instead of people's names."""
    for pattern, instead in _SECRETS:
        text = pattern.sub(instead, text)
    for name in sorted(names, key=len, reverse=True):
        text = re.sub(rf"{_NAME_BEGINS}{''.join(map(_spelt, name))}(?!\w)", names[name], text)
    return text


def _spelt(character: str) -> str:
    """Return a pattern for a character of a name, plain or escaped as in the strings of TOML and JSON."""
    quoted, plain = json.dumps(character, ensure_ascii=False)[1:-1], json.dumps(character)[1:-1]
    forms, code = "|".join(map(re.escape, (character, quoted, plain))), ord(character)
    return rf"(?:{forms}|(?i:\\u(?:{code:04x}|{code:08x})))"


def _settings(file: Path) -> tuple[str, tuple[str, ...]]:
    """Return the present text of a configuration file, and the names of its seats.

    If the file has a mistake, the names cannot be known, so its seats are cut out of the text.
    """
    try:
        text = file.read_text("utf-8", "replace")
    except OSError as error:
        return f"# {file.name} cannot be read: {error.strerror}\n", ()
    try:
        return text, load(file).seats
    except ConfigError:
        return _SEATS_SETTING.sub(r"\1 …\n", text), ()


def _names(config: Config, seats: Sequence[str]) -> dict[str, str]:
    """Return every name that people gave at this table, with the seat that stands for it."""
    names = {name: _seat(number) for known in (config.seats, seats) for number, name in enumerate(known)}
    for path in _newest(config.games):
        with contextlib.suppress(JournalError):
            for event in read_events(path)[0]:
                called = event.data["seats"] if event.kind == EventKind.START else event.data.get("names", [])
                names |= {name: _seat(number) for number, name in enumerate(called)}
    names |= {name: _seat(seat) for seat, name in seats_file.every_name(seats_file.path_in(config.games))}
    return {name: seat for name, seat in names.items() if name}


def _seat(number: int) -> str:
    """Return the replacement for the name of a seat's player; seats count from 0."""
    return f"Seat {number + 1}"


def _newest(folder: Path) -> list[Path]:
    """Return the journals of the newest games, which the log may mention."""
    return sorted(folder.glob(f"*{store.SUFFIX}"), reverse=True)[:MAX_GAMES]


def _record(folder: Path) -> str:
    """Return the newest readable game with its seats numbered; an unfinished one as a spectator knows it."""
    for path in _newest(folder):
        try:
            _, match = read_events(path)
        except JournalError:
            continue
        try:
            return _replayed(match)
        except Exception as error:  # a report about something broken must not break on it
            return f"# {path.name} could not be written as a record: {error!r}\n"
    return ""


def _replayed(match: Match) -> str:
    """Return a match as the text of a record, its seats numbered.

    If the table won over the record at some point, the record of a finished match begins there, and that of an
    unfinished one ends there: the corrected position would reveal what is hidden.
    """
    over = match.position.over
    first, actions = since_correction(match) if over else before_correction(match)
    whole = recorder.make(_numbered(first), actions)
    return record_text.format_record(whole if over else recorder.seen_by(whole, None))


def _numbered(position: Position) -> Position:
    """Return the same position with numbers for names."""
    data = position.to_json()
    seats = [{**seat, "name": _seat(number)} for number, seat in enumerate(data["seats"])]
    return position.game.load({**data, "seats": seats})
