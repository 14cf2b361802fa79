"""Saves all matches as one file and restores them: gzip, one JSON value per line.

::

    {"tabletop": "backup", "schema": 1}
    {"match": "2026-11-21-191816-lantern", "events": 12}          (older backups do not say how many)
    [1, "start", {…}, null, "table", 1795288696.0, "5f0e…"]      one row per line, as in the journal
    …
    {"end": 12}                                                   how many matches there were

Each match is checked before it is restored, by its hashes and by the rules of its game.  One that is not valid is named
and left out, and the others are restored.  Nothing in the store is lost: a match that is there already stays as it is,
and a file without a valid match changes nothing.
"""

from __future__ import annotations

import contextlib
import gzip
import json
import re
import shutil
import tempfile
import threading
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import IO, Any, NamedTuple, TypeAlias

from tabletop.files import json_text
from tabletop.files.atomic import sync_folder
from tabletop.match.archive import Archive
from tabletop.match.chain import check_events, row_of
from tabletop.match.errors import JournalError, MatchError, UnreadableMatch, raised_as
from tabletop.match.event import Event
from tabletop.match.journal_file import read_events, write_events
from tabletop.match.recovery import repair
from tabletop.match.store import ADDING, SUFFIX, free_name, set_aside, unfinished
from tabletop.messages import EMPTY, Message, said_by

Hashes: TypeAlias = list[str]
"""The hash of each event of a match: the first is the match's id, the last stands for the whole match."""
SCHEMA = 1
GZIP_WBITS = 31
"""zlib's value for a gzip file with the largest window."""
MAX_LINE_BYTES = 256 * 1024
"""The longest line that is read; a line is an event, and the longest has some thousand bytes."""
MAX_UNPACKED_BYTES = 512 * 1024 * 1024
"""The most that is unpacked of a backup; a match has about a hundred thousand bytes."""
MAX_EVENTS = 200_000
"""The most events of one match; a long one has some hundreds, and seats cannot make more in a day."""
NAME_PATTERN = re.compile(r"[0-9A-Za-z_-]{1,80}")
STAGING_PREFIX = ".restoring-"
"""The beginning of the name of the folder in which restored matches wait until all are checked."""
ONE_AT_A_TIME = threading.Lock()
"""A second restoration waits: it has to know what the first one adds.  No other process writes to the same store."""


class BadBackup(MatchError, ValueError):
    """A file is not a backup, or is damaged; nothing was changed."""


@dataclass(slots=True)
class Restored:
    """The outcome of a restoration for the matches of a backup, by name.

    ``added`` were not in the store, or only a beginning of them; ``known`` were, and stay as they are; ``running`` is
    the match that is being played, which no backup touches; ``refused`` says which were not valid, and why; ``cut``
    says why the rest of the file could not be read (empty: it could).
    """

    added: list[str] = field(default_factory=list)
    known: list[str] = field(default_factory=list)
    running: list[str] = field(default_factory=list)
    refused: list[Message] = field(default_factory=list)
    cut: Message = EMPTY

    @property
    def faults(self) -> list[Message]:
        """Sentences on what could not be restored, and why."""
        return [*self.refused, self.cut] if self.cut else self.refused


def save(archive: Archive, names: Sequence[str], without: str = "") -> Iterator[bytes]:
    """Iterate over the pieces of a backup of the matches of these names, the newest first.

    Matches that cannot be read are left out, and so is the one whose id is ``without``.  No more than one match is in
    memory, and nothing is written to a disk: the one that the games are to be saved from may be full or refuse writes.
    """
    # Without a file name and a time in the gzip header, the same matches always make the same bytes.
    packer = zlib.compressobj(wbits=GZIP_WBITS)
    for value in _values(archive, names, without):
        if piece := packer.compress(json.dumps(value, separators=(",", ":"), ensure_ascii=True).encode() + b"\n"):
            yield piece
    yield packer.flush()


def _values(archive: Archive, names: Sequence[str], without: str) -> Iterator[dict[str, Any] | list[Any]]:
    """Iterate over the lines of a backup."""
    count = 0
    yield {"tabletop": "backup", "schema": SCHEMA}
    for name in reversed(names):
        try:
            events, _ = read_events(archive.path(name))
        except (KeyError, JournalError):
            continue  # an unreadable file is kept where it is; `doctor` names it
        if events[0].hash == without:
            continue
        yield {"match": name, "events": len(events)}
        for event in events:
            number, kind, _, *rest = row_of(event)
            yield [number, kind, event.data, *rest]
        count += 1
    yield {"end": count}


def restore(archive: Archive, file: IO[bytes], running: str = "") -> Restored:
    """Put the matches of a backup into the store; ``running`` is the id of the match that is being played.

    Raises BadBackup, having changed nothing, if no match in it is valid; JournalError if the disk refuses.
    """
    trouble = partial(_store_trouble, archive.folder)
    with ONE_AT_A_TIME, raised_as(trouble), _staging(archive.folder) as folder:
        stage = _Restoration(folder, _known(archive), running)
        done = stage.done
        try:
            for begun, rows in _matches(file):
                try:
                    stage.take(str(begun["match"]), _checked(str(begun["match"]), begun.get("events"), rows))
                except BadBackup as refusal:
                    done.refused.append(said_by(refusal))
        except BadBackup as error:
            done.cut = said_by(error)
        if done.faults and not (done.added or done.known or done.running):
            raise BadBackup(done.faults[0])
        _place(archive, stage.staged)
    return done


class _Restoration:
    """Collects checked matches; ``known`` is what the store has, ``running`` the id of the match being played."""

    def __init__(self, folder: Path, known: Mapping[str, Mapping[str, Hashes]], running: str) -> None:
        self._folder, self._known, self._running = folder, known, running
        self.staged: list[Staged] = []
        self.done = Restored()

    def take(self, name: str, events: Sequence[Event]) -> None:
        """Add a match, unless it is already here or being played."""
        hashes = [event.hash for event in events]
        there = self._known.get(hashes[0], {})
        twice = any(_begins(hashes, other.hashes) for other in self.staged)
        if hashes[0] == self._running:
            self.done.running.append(name)
        elif twice or any(_begins(hashes, other) for other in there.values()):
            self.done.known.append(name)
        else:
            shorter = next((old for old, other in there.items() if _begins(other, hashes)), None)
            path = self._folder / f"{len(self.staged)}{SUFFIX}"
            write_events(path, events)
            self.staged.append(Staged(path, name, hashes, shorter))
            self.done.added.append(name)


@contextlib.contextmanager
def _staging(store: Path) -> Iterator[Path]:
    """Provide a folder in the store in which matches wait; delete one left by a restoration that a power cut ended."""
    for left in store.glob(f"{STAGING_PREFIX}*"):
        shutil.rmtree(left, ignore_errors=True)
    with tempfile.TemporaryDirectory(prefix=STAGING_PREFIX, dir=store) as folder:
        yield Path(folder)


def _store_trouble(folder: Path, error: OSError) -> JournalError:
    """Return the error to raise if the disk refuses to store the matches."""
    fix = Message("Free some space or check the disk.")
    return JournalError(str(folder), "The games cannot be saved there: {error}.", fix, error=error.strerror)


class Staged(NamedTuple):
    """A checked match that waits to be put into the store; it replaces ``shorter``, a beginning of it, if any."""

    path: Path
    name: str
    hashes: Hashes
    shorter: str | None


def _place(archive: Archive, staged: Iterable[Staged]) -> None:
    """Put checked matches into the store, and delete shorter beginnings of them.

    The match that would have been resumed still is: no restored match takes precedence over it, whatever its name.
    """
    resumed = None
    with contextlib.suppress(UnreadableMatch):
        resumed = unfinished(archive.folder)
    for match in staged:
        with ADDING:
            place = free_name(archive.folder, match.name)
            if resumed is not None and place.name > resumed.name and match.shorter != resumed.name.removesuffix(SUFFIX):
                set_aside(match.path, place)
            repair.clear_beside(place)
            match.path.rename(place)
        # If the host has just deleted the shorter one, the match itself may have its name now.
        if match.shorter not in (None, place.name.removesuffix(SUFFIX)):
            with contextlib.suppress(KeyError):
                archive.delete(match.shorter)
    sync_folder(archive.folder)


def _known(archive: Archive) -> dict[str, dict[str, Hashes]]:
    """Return id of a match → name → hashes, for every match in the store."""
    known: dict[str, dict[str, Hashes]] = {}
    for name in archive.names():
        with contextlib.suppress(KeyError, JournalError):
            hashes = [event.hash for event in read_events(archive.path(name))[0]]
            known.setdefault(hashes[0], {})[name] = hashes
    return known


def _begins(short: Hashes, long: Hashes) -> bool:
    """Return whether one match is a beginning of the other, or all of it: a hash covers everything before it."""
    return len(short) <= len(long) and short[-1] == long[len(short) - 1]


def _matches(file: IO[bytes]) -> Iterator[tuple[dict[str, Any], list[Any]]]:
    """Iterate over the matches of a backup: the line that begins each, and its rows.

    Raises BadBackup for faults of the file as a whole.
    """
    lines = _lines(file)
    head = next(lines, None)
    if not isinstance(head, dict) or head.get("tabletop") != "backup":
        raise BadBackup(Message("This is not a table backup."))
    if head.get("schema") != SCHEMA:
        raise BadBackup(
            Message(
                "The backup has schema {found}; this program reads {known}.",
                found=str(head.get("schema"))[:20],
                known=SCHEMA,
            )
        )
    count, line = 0, next(lines, None)
    while isinstance(line, dict) and "match" in line:
        begun = line
        rows: list[Any] = []
        for line in lines:
            if isinstance(line, dict) and ("match" in line or "end" in line):
                break
            if len(rows) <= MAX_EVENTS:
                rows.append(line)
        else:
            line = None
        if line is not None:  # otherwise this match may be cut short
            yield begun, rows
        count += 1
    if line != {"end": count} or next(lines, None) is not None:
        raise BadBackup(Message("The backup is cut short, or something has been added to it."))


def _checked(name: str, count: Any, rows: list[Any]) -> list[Event]:
    """Return the events of one match from its rows.  Raises BadBackup if they are not valid.

    ``count`` is how many there should be, None in a backup that an older version made.
    """
    if not NAME_PATTERN.fullmatch(name):
        raise BadBackup(Message("A game in the backup has a name that no game can have."))
    if len(rows) > MAX_EVENTS:
        raise BadBackup(Message("The game {name} has more than {most} events.", name=name, most=f"{MAX_EVENTS:,}"))
    try:
        if not all(isinstance(row, list) and len(row) == 7 and isinstance(row[2], dict) for row in rows):
            raise ValueError("an event has the wrong form")
        if count is not None and count != len(rows):
            raise ValueError(f"{len(rows)} of its {count!r} events are there")
        return check_events([number, kind, json.dumps(data), *rest] for number, kind, data, *rest in rows)[0]
    except Exception as error:
        # A stranger's data can make the rules fail in any way; however it does, this is not a match of ours.
        raise BadBackup(
            Message("The game {name} in the backup is damaged ({error}).", name=name, error=str(error)[:200])
        ) from error


def _lines(file: IO[bytes]) -> Iterator[Any]:
    """Iterate over the JSON values of the lines, None for one that is not JSON.  Raises BadBackup.

    Lines are unpacked only as they are consumed.
    """
    left = MAX_UNPACKED_BYTES
    try:
        with gzip.GzipFile(fileobj=file, mode="rb") as packed:
            while line := packed.readline(MAX_LINE_BYTES + 1):
                left -= len(line)
                if len(line) > MAX_LINE_BYTES or left < 0:
                    raise BadBackup(Message("The backup is larger than any table backup can be."))
                yield _value_of(line)
    except (OSError, EOFError, zlib.error) as error:
        raise BadBackup(Message("This is not a table backup, or it is cut short.")) from error


def _value_of(line: bytes) -> Any:
    try:
        return json_text.parse(line)
    except ValueError:
        return None  # this spoils the match that the line belongs to, and no other
