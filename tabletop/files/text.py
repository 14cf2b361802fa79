"""Reading the small text files that people write: settings, panels, editions."""

from __future__ import annotations

import errno
import os
from pathlib import Path

MAX_TEXT_BYTES = 4_000_000
"""The largest file that is read, in bytes; files that people write have some thousands."""


def read(path: Path) -> str:
    """Return a file's text, without the byte order mark with which some editors begin it.

    Raises OSError if it cannot be read or is far too large, UnicodeDecodeError if it is not UTF-8.
    """
    with path.open("rb") as file:
        data = file.read(MAX_TEXT_BYTES + 1)
    if len(data) > MAX_TEXT_BYTES:
        raise OSError(errno.EFBIG, os.strerror(errno.EFBIG), str(path))
    return data.decode("utf-8-sig").replace("\r\n", "\n")


def readable(name: str) -> str:
    """Return the name of a file as people and pages can read it, with “?” for what is not UTF-8."""
    return name.encode(errors="replace").decode()
