"""What the guest reads often, packed to be laid into its memory.

Every file that it opens on this machine's own files costs about ten questions and answers, a millisecond each in
emulation; a program of seven hundred modules starts in a fifth of the time when they lie in memory.
"""

from __future__ import annotations

import os
import sysconfig
import tarfile
from collections.abc import Iterator
from pathlib import Path

LARGEST = 200_000
"""Larger files, in bytes, stay where they are: they are read in few large pieces."""
LEFT = {
    "site-packages", "dist-packages", "test", "tests", "idlelib", "tkinter", "lib2to3", "ensurepip", "distutils",
    "playwright", "mypy", "mypyc", "pip", "setuptools", "hypothesis", "locale-data", "pygments", "rich", "markdown_it",
    "hatchling", "importlinter", "grimp", "pathspec", "xdist", "execnet", "turtledemo", "zoneinfo", "pyarrow", "dask",
    "distributed", "tornado", "fsspec", "coverage", "reportlab", "ruff", "openskill", "psutil", "tomlkit", "yaml",
    "greenlet", "charset_normalizer", "trove_classifiers", "include",
}  # fmt: skip
"""Folders that nothing in the guest opens, or only a few files of."""
UNREAD = (".opt-1.pyc", ".opt-2.pyc", ".h", ".pyi", ".pyx", ".pxd", "RECORD")
"""How the names of files end that nothing in the guest opens."""


def pack(root: Path, out: Path) -> None:
    """Write the small files of Python, of the environment and of the project under ``root`` into a tar file."""
    folders = [Path(sysconfig.get_path("stdlib")), Path(sysconfig.get_path("platlib")), root / "tabletop"]
    with tarfile.open(out, "w", format=tarfile.GNU_FORMAT) as archive:
        for folder in folders:
            # Resolved: a folder that is a link here must not become a folder of its own there.
            for path in _small_files(folder.resolve()):
                archive.add(path, recursive=False)


def _small_files(folder: Path) -> Iterator[Path]:
    for where, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name not in LEFT]
        for name in names:
            path = Path(where, name)
            if not name.endswith(UNREAD) and path.is_file() and path.stat().st_size <= LARGEST:
                yield path
