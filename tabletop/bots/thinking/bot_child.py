"""The child process of ``bot_process``, which answers one question after another at the lowest priority."""

from __future__ import annotations

import contextlib
from functools import lru_cache

from tabletop.bots.levels import find_bot
from tabletop.processes.answering import open_connection

LOWEST_PRIORITY = 19
"""The niceness at which the process gives way to everything else."""


def main() -> None:
    """Answer questions until the process that asks them closes the connection."""
    connection, bot_of = open_connection(niceness=LOWEST_PRIORITY), lru_cache(find_bot)
    with contextlib.suppress(EOFError, BrokenPipeError, ConnectionResetError):
        while True:
            (number, game, level, question), _ = connection.receive()
            connection.send((number, bot_of(game, level).choose(*question)))


if __name__ == "__main__":
    main()
