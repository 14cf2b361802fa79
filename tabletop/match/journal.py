"""The journal: every accepted event, on disk before anyone is told.

One SQLite file per match (:mod:`tabletop.match.journal_file`), locked while it is open; each event is committed, and
its number and hash noted beside the file, before it counts.  On opening, what is damaged is kept aside whole.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Sequence
from pathlib import Path

from tabletop.files import atomic
from tabletop.match.chain import chain_events, row_of
from tabletop.match.errors import JournalError, write_trouble
from tabletop.match.event import Event, Fact
from tabletop.match.journal_file import INSERT, examine, lock_journal, write_events
from tabletop.match.match import Match, begin
from tabletop.match.recovery import high_water, repair
from tabletop.match.recovery.high_water import HighWater
from tabletop.messages import EMPTY, Message

MIN_FREE_BYTES = 64 * 1024
"""The free space that an event needs: for its pages in the log, and once more in the journal."""
CHECKPOINT_PAGES = 16
"""The pages in the log at which they are moved into the journal: 64 KiB.  An event took 3.4 ms on an SSD with SQLite's
default of 1000, 3.9 with 16, 4.9 with 8 and 12.5 with 1 (the mean of 300)."""


class Journal:
    """The open journal of one match, locked against every other process until ``close``.  Use from one thread.

    It owns the ``lock``, which is released if the journal cannot be opened.
    """

    def __init__(self, path: Path, last: Event, lock: int) -> None:
        self.path = path
        self._last = last
        self._lock: int | None = lock
        with contextlib.ExitStack() as opened:
            opened.callback(os.close, lock)
            self._connection = _connect(path)
            opened.callback(self._connection.close)
            try:
                self._newest = HighWater(path)
            except OSError as error:
                raise write_trouble(path, error) from error
            opened.pop_all()
        if high_water.read(path) != (last.number, last.hash):
            self._newest.raise_to(last.number, last.hash)

    @classmethod
    def create(cls, path: Path, start: Fact) -> tuple[Journal, Match]:
        """Create a journal with its start event.  Raises JournalError if the file exists or cannot be made."""
        if path.exists():
            raise JournalError(
                str(path), "There is already a record of a game.", Message("Open it, or choose another name.")
            )
        events = chain_events([start], None)
        match = begin(events[0])
        write_events(path, events)
        try:
            return cls(path, events[0], lock_journal(path)), match
        except BaseException:
            with contextlib.suppress(OSError):  # a match that could not begin must not be resumed
                repair.unlink(path)
            raise

    @classmethod
    def open(cls, path: Path) -> tuple[Journal, Match, Message]:
        """Open a journal: return it, its match, and a sentence if it was damaged (else empty).

        Raises JournalError if it is missing, locked by another process, beyond repair, or not even its start is
        readable.
        """
        repair.finish(path)
        if not path.exists():
            raise JournalError(str(path), "There is no such record of a game.", Message("Start a new game."))
        lock = lock_journal(path)
        try:
            examined, sentence = examine(path), EMPTY
            if examined.damage:
                aside = repair.put_in_place(path, lambda fresh: write_events(fresh, examined.events))
                damaged, lock = lock, lock_journal(path)  # there is another file at that path now
                os.close(damaged)
                sentence = examined.damage_message(aside.name)
        except BaseException:
            os.close(lock)
            raise
        return cls(path, examined.events[-1], lock), examined.match, sentence

    def append(self, facts: Sequence[Fact]) -> list[Event]:
        """Write the facts in one transaction and return them as events; they are on the disk when this returns.

        Raises JournalError if they could not be written; then none of them was.
        """
        events = chain_events(facts, self._last)
        try:
            with self._connection:
                self._connection.executemany(INSERT, map(row_of, events))
        except sqlite3.Error as error:
            raise write_trouble(self.path, error) from error
        if events:
            self._last = events[-1]
            self._newest.raise_to(self._last.number, self._last.hash)
        return events

    def refusal(self) -> JournalError | None:
        """Return the error if the disk does not take as much as an event may need, None if it does."""
        return refusal(self.path)

    def close(self) -> None:
        """Close the file and let others open it."""
        self._connection.close()
        if self._lock is not None:
            self._newest.close()
            os.close(self._lock)
        self._lock = None


def refusal(path: Path) -> JournalError | None:
    """Return the error if the disk does not take as much as an event of this journal may need, None if it does.

    A trial file shows that.
    """
    trial = path.with_name(path.name + repair.CREATING_SUFFIX)
    try:
        atomic.write(trial, bytes(MIN_FREE_BYTES))
        trial.unlink()
    except OSError as error:
        return write_trouble(path, error)
    return None


def _connect(path: Path) -> sqlite3.Connection:
    try:
        connection = sqlite3.connect(path, check_same_thread=False)
    except sqlite3.Error as error:
        raise write_trouble(path, error) from error
    try:
        # FULL: SQLite calls fsync at each commit, so what was acknowledged survives a power cut; with WAL alone the
        # last commits would be lost.
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute(f"PRAGMA wal_autocheckpoint = {CHECKPOINT_PAGES}")
    except sqlite3.Error as error:
        connection.close()
        raise write_trouble(path, error) from error
    return connection
