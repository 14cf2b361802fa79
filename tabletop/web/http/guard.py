"""Who may ask, and how much: hosts, origins, body sizes and rates.  Refusals are cheap and say one sentence."""

from __future__ import annotations

import ipaddress
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from typing import IO, Any
from urllib.parse import urlsplit

from flask import Flask, Response, abort, request
from werkzeug.datastructures import MultiDict
from werkzeug.exceptions import Forbidden, ServiceUnavailable, TooManyRequests, UnsupportedMediaType

from tabletop.messages import N_
from tabletop.rules.validate import unfit
from tabletop.web.i18n import gettext as _

MAX_JSON_BYTES = 16 * 1024
"""The largest JSON body; the longest action has some hundred bytes."""
MAX_BACKUP_BYTES = 64 * 1024 * 1024
"""The largest backup; a game has about twenty thousand bytes."""
MAX_PHOTO_BYTES = 20 * 1024 * 1024
"""The largest photograph; a 12-megapixel JPEG has about 5 million bytes."""

BUSY_KEY = "tabletop.busy"
"""The key in a request's environment that says its body was discarded for lack of room."""

CONTENT_POLICY = "; ".join((
    "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' blob:", "connect-src 'self'",
    "font-src 'self'", "form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'",
))  # fmt: skip
"""The content security policy: nothing inline, nothing from elsewhere."""

HEADERS = {
    "Content-Security-Policy": CONTENT_POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}


class WrongAddress(Forbidden):
    """The request names a host that is not one of the table's; ``home`` is the table's address."""

    def __init__(self, home: str) -> None:
        super().__init__(_("This is not the table’s address. Use %(address)s.", address=home))
        self.home = home


TOO_MANY_ATTEMPTS = N_("Too many attempts. Wait a minute and try again.")


class Limiter:
    """A token bucket for each key: ``burst`` attempts, refilled at ``rate`` per second, for at most ``keys`` keys.

    ``why`` is the sentence of the refusal once there is no attempt left.

    Usable from any thread.
    """

    def __init__(
        self, clock: Callable[[], float], *, rate: float, burst: int, keys: int = 1000, why: str = TOO_MANY_ATTEMPTS
    ) -> None:
        self._clock, self._why = clock, why
        self._rate = rate
        self._burst = burst
        self._keys = keys
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()
        self._turn = threading.Lock()

    def check(self, key: str) -> None:
        """Raise TooManyRequests (429) if there is no attempt left; take none."""
        with self._turn:
            left = self._left(key)[0]
        if left < 1:
            raise TooManyRequests(_(self._why))

    def take(self, key: str) -> None:
        """Take one attempt.  Raises TooManyRequests (429) when there is none left."""
        # One thread at a time: while a bucket is taken out, another thread would take it for a new and full one.
        with self._turn:
            left, now = self._left(key)
            self._buckets.pop(key, None)
            self._buckets[key] = (max(left - 1, 0.0), now)
            if len(self._buckets) > self._keys:
                self._buckets.popitem(last=False)
        if left < 1:
            raise TooManyRequests(_(self._why))

    def _left(self, key: str) -> tuple[float, float]:
        """Return the attempts that are left now, and the time."""
        now = self._clock()
        left, then = self._buckets.get(key, (float(self._burst), now))
        return min(float(self._burst), left + (now - then) * self._rate), now


def is_own_host(host: str, names: Iterable[str]) -> bool:
    """Return whether a Host header means this machine.

    A numeric address always does: DNS rebinding, the attack that this prevents, needs a name.
    """
    name = urlsplit(f"//{host}").hostname or ""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return name == "localhost" or name in names
    return True


def guard(app: Flask, addresses: Sequence[str]) -> None:
    """Check every request of the app before it is handled, and protect every answer from other sites.

    ``addresses`` are the table's own.  Static files hold no secrets and are served under any host name.
    """

    @app.before_request
    def check() -> None:
        if request.environ.get(BUSY_KEY):
            raise ServiceUnavailable(_("Other photos are being read. Send yours again in a few seconds."))
        # Read when they are needed: a network may come later, and bring another name.
        names = (name for address in addresses if (name := urlsplit(address).hostname))
        if request.endpoint != "static" and not is_own_host(request.host, names):
            raise WrongAddress(addresses[0] if addresses else "")
        if request.method == "POST" and request.headers.get("Origin") != f"{request.scheme}://{request.host}":
            raise Forbidden(_("This request comes from another website."))

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
    """Return the request's JSON object.  Raises 413, 415 or 400 if it is too large, not JSON or not an object."""
    request.max_content_length = MAX_JSON_BYTES
    if request.mimetype != "application/json":
        raise UnsupportedMediaType(_("Requests must be sent as JSON."))
    try:
        data = request.get_json()
    except RecursionError:
        abort(400, _("The request is nested too deeply."))
    if not isinstance(data, dict):
        abort(400, _("The request is not a JSON object."))
    _check_texts(data)
    return data


def form_body() -> MultiDict[str, str]:
    """Return the request's form.  Raises 400 if a text in it contains a character that cannot be shown."""
    _check_texts([*request.form.items(multi=True)])
    return request.form


def _check_texts(data: Any) -> None:
    # Tabs and line breaks come with what people paste; names are joined to one line.
    if code := unfit(data, breaks=True):
        why = _("The text contains the character %(code)s, which cannot be shown. Delete it and try again.", code=code)
        abort(400, why)


def backup_body() -> IO[bytes]:
    """Return the request's file as a stream.  Raises 413 or 415 if it is too large or sent as a form."""
    request.max_content_length = MAX_BACKUP_BYTES
    if request.mimetype not in ("application/gzip", "application/x-gzip", "application/octet-stream"):
        raise UnsupportedMediaType(_("A backup must be sent as a file."))
    return request.stream


def photo_body() -> bytes:
    """Return the form's ``photo``.  Raises 413, 415 or 400 if it is too large, not in a form, or missing."""
    request.max_content_length = MAX_PHOTO_BYTES
    if request.mimetype != "multipart/form-data":
        raise UnsupportedMediaType(_("Use the form on the page to send a photo."))
    file = request.files.get("photo")
    if file is None or not file.filename:
        abort(400, _("Choose or take a photo first."))
    return bytes(file.read())
