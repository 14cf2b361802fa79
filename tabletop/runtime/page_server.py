"""Serves pages until the process is told to stop."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from queue import Empty, SimpleQueue

from flask import Flask

from tabletop.web.http.addresses import Addresses
from tabletop.web.server import SHUTDOWN_GRACE_S, Server


class PagesLost(RuntimeError):
    """The server of the pages ended by itself."""

    def __init__(self) -> None:
        super().__init__("The pages ended by themselves; every move is on the disk. Start the table again.")


class StopRequest:
    """A request that the process stop, which a signal handler may make at any moment.

    An event would not do: a handler that sets it waits forever if it interrupted a thread that holds the event's lock.
    """

    def __init__(self) -> None:
        self._made: SimpleQueue[None] = SimpleQueue()  # its put is reentrant, so a handler may call it at any moment

    def set(self) -> None:
        """Ask the process to stop."""
        self._made.put(None)

    def is_set(self) -> bool:
        """Return whether the process was asked to stop."""
        return not self._made.empty()

    def wait(self, seconds: float) -> bool:
        """Wait up to that many seconds for a request to stop; return whether it was made."""
        with suppress(Empty):
            self._made.put(self._made.get(timeout=seconds))
        return self.is_set()


@contextmanager
def stop_signal() -> Iterator[StopRequest]:
    """Provide a request that is made when the process is interrupted or told to stop, or when its terminal is closed.

    By default, these signals end a process without any cleanup.  A process that was started to outlive its terminal
    (nohup) still does.
    """
    ended = StopRequest()
    outlives = signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    numbers = (signal.SIGINT, signal.SIGTERM) if outlives else (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    before = {number: signal.signal(number, lambda *_: ended.set()) for number in numbers}
    try:
        yield ended
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def serve(
    flask: Flask,
    host: str,
    port: int,
    ended: StopRequest,
    beat: Callable[[], None] = lambda: None,
    addresses: Addresses | None = None,
    listening: Callable[[], None] = lambda: None,
) -> None:
    """Serve the pages until ``ended`` is set; call ``beat`` and check ``addresses`` about twice a second.

    Responses under way then get some time to finish: they need the table, which is put away after this.  ``listening``
    is called once the pages can be opened.  Raises PagesLost if the server ends by itself: nobody told it to, and the
    table must not look put away.
    """
    server = Server(flask, host, port)
    thread = threading.Thread(target=server.run, name="pages", daemon=True)
    thread.start()
    try:
        listening()
        # A wait without a time-out would keep the signal's handler from running on some platforms.
        while not ended.wait(0.5) and thread.is_alive():
            beat()
            if addresses is not None:
                addresses.look()
    finally:
        server.close()
        thread.join(2 * SHUTDOWN_GRACE_S)
    if not ended.is_set():
        raise PagesLost
