"""The files that the guest reads often, packed so that they are loaded into its memory.

Every file that it opens on this machine takes about ten requests, a millisecond each in emulation; a program of
seven hundred modules starts in a fifth of the time if they are in memory.
"""

from __future__ import annotations

import os
import sysconfig
import tarfile
from collections.abc import Iterator
from pathlib import Path

LARGEST = 200_000
"""Largest packed file, bytes; larger ones are left where they are, because they are read in few large pieces."""
LEFT = {
    "site-packages", "dist-packages", "test", "tests", "idlelib", "tkinter", "lib2to3", "ensurepip", "distutils",
    "playwright", "mypy", "mypyc", "pip", "setuptools", "hypothesis", "locale-data", "pygments", "rich", "markdown_it",
    "hatchling", "importlinter", "grimp", "pathspec", "xdist", "execnet", "turtledemo", "zoneinfo", "pyarrow", "dask",
    "distributed", "tornado", "fsspec", "coverage", "reportlab", "ruff", "openskill", "psutil", "tomlkit", "yaml",
    "greenlet", "charset_normalizer", "trove_classifiers", "include",
}  # fmt: skip
"""Folders of which the guest opens few files or none."""
UNREAD = (".opt-1.pyc", ".opt-2.pyc", ".h", ".pyi", ".pyx", ".pxd", "RECORD")
"""Endings of the names of files that the guest never opens."""


def pack(root: Path, out: Path) -> None:
    """Write the small files of Python, of its packages and of the project under ``root`` into a tar file."""
    folders = [Path(sysconfig.get_path("stdlib")), Path(sysconfig.get_path("platlib")), root / "tabletop"]
    with tarfile.open(out, "w", format=tarfile.GNU_FORMAT) as archive:
        for folder in folders:
            # Resolved: a folder that is a link here must not become a real folder there.
            for path in _small_files(folder.resolve()):
                archive.add(path, recursive=False)


def _small_files(folder: Path) -> Iterator[Path]:
    for where, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name not in LEFT]
        for name in names:
            path = Path(where, name)
            if not name.endswith(UNREAD) and path.is_file() and path.stat().st_size <= LARGEST:
                yield path
