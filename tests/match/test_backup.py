"""Matches are reviewed, saved to one file and restored from it; nothing is lost and nothing forged is accepted."""

from __future__ import annotations

import errno
import gzip
import io
import json
import os
import random
import resource
import shutil
import tracemalloc
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NoReturn

import pytest

from doubles.turnstile import Turnstile
from tabletop.files import atomic
from tabletop.match import backup, store
from tabletop.match.archive import Archive
from tabletop.match.chain import chain_events, row_of
from tabletop.match.errors import JournalError
from tabletop.match.event import Event, EventKind, Fact, Source
from tabletop.match.journal import Journal, read_events
from tabletop.rules.game import Json
from tabletop.rules.palazzo import GAME
from tabletop.rules.registry import game
from tests.referee.support import NOW, random_facts

NAMES = ["Anna", "Ben", "Cleo"]


def played(folder: Path, now: float, count: int = 30, *, end: bool = False) -> str:
    """Store a match of ``count`` actions and return its name."""
    journal, match = store.start(folder, GAME, NAMES, now)
    journal.append(random_facts(match, count, seed=int(now)))
    if end:
        journal.append([Fact(EventKind.END, {}, None, Source.HOST, now + 1000.0)])
    journal.close()
    return journal.path.name.removesuffix(store.SUFFIX)


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    """Three matches: one over, one ended early, one unfinished."""
    folder = tmp_path / "games"
    folder.mkdir()
    played(folder, NOW, 5000)
    played(folder, NOW + 10_000, end=True)
    played(folder, NOW + 20_000)
    return Archive(folder)


@pytest.fixture
def empty(tmp_path: Path) -> Archive:
    (tmp_path / "other").mkdir()
    return Archive(tmp_path / "other")


def saved(archive: Archive) -> bytes:
    return b"".join(backup.save(archive, archive.names()))


def contents(archive: Archive) -> dict[str, list[Event]]:
    """Return every event of every match, by the match's name."""
    return {name: read_events(archive.path(name))[0] for name in archive.names()}


def test_the_list_says_who_played_when_and_how_it_ended(archive: Archive) -> None:
    newest, ended, finished = map(archive.summary, archive.names())
    assert (finished.over, finished.ended) == (True, False)
    assert (ended.over, ended.ended) == (True, True)
    assert (newest.over, newest.ended) == (False, False)
    assert finished.names == tuple(NAMES)
    assert finished.scores == tuple(archive.match(finished.name).position.score())
    assert finished.started == NOW
    assert ended.last == NOW + 11_000


def test_events_written_since_are_seen(archive: Archive) -> None:
    name = archive.names()[0]
    before = archive.summary(name)
    journal, _, _ = Journal.open(archive.path(name))
    journal.append([Fact(EventKind.NAMES, {"names": ["Zoe", "Ben", "Cleo"]}, None, Source.HOST, NOW)])
    assert archive.summary(name).names == ("Zoe", "Ben", "Cleo")
    assert archive.match(name).names == ("Zoe", "Ben", "Cleo")
    assert archive.summary(name).id == before.id
    journal.close()


def test_an_unreadable_file_is_named_and_does_not_affect_others(archive: Archive) -> None:
    (archive.folder / "2020-broken.tabletop").write_bytes(b"nothing")
    assert [one.readable for one in map(archive.summary, archive.names())] == [True, True, True, False]
    assert len(gzip.decompress(saved(archive)).splitlines()) > 100


@pytest.mark.parametrize("name", ["", "..", "../games/x", "/etc/passwd", "2023-11-14-221320-palazzo.tabletop"])
def test_a_name_is_never_taken_for_a_path(archive: Archive, name: str) -> None:
    with pytest.raises(KeyError):
        archive.path(name)


def test_a_folder_that_cannot_be_written_is_reported_in_a_sentence(archive: Archive, tmp_path: Path) -> None:
    with pytest.raises(JournalError, match=r"The games cannot be saved there: No such file.*Free some space"):
        backup.restore(Archive(tmp_path / "gone"), io.BytesIO(saved(archive)))


def test_a_deleted_match_is_gone_with_all_its_files(archive: Archive) -> None:
    name = archive.names()[0]
    archive.delete(name)
    assert name not in archive.names()
    assert not list(archive.folder.glob(f"{name}*"))


def test_a_match_that_another_program_plays_is_not_deleted(archive: Archive) -> None:
    name = archive.names()[0]
    journal, _, _ = Journal.open(archive.path(name))
    with pytest.raises(JournalError, match="Another program"):
        archive.delete(name)
    journal.close()
    assert name in archive.names()


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


def lines(archive: Archive) -> list[Any]:
    return [json.loads(line) for line in gzip.decompress(saved(archive)).splitlines()]


def packed(values: list[Any]) -> bytes:
    return gzip.compress(b"\n".join(json.dumps(value).encode() for value in values) + b"\n")


def changed(archive: Archive, change: Callable[[list[Any]], object]) -> bytes:
    values = lines(archive)
    change(values)
    return packed(values)


def files(archive: Archive) -> dict[str, bytes]:
    """Return the files of all journals, without the companion files that SQLite makes when it reads."""
    return {path.name: path.read_bytes() for path in archive.folder.iterdir() if path.suffix == store.SUFFIX}


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


@pytest.mark.parametrize("odd", [-86_400.0, 5e9, float("nan"), float("inf"), 1_700_000_000])
def test_a_wrong_clock_makes_no_match_unreadable(archive: Archive, empty: Archive, odd: float) -> None:
    """An event with an odd time is stored with a possible one, so that a backup of its match is restored completely."""
    journal, _, _ = Journal.open(archive.path(archive.names()[0]))
    journal.append([Fact(EventKind.NOTE, {"what": "backup"}, None, Source.TABLE, odd)])
    journal.close()
    assert len(backup.restore(empty, io.BytesIO(saved(archive))).added) == 3
    assert contents(empty) == contents(archive)


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
