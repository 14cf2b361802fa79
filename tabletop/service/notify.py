"""Tells systemd the state of the table, over its notification socket.

The protocol is one datagram of ``NAME=value`` lines and is guaranteed to be stable (``man sd_notify``); a library for
it would be longer than this.
"""

from __future__ import annotations

import contextlib
import os
import socket
from collections.abc import Mapping

SEND_TIMEOUT_S = 1.0
"""How long a service manager that does not listen may hold up the table."""


class Notifier:
    """Writes to the socket that systemd named; without one, it does nothing.

    ``environment`` is the process's own unless a test gives another.
    """

    def __init__(self, environment: Mapping[str, str] | None = None) -> None:
        own = os.environ if environment is None else environment
        self._address = own.get("NOTIFY_SOCKET", "")
        mine = own.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
        self.watchdog_s = int(own.get("WATCHDOG_USEC", "0")) / 1e6 if mine else 0.0
        """Seconds of silence after which systemd restarts the table; 0 if systemd does not watch it."""

    def ready(self) -> None:
        """Say that the pages can be opened."""
        self._send("READY=1")

    def alive(self) -> None:
        """Say that the table is alive."""
        self._send("WATCHDOG=1")

    def status(self, text: str) -> None:
        """Give a one-line state of the table, for ``systemctl status``."""
        self._send("STATUS=" + " ".join(text.split()))

    def stopping(self) -> None:
        """Say that the table is being put away."""
        self._send("STOPPING=1")

    def _send(self, line: str) -> None:
        if not self._address:
            return
        # “@” stands for the leading zero byte of an address that is not a file.
        address = "\0" + self._address[1:] if self._address.startswith("@") else self._address
        # A service manager that does not listen must not end the game night.
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as to:
            to.settimeout(SEND_TIMEOUT_S)
            to.sendto(line.encode(errors="replace"), address)
