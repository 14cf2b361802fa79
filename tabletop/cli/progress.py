"""Saying on standard error what takes long, while it does."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import click

SLOW_AFTER_S = 2.0
"""Seconds after which people want to know what is going on."""


@contextmanager
def report_if_slow(what: str, patience: float = SLOW_AFTER_S) -> Iterator[None]:
    """Say on standard error what is being done if it takes longer than people wait, s."""
    timer = threading.Timer(patience, click.echo, [f"{what} …"], {"err": True})
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
