"""Keeping other processes out of a file or folder."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path


def locked(path: Path) -> int:
    """Return an open file that keeps every other process out until it is closed, at the latest when this process ends.

    Raises BlockingIOError if another process holds the lock, another OSError if the path cannot be opened.
    """
    number = os.open(path, os.O_RDONLY)
    try:
        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(number)
        raise
    return number
