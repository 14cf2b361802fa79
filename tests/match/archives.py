"""Folders of matches that are saved to a backup and restored from it."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

from tabletop.match import backup, store
from tabletop.match.archive import Archive
from tabletop.match.event import Event, EventKind, Fact, Source
from tabletop.match.journal_file import read_events
from tabletop.rules.palazzo import GAME
from tests.referee.support import random_facts

NAMES = ["Anna", "Ben", "Cleo"]


def played(folder: Path, now: float, count: int = 30, *, end: bool = False) -> str:
    """Store a match of ``count`` actions and return its name."""
    journal, match = store.start(folder, GAME, NAMES, now)
    journal.append(random_facts(match, count, seed=int(now)))
    if end:
        journal.append([Fact(EventKind.END, {}, None, Source.HOST, now + 1000.0)])
    journal.close()
    return journal.path.name.removesuffix(store.SUFFIX)


def saved(archive: Archive) -> bytes:
    return b"".join(backup.save(archive, archive.names()))


def contents(archive: Archive) -> dict[str, list[Event]]:
    """Return every event of every match, by the match's name."""
    return {name: read_events(archive.path(name))[0] for name in archive.names()}


def packed(values: list[Any]) -> bytes:
    return gzip.compress(b"\n".join(json.dumps(value).encode() for value in values) + b"\n")


def files(archive: Archive) -> dict[str, bytes]:
    """Return the files of all journals, without the companion files that SQLite makes when it reads."""
    return {path.name: path.read_bytes() for path in archive.folder.iterdir() if path.suffix == store.SUFFIX}
