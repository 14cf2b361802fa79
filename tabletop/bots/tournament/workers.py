"""Processes that play games, one a core, and that end at once when nobody waits for their games any more."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing.synchronize import Event

LOOK = 0.5
"""Seconds between two looks at whether somebody still waits for the games."""


@contextmanager
def processes(number: int) -> Iterator[ProcessPoolExecutor]:
    """Give so many processes; whatever ends the block early, Ctrl-C included, ends them at once."""
    given_up = multiprocessing.Event()
    with ProcessPoolExecutor(number, initializer=_end_with, initargs=(os.getpid(), given_up)) as pool:
        try:
            yield pool
        except BaseException:
            given_up.set()
            raise


def _end_with(parent: int, given_up: Event) -> None:
    """Let this process end at once when the one that asked for games is gone or has given up; Ctrl-C is for that one.

    Else each would play its game to the end, for a minute or more, and then wait for another one for ever.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def watch() -> None:
        while os.getppid() == parent and not given_up.wait(LOOK):
            pass
        os._exit(1)

    threading.Thread(target=watch, name="parent", daemon=True).start()
