"""The other side of ``bot_process``: decides, question by question, at the lowest priority."""

from __future__ import annotations

import os
import sys
import threading
from functools import lru_cache
from multiprocessing.connection import Connection

from tabletop.bots.levels import find_bot


def main() -> None:
    """Answer questions from the socket of that number until it is closed, or stdin is."""
    os.nice(LOWEST_PRIORITY)
    threading.Thread(target=_end_with_stdin, name="stdin", daemon=True).start()
    line, bot_of = Connection(int(sys.argv[1])), lru_cache(find_bot)
    while True:
        try:
            number, game, level, question = line.recv()
        except EOFError:
            return
        line.send((number, bot_of(game, level).choose(*question)))


LOWEST_PRIORITY = 19
"""The priority that gives way to everything else."""


def _end_with_stdin() -> None:
    """End when the process that asks is gone, even in the middle of a thought."""
    sys.stdin.buffer.read()
    os._exit(0)


if __name__ == "__main__":
    main()
