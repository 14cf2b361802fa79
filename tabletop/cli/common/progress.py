"""Progress messages on standard error while something takes long."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

SLOW_AFTER_S = 2.0
"""How long something may take before people are told what is going on."""
MAX_SILENCE_S = 20.0
"""How long after the last line of progress another one is due."""


class Progress:
    """Prints progress on standard error while many things are done: every ``step`` of them, or after a long silence."""

    def __init__(self, step: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._step, self._clock, self._told = max(1, step), clock, clock()

    def tell(self, done: int, line: str) -> None:
        """Print the line if one is due after ``done`` things."""
        now = self._clock()
        if done % self._step == 0 or now - self._told >= MAX_SILENCE_S:
            click.echo(line, err=True)
            self._told = now


@contextmanager
def report_if_slow(what: str, patience: float = SLOW_AFTER_S) -> Iterator[None]:
    """Say on standard error ``what`` is being done if the block takes longer than ``patience`` seconds."""
    timer = threading.Timer(patience, click.echo, [f"{what} …"], {"err": True})
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
