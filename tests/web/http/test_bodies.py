"""Limits and errors of incoming requests, by their headers."""

from __future__ import annotations

import pytest
from waitress.adjustments import Adjustments

from tabletop.web.http.bodies import MAX_SMALL_BYTES, Bodies, Request
from tabletop.web.http.guard import MAX_BACKUP_BYTES, MAX_PHOTO_BYTES

BODIES = Bodies(lambda token: token == "ada", lambda token: token == "host")


@pytest.mark.parametrize(
    ("path", "cookies", "least"),
    [
        ("/photo/cards", "seat=ada", MAX_PHOTO_BYTES),
        ("/photo/table", "theme=dark; host=host", MAX_PHOTO_BYTES),
        ("/host/restore", "host=host", MAX_BACKUP_BYTES),
        ("/host/restore", "seat=ada", MAX_SMALL_BYTES),
        ("/photo/cards", "", MAX_SMALL_BYTES),
        ("/photo/cards", "seat=; host=", MAX_SMALL_BYTES),
        ("/seat/act", "seat=ada; host=host", MAX_SMALL_BYTES),
    ],
)
def test_only_known_phones_may_send_much_and_only_where_it_is_wanted(path: str, cookies: str, least: int) -> None:
    """Photographs and backups may be large at their own paths; every other request must be small."""
    largest = BODIES.largest("POST", path, cookies)
    assert least <= largest < least + 2**17
    assert BODIES.largest("GET", path, cookies) == MAX_SMALL_BYTES


@pytest.mark.parametrize("head", [b"\0\r\n\r\n", b"GET\r\n\r\n", b"GET / HTTP/1.1\r\n: x\r\n\r\n", b"{}\r\n\r\n"])
def test_a_head_that_cannot_be_understood_is_an_error_with_an_empty_path(head: bytes) -> None:
    """The path is set although the head is wrong: the server logs it if the client is gone before the answer."""
    request = Request(Adjustments(), BODIES)
    request.received(head)
    assert request.error is not None
    assert request.path in ("", "/")
