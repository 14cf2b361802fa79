"""The hub of all open streams: it merges updates, so that a sleeping phone costs nothing and misses nothing.

No client has a queue.  A stream remembers what it sent last; whatever happened since is in the newest snapshot.  One
thread, the pump, notifies all of them of every change: fifty threads waking up at once would get in each other's way.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Collection
from typing import NamedTuple, Protocol

from tabletop.referee.mailbox import Mailbox
from tabletop.referee.snapshot import Snapshot
from tabletop.web.http.addresses import Addresses
from tabletop.web.http.places import MAX_PER_ADDRESS, NoPlace, Places
from tabletop.web.seating.room import Room
from tabletop.web.seating.seat_hints import Hints
from tabletop.web.seating.votes import Votes

log = logging.getLogger(__name__)

MAX_HOST_STREAMS = 4
"""How many pages of hosts can be live at a time; one more ends the oldest."""


class Audience(NamedTuple):
    """For whom a page is rendered: ``seat`` None is a spectator or the host.

    ``together`` lists the seats of a phone that holds several; such a page shows no hand by itself.
    """

    page: str
    seat: int | None
    language: str
    together: tuple[int, ...] = ()


class Stamp(NamedTuple):
    """The version of a page: revisions of match, room, votes, addresses and hints within one run of the program.

    ``televised`` says that a television will count the score, or is doing so.
    """

    run: str
    match: int
    room: int
    votes: int
    addresses: int = 0
    hints: int = 0
    televised: bool = False

    def __str__(self) -> str:
        return ".".join(map(str, (self.run, *map(int, self[1:]))))


class Listener(Protocol):
    """An open stream, as the hub knows it.

    ``seats`` are a phone's, none for other pages; ``hosts`` says that it is a host's page; ``stage`` is the name that a
    stage gives itself, empty for other pages, and ``counts`` says that it counts the score at the end; ``address`` is
    the client's.
    """

    seats: Collection[int]
    hosts: bool
    stage: str
    counts: bool
    address: str

    def tell(self) -> None:
        """Send what is new, without waiting for the client."""

    def wake(self) -> None:
        """Wake the stream's own thread: the stream has ended, or its client has to be waited for."""


class Hub:
    """Knows the open streams, and tells them of every change.

    ``run`` distinguishes this run of the program from the one before.  At most ``spectators`` streams that are neither
    a seat's nor a host's are open, half of ``per_address`` from one address; seats and hosts have places of their own.
    """

    def __init__(
        self,
        mailbox: Mailbox,
        room: Room,
        votes: Votes,
        addresses: Addresses,
        hints: Hints,
        *,
        run: str,
        spectators: int = 64,
        per_address: int = MAX_PER_ADDRESS,
    ) -> None:
        self._mailbox = mailbox
        self._room = room
        self._votes = votes
        self._addresses = addresses
        self._hints = hints
        self._run = run
        self._places: Places[Listener] = Places(spectators, max(1, per_address // 2))
        self._lock = threading.Lock()
        self._streams: list[Listener] = []
        self._changed = threading.Event()
        self._pump: threading.Thread | None = None
        self._closed = False
        for source in (mailbox, room, votes, addresses, hints):
            source.on_change(self._changed.set)

    @property
    def snapshot(self) -> Snapshot:
        """The newest snapshot."""
        return self._mailbox.snapshot

    @property
    def stamp(self) -> Stamp:
        """The stamp of what a page would show now."""
        return Stamp(
            self._run,
            self._mailbox.snapshot.revision,
            self._room.revision,
            self._votes.revision,
            self._addresses.look(),
            self._hints.revision,
            self.televised,
        )

    @property
    def televised(self) -> bool:
        """True while a stage is open that will count the score before it says who has won, or is doing so."""
        return any(stream.counts for stream in self._streams)

    def open(self, stream: Listener) -> bool:
        """Add a stream; this ends older ones of the same seat or stage, and the oldest of too many hosts' streams.

        Returns False for a spectator's stream if there is no place for it.
        """
        with self._lock:
            if self._pump is None and not self._closed:
                pump = threading.Thread(target=self._run_pump, name="pages", daemon=True)
                pump.start()  # first of all: a system that is short of threads may refuse one
                self._pump = pump
            try:
                ends = self._ended_by(stream)
            except NoPlace:
                return False
            self._listen_to([*(other for other in self._streams if other not in ends), stream])
        for ended in ends:
            ended.wake()
        return True

    def _ended_by(self, stream: Listener) -> list[Listener]:
        """Return the streams that a new one ends.  Raises NoPlace."""
        if stream.seats:
            return [other for other in self._streams if not set(stream.seats).isdisjoint(other.seats)]
        if stream.hosts:
            return [other for other in self._streams if other.hosts][: 1 - MAX_HOST_STREAMS]
        ends = [other for other in self._streams if stream.stage and other.stage == stream.stage]
        for other in ends:
            self._places.leave(other)
        lost = self._places.take(stream, stream.address)
        return ends if lost is None else [*ends, lost]

    def is_open(self, stream: Listener) -> bool:
        """Return whether the stream may continue."""
        return stream in self._streams and not self._closed

    @property
    def is_closed(self) -> bool:
        """True once the table is closed: every page may ask again later."""
        return self._closed

    def shut(self, stream: Listener) -> None:
        """Forget a stream."""
        with self._lock:
            self._listen_to([other for other in self._streams if other is not stream])
            self._places.leave(stream)

    def _listen_to(self, streams: list[Listener]) -> None:
        """Let these streams be the open ones; if a television comes or leaves that counts the score, all are told."""
        before, self._streams = self.televised, streams
        if before != self.televised:
            self._changed.set()

    def close(self) -> None:
        """End every stream."""
        self._closed = True
        self._changed.set()
        for stream in self._streams:
            stream.wake()

    def _run_pump(self) -> None:
        while not self._closed:
            self._changed.wait()
            self._changed.clear()
            # Spectators come first: one rendering serves all of them, and reaches them while the others are made.
            for stream in sorted(self._streams, key=lambda listener: len(listener.seats)):
                try:
                    stream.tell()
                except Exception:
                    # The stream's own thread will deal with it; the other streams still have to be told.
                    log.exception("a page could not be told what is new")
                    stream.wake()
