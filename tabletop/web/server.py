"""The web server: waitress in the process that owns the table."""

from __future__ import annotations

import contextlib
import logging
import socket
import threading
import time
from functools import cache, partial
from typing import Any

from flask import Flask
from waitress import wasyncore
from waitress.channel import ClientDisconnected, HTTPChannel
from waitress.server import create_server
from waitress.task import WSGITask

from tabletop.messages import N_
from tabletop.web.app import MAX_SPECTATOR_STREAMS
from tabletop.web.http.bodies import MAX_SMALL_BYTES, Bodies, Request
from tabletop.web.http.guard import BUSY_KEY
from tabletop.web.http.places import MAX_PER_ADDRESS, NoPlace, Places
from tabletop.web.i18n import catalogue
from tabletop.web.live.hub import MAX_HOST_STREAMS
from tabletop.web.live.stream import PUSH_KEY
from tabletop.web.message_text import LANGUAGES
from tabletop.web.pages import session

SPARE_THREADS = 12
"""Threads for everything that is not a stream: pages, actions, photographs."""
MAX_SEAT_STREAMS = 8
"""The most seats that can hold a stream each."""
MAX_CONNECTIONS = 400
"""The most connections open at once; :class:`~tabletop.web.http.places.Places` decides who gets them."""
REQUEST_TIMEOUT_S = 15.0
"""The time within which a request's headers, or a small body, must arrive."""
MIN_BYTES_PER_S = 32 * 1024
"""The average rate at which a large body must arrive."""
TOO_MANY_TEXT = N_("Too many pages of the table are open on this network. Close some; this page tries again by itself.")
THREAD_COUNT = MAX_SPECTATOR_STREAMS + MAX_SEAT_STREAMS + MAX_HOST_STREAMS + SPARE_THREADS
MAX_UNSENT_BYTES = 64 * 1024
"""The most data that may wait for one client, besides the piece being sent: a stream that is not read pauses."""
SHUTDOWN_GRACE_S = 5
"""How long a shutdown waits for responses that are under way."""
CLIENT_TIMEOUT_S = 30
"""A client that takes no data for this time is cut off; when it wakes up, it connects again."""


@cache
def too_many_answer() -> bytes:
    """Return the answer to a connection when all places are taken: a page in all languages that is loaded again."""
    said = "".join(f'<p lang="{code}">{catalogue(code).gettext(TOO_MANY_TEXT)}' for code in LANGUAGES)
    page = f'<!doctype html><meta name="viewport" content="width=device-width">{said}\n'.encode()
    return (
        b"HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nRetry-After: 15\r\nRefresh: 15\r\n"
        b"Content-Type: text/html; charset=utf-8\r\nContent-Length: %d\r\n\r\n%b" % (len(page), page)
    )


class _Task(WSGITask):  # type: ignore[misc]
    """A response under way; a stream's can be sent by another thread while its own sleeps."""

    def service(self) -> None:
        """Answer the request; then hang up if the client has sent another one before taking the whole answer.

        Once much is unsent, a thread would wait for such a client, and a few of them could keep all threads waiting.
        """
        super().service()
        if len(self.channel.requests) > 1 and self.channel.total_outbufs_len:
            self.close_on_finish = True

    def get_environment(self) -> dict[str, Any]:
        environ: dict[str, Any] = super().get_environment()
        environ[PUSH_KEY] = self._push
        environ[BUSY_KEY] = self.request.busy
        return environ

    def _push(self, data: bytes) -> bool:
        channel = self.channel
        if self.chunked_response:
            data = b"%X\r\n%b\r\n" % (len(data), data)
        with channel.outbuf_lock:
            if channel.total_outbufs_len or not channel.connected:
                return False
            try:
                # Bypass the buffers: while one holds data, the event loop of all connections spins until it is sent.
                rest = data[channel.send(data, do_close=False) :]
                if rest:
                    channel.write_soon(rest)
            except (OSError, ClientDisconnected):
                return False
        return True


class ConnectionGuard:
    """The checks of every connection: whether there is a place for it, and what it may send."""

    def __init__(self, app: Flask) -> None:
        room = app.extensions[session.EXTENSION_KEY].room
        self.bodies = Bodies(lambda token: bool(room.seating.held_by(token)), lambda token: token in room.hosts)
        each = app.config.get("PER_ADDRESS", MAX_PER_ADDRESS)
        self.places: Places[_Channel] = Places(MAX_CONNECTIONS, each, _Channel.is_idle)


class _Channel(HTTPChannel):  # type: ignore[misc]
    """A connection, closed if there is no place for it or if its request takes too long to arrive."""

    task_class = _Task

    def __init__(self, guard: ConnectionGuard, server: Any, sock: Any, addr: Any, adj: Any, map: Any = None) -> None:
        super().__init__(server, sock, addr, adj, map=map)
        self._places = guard.places
        self._begun, self._asked = time.monotonic(), False
        self.parser_class = partial(Request, bodies=guard.bodies)
        try:
            lost = guard.places.take(self, str(addr[0]))
        except NoPlace:
            with contextlib.suppress(OSError):
                self.send(too_many_answer(), do_close=False)
            self.will_close = True
        else:
            if lost is not None:
                lost.will_close = True

    def received(self, data: bytes) -> bool:
        """Take in data; the time limit of a request counts from its first byte."""
        if self.request is None:
            self._begun = time.monotonic()
        took = bool(super().received(data))
        self._asked = self._asked or bool(self.requests)
        return took

    def handle_close(self) -> None:
        """Give the place back, and release a request that has arrived in part."""
        self._places.leave(self)
        request = self.request
        if request is not None:
            request.close()
        super().handle_close()

    def is_idle(self) -> bool:
        """Return whether all requests were answered: a browser keeps the connection only for what it may ask later."""
        return self._asked and not (self.requests or self.request or self.total_outbufs_len)

    def close_if_late(self, now: float) -> None:
        """Close the connection if its first request, or one that has begun, did not arrive in time."""
        request = self.request
        if self.requests or (request is None and self._asked):
            return
        length = request.content_length if request is not None else 0
        if now - self._begun > REQUEST_TIMEOUT_S + max(0, length - MAX_SMALL_BYTES) / MIN_BYTES_PER_S:
            self.will_close = True


class Server:
    """The pages under waitress; ``run`` serves until ``close`` is called from any thread.

    ``port`` 0 takes a free one; :attr:`port` says which.  ``sockets`` holds every open socket by its file descriptor.
    Raises OSError if the address cannot be used.
    """

    def __init__(self, app: Flask, host: str, port: int) -> None:
        # Waitress would log every request that waits for a moment, until the log holds nothing else.
        logging.getLogger("waitress.queue").setLevel(logging.ERROR)
        self._app = app
        self.sockets: dict[int, Any] = {}
        self._ends = threading.Event()
        self._server = create_server(
            app, map=self.sockets, host=host, port=port, threads=THREAD_COUNT,
            channel_request_lookahead=1, connection_limit=2 * MAX_CONNECTIONS, channel_timeout=60, ident=None,
            max_request_header_size=32 * 1024, outbuf_high_watermark=MAX_UNSENT_BYTES, log_socket_errors=False,
        )  # fmt: skip
        self._tidied = 0.0
        self._server.adj.socket_options = _socket_options()
        self.guard = ConnectionGuard(app)
        for listener in self.sockets.values():
            # A host name may stand for several addresses, each with its own server.
            if hasattr(listener, "channel_class"):
                listener.channel_class = partial(_Channel, self.guard)

    @property
    def port(self) -> int:
        """The port on which the pages are served."""
        listens = getattr(self._server, "effective_listen", None)
        return int(listens[0][1] if listens else self._server.effective_port)

    def run(self) -> None:
        """Serve until closed, then close every socket."""
        try:
            while not self._ends.is_set():
                wasyncore.loop(timeout=1, map=self.sockets, count=1)
                self._close_late(time.monotonic())
        finally:
            self._app.extensions[session.EXTENSION_KEY].hub.close()
            self._finish()
            self._server.task_dispatcher.shutdown(timeout=2)
            for connection in self._connections():
                connection.handle_close()  # also releases what has arrived or waits to be sent
            wasyncore.close_all(self.sockets)

    def _close_late(self, now: float) -> None:
        """About once a second, close connections that hold a place without sending a request."""
        if now - self._tidied < 1:
            return
        self._tidied = now
        for connection in self._connections():
            connection.close_if_late(now)

    def _connections(self) -> list[_Channel]:
        return [each for each in [*self.sockets.values()] if isinstance(each, _Channel)]

    def _finish(self) -> None:
        """Let responses under way finish, so that the client that asked for the shutdown gets its answer."""
        end = time.monotonic() + SHUTDOWN_GRACE_S
        while time.monotonic() < end:
            waiting = any(getattr(channel, "total_outbufs_len", 0) for channel in self.sockets.values())
            if not waiting and not self._server.task_dispatcher.active_count:
                return
            wasyncore.loop(timeout=0.05, map=self.sockets, count=1)

    def close(self) -> None:
        """End every stream and make ``run`` return; closing again does nothing."""
        self._ends.set()
        self._app.extensions[session.EXTENSION_KEY].hub.close()
        with contextlib.suppress(AttributeError, OSError):  # several sockets have no common trigger; one may be closed
            self._server.pull_trigger()


def _socket_options() -> list[tuple[int, int, int]]:
    """Return the options of every connection: send small events at once, and drop a client that takes no data."""
    options = [(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)]
    if hasattr(socket, "TCP_USER_TIMEOUT"):
        options.append((socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, 1000 * CLIENT_TIMEOUT_S))
    return options
