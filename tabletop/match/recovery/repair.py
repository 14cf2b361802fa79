"""Repairs a damaged journal file: the damaged one is kept, complete, and an intact one takes its place."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from tabletop.files.atomic import sync_folder
from tabletop.match.errors import raised_as, write_trouble
from tabletop.match.recovery import high_water

REPAIRED_SUFFIX = ".repaired"
"""The suffix of a repaired journal until it is in its place."""
CREATING_SUFFIX = ".new"
"""The suffix of a journal until it is complete."""
COMPANION_SUFFIXES = ("", "-wal", "-shm", "-journal", high_water.SUFFIX)
"""The suffixes of the files that belong to a journal: itself, SQLite's files, and its high-water mark."""


def unlink(path: Path) -> None:
    """Delete a journal with all files that belong to it."""
    for suffix in COMPANION_SUFFIXES:
        path.with_name(path.name + suffix).unlink(missing_ok=True)


def clear_beside(path: Path) -> None:
    """Delete companion files that an earlier journal of this name left: they would be taken for the new one's."""
    for suffix in COMPANION_SUFFIXES[1:]:
        path.with_name(path.name + suffix).unlink(missing_ok=True)


def put_in_place(path: Path, write: Callable[[Path], None]) -> Path:
    """Replace the damaged journal by the one that ``write`` makes; return the path where the damaged one is kept.

    The new file is complete before the old one is moved: whenever the power goes, one of them is found again.  Raises
    JournalError if the disk refuses.
    """
    fresh = _repaired_name(path)
    with raised_as(partial(write_trouble, path)):
        unlink(fresh)
        write(fresh)
        aside = _damaged_name(path, _damaged(path) + 1)
        _replace(path, aside, fresh)
    return aside


def finish(path: Path) -> None:
    """Finish a repair that was cut off between its renamings.  Raises JournalError if the disk refuses."""
    fresh = _repaired_name(path)
    with raised_as(partial(write_trouble, path)):
        if fresh.exists() and not path.exists():
            _replace(path, _damaged_name(path, max(1, _damaged(path))), fresh)


def _replace(path: Path, aside: Path, fresh: Path) -> None:
    """Move a journal with all its files aside, then another one to its place.

    SQLite would take a log that stays for the new journal's.
    """
    for suffix in COMPANION_SUFFIXES:
        companion = path.with_name(path.name + suffix)
        if companion.exists():
            companion.rename(aside.with_name(aside.name + suffix))
    fresh.rename(path)
    sync_folder(path.parent)


def _damaged(path: Path) -> int:
    """Return how many damaged files of this journal were put aside before."""
    number = 0
    while _damaged_name(path, number + 1).exists():
        number += 1
    return number


def _damaged_name(path: Path, number: int) -> Path:
    return path.with_name(f"{path.name}.damaged-{number}")


def _repaired_name(path: Path) -> Path:
    return path.with_name(path.name + REPAIRED_SUFFIX)
