"""Server-sent events: the regions of a page that changed, rendered for whoever listens at the moment of sending."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tabletop.web.hub import Hub
from tabletop.web.screen import Audience, Screen, Shown

BEAT = 10.0
"""Seconds between signs of life on a quiet stream."""


def stream(
    hub: Hub, screen: Screen, audience: Audience, number: int, seen: str, gone: Callable[[], bool]
) -> Iterator[str]:
    """Yield events until the stream ends or the client is gone; ``seen`` is the stamp of the page it has."""
    try:
        sent = screen.show(audience)
        yield "retry: 2000\n\n"
        if seen != str(sent.stamp):
            sent, data = screen.news(audience, Shown(sent.stamp, sent.on, {}))
            yield _event(sent, data)
        while True:
            if hub.wait(number, sent.stamp, BEAT):
                sent, data = screen.news(audience, sent)
                yield _event(sent, data)
            elif not hub.is_open(number):
                yield "event: ended\ndata: {}\n\n"
                return
            elif gone():
                return
            else:
                yield ": still here\n\n"
    finally:
        hub.shut(number)


def _event(shown: Shown, data: str) -> str:
    return f"id: {shown.stamp}\ndata: {data}\n\n"
