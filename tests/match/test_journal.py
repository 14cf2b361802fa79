"""The journal keeps every acknowledged event, detects every change, and discards nothing."""

from __future__ import annotations

import contextlib
import errno
import os
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

import pytest

from doubles.open_files import open_files
from tabletop.match import journal as journal_module
from tabletop.match import store
from tabletop.match.chain import chain_events
from tabletop.match.errors import BadEvent, JournalError, UnreadableMatch
from tabletop.match.event import Event, EventKind, Fact, Source
from tabletop.match.journal import Journal, read_events, write_events, write_match
from tabletop.match.match import Match, start_data
from tabletop.match.recovery import high_water
from tabletop.rules.palazzo import GAME
from tests.referee.support import NOW, random_facts


def test_a_reopened_journal_gives_the_same_match(started: tuple[Journal, Match]) -> None:
    journal, match = started
    for event in journal.append(random_facts(match, 60, seed=1)):
        match = match.with_event(event)
    journal.close()
    reopened, again, damage = Journal.open(journal.path)
    reopened.close()
    assert (again.position, again.events, damage) == (match.position, match.events, "")


def test_an_undo_is_an_event_and_the_position_before_counts_again(started: tuple[Journal, Match]) -> None:
    journal, match = started
    events = journal.append(random_facts(match, 12, seed=2))
    for event in events:
        match = match.with_event(event)
    back = match.at(events[5].number)
    [undo] = journal.append([Fact(EventKind.UNDO, {"to": events[5].number}, None, Source.BUTTON, NOW)])
    match = match.with_event(undo)
    journal.close()
    assert match.position == back
    assert match.last == undo.number
    assert read_events(journal.path)[1].position == back


def test_an_undo_to_an_event_that_was_taken_back_is_refused(started: tuple[Journal, Match]) -> None:
    journal, match = started
    events = journal.append(random_facts(match, 6, seed=2))
    for event in [*events, *journal.append([Fact(EventKind.UNDO, {"to": events[1].number}, None, Source.BUTTON, NOW)])]:
        match = match.with_event(event)
    [again] = journal.append([Fact(EventKind.UNDO, {"to": events[4].number}, None, Source.BUTTON, NOW)])
    journal.close()
    with pytest.raises(BadEvent, match="no event"):
        match.with_event(again)


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


@pytest.mark.parametrize("statement", ["UPDATE event SET source = 'x'", "DELETE FROM event"])
def test_events_are_never_changed_or_deleted(started: tuple[Journal, Match], statement: str) -> None:
    journal, _ = started
    journal.close()
    with sqlite3.connect(journal.path) as forger, pytest.raises(sqlite3.IntegrityError, match="never"):
        forger.execute(statement)
    forger.close()


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


def test_a_second_program_cannot_open_a_running_match(started: tuple[Journal, Match]) -> None:
    journal, _ = started
    with pytest.raises(JournalError, match="Another program"):
        Journal.open(journal.path)
    journal.close()
    Journal.open(journal.path)[0].close()


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
        busy.setattr("tabletop.match.journal._rows", locked)
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


def test_a_full_disk_acknowledges_nothing(started: tuple[Journal, Match]) -> None:
    journal, match = started
    journal._connection.execute("PRAGMA max_page_count = 1")
    with pytest.raises(JournalError, match="full"):
        journal.append(random_facts(match, 200, seed=5))
    journal.close()
    assert read_events(journal.path)[1].last == 1


WRITER = """
import sys
from pathlib import Path
from tests.referee.support import random_facts
from tabletop.match.journal import Journal
journal, match, damage = Journal.open(Path(sys.argv[1]))
for fact in random_facts(match, 400, seed=int(sys.argv[2])):
    [event] = journal.append([fact])
    print(event.number, event.hash, flush=True)
"""


def test_kill_minus_nine_at_any_moment_loses_no_acknowledged_event(
    started: tuple[Journal, Match], tmp_path: Path
) -> None:
    """A writer that is killed at various moments, again and again on one match, loses no acknowledged event."""
    journal, _ = started
    journal.close()
    for round_, patience in enumerate([1, 2, 3, 5, 8, 13, 21, 34]):
        writer = subprocess.Popen(
            [sys.executable, "-c", WRITER, str(journal.path), str(round_)],
            stdout=subprocess.PIPE,
            text=True,
            cwd=Path(__file__).parents[2],
        )
        assert writer.stdout is not None
        acknowledged = [line.split() for _, line in zip(range(patience), writer.stdout, strict=False)]
        os.kill(writer.pid, signal.SIGKILL)
        acknowledged += [line.split() for line in writer.stdout.read().splitlines()]
        writer.wait()
        writer.stdout.close()
        events, match = read_events(journal.path)
        kept = {str(event.number): event.hash for event in events}
        assert all(kept.get(entry[0]) == entry[1] for entry in acknowledged if len(entry) == 2)
        reopened, again, damage = Journal.open(journal.path)
        reopened.close()
        assert (again.position, damage) == (match.position, "")


@pytest.mark.parametrize("later", [-86_400.0, 0.0, 0.5])
def test_the_newest_match_is_resumed_whatever_the_clock_says(tmp_path: Path, later: float) -> None:
    """The newest match is resumed even if the clock went back: after a power cut a Pi may believe it is yesterday."""
    (tmp_path / "letter.tabletop").write_text("no journal")
    for number in range(12):
        journal, _ = store.start(tmp_path, GAME, [f"A{number}", "B"], NOW + number * later)
        journal.close()
    newest = store.unfinished(tmp_path)
    assert newest is not None
    events, match = read_events(newest)
    assert (match.names[0], events[0].time) == ("A11", NOW + 11 * later)


def test_the_newest_unfinished_match_is_taken_up_again(tmp_path: Path) -> None:
    first, _ = store.start(tmp_path, GAME, ["A", "B"], NOW)
    second, _ = store.start(tmp_path, GAME, ["C", "D"], NOW + 60)
    second.append([Fact(EventKind.END, {}, None, Source.PAGE, NOW + 61)])
    for journal in (first, second):
        journal.close()
    assert store.unfinished(tmp_path) == first.path


def test_an_unreadable_newest_match_is_skipped_only_if_somebody_agrees(tmp_path: Path) -> None:
    """An unreadable newest match is skipped only once somebody agrees, and then until its file changes."""
    older, newer = (store.start(tmp_path, GAME, [name, "B"], NOW)[0] for name in ("A", "C"))
    for journal in (older, newer):
        journal.close()
    whole = newer.path.read_bytes()
    newer.path.write_bytes(whole[:100])
    for _ in range(2):
        with pytest.raises(
            UnreadableMatch, match=r"The game that was played last \(.*tabletop\) cannot be opened\. .*cannot be read"
        ):
            store.unfinished(tmp_path)
    assert store.pass_over(tmp_path) == (older.path, (newer.path.name,))
    assert store.unfinished(tmp_path) == older.path
    assert newer.path.read_bytes() == whole[:100]
    newer.path.write_bytes(whole)
    assert store.unfinished(tmp_path) == newer.path


def test_a_file_name_that_is_not_utf_8_is_shown_in_a_printable_form(tmp_path: Path) -> None:
    """An unreadable match whose file name is not UTF-8 is named in a text that any page can show."""
    (tmp_path / os.fsdecode(b"2026-01-31-200000-K\xfcche.tabletop")).write_bytes(b"not a journal")
    with pytest.raises(UnreadableMatch) as raised:
        store.unfinished(tmp_path)
    assert "2026-01-31-200000-K?che.tabletop" in str(raised.value).encode().decode()


def test_a_full_disk_makes_no_match_unreadable(tmp_path: Path) -> None:
    """On a disk without room for SQLite to read the log, the disk is named and no match counts as unreadable."""
    journal, _ = store.start(tmp_path / "before", GAME, ["A", "B"], NOW)
    journal.append([Fact(EventKind.PAUSE, {}, None, Source.PAGE, NOW)])
    games = tmp_path / "games"
    games.mkdir()
    for file in journal.path.parent.glob(f"{journal.path.name}*"):
        if not file.name.endswith("-shm"):
            shutil.copy(file, games)
    journal.close()
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))
    try:
        for search in (store.unfinished, store.pass_over):
            with pytest.raises(JournalError, match="could not be written"):
                search(games)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert store.pass_over(games) == (games / journal.path.name, ())


def test_a_finished_match_is_not_read_again_until_it_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Matches known to be over are not read again at a start, unless their files change."""
    journals = [store.start(tmp_path, GAME, [f"A{number}", "B"], NOW + number)[0] for number in range(3)]
    for journal in journals[1:]:
        journal.append([Fact(EventKind.END, {}, None, Source.PAGE, NOW + 60)])
    for journal in journals:
        journal.close()
    first, second, third = (journal.path for journal in journals)
    read = []

    def watch(path: Path) -> tuple[list[Event], Match]:
        read.append(path)
        return read_events(path)

    monkeypatch.setattr(store, "read_events", watch)
    assert [store.unfinished(tmp_path), store.unfinished(tmp_path)] == [first, first]
    assert read == [third, second, first, first]
    shutil.copy(first, third)
    assert store.unfinished(tmp_path) == third
    (tmp_path / store.OVER_FILE).write_text("[")
    third.unlink()
    assert store.unfinished(tmp_path) == first
    assert read[4:] == [third, second, first]


BAD_NAME = "Zo\ud800\x1b"


def test_an_old_journal_with_a_name_that_cannot_be_shown_opens_whole(started: tuple[Journal, Match]) -> None:
    """A journal with a name that cannot be shown, as earlier versions accepted, opens whole with a readable name."""
    journal, match = started
    seats = len(match.names)
    named = Fact(EventKind.NAMES, {"names": [BAD_NAME] * seats}, None, Source.TABLE, NOW)
    told = journal.append([named, *random_facts(match, 5, seed=1)])
    journal.close()
    reopened, again, damage = Journal.open(journal.path)
    reopened.close()
    assert (again.last, damage) == (told[-1].number, "")
    assert again.names == ("Zo\ufffd\ufffd",) * seats


def test_an_old_match_that_began_with_such_a_name_is_readable(tmp_path: Path, started: tuple[Journal, Match]) -> None:
    _, match = started
    start, position = dict(match.events[0].data), match.position.to_json()
    start["seats"] = ["A\x1b", *start["seats"][1:]]
    position["seats"][0]["name"] = "A\x1b"
    path = tmp_path / f"before{store.SUFFIX}"
    write_match(
        path,
        [
            Fact(EventKind.START, start, None, Source.TABLE, NOW),
            Fact(EventKind.POSITION, {"position": position}, None, Source.TABLE, NOW),
        ],
    )
    again = read_events(path)[1]
    assert again.last == 2
    assert again.names[0] == "A\ufffd"
    assert again.position.names[0] == "A\ufffd"


def test_a_match_that_cannot_begin_without_descriptors_is_reported_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without free file descriptors, beginning a match fails with a sentence instead of a traceback."""

    def none_left(*_some: Path | str) -> None:
        raise OSError(errno.EMFILE, "Too many open files", str(tmp_path))

    monkeypatch.setattr(Path, "glob", none_left)
    with pytest.raises(JournalError, match=r"could not be written: Too many open files\. Free some space"):
        store.start(tmp_path, GAME, ["A", "B"], NOW)


def test_a_match_whose_journal_could_not_be_opened_has_not_begun(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A match whose journal could not be opened has not begun: no file is left open and it is not resumed later."""

    def refuses(_path: Path) -> None:
        raise OSError(errno.EIO, "Input/output error")

    before = open_files()
    with monkeypatch.context() as patch:
        patch.setattr(journal_module, "HighWater", refuses)
        with pytest.raises(JournalError, match="Input/output error"):
            store.start(tmp_path, GAME, ["A", "B"], NOW)
    assert open_files() == before
    assert [*tmp_path.iterdir()] == []
    store.start(tmp_path, GAME, ["A", "B"], NOW)[0].close()


def test_a_start_whose_data_is_not_an_object_is_refused_in_a_sentence(tmp_path: Path) -> None:
    """A journal whose first event does not hold an object is refused in a sentence, although its hash is right."""
    path = tmp_path / "strange.tabletop"
    start = Fact(EventKind.START, ["a list"], None, Source.TABLE, NOW)  # type: ignore[arg-type]
    write_events(path, chain_events([start], None))
    with pytest.raises(JournalError, match="the data of event 1 are not an object"):
        Journal.open(path)


@pytest.mark.parametrize("odd", [-1e9, 1e300, float("nan"), float("inf")])
def test_a_match_begins_whatever_the_clock_says(tmp_path: Path, odd: float) -> None:
    first, _ = store.start(tmp_path, GAME, ["A", "B"], odd)
    second, _ = store.start(tmp_path, GAME, ["A", "B"], NOW)
    for journal in (first, second):
        journal.close()
    assert first.path.name < second.path.name


def test_a_match_begins_beside_one_that_is_named_after_the_year_9999(tmp_path: Path) -> None:
    """A match can begin beside a file named after the last day of the year 9999, as a backup may bring."""
    (tmp_path / "9999-12-31-235959-palazzo.tabletop").touch()
    journal, _ = store.start(tmp_path, GAME, ["A", "B"], NOW)
    journal.close()
    assert store.unfinished(tmp_path) == journal.path
