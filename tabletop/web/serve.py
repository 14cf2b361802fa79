"""The web server: waitress in the process that owns the table."""

from __future__ import annotations

import contextlib
import threading
from typing import Any

from flask import Flask
from waitress import wasyncore
from waitress.server import create_server

from tabletop.web import visit
from tabletop.web.app import SPECTATORS

SPARE = 12
"""Threads besides those that streams may hold: pages, actions, photographs."""
SEATS = 8
"""At most so many seats hold a stream each."""


class Server:
    """The pages under waitress; ``run`` serves until ``close`` is called from any thread.

    ``port`` 0 takes a free one; :attr:`port` tells which.  Raises OSError where the address cannot be used.
    """

    def __init__(self, app: Flask, host: str, port: int) -> None:
        self._app = app
        self._sockets: dict[int, Any] = {}
        self._ends = threading.Event()
        self._server = create_server(
            app, map=self._sockets, host=host, port=port, threads=SPECTATORS + SEATS + SPARE,
            channel_request_lookahead=1, connection_limit=400, channel_timeout=60, ident=None,
            max_request_header_size=32 * 1024,
        )  # fmt: skip

    @property
    def port(self) -> int:
        """The port on which the pages are."""
        listens = getattr(self._server, "effective_listen", None)
        return int(listens[0][1] if listens else self._server.effective_port)

    def run(self) -> None:
        """Serve until closed, then let every socket go."""
        try:
            while not self._ends.is_set():
                wasyncore.loop(timeout=1, map=self._sockets, count=1)
        finally:
            self._app.extensions[visit.KEY].hub.close()
            self._server.task_dispatcher.shutdown(timeout=2)
            wasyncore.close_all(self._sockets)

    def close(self) -> None:
        """End every stream and make ``run`` return; closing again does nothing."""
        self._ends.set()
        self._app.extensions[visit.KEY].hub.close()
        with contextlib.suppress(AttributeError, OSError):  # several sockets share no trigger; a closed one is shut
            self._server.pull_trigger()


def serve(app: Flask, host: str, port: int) -> None:
    """Serve the pages until the process is told to stop.  Raises OSError where the address cannot be used."""
    Server(app, host, port).run()
