"""The web server: waitress in the process that owns the table."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from typing import Any

from flask import Flask
from waitress import wasyncore
from waitress.channel import ClientDisconnected, HTTPChannel
from waitress.server import create_server
from waitress.task import WSGITask

from tabletop.web.app import SPECTATORS
from tabletop.web.http.guard import LARGEST_BACKUP
from tabletop.web.live.stream import PUSH
from tabletop.web.pages import session

SPARE = 12
"""Threads besides those that streams may hold: pages, actions, photographs."""
SEATS = 8
"""At most so many seats hold a stream each."""
UNSENT = 64 * 1024
"""Bytes that wait for one client at most, besides the piece being sent: a stream that is not read stands still."""
LAST_WORDS = 5
"""Seconds that answers which are under way have at the end."""
ASLEEP = 30
"""Seconds after which a client that takes nothing is cut off; awake again, it asks again."""


class _Task(WSGITask):  # type: ignore[misc]
    """An answer under way; a stream's can be sent from another thread than its own, which sleeps meanwhile."""

    def get_environment(self) -> dict[str, Any]:
        environ: dict[str, Any] = super().get_environment()
        environ[PUSH] = self._push
        return environ

    def _push(self, data: bytes) -> bool:
        channel = self.channel
        if self.chunked_response:
            data = b"%X\r\n%b\r\n" % (len(data), data)
        with channel.outbuf_lock:
            if channel.total_outbufs_len or not channel.connected:
                return False
            try:
                # Past the buffers: with something in one, the loop of all connections would turn until it is gone.
                rest = data[channel.send(data, do_close=False) :]
                if rest:
                    channel.write_soon(rest)
            except (OSError, ClientDisconnected):
                return False
        return True


class _Channel(HTTPChannel):  # type: ignore[misc]
    task_class = _Task


class Server:
    """The pages under waitress; ``run`` serves until ``close`` is called from any thread.

    ``port`` 0 takes a free one; :attr:`port` tells which.  ``sockets`` holds every open connection by its number.
    Raises OSError if the address cannot be used.
    """

    def __init__(self, app: Flask, host: str, port: int) -> None:
        self._app = app
        self.sockets: dict[int, Any] = {}
        self._ends = threading.Event()
        self._server = create_server(
            app, map=self.sockets, host=host, port=port, threads=SPECTATORS + SEATS + SPARE,
            channel_request_lookahead=1, connection_limit=400, channel_timeout=60, ident=None,
            max_request_header_size=32 * 1024, outbuf_high_watermark=UNSENT, log_socket_errors=False,
            max_request_body_size=LARGEST_BACKUP,
        )  # fmt: skip
        self._server.adj.socket_options = _socket_options()
        for one in self.sockets.values():
            if hasattr(one, "channel_class"):  # a host name may stand for several addresses, each with its own server
                one.channel_class = _Channel

    @property
    def port(self) -> int:
        """The port on which the pages are."""
        listens = getattr(self._server, "effective_listen", None)
        return int(listens[0][1] if listens else self._server.effective_port)

    def run(self) -> None:
        """Serve until closed, then let every socket go."""
        try:
            while not self._ends.is_set():
                wasyncore.loop(timeout=1, map=self.sockets, count=1)
        finally:
            self._app.extensions[session.KEY].hub.close()
            self._finish()
            self._server.task_dispatcher.shutdown(timeout=2)
            wasyncore.close_all(self.sockets)

    def _finish(self) -> None:
        """Let what is being answered come to its end: the client that asked the server to end hears that it does."""
        end = time.monotonic() + LAST_WORDS
        while time.monotonic() < end:
            waiting = any(getattr(channel, "total_outbufs_len", 0) for channel in self.sockets.values())
            if not waiting and not self._server.task_dispatcher.active_count:
                return
            wasyncore.loop(timeout=0.05, map=self.sockets, count=1)

    def close(self) -> None:
        """End every stream and make ``run`` return; closing again does nothing."""
        self._ends.set()
        self._app.extensions[session.KEY].hub.close()
        with contextlib.suppress(AttributeError, OSError):  # several sockets share no trigger; a closed one is shut
            self._server.pull_trigger()


def _socket_options() -> list[tuple[int, int, int]]:
    """Return what holds for every connection: small events go at once, and who takes nothing is given up."""
    options = [(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)]
    if hasattr(socket, "TCP_USER_TIMEOUT"):
        options.append((socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, 1000 * ASLEEP))
    return options


def serve(app: Flask, host: str, port: int) -> None:
    """Serve the pages until the process is told to stop.  Raises OSError if the address cannot be used."""
    Server(app, host, port).run()
