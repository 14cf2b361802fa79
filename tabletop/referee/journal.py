"""The journal: every accepted event, on disk before anyone hears of it.

One SQLite file a match, one append-only table, each row carrying the hash of the one before.  On opening, the longest
prefix whose hashes hold and whose events follow from one another is taken; a damaged file is kept aside whole.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from tabletop.referee.errors import BadEvent, JournalError
from tabletop.referee.match import Match, begin
from tabletop.referee.state import Event

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


class Fact(NamedTuple):
    """What is to be recorded: an event before it has a number and a hash."""

    kind: str
    data: Mapping[str, Any]
    seat: int | None
    source: str
    time: float


class Journal:
    """The open journal of one match.  Use from one thread; ``close`` when done."""

    def __init__(self, path: Path, connection: sqlite3.Connection, last: Event) -> None:
        self.path = path
        self._connection = connection
        self._last = last

    @classmethod
    def create(cls, path: Path, start: Fact) -> tuple[Journal, Match]:
        """Create a journal with its start event.  Raises JournalError where the file exists or cannot be made."""
        if path.exists():
            raise JournalError(str(path), "There is a journal already", "Open it, or choose another name.")
        connection = _connect(path)
        event = _chained(start, None)
        try:
            connection.executescript(TABLE)
        except sqlite3.Error as error:
            connection.close()
            raise _trouble(path, error) from error
        journal = cls(path, connection, event)
        journal._write([event])
        return journal, begin(event)

    @classmethod
    def open(cls, path: Path) -> tuple[Journal, Match, str]:
        """Open a journal: return it, its match, and a sentence where something was cut off (else empty).

        Raises JournalError where not even its start can be read.
        """
        if not path.exists():
            raise JournalError(str(path), "There is no such journal", "Start a new match.")
        _require_whole_pages(path)
        connection = _connect(path)
        events, match, damage = _valid_prefix(_rows(connection))
        if match is None:
            connection.close()
            raise JournalError(
                str(path), f"The journal cannot be read: {damage}", "Keep the file and start a new match."
            )
        if not damage:
            return cls(path, connection, events[-1]), match, ""
        connection.close()
        aside = _set_aside(path)
        connection = _connect(path)
        connection.executescript(TABLE)
        journal = cls(path, connection, events[-1])
        journal._write(events)
        sentence = (
            f"The journal was damaged after event {events[-1].number} ({damage}). "
            f"Everything up to there is kept; the damaged file lies beside it as {aside.name}."
        )
        return journal, match, sentence

    def append(self, facts: Sequence[Fact]) -> list[Event]:
        """Write the facts in one transaction; they are on the disk when this returns.

        Raises JournalError where they could not be written; then none of them is.
        """
        events: list[Event] = []
        for fact in facts:
            events.append(_chained(fact, events[-1] if events else self._last))
        self._write(events)
        self._last = events[-1]
        return events

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def _write(self, events: Sequence[Event]) -> None:
        rows = [
            (event.number, event.kind, _plain(event.data), event.seat, event.source, event.time, event.hash)
            for event in events
        ]
        try:
            with self._connection:
                self._connection.executemany(f"INSERT INTO event ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
        except sqlite3.Error as error:
            raise _trouble(self.path, error) from error


def read_events(path: Path) -> tuple[list[Event], Match]:
    """Return the valid events of a journal and their match without changing the file.

    Raises JournalError where it is missing or not even its start can be read.
    """
    if not path.exists():
        raise JournalError(str(path), "There is no such journal", "Check the name.")
    connection = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)
    try:
        events, match, damage = _valid_prefix(_rows(connection))
    finally:
        connection.close()
    if match is None:
        raise JournalError(str(path), f"The journal cannot be read: {damage}", "Keep the file.")
    return events, match


def _connect(path: Path) -> sqlite3.Connection:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(path, check_same_thread=False)
    except (OSError, sqlite3.Error) as error:
        raise _trouble(path, error) from error
    try:
        # FULL: a commit that was acknowledged survives a power cut; WAL alone would lose the last ones.
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
    except sqlite3.DatabaseError:
        pass  # a damaged file: reading it row by row will tell
    return connection


def _trouble(path: Path, error: Exception) -> JournalError:
    return JournalError(
        str(path), f"The journal could not be written: {error}", "Free some space or check the disk; nothing was lost."
    )


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
    except (sqlite3.Error, ValueError, BadEvent) as error:
        return events, match, str(error)
    return events, match, "" if match is not None else "it is empty"


def _require_whole_pages(path: Path) -> None:
    """Fill a file that was cut short with empty pages, the cut file kept aside: SQLite reads no page of a short one.

    The header's page size stands at byte 16 (1 means 65,536), its count of pages at byte 28, both big-endian.
    """
    content = path.read_bytes()
    if len(content) < 100 or not content.startswith(b"SQLite format 3\0"):
        return
    page = int.from_bytes(content[16:18], "big")
    whole = (page if page > 1 else 65536) * int.from_bytes(content[28:32], "big")
    if len(content) < whole and not path.with_name(path.name + "-wal").exists():
        _set_aside(path)
        path.write_bytes(content.ljust(whole, b"\0"))


def _set_aside(path: Path) -> Path:
    """Rename the damaged file, and SQLite's companions, to the first free name beside it."""
    number = 1
    while (aside := path.with_name(f"{path.name}.damaged-{number}")).exists():
        number += 1
    for suffix in ("", "-wal", "-shm"):
        companion = path.with_name(path.name + suffix)
        if companion.exists():
            companion.rename(aside.with_name(aside.name + suffix))
    return aside


def _event(row: tuple[Any, ...]) -> Event:
    number, kind, data, seat, source, time, digest = row
    # A torn page can hand over anything, NULL in a NOT NULL column too.
    if not (isinstance(number, int) and isinstance(time, float) and all(map(_is_text, (kind, data, source, digest)))):
        raise ValueError(f"row {number!r} cannot be read")
    return Event(number, kind, json.loads(data), seat, source, time, digest)


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _chained(fact: Fact, previous: Event | None) -> Event:
    number = previous.number + 1 if previous else 1
    event = Event(number, fact.kind, fact.data, fact.seat, fact.source, fact.time, "")
    digest = _hash(event, previous.hash if previous else "")
    return Event(number, fact.kind, fact.data, fact.seat, fact.source, fact.time, digest)


def _hash(event: Event, previous: str) -> str:
    """Return the SHA-256 over the hash before and the event's canonical JSON, as hex."""
    body = [event.number, event.kind, event.data, event.seat, event.source, event.time]
    return hashlib.sha256((previous + "\n" + _plain(body)).encode()).hexdigest()


def _plain(value: object) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
