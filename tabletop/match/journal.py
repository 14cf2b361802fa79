"""The journal: every accepted event, on disk before anyone hears of it.

One SQLite file a match, one append-only table, each row carrying the hash of the one before.  On opening, the longest
prefix whose hashes hold and whose events follow from one another is taken; a damaged file is kept aside whole.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from tabletop.match import repair
from tabletop.match.errors import BadEvent, JournalError
from tabletop.match.event import Event
from tabletop.match.match import Match, begin
from tabletop.messages import EMPTY, Message
from tabletop.rules.validate import NOT_ALLOWED, unfit

TABLE = """
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
COLUMNS = "number, kind, data, seat, source, time, hash"
LAST_TIME = 4e9
"""Unix seconds; no game was played later."""


class Fact(NamedTuple):
    """What is to be recorded: an event before it has a number and a hash."""

    kind: str
    data: Mapping[str, Any]
    seat: int | None
    source: str
    time: float


class Journal:
    """The open journal of one match, held against every other process until ``close``.  Use from one thread."""

    def __init__(self, path: Path, connection: sqlite3.Connection, last: Event, lock: int) -> None:
        self.path = path
        self._connection = connection
        self._last = last
        self._lock: int | None = lock

    @classmethod
    def create(cls, path: Path, start: Fact) -> tuple[Journal, Match]:
        """Create a journal with its start event.  Raises JournalError where the file exists or cannot be made."""
        if path.exists():
            raise JournalError(
                str(path), "There is already a record of a game ({path}).", Message("Open it, or choose another name.")
            )
        events = chained([start], None)
        match = begin(events[0])
        write_events(path, events)
        return cls(path, _connect(path), events[0], _locked(path)), match

    @classmethod
    def open(cls, path: Path) -> tuple[Journal, Match, Message]:
        """Open a journal: return it, its match, and a sentence where something was cut off (else empty).

        Raises JournalError where it is missing, held by another process, or not even its start can be read.
        """
        repair.finish(path)
        if not path.exists():
            raise JournalError(str(path), "There is no such record of a game ({path}).", Message("Start a new game."))
        lock = _locked(path)
        try:
            filled = repair.filled(path)
            events, match, damage = _read(filled or path)
            sentence = EMPTY
            if damage or filled:
                aside = repair.put_in_place(path, lambda fresh: write_events(fresh, events))
                damaged, lock = lock, _locked(path)  # another file stands there now
                os.close(damaged)
                sentence = Message(
                    "The record of the game was damaged after event {number} ({damage}). Everything up to there is "
                    "kept; the damaged file lies beside it as {file}.",
                    number=events[-1].number,
                    damage=damage or Message("it is cut short"),
                    file=aside.name,
                )
            return cls(path, _connect(path), events[-1], lock), match, sentence
        except BaseException:
            os.close(lock)
            raise
        finally:
            repair.filled_name(path).unlink(missing_ok=True)

    def append(self, facts: Sequence[Fact]) -> list[Event]:
        """Write the facts in one transaction; they are on the disk when this returns.

        Raises JournalError where they could not be written; then none of them is.
        """
        events = chained(facts, self._last)
        try:
            with self._connection:
                _insert(self._connection, events)
        except sqlite3.Error as error:
            raise _trouble(self.path, error) from error
        self._last = events[-1] if events else self._last
        return events

    def close(self) -> None:
        """Close the file and let others open it."""
        self._connection.close()
        if self._lock is not None:
            os.close(self._lock)
        self._lock = None


def chained(facts: Iterable[Fact], previous: Event | None) -> list[Event]:
    """Return the facts as events, numbered and each with its hash; ``previous`` is the event before, None at first."""
    events: list[Event] = []
    for kind, data, seat, source, time in facts:
        number = previous.number + 1 if previous else 1
        event = Event(number, kind, data, seat, source, time, "")
        previous = replace(event, hash=_hash(event, previous.hash if previous else ""))
        events.append(previous)
    return events


def read_events(path: Path) -> tuple[list[Event], Match]:
    """Return the valid events of a journal and their match without changing the file.

    Raises JournalError where it is missing or not even its start can be read.
    """
    if not path.exists():
        raise JournalError(str(path), "There is no such record of a game ({path}).", Message("Check the name."))
    events, match, _ = _read(path)
    return events, match


def write_events(path: Path, events: Sequence[Event]) -> None:
    """Make a journal of these events: it is there whole, or not at all.  Raises JournalError where that fails."""
    connection = _connect(path)
    try:
        connection.executescript("BEGIN;" + TABLE)
        with connection:
            _insert(connection, events)
    except sqlite3.Error as error:
        connection.close()
        repair.unlink(path)
        raise _trouble(path, error) from error
    connection.close()


def write_match(path: Path, facts: Sequence[Fact]) -> None:
    """Make a journal of a whole match, which nobody is to play.  Raises JournalError where that fails."""
    write_events(path, chained(facts, None))


def check_events(rows: Iterable[Sequence[Any]]) -> tuple[list[Event], Match]:
    """Return the events that rows from elsewhere are (a row as ``COLUMNS`` says), and their match.

    Raises ValueError with a sentence where one of them does not hold: here nothing is cut off and kept.
    """
    events, match, damage = _valid_prefix(_strict(rows))
    if match is None or damage:
        raise ValueError(f"after event {len(events)} it does not hold: {damage}")
    if any(event.seat is not None and event.seat >= len(match.names) for event in events):
        raise ValueError("it names a seat that is not there")
    for event in events:
        if code := unfit([event.kind, event.source, event.data]):
            raise ValueError(f"event {event.number} holds {code}: {NOT_ALLOWED}")
    return events, match


def row_of(event: Event) -> tuple[Any, ...]:
    """Return the event as a row."""
    return event.number, event.kind, _plain(event.data), event.seat, event.source, event.time, event.hash


def remove(path: Path) -> None:
    """Delete a journal.  Raises JournalError where another program holds it, or it cannot be deleted.

    Never for one that this program has open: closing a second file of it would drop the locks that SQLite holds.
    """
    lock = _locked(path)
    try:
        repair.unlink(path)
    except OSError as error:
        raise JournalError(
            str(path),
            "The record of the game cannot be deleted: {error} ({path}).",
            Message("Check the disk."),
            error=error.strerror,
        ) from error
    finally:
        os.close(lock)


def _read(path: Path) -> tuple[list[Event], Match, str]:
    """Return the longest valid prefix of a file's events, its match, and what is wrong with the next one (or empty).

    Raises JournalError where there is no valid start, and where the disk does not answer: that is no damage.
    """
    connection = None
    try:
        connection = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)
        events, match, damage = _valid_prefix(_rows(connection))
    except sqlite3.OperationalError as error:
        raise _unreadable(path, str(error)) from error
    finally:
        if connection is not None:
            connection.close()
    if match is None:
        raise _unreadable(path, damage)
    return events, match, damage


def _connect(path: Path) -> sqlite3.Connection:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(path, check_same_thread=False)
        # FULL: a commit that was acknowledged survives a power cut; WAL alone would lose the last ones.
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
    except (OSError, sqlite3.Error) as error:
        raise _trouble(path, error) from error
    return connection


def _insert(connection: sqlite3.Connection, events: Sequence[Event]) -> None:
    rows = map(row_of, events)
    connection.executemany(f"INSERT INTO event ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)", rows)


def _strict(rows: Iterable[Sequence[Any]]) -> Iterator[tuple[Any, ...]]:
    """Yield the rows; raise ValueError for what no journal of ours holds, though SQLite would."""
    for row in rows:
        if len(row) != len(COLUMNS.split(", ")):
            raise ValueError("a row has too few or too many fields")
        number, _, _, seat, _, time, _ = row
        if type(number) is not int or not (seat is None or (type(seat) is int and seat >= 0)):
            raise ValueError(f"row {number!r} names no event or no seat")
        if not isinstance(time, float) or not 0 <= time < LAST_TIME:
            raise ValueError(f"row {number!r} has no time")
        yield tuple(row)


def _locked(path: Path) -> int:
    """Return an open file that keeps every other process from opening the journal; the system frees it with ours."""
    try:
        lock = os.open(path, os.O_RDONLY)
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(lock)
        fix = Message("Close the other tabletop first, or start a separate game with --new.")
        raise JournalError(str(path), "Another program has this game open ({path}).", fix) from None
    except OSError as error:
        raise _unreadable(path, str(error.strerror)) from error
    return lock


def _trouble(path: Path, error: Exception) -> JournalError:
    return JournalError(
        str(path),
        "The record of the game could not be written: {error} ({path}).",
        Message("Free some space or check the disk; nothing was lost."),
        error=error,
    )


def _unreadable(path: Path, why: str) -> JournalError:
    fix = Message("Keep the file, check the disk, or start a new game.")
    return JournalError(str(path), "The record of the game cannot be read: {error} ({path}).", fix, error=why)


def _rows(connection: sqlite3.Connection) -> Iterator[tuple[Any, ...]]:
    """Yield the rows in order until the end or the first unreadable one (which raises sqlite3.Error).

    Each row is asked for by itself: in a torn file a walk over the whole table fails before its first row, while the
    pages that are still there can be read one by one.
    """
    number = 0
    while True:
        number += 1
        row = connection.execute(f"SELECT {COLUMNS} FROM event WHERE number = ?", [number]).fetchone()
        if row is None:
            break
        yield row
    if connection.execute("SELECT max(number) FROM event").fetchone()[0] not in (None, number - 1):
        raise sqlite3.DatabaseError(f"event {number} is missing")


def _valid_prefix(rows: Iterable[tuple[Any, ...]]) -> tuple[list[Event], Match | None, str]:
    """Return the longest valid prefix of the events, its match, and what is wrong with the next one (or empty)."""
    events: list[Event] = []
    match: Match | None = None
    try:
        for row in rows:
            event = _event(row)
            if _hash(event, events[-1].hash if events else "") != event.hash:
                return events, match, f"the hash of event {event.number} does not hold"
            match = begin(event) if match is None else match.with_event(event)
            events.append(event)
    except sqlite3.OperationalError:
        raise  # locked, or the disk does not answer: the file may be whole
    except (sqlite3.Error, ValueError, BadEvent) as error:
        return events, match, str(error)
    return events, match, "" if match is not None else "it is empty"


def _event(row: tuple[Any, ...]) -> Event:
    number, kind, data, seat, source, time, digest = row
    # A torn page can hand over anything, NULL in a NOT NULL column too.
    if not (isinstance(number, int) and isinstance(time, float) and all(map(_is_text, (kind, data, source, digest)))):
        raise ValueError(f"row {number!r} cannot be read")
    return Event(number, kind, json.loads(data), seat, source, time, digest)


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _hash(event: Event, previous: str) -> str:
    """Return the SHA-256 over the hash before and the event's canonical JSON, as hex."""
    body = [event.number, event.kind, event.data, event.seat, event.source, event.time]
    return hashlib.sha256((previous + "\n" + _plain(body)).encode()).hexdigest()


def _plain(value: object) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
