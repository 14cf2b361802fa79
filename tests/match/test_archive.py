"""The archive finds matches by their names, and no other files."""

from __future__ import annotations

from pathlib import Path
from typing import NoReturn

import pytest

from doubles.meanwhile import meanwhile
from tabletop.match import archive as archive_module
from tabletop.match import store
from tabletop.match.archive import Archive
from tabletop.match.errors import JournalError
from tabletop.match.store import SUFFIX
from tabletop.messages import Message
from tabletop.rules.palazzo import GAME


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    """A folder with one match, and another match outside the folder."""
    for folder in (tmp_path / "games", tmp_path):
        store.start(folder, GAME, ["Ada", "Ben"], 1.9e9)[0].close()
    return Archive(tmp_path / "games")


def test_a_match_is_found_by_its_name_without_reading_the_whole_folder(
    archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A match is found by its name without listing the folder, because pages ask for up to five hundred at once."""
    (name,) = archive.names()
    monkeypatch.setattr(Path, "glob", lambda *_: pytest.fail("the folder was read"))
    assert archive.path(name) == archive.folder / (name + SUFFIX)
    assert archive.summary(name).names == ("Ada", "Ben")


@pytest.mark.parametrize("strange", ["", ".", "..", "{name}.", "../{name}", "./{name}", "a\0b", "x" * 5000])
def test_a_name_is_never_taken_for_a_path(archive: Archive, strange: str) -> None:
    (name,) = archive.names()
    with pytest.raises(KeyError):
        archive.path(strange.format(name=name))


@pytest.mark.parametrize("at", range(1, 14))
def test_a_log_may_vanish_while_a_journal_is_examined(archive: Archive, at: int) -> None:
    """A journal can be examined while SQLite deletes its log, as when the next game begins."""
    path = archive.path(*archive.names())
    log = path.with_name(path.name + "-wal")
    log.write_bytes(b"a log")
    with meanwhile(store, at, log.unlink):
        found = store.stamp_of(path)
    assert not log.exists(), "fewer lines are run"
    assert len(found) in (2, 4)


def test_a_match_that_the_disk_refused_is_read_again(archive: Archive, monkeypatch: pytest.MonkeyPatch) -> None:
    """A match that could not be read because of the disk is read again the next time, and not kept as unreadable."""
    (name,) = archive.names()

    def refuses(path: Path) -> NoReturn:
        raise JournalError(str(path), "The record of the game cannot be read.", Message("Check the disk."))

    with monkeypatch.context() as disk:
        disk.setattr(archive_module, "read_events", refuses)
        assert not archive.summary(name).readable
    assert archive.summary(name).readable
