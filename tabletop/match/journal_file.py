"""A journal as a file: written whole, read as far as it is sound, deleted.

One append-only table of SQLite, each row carrying the hash of the one before; its write-ahead log, and the number and
hash of the newest event, lie beside it.  On reading, the longest chain of events is taken that can be found anywhere in
these files.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from tabletop.files import atomic
from tabletop.files.lock import locked
from tabletop.match.chain import COLUMNS, chain_events, event_of, follow, row_of, valid_prefix
from tabletop.match.errors import JournalError, raised_as, write_trouble
from tabletop.match.event import Event, Fact
from tabletop.match.match import Match
from tabletop.match.recovery import high_water, repair, wal
from tabletop.match.recovery.high_water import Mark
from tabletop.match.recovery.salvage import Salvaged
from tabletop.messages import Message

CREATE_TABLE = """
CREATE TABLE event (
    number INTEGER PRIMARY KEY,
    kind   TEXT NOT NULL,
    data   TEXT NOT NULL,
    seat   INTEGER,
    source TEXT NOT NULL,
    time   REAL NOT NULL,
    hash   TEXT NOT NULL
) STRICT;
CREATE TRIGGER event_stays BEFORE UPDATE ON event BEGIN SELECT RAISE(ABORT, 'events are never changed'); END;
CREATE TRIGGER event_remains BEFORE DELETE ON event BEGIN SELECT RAISE(ABORT, 'events are never deleted'); END;
"""
INSERT = f"INSERT INTO event ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)"
"""The statement that inserts an event as the row that ``row_of`` makes of it."""


class JournalContents(NamedTuple):
    """The readable contents of a journal: the longest chain of its events, and their match.

    ``damage`` says why that is not all that was written, empty if it is; ``newest`` is the number of the newest event
    that was accepted, None if that is not known.
    """

    events: list[Event]
    match: Match
    damage: Message | str
    newest: int | None

    def damage_message(self, file: str) -> Message:
        """Return the sentence for people about the damage; ``file`` is the present name of the damaged file."""
        last, newest = self.events[-1].number, self.newest
        facts = {"number": last, "damage": self.damage, "file": file}
        if newest is None:
            return Message(
                "The record of the game was damaged after event {number} ({damage}). Everything up to there is "
                "kept; the damaged file lies beside it as {file}.",
                **facts,
            )
        if newest <= last:
            return Message(
                "The record of the game was damaged ({damage}). Nothing is lost: all {number} events were found "
                "again; the damaged file lies beside it as {file}.",
                **facts,
            )
        return Message(
            "The record of the game was damaged after event {number} ({damage}). Everything up to there is kept; what "
            "was accepted after it, up to event {newest}, is lost. The damaged file lies beside it as {file}.",
            newest=newest,
            **facts,
        )


def read_events(path: Path) -> tuple[list[Event], Match]:
    """Return the readable events of a journal and their match, without changing what was committed.

    Raises JournalError if it is missing or not even its start can be read.
    """
    if not path.exists():
        raise JournalError(str(path), "There is no such record of a game.", Message("Check the name."))
    examined = examine(path)
    return examined.events, examined.match


def write_events(path: Path, events: Sequence[Event]) -> None:
    """Write a journal with these events, completely or not at all.  Raises JournalError if that fails."""
    fresh = path.with_name(path.name + repair.CREATING_SUFFIX)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        repair.unlink(fresh)
        connection = sqlite3.connect(fresh)
        try:
            # Written without a log, so that one file is renamed; set to WAL last, so that opening it changes nothing.
            connection.execute("PRAGMA synchronous = FULL")
            connection.executescript("BEGIN;" + CREATE_TABLE)
            with connection:
                _insert(connection, events)
            connection.execute("PRAGMA journal_mode = WAL")
        finally:
            connection.close()
        repair.clear_beside(path)
        fresh.rename(path)
        atomic.sync_folder(path.parent)
    except (OSError, sqlite3.Error) as error:
        with contextlib.suppress(OSError):
            repair.unlink(fresh)
        raise write_trouble(path, error) from error


def write_match(path: Path, facts: Sequence[Fact]) -> None:
    """Write a journal of a whole match, which nobody will play on.  Raises JournalError if that fails."""
    write_events(path, chain_events(facts, None))


def remove(path: Path) -> None:
    """Delete a journal.  Raises JournalError if another program holds it, or it cannot be deleted.

    Never call this for one that this program has open: closing a second handle would drop the locks that SQLite holds.
    """
    lock = lock_journal(path)
    try:
        repair.unlink(path)
    except OSError as error:
        raise JournalError(
            str(path),
            "The record of the game cannot be deleted: {error}.",
            Message("Check the disk."),
            error=error.strerror,
        ) from error
    finally:
        os.close(lock)


def examine(path: Path) -> JournalContents:
    """Return the contents of a journal's files without changing any of them.

    Raises JournalError if there is no valid start, or if the disk does not answer, which is not damage.
    """
    with raised_as(lambda error: _unreadable(path, error.strerror or str(error))):
        return _examined(path)


def _examined(path: Path) -> JournalContents:
    # Read before the events: while a match is played, the mark may rise as they are read.
    newest = high_water.read(path)
    log = path.with_name(path.name + "-wal")
    broken = newest is None and log.exists() and wal.parse(log.read_bytes()).broken
    events, match, damage = _through_sqlite(path)
    whole = newest is None or (newest.number <= len(events) and events[newest.number - 1].hash == newest.hash)
    if damage or broken or not whole:
        before = len(events)
        # Reading the file directly drops SQLite's locks on it, even those of this process; our own lock stays.
        match = _carry_on(events, match, Salvaged(path), newest)
        if len(events) > before or not whole:
            damage = damage or Message("the end of it is damaged or missing")
    if match is None:
        raise _unreadable(path, str(damage))
    return JournalContents(events, match, damage, newest.number if newest else None)


def _through_sqlite(path: Path) -> tuple[list[Event], Match | None, Message | str]:
    """Return the longest valid prefix that SQLite reads, and what is wrong with the next event (or empty)."""
    # A transaction without a log that a kill cut off has to be rolled back before anything can be read.  Without
    # either, all is in the file itself: on a full disk, without room for SQLite's other files, it is read as it is.
    cut_off, log = (path.with_name(path.name + suffix) for suffix in ("-journal", "-wal"))
    for mode in ("mode=rw",) if cut_off.exists() else ("mode=ro", "mode=ro&immutable=1"):
        try:
            with contextlib.closing(sqlite3.connect(f"{path.resolve().as_uri()}?{mode}", uri=True)) as connection:
                # Bytes that are not UTF-8 are damage, which the hash finds: SQLite's own error does not name the row.
                connection.text_factory = partial(str, encoding="utf-8", errors="replace")
                return valid_prefix(_rows(connection))
        except sqlite3.Error as error:
            refused = error
            with contextlib.suppress(FileNotFoundError):
                if log.stat().st_size:
                    break
    raise _unreadable(path, str(refused)) from refused


def _carry_on(events: list[Event], match: Match | None, salvaged: Salvaged, newest: Mark | None) -> Match | None:
    """Add to ``events`` the salvaged rows that provably follow; return the match after them."""

    def proved(row: tuple[Any, ...]) -> Event | None:
        try:
            event = event_of(row)
            follow(event, events[-1] if events else None, match)
        except ValueError:
            return None
        return event

    while True:
        number = len(events) + 1
        # If two follow, one was written but never acknowledged, and then another was written in its place.
        found = [event for event in map(proved, salvaged.rows(number)) if event is not None]
        found = found or list(filter(None, [proved(row) for row in salvaged.strays(number)]))
        if not found:
            row = salvaged.put_right(number, lambda row: proved(row) is not None)
            found = [event for event in [proved(row)] if event is not None] if row is not None else []
        if not found:
            return match
        event = next(
            (candidate for candidate in found if newest is not None and candidate.hash == newest.hash), found[-1]
        )
        match = follow(event, events[-1] if events else None, match)
        events.append(event)


def _insert(connection: sqlite3.Connection, events: Sequence[Event]) -> None:
    connection.executemany(INSERT, map(row_of, events))


def lock_journal(path: Path) -> int:
    """Return an open lock that keeps other processes from opening the journal; the system releases it with ours."""
    try:
        return locked(path)
    except BlockingIOError:
        fix = Message("Close the other tabletop first, or start a separate game with --new.")
        raise JournalError(str(path), "Another program has this game open.", fix) from None
    except OSError as error:
        raise _unreadable(path, str(error.strerror)) from error


def _unreadable(path: Path, why: str) -> JournalError:
    fix = Message("Keep the file, check the disk, or start a new game.")
    return JournalError(str(path), "The record of the game cannot be read: {error}.", fix, error=why)


def _rows(connection: sqlite3.Connection) -> Iterator[tuple[Any, ...]]:
    """Yield the rows in order until the end or the first unreadable one (which raises sqlite3.Error).

    In a torn file a query for many rows fails before the first one, although rows in the remaining pages can still be
    read: then each row is queried by itself.
    """
    number, several = 1, True
    while True:
        try:
            last = number + 255 if several else number
            query = f"SELECT {COLUMNS} FROM event WHERE number BETWEEN ? AND ? ORDER BY number"
            rows = connection.execute(query, [number, last]).fetchall()
        except sqlite3.Error:
            if not several:
                raise
            several = False
            continue
        if not rows:
            break
        for row in rows:
            if row[0] != number:
                raise ValueError(f"event {number} is missing")
            yield row
            number += 1
    if connection.execute("SELECT max(number) FROM event").fetchone()[0] not in (None, number - 1):
        raise ValueError(f"event {number} is missing")
