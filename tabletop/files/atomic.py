"""Writing a file so that a power cut or a full disk leaves the old one or the new one, never half of it."""

from __future__ import annotations

import os
from pathlib import Path


def write(path: Path, content: str | bytes, mode: int = 0o600) -> None:
    """Replace a file as a whole: write another beside it, flush it to the disk, and rename it.  Raises OSError.

    Text is written as UTF-8.  A path that is not a regular file, such as a device or a pipe, is written to directly.
    A link stays: the file that it names is replaced.
    """
    data = content.encode("utf-8") if isinstance(content, str) else content
    if path.exists() and not path.is_file():
        path.write_bytes(data)
        return
    path = Path(os.path.realpath(path))
    fresh = _beside(path)
    try:
        with open(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode), "wb") as file:
            os.fchmod(file.fileno(), mode)
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(path)
    except BaseException:  # even an interruption leaves nothing behind
        fresh.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)  # the renaming as well


def check_writable(path: Path) -> None:
    """Raise OSError if a file cannot be written at a path now, without changing one that is there."""
    if path.exists() and not path.is_file():
        return
    fresh = _beside(Path(os.path.realpath(path)))
    fresh.touch()
    fresh.unlink()


def _beside(path: Path) -> Path:
    return path.with_name(path.name + ".new")


def sync_folder(folder: Path) -> None:
    """Make sure that the names of a folder's files are on the disk.  Raises OSError."""
    number = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)
