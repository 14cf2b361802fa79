"""Ports for tests that have to name one before anything listens there."""

from __future__ import annotations

import os
import socket

FIRST, COUNT = 20_000, 12_000
"""Range of ports below those that the kernel hands out itself, which a connection could take first."""

_next = os.getpid() * 64
"""Port to try next; processes begin at different ones, because several may search at once."""


def free_port() -> int:
    """Return a port on which nothing listens; it stays free until the caller uses it."""
    global _next
    while True:
        port, _next = FIRST + _next % COUNT, _next + 1
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
        return port
