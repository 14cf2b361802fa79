"""A folder that a telephone syncs to: which pictures in it are new, whole, and not our own."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

PICTURE_SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".webp"})
HEIC_SUFFIXES = frozenset({".heic", ".heif"})
OWN_SUFFIX = ".understood.jpg"
"""How the names of the pictures end that are written beside those that came."""
SETTLED_AFTER_S = 1.5
"""Seconds that a file has to stay as it is before it is taken for whole."""


class News(NamedTuple):
    """What changed in a folder: pictures that came or changed, those that were taken away, and what cannot be read."""

    come: list[Path]
    gone: list[Path]
    strange: list[Path]


@dataclass(slots=True)
class _File:
    stamp: tuple[int, int]
    since: float
    told: bool = False
    """Whether this version of it was reported."""
    known: bool = False
    """Whether any version of it was reported."""


class Inbox:
    """Watches one folder; what is there at the start is left alone.  Times are seconds on any clock."""

    def __init__(self, folder: Path, settled: float = SETTLED_AFTER_S) -> None:
        self.folder = folder
        self._settled = settled
        self._before = dict(self._listed())
        self._files: dict[Path, _File] = {}

    @property
    def waiting(self) -> int:
        """How many pictures were there at the beginning."""
        return sum(path.suffix.lower() in PICTURE_SUFFIXES for path in self._before)

    def look(self, now: float) -> News:
        """Return what is new since the look before.  Raises OSError if the folder cannot be read."""
        there = dict(self._listed())
        gone = [path for path, file in self._files.items() if path not in there and file.known]
        self._files = {path: file for path, file in self._files.items() if path in there}
        come: list[Path] = []
        for path, stamp in sorted(there.items()):
            if self._before.get(path) == stamp:
                continue
            file = self._files.get(path)
            if file is None or file.stamp != stamp:
                self._files[path] = _File(stamp, now, known=file is not None and file.known)
            elif not file.told and now - file.since >= self._settled and stamp[0]:
                file.told = file.known = True
                come.append(path)
        return News(
            [path for path in come if path.suffix.lower() in PICTURE_SUFFIXES],
            [path for path in gone if path.suffix.lower() in PICTURE_SUFFIXES],
            [path for path in come if path.suffix.lower() in HEIC_SUFFIXES],
        )

    def _listed(self) -> Iterable[tuple[Path, tuple[int, int]]]:
        """Iterate over what looks like a picture, each with its size in bytes and the time of its last change."""
        for path in self.folder.iterdir():
            if (
                path.suffix.lower() in PICTURE_SUFFIXES | HEIC_SUFFIXES
                and not path.name.endswith(OWN_SUFFIX)
                and not path.name.startswith(".")
            ):
                try:
                    stat = path.stat()
                except OSError:
                    continue  # taken away in this moment
                yield path, (stat.st_size, stat.st_mtime_ns)


def beside(path: Path) -> Path:
    """Return where the picture of what was understood of another one is written."""
    return path.with_name(path.stem + OWN_SUFFIX)
