"""Damage to a journal is detected and cut off, and nothing of it is discarded."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

import pytest

from tabletop.match import store
from tabletop.match.errors import JournalError
from tabletop.match.event import EventKind, Fact, Source
from tabletop.match.journal import Journal
from tabletop.match.journal_file import read_events, write_events, write_match
from tabletop.match.match import Match, start_data
from tabletop.match.recovery import high_water
from tabletop.rules.palazzo import GAME
from tests.referee.support import NOW, random_facts


@pytest.mark.parametrize("column", ["kind", "data", "seat", "source", "time", "hash"])
def test_an_edited_row_cuts_the_tail_which_is_kept_aside(started: tuple[Journal, Match], column: str) -> None:
    journal, match = started
    journal.append(random_facts(match, 20, seed=3))
    journal.close()
    with sqlite3.connect(journal.path) as forger:
        forger.execute("DROP TRIGGER event_stays")
        value = {"seat": 7, "time": 1.5}.get(column, "forged")
        forger.execute(f"UPDATE event SET {column} = ? WHERE number = 11", [value])
    forger.close()
    reopened, match, damage = Journal.open(journal.path)
    reopened.close()
    assert match.last == 10
    assert "event 10" in damage
    aside = journal.path.with_name(journal.path.name + ".damaged-1")
    with sqlite3.connect(aside) as kept:
        assert kept.execute("SELECT count(*) FROM event").fetchone() == (21,)
    kept.close()


def test_a_removed_row_cuts_everything_after_it(started: tuple[Journal, Match]) -> None:
    journal, match = started
    journal.append(random_facts(match, 20, seed=3))
    journal.close()
    with sqlite3.connect(journal.path) as forger:
        forger.execute("DROP TRIGGER event_remains")
        forger.execute("DELETE FROM event WHERE number = 8")
    forger.close()
    reopened, match, damage = Journal.open(journal.path)
    reopened.close()
    assert match.last == 7
    assert damage


@pytest.mark.parametrize("keep", [0.7, 0.9])
def test_a_torn_file_gives_its_longest_valid_prefix(started: tuple[Journal, Match], keep: float) -> None:
    journal, match = started
    journal.append(random_facts(match, 120, seed=4))
    journal.close()
    whole = journal.path.read_bytes()
    journal.path.write_bytes(whole[: int(len(whole) * keep)])
    reopened, again, damage = Journal.open(journal.path)
    reopened.close()
    assert damage
    assert 1 <= again.last < 121


def test_a_file_torn_before_its_start_is_refused_and_left_as_it_is(started: tuple[Journal, Match]) -> None:
    journal, match = started
    journal.append(random_facts(match, 120, seed=4))
    journal.close()
    torn = journal.path.read_bytes()[:5000]
    journal.path.write_bytes(torn)
    with pytest.raises(JournalError, match="cannot be read"):
        Journal.open(journal.path)
    assert journal.path.read_bytes() == torn
    assert not list(journal.path.parent.glob("*.damaged*"))


def test_a_repair_that_was_cut_off_between_its_renamings_is_finished(started: tuple[Journal, Match]) -> None:
    journal, match = started
    journal.append(random_facts(match, 20, seed=3))
    journal.close()
    whole = read_events(journal.path)[1].position
    journal.path.rename(journal.path.with_name(journal.path.name + ".repaired"))
    reopened, again, damage = Journal.open(journal.path)
    reopened.close()
    assert (again.position, damage) == (whole, "")


def read_only(*_: object, **__: object) -> NoReturn:
    """Raise OSError as a read-only disk does."""
    raise OSError(errno.EROFS, os.strerror(errno.EROFS))


@pytest.mark.parametrize("cut_off", [True, False])
def test_a_repair_that_the_disk_refuses_is_reported_and_loses_nothing(
    started: tuple[Journal, Match], monkeypatch: pytest.MonkeyPatch, cut_off: bool
) -> None:
    """A repair refused by a read-only disk is reported in a sentence, and the damaged file is kept as it was."""
    journal, match = started
    journal.append(random_facts(match, 120, seed=4))
    journal.close()
    path = journal.path
    if cut_off:
        path = path.rename(path.with_name(path.name + ".repaired"))
    else:
        path.write_bytes(path.read_bytes()[: path.stat().st_size * 9 // 10])
    left = path.read_bytes()
    monkeypatch.setattr(Path, "rename", read_only)
    with pytest.raises(JournalError, match="could not be written: Read-only file system"):
        Journal.open(journal.path)
    assert path.read_bytes() == left


def test_a_repair_that_was_cut_off_leaves_the_new_file_no_log_of_the_damaged_one(
    started: tuple[Journal, Match],
) -> None:
    journal, match = started
    journal.append(random_facts(match, 20, seed=3))
    log = journal.path.with_name(journal.path.name + "-wal")
    stale = log.read_bytes()
    journal.close()
    write_events(journal.path.with_name(journal.path.name + ".repaired"), read_events(journal.path)[0][:5])
    journal.path.rename(journal.path.with_name(journal.path.name + ".damaged-1"))
    log.write_bytes(stale)
    reopened, again, damage = Journal.open(journal.path)
    reopened.close()
    assert (again.last, damage) == (5, "")
    assert journal.path.with_name(journal.path.name + ".damaged-1-wal").read_bytes() == stale


def test_a_new_match_is_written_in_the_format_in_which_it_is_opened(tmp_path: Path) -> None:
    """A new match is written in write-ahead format: SQLite would convert it when opened, and a kill could hit that."""
    path = tmp_path / "2026-01-01-120000-palazzo.tabletop"
    write_match(path, [Fact(EventKind.START, start_data(GAME.new(["Ann", "Bob"], {}), {}), None, Source.TABLE, NOW)])
    assert [entry.name for entry in tmp_path.iterdir()] == [path.name]
    assert path.read_bytes()[18:20] == b"\2\2", "not the format of a database with a write-ahead log"


def test_a_change_that_a_kill_interrupted_without_a_log_is_rolled_back(
    started: tuple[Journal, Match], tmp_path: Path
) -> None:
    """A hot rollback journal, left by a kill when an older version's match was first opened, is rolled back."""
    journal, match = started
    events = [*match.events, *journal.append(random_facts(match, 20, seed=4))]
    journal.close()
    with contextlib.closing(sqlite3.connect(journal.path, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
        connection.execute("PRAGMA cache_size = 2")
        connection.execute("BEGIN")
        for number in range(100):  # more than the cache holds: SQLite begins to write before it commits
            row = (len(events) + 1 + number, "act", "x" * 900, None, "page", NOW, "none")
            connection.execute("INSERT INTO event VALUES (?, ?, ?, ?, ?, ?, ?)", row)
        left = tmp_path / "left" / journal.path.name
        left.parent.mkdir()
        for suffix in ("", "-journal", high_water.SUFFIX):
            shutil.copy(f"{journal.path}{suffix}", f"{left}{suffix}")
        connection.execute("ROLLBACK")
    assert left.read_bytes() != journal.path.read_bytes(), "nothing was written before the commit: the test is void"
    assert read_events(left)[0] == events
    reopened, again, damage = Journal.open(left)
    reopened.close()
    assert (list(again.events), damage) == (events, "")


def test_a_disk_error_is_not_reported_as_damage(
    started: tuple[Journal, Match], monkeypatch: pytest.MonkeyPatch
) -> None:
    journal, match = started
    journal.append(random_facts(match, 20, seed=3))
    journal.close()

    def locked(connection: sqlite3.Connection) -> Iterator[tuple[float | str | None, ...]]:
        yield connection.execute("SELECT number, kind, data, seat, source, time, hash FROM event").fetchone()
        raise sqlite3.OperationalError("database is locked")

    with monkeypatch.context() as busy:
        busy.setattr("tabletop.match.journal_file._rows", locked)
        with pytest.raises(JournalError, match="locked"):
            Journal.open(journal.path)
    assert read_events(journal.path)[1].last == 21
    assert not list(journal.path.parent.glob("*.damaged*"))


def test_a_log_that_the_disk_does_not_read_is_not_called_damage(
    started: tuple[Journal, Match], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A log that the disk fails to read is an error in a sentence, for this match alone, and not called damage."""
    journal, match = started
    journal.append(random_facts(match, 5, seed=3))
    journal.close()
    log = journal.path.with_name(f"{journal.path.name}-wal")
    log.touch()
    journal.path.with_name(f"{journal.path.name}{high_water.SUFFIX}").unlink()
    read = Path.read_bytes

    def gone(path: Path) -> bytes:
        if path == log:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        return read(path)

    with monkeypatch.context() as disk:
        disk.setattr(Path, "read_bytes", gone)
        with pytest.raises(JournalError, match="cannot be read: Input/output error"):
            read_events(journal.path)
    assert read_events(journal.path)[1].last == 6


@pytest.mark.parametrize("left", [f"{store.SUFFIX}.new", f"{store.SUFFIX}.repaired"])
def test_leftovers_of_a_kill_on_a_read_only_disk_end_in_no_traceback(
    started: tuple[Journal, Match], monkeypatch: pytest.MonkeyPatch, left: str
) -> None:
    """On a read-only disk, an unfinished new journal is ignored and an unfinished repair is reported in a sentence."""
    folder = started[0].path.parent
    (folder / f"another{left}").touch()
    monkeypatch.setattr(Path, "unlink", read_only)
    monkeypatch.setattr(Path, "rename", read_only)
    if left.endswith(".new"):
        store.clean_up(folder)
    else:
        with pytest.raises(JournalError, match="could not be written: Read-only file system"):
            store.clean_up(folder)


def test_a_file_that_is_not_a_journal_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "letter.tabletop"
    path.write_text("Dear aunt, " * 200)
    with pytest.raises(JournalError, match="cannot be read"):
        Journal.open(path)
    assert path.read_text().startswith("Dear aunt")
