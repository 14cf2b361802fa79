"""A damaged journal yields every event that its files still contain, and the damage is reported."""

from __future__ import annotations

import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tabletop.match import store
from tabletop.match.errors import JournalError
from tabletop.match.event import Event
from tabletop.match.journal import Journal
from tabletop.match.journal_file import read_events, write_events
from tabletop.match.recovery import high_water, wal
from tabletop.match.recovery.high_water import HighWater
from tabletop.rules.palazzo import GAME
from tests.referee.support import NOW, random_facts

COUNT = 47


@pytest.fixture
def killed(tmp_path: Path) -> tuple[Path, list[Event]]:
    """A match as a kill leaves it, with most of its events in the write-ahead log, and its events."""
    journal, match = store.start(tmp_path / "played", GAME, ["Anna", "Ben", "Cleo"], NOW)
    for fact in random_facts(match, COUNT - 1, seed=1):
        journal.append([fact])
    shutil.copytree(tmp_path / "played", tmp_path / "left")
    journal.close()
    path = tmp_path / "left" / journal.path.name
    path.with_name(path.name + "-shm").unlink()
    return path, read_events(journal.path)[0]


def beside(path: Path, suffix: str) -> Path:
    return path.with_name(path.name + suffix)


def flip(path: Path, at: int, bit: int = 3) -> None:
    content = bytearray(path.read_bytes())
    content[at] ^= 1 << bit
    path.write_bytes(content)


def opened(path: Path) -> tuple[list[Event], str]:
    journal, match, said = Journal.open(path)
    journal.close()
    events = read_events(path)[0]
    assert match.last == len(events)
    return events, str(said)


@pytest.mark.parametrize("at", [0, 20, 40, 2000, 4200, 8000])
def test_a_flipped_bit_in_the_log_loses_nothing_and_is_reported(killed: tuple[Path, Sequence[Event]], at: int) -> None:
    """A flipped bit in the log loses no event, as those after a bad frame are found; the damaged files are kept."""
    path, events = killed
    log = beside(path, "-wal")
    flip(log, at)
    damaged = path.read_bytes(), log.read_bytes()
    kept, said = opened(path)
    assert kept == events
    assert f"all {COUNT} events were found again" in said
    assert path.name in said
    aside = beside(path, ".damaged-1")
    assert (aside.read_bytes(), beside(aside, "-wal").read_bytes()) == damaged
    assert opened(path) == (events, "")


def test_a_missing_log_is_reported_with_the_last_event_that_is_lost(
    killed: tuple[Path, Sequence[Event]],
) -> None:
    path, events = killed
    beside(path, "-wal").unlink()
    kept, said = opened(path)
    assert 0 < len(kept) < COUNT
    assert kept == events[: len(kept)]
    assert f"after event {len(kept)} " in said
    assert f"up to event {COUNT}, is lost" in said


def test_a_log_without_its_high_water_mark_is_checked_by_its_own_checksums(
    killed: tuple[Path, Sequence[Event]],
) -> None:
    """Without its high-water mark, as in an earlier version or a copy, damage to the log shows by its checksums."""
    path, events = killed
    beside(path, high_water.SUFFIX).unlink()
    log = beside(path, "-wal")
    flip(log, 4200)
    kept, said = opened(path)
    assert kept == events
    assert "was damaged" in said


@pytest.mark.parametrize("mark", [True, False])
def test_a_torn_end_of_the_log_is_not_damage(killed: tuple[Path, Sequence[Event]], mark: bool) -> None:
    """A torn end of the log, as after a power cut, is not reported as damage: nothing in it was acknowledged."""
    path, events = killed
    if not mark:
        beside(path, high_water.SUFFIX).unlink()
    log = beside(path, "-wal")
    log.write_bytes(log.read_bytes() + bytes(700))
    assert opened(path) == (events, "")


def test_a_bit_that_makes_text_unreadable_costs_no_event(killed: tuple[Path, Sequence[Event]], tmp_path: Path) -> None:
    """A bit that makes text invalid UTF-8 is repaired like any other damage and costs no event."""
    path, events = killed
    opened(path)
    content = path.read_bytes()
    at = content.index(events[29].hash.encode()) - 40
    flip(path, at, bit=7)
    with pytest.raises(UnicodeDecodeError):
        path.read_bytes()[at : at + 1].decode()
    kept, said = opened(path)
    assert kept == events
    assert "was damaged" in said


def test_two_damaged_bits_in_a_row_cost_that_event_and_what_follows_it(killed: tuple[Path, Sequence[Event]]) -> None:
    path, events = killed
    opened(path)
    at = path.read_bytes().index(events[29].hash.encode())
    flip(path, at)
    flip(path, at + 1)
    kept, said = opened(path)
    assert kept == events[:29]
    assert "after event 29 (the hash of event 30 does not hold)" in said
    assert f"up to event {COUNT}, is lost" in said


def test_a_truncated_file_keeps_the_events_it_still_contains(killed: tuple[Path, Sequence[Event]]) -> None:
    path, events = killed
    opened(path)
    whole = path.read_bytes()
    path.write_bytes(whole[:-1])
    kept, said = opened(path)
    assert kept == events[: len(kept)]
    assert len(kept) < COUNT or "found again" in said
    assert said


def test_a_match_without_its_first_event_is_left_unchanged(killed: tuple[Path, Sequence[Event]]) -> None:
    path, _ = killed
    beside(path, "-wal").unlink()
    path.write_bytes(path.read_bytes()[:3000])
    with pytest.raises(JournalError, match="cannot be read"):
        Journal.open(path)
    assert path.stat().st_size == 3000


def test_an_older_copy_of_a_match_is_reported(killed: tuple[Path, Sequence[Event]]) -> None:
    """A journal replaced by an older copy is reported: the events accepted since are missing."""
    path, events = killed
    opened(path)
    newer = beside(path, high_water.SUFFIX).read_bytes()
    older = path.with_name("older.tabletop")
    with sqlite3.connect(path) as connection, sqlite3.connect(older) as copy:
        connection.backup(copy)
        copy.executescript("DROP TRIGGER event_remains; DELETE FROM event WHERE number > 30; VACUUM;")
    connection.close()
    copy.close()
    older.replace(path)
    beside(path, high_water.SUFFIX).write_bytes(newer)
    kept, said = opened(path)
    assert kept == events[:30]
    assert f"up to event {COUNT}, is lost" in said


def test_the_mark_survives_a_write_that_the_power_cut_off(tmp_path: Path) -> None:
    """If a power cut tears one of the mark's two slots, the other one still holds the mark before it."""
    path = tmp_path / "match.tabletop"
    mark = HighWater(path)
    for number in (1, 3, 4, 6):
        mark.raise_to(number, f"{number:064x}")
        assert high_water.read(path) == (number, f"{number:064x}")
    mark.close()
    for at in (0, high_water.SLOT_BYTES):
        shutil.copy(beside(path, "-newest"), beside(path, "2-newest"))
        flip(beside(path, "2-newest"), at + 5)
        read = high_water.read(beside(path, "2"))
        assert read is not None
        assert read[0] in (4, 6)
    assert high_water.read(tmp_path / "none.tabletop") is None


def test_a_log_is_read_by_its_own_format(killed: tuple[Path, Sequence[Event]]) -> None:
    path, _ = killed
    content = beside(path, "-wal").read_bytes()
    log = wal.parse(content)
    assert not log.broken
    assert len(log.pages) == (len(content) - 32) // (24 + 4096)
    assert not wal.parse(b"").broken
    for at in (0, 9, 28, 42, 60, 4200, 8000):
        changed = bytearray(content)
        changed[at] ^= 1
        assert wal.parse(bytes(changed)).broken, at


CREATOR = """
import sys
from pathlib import Path
from tabletop.match import journal_file, store
from tabletop.rules.palazzo import GAME
written = journal_file._insert
def never(*some):
    written(*some)
    print("here", flush=True)
    sys.stdin.read()
journal_file._insert = never
store.start(Path(sys.argv[1]), GAME, ["Anna", "Ben"], 1e9)
"""


def test_a_kill_while_a_match_is_made_leaves_nothing_on_the_shelf(tmp_path: Path) -> None:
    """A match killed while it is made has no match's name yet, and its remains are deleted at the next start."""
    maker = subprocess.Popen(
        [sys.executable, "-c", CREATOR, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        cwd=Path(__file__).parents[2],
    )  # fmt: skip
    assert maker.stdout is not None
    assert maker.stdout.readline() == b"here\n"
    maker.send_signal(signal.SIGKILL)
    maker.communicate()
    assert list(tmp_path.iterdir())
    assert not list(tmp_path.glob(f"*{store.SUFFIX}"))
    assert store.unfinished(tmp_path) is None
    assert list(tmp_path.glob("*.new*"))  # looking for matches deletes nothing
    store.clean_up(tmp_path)
    assert not list(tmp_path.glob("*.new*"))


def test_leftovers_of_a_deleted_match_are_not_taken_for_a_new_ones(
    killed: tuple[Path, Sequence[Event]],
) -> None:
    """The log and mark left by a deleted match are not applied to a match restored under its name."""
    path, events = killed
    path.unlink()
    write_events(path, events[:5])
    assert opened(path) == (events[:5], "")
