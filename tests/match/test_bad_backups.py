"""A damaged or forged backup restores what is sound in it, and nothing that nobody saved."""

from __future__ import annotations

import gzip
import io
import json
import random
import tracemalloc
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from tabletop.match import backup
from tabletop.match.archive import Archive
from tabletop.match.chain import chain_events, row_of
from tabletop.match.event import EventKind, Fact, Source
from tabletop.match.journal import Journal
from tabletop.match.journal_file import read_events
from tabletop.rules.game import Json
from tests.match.archives import contents, files, packed, played, saved
from tests.referee.support import NOW


def lines(archive: Archive) -> list[Any]:
    return [json.loads(line) for line in gzip.decompress(saved(archive)).splitlines()]


def changed(archive: Archive, change: Callable[[list[Any]], object]) -> bytes:
    values = lines(archive)
    change(values)
    return packed(values)


HEAD = {"tabletop": "backup", "schema": 1}
BAD: dict[str, Callable[[Archive], bytes]] = {
    "nothing": lambda archive: b"",
    "a zip archive": lambda archive: b"PK\x03\x04" + bytes(200),
    "noise": lambda archive: random.Random(5).randbytes(4000),
    "gzip of noise": lambda archive: gzip.compress(random.Random(5).randbytes(4000)),
    "gzip of something else": lambda archive: packed([{"hello": 1}]),
    "another schema": lambda archive: packed([{"tabletop": "backup", "schema": 2}, {"end": 0}]),
    "a match without events": lambda archive: packed([HEAD, {"match": "x"}, {"end": 1}]),
    "a match cut in the middle": lambda archive: packed(lines(archive)[:20]),
    "a name that is a path": lambda archive: packed([HEAD, {"match": "../../evil"}, *lines(archive)[-32:]]),
    "nested too deeply": lambda archive: gzip.compress(b'{"tabletop": "backup", "schema": 1}\n' + b"[" * 100_000),
    "a line without end": lambda archive: gzip.compress(b" " * (backup.MAX_LINE_BYTES + 9)),
}


@pytest.mark.parametrize("kind", BAD)
def test_a_backup_without_a_sound_match_is_refused_and_changes_nothing(
    archive: Archive, empty: Archive, kind: str
) -> None:
    file = BAD[kind](archive)
    played(empty.folder, NOW + 99_000)
    before = files(empty)
    with pytest.raises(backup.BadBackup) as refusal:
        backup.restore(empty, io.BytesIO(file))
    assert str(refusal.value).endswith(".") or ":" in str(refusal.value)
    assert files(empty) == before


def edited(change: Callable[[list[Any]], object]) -> Callable[[Archive], bytes]:
    return lambda archive: changed(archive, change)


DAMAGED: dict[str, tuple[Callable[[Archive], bytes], int, str]] = {
    "cut in the middle": (lambda archive: saved(archive)[:-2000], 1, "cut short"),
    "without its last bytes": (lambda archive: saved(archive)[:-4], 3, "cut short"),
    "without its last line": (lambda archive: packed(lines(archive)[:-1]), 2, "cut short"),
    "something after the end": (lambda archive: packed([*lines(archive), [1]]), 3, "been added"),
    "an event changed": (edited(lambda rows: rows[9].__setitem__(5, 1.0)), 2, "event 7"),
    "an odd time": (edited(lambda rows: rows[9].__setitem__(5, -1.0)), 2, "has no time"),
    "an event left out": (edited(lambda rows: rows.pop(9)), 2, "401 of its 402"),
    "two events exchanged": (edited(lambda rows: rows.insert(9, rows.pop(10))), 2, "event 7"),
    "a match without a start": (edited(lambda rows: rows.pop(2)), 2, "401 of its 402"),
    "a match with a gap": (edited(lambda rows: rows.__delitem__(slice(40, 42))), 2, "400 of its 402"),
    "a match without its end": (edited(lambda rows: rows.insert(40, {"match": "x"})), 2, "38 of its"),
    "a name that is a path": (edited(lambda rows: rows[1].update(match="../../evil")), 2, "name"),
    "a row that is too short": (edited(lambda rows: rows[9].pop()), 2, "wrong form"),
    "a number that is none": (edited(lambda rows: rows[2].__setitem__(0, True)), 2, "no event"),
    "data that is a list": (edited(lambda rows: rows[9].__setitem__(2, [])), 2, "wrong form"),
    "a line that is not JSON": (lambda archive: gzip.compress(with_a_broken_line(archive)), 2, "wrong form"),
}
"""How a backup is damaged, how many of the three matches are restored, and the words said about the others."""


def with_a_broken_line(archive: Archive) -> bytes:
    rows = gzip.decompress(saved(archive)).splitlines(keepends=True)
    rows[9] = b"{" + rows[9]
    return b"".join(rows)


@pytest.mark.parametrize("kind", DAMAGED)
def test_the_sound_matches_of_a_damaged_backup_are_restored(archive: Archive, empty: Archive, kind: str) -> None:
    """A damaged match does not lose the others; every match restored has exactly the events that were saved."""
    make, whole, why = DAMAGED[kind]
    done = backup.restore(empty, io.BytesIO(make(archive)))
    saved_ones = list(contents(archive).values())
    assert len(done.added) == len(empty.names()) == whole
    assert all(events in saved_ones for events in contents(empty).values())
    assert done.faults
    assert why in str(done.faults[0])
    assert not list(empty.folder.glob(f"{backup.STAGING_PREFIX}*"))


@pytest.mark.parametrize(
    "data",
    [{}, {"schema": 1}, {"schema": 1, "game": "chess", "seats": [], "options": {}},
     {"schema": 1, "game": "palazzo", "seats": 5, "options": {}}, {"schema": 1, "game": 7, "seats": [], "options": 1},
     {"schema": 1, "game": "palazzo", "seats": ["a", "b"], "options": {"min_price": []}, "edition": 4}],
)  # fmt: skip
def test_a_start_that_nobody_could_have_made_is_refused_although_its_hash_holds(
    empty: Archive, data: Mapping[str, Json]
) -> None:
    try:
        (event,) = chain_events([Fact(EventKind.START, data, None, Source.TABLE, NOW)], None)
    except (ValueError, TypeError):
        pytest.fail("every start can be chained")
    number, kind, _, *rest = row_of(event)
    file = packed([{"tabletop": "backup", "schema": 1}, {"match": "x"}, [number, kind, data, *rest], {"end": 1}])
    with pytest.raises(backup.BadBackup):
        backup.restore(empty, io.BytesIO(file))
    assert not list(empty.folder.iterdir())


def damaged(rows: list[bytes], rng: random.Random) -> bytes:
    """Return a backup with bytes flipped and lines lost, doubled and exchanged."""
    rows = [*rows]
    for _ in range(rng.randint(1, 3)):
        at, other = rng.randrange(len(rows)), rng.randrange(len(rows))
        match rng.randrange(4):
            case 0:
                row = bytearray(rows[at])
                row[rng.randrange(len(row))] ^= 1 << rng.randrange(8)
                rows[at] = bytes(row)
            case 1:
                rows.pop(at)
            case 2:
                rows.insert(other, rows[at])
            case 3:
                rows[at], rows[other] = rows[other], rows[at]
    return gzip.compress(b"".join(rows), 1)


def test_a_damaged_backup_restores_nothing_that_was_not_saved(archive: Archive, empty: Archive) -> None:
    rows = gzip.decompress(saved(archive)).splitlines(keepends=True)
    known, rng, told = list(contents(archive).values()), random.Random(8), 0
    for _ in range(60):
        try:
            told += bool(backup.restore(empty, io.BytesIO(damaged(rows, rng))).faults)
        except backup.BadBackup:
            told += 1
            assert empty.names() == []
        assert all(events in known for events in contents(empty).values())
        for name in empty.names():
            empty.delete(name)
    assert told > 40


def bomb() -> bytes:
    """Return a gzip file of a few megabytes that unpacks to more than any backup may."""
    out = io.BytesIO()
    with gzip.GzipFile("", "wb", fileobj=out) as file:
        file.write(b'{"tabletop": "backup", "schema": 1}\n{"match": "x"}\n')
        row = b"[" + b" " * (backup.MAX_LINE_BYTES - 10) + b"1]\n"
        for _ in range(400):
            file.write(row)
    return out.getvalue()


def test_a_compression_bomb_is_refused_before_it_takes_memory(empty: Archive, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backup, "MAX_UNPACKED_BYTES", 8 * 1024 * 1024)
    file = bomb()
    tracemalloc.start()
    try:
        with pytest.raises(backup.BadBackup, match="larger"):
            backup.restore(empty, io.BytesIO(file))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 16 * 1024 * 1024


@pytest.mark.parametrize(
    ("kind", "data", "source"),
    [
        (EventKind.NAMES, {"names": ["Zo\ud800", "Ben", "Cleo"]}, "table"),
        (EventKind.NAMES, {"names": ["Zo\x1b[2J", "Ben", "Cleo"]}, "table"),
        (EventKind.NOTE, {"what": "backup", "\ud800": 1}, "table"),
        (EventKind.NOTE, {"what": "backup"}, "\ud800"),
    ],
)
def test_a_forged_backup_with_text_that_cannot_be_shown_is_refused(
    archive: Archive, empty: Archive, kind: EventKind, data: Mapping[str, Json], source: str
) -> None:
    """A backup whose hashes are right but whose text cannot be shown is refused, naming the character and the event."""
    name = archive.names()[0]
    journal, _, _ = Journal.open(archive.path(name))
    journal.append([Fact(EventKind.NOTE, {"what": "backup"}, None, Source.TABLE, NOW)])
    journal.close()
    events = read_events(archive.path(name))[0]
    forged = [*events[:-1], *chain_events([Fact(kind, data, None, source, NOW)], events[-2])]  # type: ignore[arg-type]
    rows = [[*row_of(event)[:2], event.data, *row_of(event)[3:]] for event in forged]
    file = packed([{"tabletop": "backup", "schema": 1}, {"match": "x"}, *rows, {"end": 1}])
    with pytest.raises(backup.BadBackup, match=rf"event {len(rows)} holds U\+(D800|001B)"):
        backup.restore(empty, io.BytesIO(file))
    assert not list(empty.folder.iterdir())
