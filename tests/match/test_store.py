"""The folder of matches: which one is resumed, and how a new one begins."""

from __future__ import annotations

import errno
import os
import resource
import shutil
from pathlib import Path

import pytest

from doubles.open_files import open_files
from tabletop.match import journal as journal_module
from tabletop.match import store
from tabletop.match.chain import chain_events
from tabletop.match.errors import JournalError, UnreadableMatch
from tabletop.match.event import Event, EventKind, Fact, Source
from tabletop.match.journal import Journal
from tabletop.match.journal_file import read_events, write_events, write_match
from tabletop.match.match import Match
from tabletop.rules.palazzo import GAME
from tests.referee.support import NOW


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
