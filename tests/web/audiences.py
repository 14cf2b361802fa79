"""What each phone and page is sent, for tests of what it may know."""

from __future__ import annotations

import re

from doubles.pages import Pages, Phone

PATHS = (
    "/",
    "/join",
    "/seat",
    "/seat/listen",
    "/demo",
    "/host",
    "/events/table",
    "/events/seat",
    "/events/listen",
    "/events/demo",
    "/events/host",
    "/host/history",
    "/events/history",
)


def seen(pages: Pages, phone: Phone, path: str) -> str:
    """Return the bytes that a visitor gets, without the counters that every change moves."""
    answer = phone.get(path)
    if path.startswith("/events") and answer.status_code == 200:
        chunks = iter(answer.response)
        text = "".join(part.decode() if isinstance(part, bytes) else part for part in (next(chunks), next(chunks)))
        answer.close()
    else:
        text = answer.text
    return re.sub(r'data-stamp="[^"]*"|data-on="\d+"|^id: .*$|"on": \d+', "", text, flags=re.MULTILINE)


def together(pages: Pages, *seats: int) -> Phone:
    """Return a phone that holds several seats."""
    phone, token = pages.phone(), ""
    for seat in seats:
        token = pages.room.claim(seat, also=token)
    phone.client.set_cookie("seat", token, domain="192.168.1.20")
    return phone
