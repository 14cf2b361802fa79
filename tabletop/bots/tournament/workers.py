"""Processes that play games, one per core, and that end at once when nobody waits for their games any more."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing.connection import Connection
from typing import Any, TypeVar

from tabletop.processes.answering import end_with

T = TypeVar("T")


@contextmanager
def processes(number: int) -> Iterator[ProcessPoolExecutor]:
    """Provide that many processes; whatever ends the block early, Ctrl-C included, ends them at once.

    Each begins afresh: a copy of this process would forever keep the locks that other threads held when it was made.
    """
    afresh = multiprocessing.get_context("spawn")
    theirs, ours = afresh.Pipe(duplex=False)
    with theirs, ours, ProcessPoolExecutor(number, afresh, _end_with, (theirs,)) as pool:
        try:
            yield pool
        except BaseException:
            ours.close()
            raise


def in_order(executor: Executor, work: Callable[..., T], *rows: Iterable[Any]) -> Iterator[T]:
    """Yield what the work makes of each item of the rows, in their order, as the built-in ``map`` does.

    ``executor.map`` would withdraw what is waiting if it is interrupted; the end of the processes then finds tasks that
    it cannot fail any more, and prints a traceback.
    """
    for future in [executor.submit(work, *items) for items in zip(*rows, strict=False)]:
        yield future.result()


def _end_with(line: Connection) -> None:
    """Let this process end at once when the other end of the line is gone.

    Otherwise each would play its game to the end, for a minute or more, and then wait for another one forever.
    """
    end_with(os.dup(line.fileno()), shared=True)
