"""A lock with which a test makes two threads meet, deterministically."""

from __future__ import annotations

import itertools
import threading

from doubles.clock import PATIENCE


class Turnstile:
    """A lock that counts the threads that ask for it; the first one waits inside until the second one asks.

    ``asked_twice`` is set once the second one asks.
    """

    def __init__(self) -> None:
        self._lock, self.asked_twice, self._count = threading.Lock(), threading.Event(), itertools.count(1)

    def __enter__(self) -> None:
        number = next(self._count)
        if number == 2:
            self.asked_twice.set()
        self._lock.acquire()
        assert number == 2 or self.asked_twice.wait(PATIENCE)

    def __exit__(self, *_: object) -> None:
        self._lock.release()
