"""The web server: waitress in the process that owns the table."""

from __future__ import annotations

from flask import Flask
from waitress.server import create_server

from tabletop.web import visit
from tabletop.web.app import SPECTATORS

SPARE = 12
"""Threads besides those that streams may hold: pages, actions, photographs."""
SEATS = 8
"""At most so many seats hold a stream each."""


class Server:
    """The pages under waitress; ``run`` serves until ``close`` is called from another thread.

    ``port`` 0 takes a free one; :attr:`port` tells which.  Raises OSError where the address cannot be used.
    """

    def __init__(self, app: Flask, host: str, port: int) -> None:
        self._app = app
        self._server = create_server(
            app, host=host, port=port, threads=SPECTATORS + SEATS + SPARE, channel_request_lookahead=1,
            connection_limit=400, channel_timeout=60, ident=None, max_request_header_size=32 * 1024,
        )  # fmt: skip

    @property
    def port(self) -> int:
        """The port on which the pages are."""
        return int(self._server.effective_port)

    def run(self) -> None:
        """Serve until closed."""
        self._server.run()

    def close(self) -> None:
        """End every stream and stop serving."""
        self._app.extensions[visit.KEY].hub.close()
        self._server.close()


def serve(app: Flask, host: str, port: int) -> None:
    """Serve the pages until the process is told to stop.  Raises OSError where the address cannot be used."""
    server = Server(app, host, port)
    try:
        server.run()
    finally:
        server.close()
