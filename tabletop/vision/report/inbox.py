"""Watches a folder that a phone syncs to for pictures that are new, complete, and not our own."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

PICTURE_SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".webp"})
HEIC_SUFFIXES = frozenset({".heic", ".heif"})
OWN_SUFFIX = ".understood.jpg"
"""Suffix of the pictures that are written next to the received ones."""
SETTLED_AFTER_S = 1.5
"""Seconds without a change after which a file counts as complete."""


class News(NamedTuple):
    """The changes in a folder: pictures that came or changed, pictures that were removed, and unreadable formats."""

    come: list[Path]
    gone: list[Path]
    strange: list[Path]


@dataclass(slots=True)
class _File:
    stamp: tuple[int, int]
    since: float
    reported: bool = False
    """Whether this version of the file was reported."""
    known: bool = False
    """Whether any version of the file was reported."""


class Inbox:
    """Watches one folder, ignoring the files that are there at the start.  Times are in seconds on any clock."""

    def __init__(self, folder: Path, settled: float = SETTLED_AFTER_S) -> None:
        self.folder = folder
        self._settled = settled
        self._before = dict(self._listed())
        self._files: dict[Path, _File] = {}

    @property
    def waiting(self) -> int:
        """The number of pictures that were there at the start."""
        return sum(path.suffix.lower() in PICTURE_SUFFIXES for path in self._before)

    def poll(self, now: float) -> News:
        """Return the changes since the last call.  Raises OSError if the folder cannot be read."""
        listed = dict(self._listed())
        gone = [path for path, file in self._files.items() if path not in listed and file.known]
        self._files = {path: file for path, file in self._files.items() if path in listed}
        complete: list[Path] = []
        for path, stamp in sorted(listed.items()):
            if self._before.get(path) == stamp:
                continue
            file = self._files.get(path)
            if file is None or file.stamp != stamp:
                self._files[path] = _File(stamp, now, known=file is not None and file.known)
            elif not file.reported and now - file.since >= self._settled and stamp[0]:
                file.reported = file.known = True
                complete.append(path)
        return News(
            [path for path in complete if path.suffix.lower() in PICTURE_SUFFIXES],
            [path for path in gone if path.suffix.lower() in PICTURE_SUFFIXES],
            [path for path in complete if path.suffix.lower() in HEIC_SUFFIXES],
        )

    def _listed(self) -> Iterable[tuple[Path, tuple[int, int]]]:
        """Iterate over the picture files, each with its size in bytes and the time of its last change."""
        for path in self.folder.iterdir():
            if (
                path.suffix.lower() in PICTURE_SUFFIXES | HEIC_SUFFIXES
                and not path.name.endswith(OWN_SUFFIX)
                and not path.name.startswith(".")
            ):
                try:
                    stat = path.stat()
                except OSError:
                    continue  # removed at this moment
                yield path, (stat.st_size, stat.st_mtime_ns)


def beside(path: Path) -> Path:
    """Return the path at which the annotated version of a picture is written."""
    return path.with_name(path.stem + OWN_SUFFIX)
