"""The chain of events: each is proved by the hash of the one before it and follows from it by the rules of the game."""

from __future__ import annotations

import hashlib
import json
import math
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from tabletop.files import json_text
from tabletop.match.event import Event, Fact
from tabletop.match.match import Match, begin
from tabletop.rules.validate import NOT_ALLOWED, unfit

COLUMNS = "number, kind, data, seat, source, time, hash"
"""The columns of a row, in this order."""
MAX_UNIX_TIME_S = 4e9
"""The latest time of an event, in Unix seconds; no game was played later, nor before 1970."""
UNAVAILABLE_ERRORS = frozenset({
    sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_PERM, sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_FULL, sqlite3.SQLITE_INTERRUPT,
})  # fmt: skip
"""SQLite's errors after which the file may still be whole: it is locked, or the disk does not answer."""


def chain_events(facts: Iterable[Fact], previous: Event | None) -> list[Event]:
    """Return the facts as numbered events with hashes; ``previous`` is the event before them, None at the start."""
    events: list[Event] = []
    for kind, data, seat, source, time in facts:
        number = previous.number + 1 if previous else 1
        event = Event(number, kind, data, seat, source, clamp_time(time), "")
        previous = replace(event, hash=hash_of(event, previous.hash if previous else ""))
        events.append(previous)
    return events


def clamp_time(time: float) -> float:
    """Return a time within the range of games: a clock may be wrong by any amount."""
    return min(max(float(time), 0.0), MAX_UNIX_TIME_S - 1) if math.isfinite(time) else 0.0


def check_events(rows: Iterable[Sequence[Any]]) -> tuple[list[Event], Match]:
    """Return the events of rows from outside (each as in ``COLUMNS``), and their match.

    Raises ValueError with a sentence if one of them is not valid: here no valid beginning is kept.
    """
    events, match, damage = valid_prefix(_strict(rows))
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


def valid_prefix(rows: Iterable[tuple[Any, ...]]) -> tuple[list[Event], Match | None, str]:
    """Return the longest valid prefix of the events, its match, and what is wrong with the next one (or empty).

    An SQLite error while reading ``rows`` counts as damage, unless it is one of UNAVAILABLE_ERRORS: that is raised.
    """
    events: list[Event] = []
    match: Match | None = None
    try:
        for row in rows:
            match = follow(event := event_of(row), events[-1] if events else None, match)
            events.append(event)
    except sqlite3.Error as error:
        if getattr(error, "sqlite_errorcode", sqlite3.SQLITE_BUSY) & 0xFF in UNAVAILABLE_ERRORS:
            raise
        return events, match, str(error)
    except ValueError as error:
        return events, match, str(error)
    return events, match, "" if match is not None else "it is empty"


def follow(event: Event, previous: Event | None, match: Match | None) -> Match:
    """Return the match after an event.  Raises ValueError if the event does not follow from the one before it."""
    if hash_of(event, previous.hash if previous else "") != event.hash:
        raise ValueError(f"the hash of event {event.number} does not hold")
    return begin(event) if match is None else match.with_event(event)


def event_of(row: tuple[Any, ...]) -> Event:
    """Return the event of a row.  Raises ValueError if the row cannot be one."""
    number, kind, data, seat, source, time, digest = row
    # A torn page can yield anything, even NULL in a NOT NULL column.
    if not (isinstance(number, int) and isinstance(time, float) and all(map(_is_text, (kind, data, source, digest)))):
        raise ValueError(f"row {number!r} cannot be read")
    facts = json_text.parse(data)
    if not isinstance(facts, dict):
        raise ValueError(f"the data of event {number} are not an object")
    return Event(number, kind, facts, seat, source, time, digest)


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _strict(rows: Iterable[Sequence[Any]]) -> Iterator[tuple[Any, ...]]:
    """Yield the rows; raise ValueError for one that no journal of ours holds, even if SQLite could."""
    for row in rows:
        if len(row) != len(COLUMNS.split(", ")):
            raise ValueError("a row has too few or too many fields")
        number, _, _, seat, _, time, _ = row
        if type(number) is not int or not (seat is None or (type(seat) is int and seat >= 0)):
            raise ValueError(f"row {number!r} names no event or no seat")
        if not isinstance(time, float) or not 0 <= time < MAX_UNIX_TIME_S:
            raise ValueError(f"row {number!r} has no time")
        yield tuple(row)


def hash_of(event: Event, previous: str) -> str:
    """Return the SHA-256 of the previous hash and the event's canonical JSON, in hex."""
    body = [event.number, event.kind, event.data, event.seat, event.source, event.time]
    return hashlib.sha256((previous + "\n" + _plain(body)).encode()).hexdigest()


_plain = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode
"""Writes a value as canonical JSON; the encoder is made once, because that takes longer than encoding most values."""
