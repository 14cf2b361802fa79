"""One hub for every open stream: it coalesces, so that a sleeping phone costs nothing and misses nothing.

No client has a queue.  A stream remembers the stamp of what it sent last and waits for another one; whatever happened
in between is in the newest snapshot.  What the waiting streams are about to send is rendered before they are woken, by
one thread: fifty threads that wake to render would be in each other's way.
"""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict
from collections.abc import Callable, Collection
from typing import NamedTuple

from tabletop.referee.desk import Desk
from tabletop.referee.state import Snapshot
from tabletop.web.room import Room
from tabletop.web.votes import Votes

log = logging.getLogger(__name__)


class Audience(NamedTuple):
    """For whom a page is rendered: ``seat`` None is a spectator, and the host is one.

    ``together`` lists the seats of a phone that holds several; such a page shows no hand by itself.
    """

    page: str
    seat: int | None
    language: str
    together: tuple[int, ...] = ()


class Stamp(NamedTuple):
    """What a page shows: revisions of the match, of the room and of the vote, within one run of the program."""

    run: str
    match: int
    room: int
    votes: int

    def __str__(self) -> str:
        return ".".join(map(str, self))


class Hub:
    """Wakes the streams, and says which of them may go on.

    ``run`` tells this run of the program from the one before; at most ``spectators`` streams without a seat are open.
    """

    def __init__(self, desk: Desk, room: Room, votes: Votes, *, run: str, spectators: int = 64) -> None:
        self._desk = desk
        self._room = room
        self._votes = votes
        self._run = run
        self._spectators = spectators
        self._news = threading.Condition()
        self._streams: OrderedDict[int, Collection[int]] = OrderedDict()
        self._waiting: dict[int, Audience] = {}
        self._prepare: Callable[[Collection[Audience]], None] = lambda _waiting: None
        self._opened = 0
        self._pump: threading.Thread | None = None
        self._closed = False
        room.on_change(self._tell)
        votes.on_change(self._tell)

    @property
    def snapshot(self) -> Snapshot:
        """The newest snapshot."""
        return self._desk.snapshot

    @property
    def stamp(self) -> Stamp:
        """The stamp of what a page would show now."""
        return Stamp(self._run, self._desk.snapshot.revision, self._room.revision, self._votes.revision)

    def before_waking(self, prepare: Callable[[Collection[Audience]], None]) -> None:
        """Call ``prepare`` with the audiences that wait, after every change of the match and before they wake."""
        self._prepare = prepare

    def open(self, seats: Collection[int]) -> int | None:
        """Open a stream for a phone's seats and return its number; a seat's older one ends.

        Without a seat it is a spectator's: None where all their places are taken.
        """
        with self._news:
            if seats:
                for number in [number for number, other in self._streams.items() if not set(seats).isdisjoint(other)]:
                    del self._streams[number]
            elif sum(not other for other in self._streams.values()) >= self._spectators:
                return None
            self._opened += 1
            self._streams[self._opened] = seats
            if self._pump is None and not self._closed:
                self._pump = threading.Thread(target=self._run_pump, name="pages", daemon=True)
                self._pump.start()
            self._news.notify_all()
            return self._opened

    def is_open(self, number: int) -> bool:
        """Tell whether the stream may go on."""
        return number in self._streams and not self._closed

    def shut(self, number: int) -> None:
        """Forget a stream."""
        with self._news:
            self._streams.pop(number, None)

    def wait(self, number: int, audience: Audience, seen: Stamp, timeout: float) -> bool:
        """Return True once the stamp is another one; False after ``timeout`` seconds or when the stream has ended."""
        with self._news:
            self._waiting[number] = audience
            self._news.wait_for(lambda: self.stamp != seen or not self.is_open(number), timeout)
            del self._waiting[number]
        return self.is_open(number) and self.stamp != seen

    def close(self) -> None:
        """End every stream."""
        self._closed = True
        self._tell()

    def _tell(self) -> None:
        with self._news:
            self._news.notify_all()

    def _run_pump(self) -> None:
        revision = -1
        while not self._closed:
            snapshot = self._desk.wait(revision, 5.0)
            if snapshot is not None:
                revision = snapshot.revision
                with self._news:
                    waiting = set(self._waiting.values())
                try:
                    self._prepare(waiting)
                except Exception:
                    # Each stream will find out for itself; the others are not to be silenced by it.
                    log.exception("a page could not be rendered")
                self._tell()
