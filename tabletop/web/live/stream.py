"""Server-sent events: the regions of a page that changed, rendered for each listener at the moment of sending.

Every stream has a thread of its own, which sleeps: the hub's one pump sends what is new to all clients that have taken
everything before.  Its own thread sends signs of life, ends the stream, and waits for a client that is slow.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterator

from tabletop.web.live.hub import Audience, Hub
from tabletop.web.live.renderer import RenderedPage, Renderer

BEAT_INTERVAL_S = 10.0
"""The time between signs of life on a quiet stream."""
ALIVE_EVENT = b"event: alive\ndata: .\n\n"
"""A sign of life, whose absence the page notices: a stream whose other end lost power stays open for minutes."""
PUSH_KEY = "tabletop.push"
"""The key of the WSGI environment under which a server offers to send without waiting."""

Push = Callable[[bytes], bool]
"""Sends to a client that has taken everything before; returns False, having sent nothing, for any other."""


def no_push(_data: bytes) -> bool:
    """Send nothing: if the server cannot send without waiting, every stream's own thread does it."""
    return False


class Stream:
    """One open page.  Iterating gives its events until it ends or the client is gone.

    Args:
        who: returns the audience that the client's token lets it listen as now, None once it no longer does.
        seats: the seats that the client's phone holds, none for a spectator.
        seen: the stamp of the page it has.
        push: see :data:`Push`.
        gone: returns whether the client is gone.
        hosts: True for a page that only a host may see.
        stage: the name that a stage gives itself, empty for any other page.
        counts: True for a stage that counts the score at the end.
        address: the client's.
    """

    def __init__(
        self, hub: Hub, renderer: Renderer, who: Callable[[], Audience | None], seats: Collection[int], seen: str,
        push: Push, gone: Callable[[], bool], *, hosts: bool = False, stage: str = "", counts: bool = False,
        address: str = "",
    ) -> None:  # fmt: skip
        self.seats, self.hosts, self.address = seats, hosts, address
        self.stage, self.counts = stage, counts
        self._hub, self._renderer, self._who = hub, renderer, who
        self._seen, self._push, self._gone = seen, push, gone
        self._sent: RenderedPage | None = None
        self._lock = threading.Lock()
        self._due = threading.Event()
        self._sleeps = False

    def __iter__(self) -> Iterator[bytes]:
        audience = self._who()
        if audience is None:
            return
        shown = self._renderer.show(audience)
        self._sent = shown if self._seen == str(shown.stamp) else None
        yield b"retry: 2000\n\n"
        woken = True
        while self._hub.is_open(self) and self._who() is not None:
            event = self._news()
            if event:
                yield event
            elif not woken:
                yield ALIVE_EVENT
            if self._gone():
                return
            woken = self._sleep()
        if not self._hub.is_closed:
            # Another phone or window has taken over.  If the table is closed instead, the page reconnects by itself.
            yield b"event: ended\ndata: {}\n\n"

    def close(self) -> None:
        """Forget the stream: its client is gone, or it has ended."""
        self._hub.shut(self)

    def tell(self) -> None:
        """Send what is new, without waiting for the client."""
        with self._lock:
            if not self._sleeps or not self._send():
                self._due.set()

    def wake(self) -> None:
        """Wake the stream's own thread to check what has to be done."""
        self._due.set()

    def _sleep(self) -> bool:
        """Wait until this thread is needed or a sign of life is due; return whether it is needed.

        Meanwhile the pump sends.
        """
        with self._lock:
            self._sleeps = True
        woken = self._due.wait(BEAT_INTERVAL_S)
        with self._lock:
            self._sleeps = False
            self._due.clear()
        return woken

    def _send(self) -> bool:
        """Send what is new to a client that has taken everything; return False if it could not be sent."""
        audience = self._who()
        if audience is None:
            return False
        shown, event = self._renderer.news(audience, self._sent)
        if shown is not self._sent and not self._push(event):
            return False
        self._sent = shown
        return True

    def _news(self) -> bytes:
        """Return the event with what is new, empty if nothing is."""
        audience, before = self._who(), self._sent
        if audience is None:
            return b""
        self._sent, event = self._renderer.news(audience, before)
        return b"" if self._sent is before else event
