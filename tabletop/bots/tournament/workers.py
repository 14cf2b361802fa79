"""Processes that play games, one per core, and end at once when nobody waits for their games any more."""

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
    """Provide a pool of that many processes; if the block ends early, for example by Ctrl-C, they end at once.

    Each is spawned, not forked: a copy of this process would forever keep the locks that other threads held.
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
    """Yield the result of ``work`` for each item of the rows, in order, like the built-in ``map``.

    ``executor.map`` would cancel the waiting tasks if it is interrupted; the ending processes then find tasks that can
    no longer fail, and print a traceback.
    """
    for future in [executor.submit(work, *items) for items in zip(*rows, strict=False)]:
        yield future.result()


def _end_with(line: Connection) -> None:
    """Make this process end at once when the other end of the line is closed.

    Otherwise it would play its game to the end, for a minute or more, and then wait for another one forever.
    """
    end_with(os.dup(line.fileno()), shared=True)
