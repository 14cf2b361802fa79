"""Accepts or discards request bodies by their headers: nothing large is stored for somebody who may not send it.

The server stores a body before the application sees the request.  So the parser checks who sends it as soon as the
headers are complete.  A body that is not allowed is discarded while it arrives, and the application answers with a
sentence; one that is larger than any photograph ends the connection.
"""

from __future__ import annotations

import copy
import threading
from collections.abc import Callable
from http.cookies import CookieError, SimpleCookie
from typing import Any

from waitress.buffers import OverflowableBuffer
from waitress.parser import HTTPRequestParser
from waitress.receiver import FixedStreamReceiver

from tabletop.web.http.guard import MAX_BACKUP_BYTES, MAX_PHOTO_BYTES

MAX_SMALL_BYTES = 32 * 1024
"""The largest body that anybody may send."""
MAX_FORM_BYTES = 64 * 1024
"""The most that a form adds to its photograph."""
QUOTA_BYTES = 160 * 1024 * 1024
"""The most that all large bodies together may take in temporary files: a backup and a photograph at once."""
COPIES_PER_BODY = 2
"""Copies of a large body on the disk: one of the server's, and for a photograph one of the application's as well."""


class Bodies:
    """Decides how large a body may be, and keeps account of the large ones.  Usable from any thread.

    ``is_seated`` and ``is_host`` return whether a cookie of that name holds a seat's or a host's token.
    """

    def __init__(self, is_seated: Callable[[str], bool], is_host: Callable[[str], bool]) -> None:
        self._is_seated, self._is_host = is_seated, is_host
        self._left = QUOTA_BYTES
        self._lock = threading.Lock()

    def largest(self, method: str, path: str, cookies: str) -> int:
        """Return how many bytes a body may have, by the headers of its request."""
        photo = path.startswith("/photo/")
        if method != "POST" or not (photo or path == "/host/restore"):
            return MAX_SMALL_BYTES
        try:
            sent = {name: morsel.value for name, morsel in SimpleCookie(cookies).items()}
        except CookieError:
            return MAX_SMALL_BYTES
        host = self._is_host(sent.get("host", ""))
        if photo:
            return (
                MAX_PHOTO_BYTES + MAX_FORM_BYTES if host or self._is_seated(sent.get("seat", "")) else MAX_SMALL_BYTES
            )
        return MAX_BACKUP_BYTES if host else MAX_SMALL_BYTES

    def reserve(self, length: int) -> bool:
        """Reserve room for a large body; return False if there is not enough."""
        with self._lock:
            if length > self._left:
                return False
            self._left -= length
            return True

    def release(self, length: int) -> None:
        """Give back the room of a body."""
        with self._lock:
            self._left += length


class Nothing(OverflowableBuffer):  # type: ignore[misc]
    """A buffer that accepts everything and keeps none of it."""

    def append(self, s: bytes) -> None:
        """Discard the data."""


class Request(HTTPRequestParser):  # type: ignore[misc]
    """A request as it arrives; ``busy`` is True if its body was discarded because others take all the room."""

    busy = False
    path = ""  # the server logs it when a client is gone, even for a request that could not be parsed
    adj: Any
    body_rcv: Any

    def __init__(self, adj: Any, bodies: Bodies) -> None:
        super().__init__(adj)
        self._bodies = bodies
        self._held = 0

    def parse_header(self, header_plus: bytes) -> None:
        """Read the headers, and decide whether the body is kept, discarded or refused."""
        super().parse_header(header_plus)
        if self.body_rcv is None:
            return
        self.adj = copy.copy(self.adj)
        if self.chunked or self.content_length <= MAX_SMALL_BYTES:
            # Browsers send the length of a body. A client that does not is stopped at the size that anybody may send.
            self.adj.max_request_body_size = MAX_SMALL_BYTES + 1
            return
        self.adj.max_request_body_size = MAX_BACKUP_BYTES + 1
        largest = self._bodies.largest(self.command, self.path, self.headers.get("COOKIE", ""))
        if self.content_length > largest:
            if self.content_length > MAX_PHOTO_BYTES + MAX_FORM_BYTES:
                self.adj.max_request_body_size = 0
            self._forget_body()
        elif self._bodies.reserve(COPIES_PER_BODY * self.content_length):
            self._held = COPIES_PER_BODY * self.content_length
        else:
            self.busy = True
            self._forget_body()

    def received(self, data: bytes) -> int:
        """Take data in and return how much of it belongs to this request."""
        consumed: int = super().received(data)
        if self.error is not None:
            self.expect_continue = False  # refused: nothing more is asked for
        return consumed

    def close(self) -> None:
        """Release the body and the room that it takes."""
        super().close()
        self._bodies.release(self._held)
        self._held = 0

    def _forget_body(self) -> None:
        self.body_rcv = FixedStreamReceiver(self.content_length, Nothing(self.adj.inbuf_overflow))
