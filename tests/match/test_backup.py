"""Matches are saved to one file and restored from it, and nothing is lost."""

from __future__ import annotations

import errno
import gzip
import io
import os
import random
import resource
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NoReturn

import pytest

from doubles.turnstile import Turnstile
from tabletop.files import atomic
from tabletop.match import backup, store
from tabletop.match.archive import Archive
from tabletop.match.errors import JournalError
from tabletop.match.event import EventKind, Fact, Source
from tabletop.match.journal import Journal
from tabletop.match.journal_file import read_events
from tabletop.rules.palazzo import GAME
from tabletop.rules.registry import game
from tests.match.archives import NAMES, contents, packed, played, saved
from tests.referee.support import NOW, random_facts


def test_a_backup_is_restored_event_by_event(archive: Archive, empty: Archive) -> None:
    file = saved(archive)
    done = backup.restore(empty, io.BytesIO(file))
    assert (len(done.added), done.known, done.running) == (3, [], [])
    assert contents(empty) == contents(archive)
    assert saved(empty) == file


def test_a_full_disk_does_not_keep_a_match_out_of_a_backup(archive: Archive) -> None:
    """With a full disk, where SQLite has no room for its file beside a journal, every match is still in the backup."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))
    try:
        whole, listed = saved(archive), [*archive.summaries(archive.names())]
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert all(summary.readable for summary in listed)
    assert gzip.decompress(whole).count(b'{"match":') == 3
    assert gzip.decompress(whole) == gzip.decompress(saved(archive))


def test_matches_that_are_there_already_stay_as_they_are(archive: Archive) -> None:
    before, files = contents(archive), sorted(archive.folder.iterdir())
    done = backup.restore(archive, io.BytesIO(saved(archive)))
    assert (done.added, len(done.known)) == ([], 3)
    assert contents(archive) == before
    assert sorted(archive.folder.iterdir()) == files


def test_an_older_backup_does_not_shorten_a_match(archive: Archive) -> None:
    older = saved(archive)
    journal, match, _ = Journal.open(archive.path(archive.names()[0]))
    journal.append(random_facts(match, 5, seed=9))
    journal.close()
    before = contents(archive)
    assert len(backup.restore(archive, io.BytesIO(older)).known) == 3
    assert contents(archive) == before


def test_a_longer_version_of_a_match_replaces_its_beginning(archive: Archive, empty: Archive) -> None:
    backup.restore(empty, io.BytesIO(saved(archive)))
    journal, match, _ = Journal.open(archive.path(archive.names()[0]))
    journal.append(random_facts(match, 5, seed=9))
    journal.close()
    assert len(backup.restore(empty, io.BytesIO(saved(archive))).added) == 1
    assert sorted(map(len, contents(empty).values())) == sorted(map(len, contents(archive).values()))


@pytest.mark.parametrize(("holder", "at"), [(Archive, "names"), (backup, "unfinished"), (backup, "free_name")])
def test_a_match_may_be_deleted_while_others_are_restored(
    archive: Archive, empty: Archive, monkeypatch: pytest.MonkeyPatch, holder: object, at: str
) -> None:
    """If the host deletes a match during a restoration, everything in the backup is still restored."""
    name, last = archive.names()[0], archive.names()[-1]
    for begun in (name, last):
        shutil.copy(archive.path(begun), empty.folder)
    journal, match, _ = Journal.open(archive.path(name))
    journal.append(random_facts(match, 1, seed=1))
    journal.close()
    whole, kept, before = saved(archive), contents(archive), getattr(holder, at)

    def deleted_next(*given: Any) -> Any:
        found = before(*given)
        (empty.folder / f"{name}{store.SUFFIX}").unlink(missing_ok=True)
        return found

    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(holder, at, deleted_next)
        backup.restore(empty, io.BytesIO(whole))
    assert sorted(map(len, contents(empty).values())) == sorted(map(len, kept.values()))


def test_two_different_continuations_of_a_match_are_both_kept(archive: Archive, empty: Archive) -> None:
    backup.restore(empty, io.BytesIO(saved(archive)))
    for one, seed in ((archive, 1), (empty, 2)):
        journal, match, _ = Journal.open(one.path(one.names()[0]))
        journal.append(random_facts(match, 5, seed=seed))
        journal.close()
    assert len(backup.restore(empty, io.BytesIO(saved(archive))).added) == 1
    assert len(empty.names()) == 4


def test_the_running_match_is_not_replaced(archive: Archive) -> None:
    name = archive.names()[0]
    file = saved(archive)
    journal, match, _ = Journal.open(archive.path(name))
    journal.append(random_facts(match, 2, seed=4))
    done = backup.restore(archive, io.BytesIO(file), running=archive.summary(name).id)
    assert done.running == [name]
    journal.append(random_facts(match, 1, seed=4)[:0])
    journal.close()
    assert len(read_events(archive.path(name))[0]) == 33


@pytest.mark.parametrize("odd", [-86_400.0, 5e9, float("nan"), float("inf"), 1_700_000_000])
def test_a_wrong_clock_makes_no_match_unreadable(archive: Archive, empty: Archive, odd: float) -> None:
    """An event with an odd time is stored with a possible one, so that a backup of its match is restored completely."""
    journal, _, _ = Journal.open(archive.path(archive.names()[0]))
    journal.append([Fact(EventKind.NOTE, {"what": "backup"}, None, Source.TABLE, odd)])
    journal.close()
    assert len(backup.restore(empty, io.BytesIO(saved(archive))).added) == 3
    assert contents(empty) == contents(archive)


def test_leftovers_of_an_interrupted_restoration_are_removed(empty: Archive) -> None:
    left = empty.folder / f"{backup.STAGING_PREFIX}old"
    left.mkdir()
    (left / "0.tabletop").write_bytes(b"half")
    backup.restore(empty, io.BytesIO(packed([{"tabletop": "backup", "schema": 1}, {"end": 0}])))
    assert not list(empty.folder.iterdir())


def test_a_second_restoration_waits_for_the_first_and_adds_nothing_twice(
    archive: Archive, empty: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the same backup is sent twice at once, the second restoration waits for the first and adds nothing."""
    monkeypatch.setattr(backup, "ONE_AT_A_TIME", Turnstile())
    file = saved(archive)
    with ThreadPoolExecutor(2) as pool:
        both = list(pool.map(lambda data: backup.restore(empty, io.BytesIO(data)), (file, file)))
    assert sorted((len(done.added), len(done.known)) for done in both) == [(0, 3), (3, 0)]
    assert contents(empty) == contents(archive)


@pytest.mark.parametrize("other", ["counted", "restored"])
def test_a_match_that_begins_while_another_is_added_gets_its_own_file(
    archive: Archive, empty: Archive, monkeypatch: pytest.MonkeyPatch, other: str
) -> None:
    """A match that begins just as another one of the same name is restored or counted gets a file of its own."""
    turnstile = Turnstile()
    monkeypatch.setattr(store, "ADDING", turnstile)
    monkeypatch.setattr(backup, "ADDING", turnstile)
    file = saved(archive)
    with ThreadPoolExecutor(2) as pool:
        begun = pool.submit(store.start, empty.folder, GAME, NAMES, NOW)
        if other == "counted":
            pool.submit(store.keep, empty.folder, GAME, NAMES, NOW, {"seats": [], "doubts": []}).result()
        else:
            pool.submit(backup.restore, empty, io.BytesIO(file)).result()
    journal, match = begun.result()
    journal.append([Fact(EventKind.PAUSE, {}, None, Source.HOST, NOW)])
    journal.close()
    assert turnstile.asked_twice.is_set()
    assert len(empty.names()) == (2 if other == "counted" else 4)
    assert len(read_events(journal.path)[0]) == match.last + 1


@pytest.mark.parametrize("name", ["palazzo", "patrician", "piecepack"])
def test_matches_of_every_game_are_saved_and_restored(tmp_path: Path, empty: Archive, name: str) -> None:
    folder = tmp_path / "games"
    folder.mkdir()
    journal, match = store.start(folder, game(name), NAMES, NOW)
    rng, position, facts = random.Random(2), match.position, []
    for number in range(25):
        chance = position.decider is None
        action = position.game.draw(position, rng) if chance else rng.choice(list(position.legal.thrifty()))
        facts.append(Fact(EventKind.ACTION, dict(action.to_json()), position.decider, Source.PAGE, NOW + number))
        position = position.after(action)
    journal.append(facts)
    journal.close()
    backup.restore(empty, io.BytesIO(saved(Archive(folder))))
    assert empty.match(empty.names()[0]).position == position


def test_a_restoration_does_not_change_which_match_is_resumed(archive: Archive, empty: Archive) -> None:
    """After a restoration the table's own match is still the one to be resumed, even if others have later names."""
    own = played(empty.folder, NOW)
    backup.restore(empty, io.BytesIO(saved(archive)), running=empty.summary(own).id)
    assert store.unfinished(empty.folder) == empty.path(own)


def test_a_restoration_that_fills_the_disk_does_not_change_which_match_is_resumed(
    archive: Archive, empty: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the disk fills up during a restoration, the table's own match is still the one to be resumed."""
    own = played(empty.folder, NOW)

    def full(*_: object) -> NoReturn:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as disk:
        disk.setattr(atomic, "write", full)
        with pytest.raises(JournalError, match="No space left on device"):
            backup.restore(empty, io.BytesIO(saved(archive)), running=empty.summary(own).id)
    assert store.unfinished(empty.folder) == empty.path(own)


def test_on_a_new_disk_the_newest_unfinished_match_is_resumed(archive: Archive, empty: Archive) -> None:
    backup.restore(empty, io.BytesIO(saved(archive)))
    assert store.unfinished(empty.folder) == empty.path(archive.names()[0])


def test_a_longer_version_of_a_match_is_resumed_instead_of_its_beginning(archive: Archive, empty: Archive) -> None:
    backup.restore(empty, io.BytesIO(saved(archive)))
    journal, match, _ = Journal.open(archive.path(archive.names()[0]))
    journal.append(random_facts(match, 5, seed=9))
    journal.close()
    backup.restore(empty, io.BytesIO(saved(archive)))
    resumed = store.unfinished(empty.folder)
    assert resumed is not None
    assert len(read_events(resumed)[0]) == 36
