"""Writing a small file so that a power cut leaves the old one or the new one, never half of it."""

from __future__ import annotations

import os
from pathlib import Path


def write(path: Path, text: str, mode: int = 0o600) -> None:
    """Put a text file in place whole: written beside it, on the disk, then renamed.  Raises OSError."""
    fresh = path.with_name(path.name + ".new")
    try:
        with open(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode), "w", encoding="utf-8") as file:
            os.fchmod(file.fileno(), mode)
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(path)
    except OSError:
        fresh.unlink(missing_ok=True)
        raise
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)  # the renaming, too
    finally:
        os.close(folder)
