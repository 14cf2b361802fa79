"""Ports for tests that have to name one before anybody listens there."""

from __future__ import annotations

import os
import socket

FIRST, COUNT = 20_000, 12_000
"""Below all ports that the kernel hands out by itself: one of those may be a connection's before it is listened on."""

_next = os.getpid() * 64
"""Where to look first: each process somewhere else, for several may look at once."""


def free_port() -> int:
    """Return a port that nobody listens on; it stays free until somebody is told to listen there."""
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
