"""The executors that play a command's games: processes of this machine, or a Dask cluster."""

from __future__ import annotations

import importlib
import logging
import os
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Executor
from contextlib import contextmanager
from typing import Any, NamedTuple, TypeVar

import click

CLUSTER_TIMEOUT_S = 10.0
Command = TypeVar("Command", bound=Callable[..., Any])


class Players(NamedTuple):
    """An executor, how many games it plays at a time, and a function to call now and then while none ends."""

    executor: Executor
    at_once: int
    while_waiting: Callable[[], None]


def players_options(command: Command) -> Command:
    """Give a command ``--workers`` and ``--dask``, which :func:`players` reads."""
    cluster = click.option(
        "--dask", metavar="ADDRESS", help="Play on the Dask cluster of this scheduler, such as tcp://HOST:8786."
    )
    workers = click.option(
        "--workers", type=click.IntRange(1, 1024), help="How many games to play at a time.  [default: one per core]"
    )
    return workers(cluster(command))


@contextmanager
def players(workers: int | None, dask: str | None, kept: str) -> Iterator[Players]:
    """Provide the executor that the options ask for.

    If the processes go away, the command ends with a sentence about that; ``kept`` says what becomes of the games so
    far.
    """
    with _executor(workers, dask) as found:
        try:
            yield found
        except Exception as error:
            if not _is_lost(error):
                raise
            raise click.ClickException(f"The processes that played are gone ({type(error).__name__}). {kept}") from None


@contextmanager
def _executor(workers: int | None, dask: str | None) -> Iterator[Players]:
    if dask is None:
        from tabletop.bots.tournament.workers import processes

        number = workers or os.cpu_count() or 1
        with processes(number) as pool:
            yield Players(pool, number, lambda: None)
        return
    distributed: Any = importlib.import_module("distributed")
    for name in ("distributed", "distributed.client"):
        logging.getLogger(name).setLevel(logging.CRITICAL)  # a loss is reported in one sentence, without tracebacks
    try:
        client = distributed.Client(dask, timeout=CLUSTER_TIMEOUT_S)
    except (OSError, ValueError) as error:
        raise click.ClickException(f"There is no Dask scheduler at {dask}: {str(error)[:200]}") from None

    def say_if_empty() -> None:
        if not client.ncores():
            click.echo("The cluster has no workers. The games will continue when it has one.", err=True)

    with client:
        say_if_empty()
        number = workers or max(1, sum(client.ncores().values()))
        yield Players(client.get_executor(pure=False), number, say_if_empty)


def _is_lost(error: Exception) -> bool:
    """Return whether an error says that a process or a cluster went away."""
    return isinstance(error, BrokenExecutor | CancelledError | ConnectionError) or type(error).__module__.startswith(
        "distributed"
    )
