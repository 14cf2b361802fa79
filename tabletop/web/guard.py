"""Who may ask, and how much: hosts, origins, body sizes and rates.  Refusals are cheap and say one sentence."""

from __future__ import annotations

import ipaddress
import shutil
import tempfile
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import IO, Any, cast
from urllib.parse import urlsplit

from flask import Flask, Response, abort, request
from werkzeug.exceptions import Forbidden, TooManyRequests, UnsupportedMediaType

LARGEST_JSON = 16 * 1024
"""Bytes of a JSON request; the longest action has some hundreds."""
LARGEST_BACKUP = 64 * 1024 * 1024
"""Bytes of an uploaded backup; a game has about twenty thousand."""
IN_MEMORY = 4 * 1024 * 1024
"""Bytes of a backup that are kept in memory; the rest lies in a temporary file."""
LARGEST_PHOTO = 20 * 1024 * 1024
"""Bytes of an uploaded photograph; a 12-megapixel JPEG has about 5 million."""

POLICY = "; ".join((
    "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' blob:", "connect-src 'self'",
    "form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'",
))  # fmt: skip
"""The content security policy: nothing inline, nothing from elsewhere."""

HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}


class Limiter:
    """A bucket of ``burst`` attempts a key, refilled at ``rate`` a second; remembers at most ``keys`` keys.

    May be used from any thread.
    """

    def __init__(self, clock: Callable[[], float], *, rate: float, burst: int, keys: int = 1000) -> None:
        self._clock = clock
        self._rate = rate
        self._burst = burst
        self._keys = keys
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()
        self._turn = threading.Lock()

    def take(self, key: str) -> None:
        """Take one attempt.  Raises TooManyRequests (429) when there is none left."""
        # One at a time: between two others' looks at a bucket it would seem to be a new and full one.
        with self._turn:
            now = self._clock()
            left, then = self._buckets.pop(key, (float(self._burst), now))
            left = min(float(self._burst), left + (now - then) * self._rate)
            self._buckets[key] = (max(left - 1, 0.0), now)
            if len(self._buckets) > self._keys:
                self._buckets.popitem(last=False)
        if left < 1:
            raise TooManyRequests("Too many attempts. Wait a minute and try again.")


def is_own_host(host: str, names: Iterable[str]) -> bool:
    """Tell whether a Host header means this machine.

    A numeric address always does: DNS rebinding, the attack that this list is against, needs a name.
    """
    name = urlsplit(f"//{host}").hostname or ""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return name == "localhost" or name in names
    return True


def guard(app: Flask, addresses: Iterable[str]) -> None:
    """Check every request of the app before it is handled, and close every answer off from other sites."""
    names = frozenset(filter(None, (urlsplit(address).hostname for address in addresses)))

    @app.before_request
    def check() -> None:
        if not is_own_host(request.host, names):
            raise Forbidden("This is not the address of the table. Use the one that the table page shows.")
        if request.method == "POST" and request.headers.get("Origin") != f"{request.scheme}://{request.host}":
            raise Forbidden("This request comes from another site.")

    @app.after_request
    def close_off(response: Response) -> Response:
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        if request.endpoint != "static":
            response.headers.setdefault("Cache-Control", "no-store")
        elif "v" in request.args:
            response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
        return response


def json_body() -> dict[str, Any]:
    """Return the request's JSON object.  Raises 413, 415 or 400 where it is too large, not JSON or no object."""
    request.max_content_length = LARGEST_JSON
    if request.mimetype != "application/json":
        raise UnsupportedMediaType("Requests are sent as JSON.")
    try:
        data = request.get_json()
    except RecursionError:
        abort(400, "The request is nested too deeply.")
    if not isinstance(data, dict):
        abort(400, "The request is no JSON object.")
    return data


@contextmanager
def backup_body() -> Iterator[IO[bytes]]:
    """Give the request's file, at its beginning.  Raises 413 or 415 where it is too large or sent as a form."""
    request.max_content_length = LARGEST_BACKUP
    if request.mimetype not in ("application/gzip", "application/x-gzip", "application/octet-stream"):
        raise UnsupportedMediaType("A backup is sent as a file.")
    with tempfile.SpooledTemporaryFile(IN_MEMORY) as file:
        shutil.copyfileobj(request.stream, file)
        file.seek(0)
        yield cast(IO[bytes], file)


def photo_body() -> bytes:
    """Return the request's picture as sent.  Raises 413 or 415 where it is too large or no picture."""
    request.max_content_length = LARGEST_PHOTO
    if not request.mimetype.startswith("image/"):
        raise UnsupportedMediaType("A photograph is sent as a picture file.")
    return request.get_data(cache=False)
