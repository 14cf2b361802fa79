"""A connection between two processes of ours: messages of one value and at most one open file, with time-outs."""

from __future__ import annotations

import os
import pickle  # between two processes of ours; no stranger writes such a message
import socket
import struct
import time
from typing import Any

HEAD = struct.Struct("!Q?")
"""The header of a message: its length, and whether an open file comes with it."""
CHUNK_BYTES = 1 << 18
"""The most that is read from the connection at a time: about what the kernel holds for it."""


class Connection:
    """One end of a connection.  Messages arrive whole or not at all; a closed other end is an error at once."""

    def __init__(self, connected: socket.socket) -> None:
        self._socket = connected
        self._arrived = bytearray()
        """The bytes of the next messages that have arrived."""
        self._files: list[int] = []
        """The open files that came with them."""

    def send(self, value: object, seconds: float | None = None, *, file: int = -1) -> None:
        """Send a value, with an open file if one is given.

        Raises OSError: TimeoutError if the other end has not taken it within ``seconds``; then the connection can no
        longer be used.
        """
        message = pickle.dumps(value)
        head = HEAD.pack(len(message), file >= 0)
        self._socket.settimeout(seconds)
        if file < 0:
            self._socket.sendall(head)
        else:
            socket.send_fds(self._socket, [head], [file])
        self._socket.sendall(message)

    def receive(self, seconds: float | None = None) -> tuple[Any, int]:
        """Return the next value, and the open file that came with it (-1: none).

        Raises TimeoutError if it has not arrived within ``seconds``; it can still arrive later.  Raises EOFError or
        OSError if the other end is gone.
        """
        until = None if seconds is None else time.monotonic() + seconds
        while not self._is_whole():
            self._take(None if until is None else max(0.0, until - time.monotonic()))
        length, has_file = HEAD.unpack_from(self._arrived)
        value = pickle.loads(memoryview(self._arrived)[HEAD.size : HEAD.size + length])  # noqa: S301
        del self._arrived[: HEAD.size + length]
        return value, self._files.pop(0) if has_file else -1

    def close(self) -> None:
        """Close this end and the files of messages that were not received; the other end notices."""
        self._socket.close()
        while self._files:
            os.close(self._files.pop())

    def _is_whole(self) -> bool:
        """Return whether the next message has arrived completely."""
        there = len(self._arrived) - HEAD.size
        return there >= 0 and there >= HEAD.unpack_from(self._arrived)[0]

    def _take(self, seconds: float | None) -> None:
        """Wait for data and read what has arrived.  Raises TimeoutError, or EOFError if the other end is closed."""
        self._socket.settimeout(seconds)
        try:
            taken, files, _, _ = socket.recv_fds(self._socket, CHUNK_BYTES, 1, getattr(socket, "MSG_CMSG_CLOEXEC", 0))
        except BlockingIOError:
            raise TimeoutError("nothing has come") from None
        if not taken:
            raise EOFError
        self._arrived += taken
        self._files += files
