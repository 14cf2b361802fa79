"""Past matches are listed and deleted."""

from __future__ import annotations

import gzip
import io
from pathlib import Path

import pytest

from tabletop.match import backup
from tabletop.match.archive import Archive
from tabletop.match.errors import JournalError
from tabletop.match.event import EventKind, Fact, Source
from tabletop.match.journal import Journal
from tests.match.archives import NAMES, saved
from tests.referee.support import NOW


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
