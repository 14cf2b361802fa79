"""The journal keeps every acknowledged event, and only one program writes it."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from tabletop.match.errors import BadEvent, JournalError
from tabletop.match.event import EventKind, Fact, Source
from tabletop.match.journal import Journal
from tabletop.match.journal_file import read_events
from tabletop.match.match import Match
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


@pytest.mark.parametrize("statement", ["UPDATE event SET source = 'x'", "DELETE FROM event"])
def test_events_are_never_changed_or_deleted(started: tuple[Journal, Match], statement: str) -> None:
    journal, _ = started
    journal.close()
    with sqlite3.connect(journal.path) as forger, pytest.raises(sqlite3.IntegrityError, match="never"):
        forger.execute(statement)
    forger.close()


def test_a_second_program_cannot_open_a_running_match(started: tuple[Journal, Match]) -> None:
    journal, _ = started
    with pytest.raises(JournalError, match="Another program"):
        Journal.open(journal.path)
    journal.close()
    Journal.open(journal.path)[0].close()


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
