"""The store of matches: one journal file each, in one folder; the newest unfinished one is resumed."""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Mapping, Sequence
from datetime import MAXYEAR, UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from tabletop.files import atomic, json_text, text
from tabletop.match.chain import clamp_time
from tabletop.match.errors import JournalError, UnreadableMatch, write_trouble
from tabletop.match.event import EventKind, Fact, Source
from tabletop.match.journal import Journal, refusal
from tabletop.match.journal_file import read_events, write_match
from tabletop.match.match import Match, start_data
from tabletop.match.recovery import repair
from tabletop.messages import said_by
from tabletop.rules.game import Game

SUFFIX = ".tabletop"
TIME_FORMAT = "%Y-%m-%d-%H%M%S"
"""The beginning of a journal's name: when its match began, each later than the one before it."""
OVER_FILE = "over.json"
"""The file that lists the journals that are over or passed over, so that a search need not read them again."""

ADDING = threading.Lock()
"""Held from the choice of a match's file name until the file exists: two that are added at once would get the same
name, and one would replace the other."""

FileStamp = tuple[int, ...]
"""Times and sizes of a journal's files, which change whenever it is written."""


def stamp_of(path: Path) -> FileStamp:
    """Return the stamp of a journal and its log."""
    found: list[int] = []
    for suffix in repair.COMPANION_SUFFIXES[:2]:
        with contextlib.suppress(FileNotFoundError):  # the log is deleted when the journal is closed, at any moment
            there = path.with_name(path.name + suffix).stat()
            if there.st_size:  # SQLite makes an empty log even to read a journal
                found += [there.st_mtime_ns, there.st_size]
    return tuple(found)


def start(
    folder: Path,
    game: Game,
    names: Sequence[str],
    now: float,
    options: Mapping[str, Any] | None = None,
    edition: Any = None,
) -> tuple[Journal, Match]:
    """Start a match with its journal in the store; ``now`` is Unix seconds.

    Raises Illegal for seats or options that the game refuses, JournalError if the file cannot be made.
    """
    position = game.new(names, options or {}, edition)
    data = start_data(position, options or {}, json.loads(json.dumps(edition)))
    with ADDING:
        return Journal.create(_next(folder, game, now), Fact(EventKind.START, data, None, Source.TABLE, now))


def keep(folder: Path, game: Game, names: Sequence[str], now: float, score: Mapping[str, Any]) -> str:
    """Store a match that was only scored from photographs at its end; return its name.

    Raises Illegal for seats that the game refuses, JournalError if the file cannot be made.
    """
    data = start_data(game.new(names, {}), {})
    happened = {EventKind.START: data, EventKind.END: {}, EventKind.SCORE: score}
    with ADDING:
        path = _next(folder, game, now)
        write_match(path, [Fact(kind, about, None, Source.PHOTO, now) for kind, about in happened.items()])
    return path.name.removesuffix(SUFFIX)


def _next(folder: Path, game: Game, now: float) -> Path:
    """Return the file of the match that begins now."""
    try:
        # Even if the clock was put back, as a Pi's is by a power cut, no match is older than those before it.
        newest = max(map(_moment, folder.glob(f"*{SUFFIX}")), default=0.0)
        day = datetime.fromtimestamp(max(clamp_time(now), newest + 1), UTC).strftime(TIME_FORMAT)
        return free_name(folder, f"{day}-{game.name}")
    except OSError as error:
        raise write_trouble(folder, error) from error


def unfinished(folder: Path) -> Path | None:
    """Return the newest journal of a match that is not over, None if there is none.

    Raises UnreadableMatch if a newer one cannot be read, as it may be the match that was being played; JournalError if
    the disk does not take writes.
    """
    found = _search(folder)
    _remember(folder, found.over)
    if found.unreadable:
        path, error = next(iter(found.unreadable.items()))
        raise UnreadableMatch(text.readable(path.name), said_by(error))
    return found.newest


def pass_over(folder: Path) -> tuple[Path | None, tuple[str, ...]]:
    """Return the newest journal of a match that is not over, and the names of newer ones that cannot be read.

    Those are passed over from now on as if they were over, until their files change.  Raises JournalError if the disk
    does not take writes.
    """
    found = _search(folder)
    _remember(folder, found.over | {path.name: stamp_of(path) for path in found.unreadable})
    return found.newest, tuple(path.name for path in found.unreadable)


def set_aside(path: Path, place: Path) -> None:
    """Pass over the journal that will be moved to ``place`` in the store as if it were over, until its file changes.

    Raises OSError if the disk refuses to note that: the journal would be resumed.
    """
    _write_over(place.parent, {place.name: stamp_of(path)})


def clean_up(folder: Path) -> None:
    """Finish what a kill interrupted: delete journals that were only begun, and complete repairs.

    Raises JournalError if a repair cannot be completed: its match would not be found.
    """
    for begun in folder.glob(f"*{SUFFIX}{repair.CREATING_SUFFIX}*"):
        with contextlib.suppress(OSError):  # it never was a match: on a read-only disk it may stay
            begun.unlink(missing_ok=True)
    for cut_off in folder.glob(f"*{SUFFIX}{repair.REPAIRED_SUFFIX}"):
        repair.finish(cut_off.with_name(cut_off.name.removesuffix(repair.REPAIRED_SUFFIX)))


class _Found(NamedTuple):
    """The newest journal of a match that is not over, and newer ones: those that are over, and unreadable ones."""

    newest: Path | None
    over: dict[str, FileStamp]
    unreadable: dict[Path, JournalError]


def _search(folder: Path) -> _Found:
    """Look for the newest journal of a match that is not over.

    Raises JournalError if one cannot be read and that may be the disk's fault alone: to read a log SQLite needs
    another file, for which a full disk has no room.
    """
    known = _known_over(folder)
    over: dict[str, FileStamp] = {}
    unreadable: dict[Path, JournalError] = {}
    newest = None
    for path in sorted(folder.glob(f"*{SUFFIX}"), reverse=True):
        now = stamp_of(path)
        if known.get(path.name) != now:
            try:
                _, match = read_events(path)
            except JournalError as error:
                if _moment(path):  # a file that is not named like a match was not played here
                    unreadable[path] = error
                continue
            if not match.over:
                newest = path
                break
        over[path.name] = now
    for path in unreadable:
        if (refused := refusal(path)) is not None:
            raise refused
    return _Found(newest, over, unreadable)


def _remember(folder: Path, over: dict[str, FileStamp]) -> None:
    """Note that these journals are over and need not be read again."""
    with contextlib.suppress(OSError):  # then they are read again
        _write_over(folder, over)


def _write_over(folder: Path, over: dict[str, FileStamp]) -> None:
    known = _known_over(folder)
    if not over.items() <= known.items():
        atomic.write(folder / OVER_FILE, json.dumps(known | over))


def _known_over(folder: Path) -> dict[str, FileStamp]:
    """Return name → stamp of the journals known to be over; the stamp is from when that was noted."""
    try:
        data = json_text.parse((folder / OVER_FILE).read_text("utf-8"))
        return {name: tuple(kept) for name, kept in data.items() if (folder / name).exists()}
    except (OSError, ValueError, AttributeError, TypeError):
        return {}


def _moment(path: Path) -> float:
    """Return the moment in a journal's name in Unix seconds, 0 if the name has none."""
    try:
        moment = datetime.strptime(path.name[:17], TIME_FORMAT).replace(tzinfo=UTC)
    except ValueError:
        return 0.0
    return moment.timestamp() if moment.year < MAXYEAR else 0.0  # the next match could not get a later name


def free_name(folder: Path, stem: str) -> Path:
    """Return a file of the store that does not exist yet, named after the stem."""
    path, number = folder / (stem + SUFFIX), 2
    while path.exists():
        path, number = folder / f"{stem}-{number}{SUFFIX}", number + 1
    return path
