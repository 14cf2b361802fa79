"""Server-sent events: the regions of a page that changed, rendered for whoever listens at the moment of sending."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tabletop.web.hub import Audience, Hub
from tabletop.web.screen import Screen, Shown

BEAT = 10.0
"""Seconds between signs of life on a quiet stream."""


def stream(
    hub: Hub, screen: Screen, who: Callable[[], Audience | None], number: int, seen: str, gone: Callable[[], bool]
) -> Iterator[bytes]:
    """Yield events until the stream ends or the client is gone; ``seen`` is the stamp of the page it has.

    ``who`` tells at any time for whom the client's token lets it listen, None once it does no longer.
    """
    try:
        audience = who()
        if audience is None:
            return
        sent = screen.show(audience)
        yield b"retry: 2000\n\n"
        if seen != str(sent.stamp):
            sent, event = screen.news(audience, Shown(sent.stamp, sent.on, None, {}))
            yield event
        while True:
            if hub.wait(number, audience, sent.stamp, BEAT):
                audience = who()
                if audience is None:
                    break
                sent, event = screen.news(audience, sent)
                yield event
            elif not hub.is_open(number):
                break
            elif gone():
                return
            else:
                yield b": still here\n\n"
        yield b"event: ended\ndata: {}\n\n"
    finally:
        hub.shut(number)
