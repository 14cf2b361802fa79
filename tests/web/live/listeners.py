"""Open streams of a page, read event by event."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from doubles.pages import Phone
from tabletop.web.live.stream import ALIVE_EVENT


class Listener:
    """An open stream, read event by event."""

    def __init__(self, phone: Phone, path: str, stamp: str = "") -> None:
        self.answer = phone.get(f"{path}{'&' if '?' in path else '?'}stamp={stamp}")
        self._chunks: Iterator[Any] = iter(self.answer.response)
        assert "retry" in self._next()

    def _next(self) -> str:
        """Return the next chunk that is not a sign of life, which can come between on a slow machine."""
        chunk = next(chunk for chunk in self._chunks if chunk != ALIVE_EVENT)
        return str(chunk, "utf-8")

    def event(self) -> dict[str, Any]:
        """Return the data of the next event, or ``{"event": "ended"}`` if the stream has ended."""
        text = self._next()
        if text.startswith("event: ended"):
            return {"event": "ended"}
        told: dict[str, Any] = json.loads(next(line for line in text.splitlines() if line.startswith("data: "))[6:])
        return told

    def close(self) -> None:
        self.answer.close()


def stamp(page: str) -> str:
    return page.split('data-stamp="', 1)[1].split('"', 1)[0]
