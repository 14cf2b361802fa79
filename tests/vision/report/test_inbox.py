"""A folder that a phone syncs to: each new picture is scored once it is complete; drawings of ours are ignored."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import numpy as np
import pytest
from click.testing import CliRunner, Result
from PIL import Image

from tabletop.cli import score as cli
from tabletop.vision.report.inbox import Inbox, beside
from tests.vision.photo.tables import FIRST, photographed, stand, table


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "old.jpg").write_bytes(b"was here before")
    return tmp_path


def put(folder: Path, name: str, data: bytes = b"some bytes") -> Path:
    (folder / name).write_bytes(data)
    return folder / name


def test_a_picture_is_reported_once_after_it_has_stopped_growing(folder: Path) -> None:
    inbox = Inbox(folder, settled=1.5)
    path = put(folder, "a.JPG", b"begin")
    assert inbox.poll(0).come == []
    put(folder, "a.JPG", b"begin and more")
    assert inbox.poll(1).come == []
    assert inbox.poll(2).come == []
    assert inbox.poll(2.6).come == [path]
    assert inbox.poll(9).come == []


def test_an_empty_file_is_waited_for(folder: Path) -> None:
    inbox = Inbox(folder)
    path = put(folder, "a.png", b"")
    assert [inbox.poll(now).come for now in (0, 5, 10)] == [[], [], []]
    put(folder, "a.png", b"now")
    assert [inbox.poll(now).come for now in (11, 13)] == [[], [path]]


def test_what_was_there_at_the_beginning_is_left_alone_until_it_changes(folder: Path) -> None:
    inbox = Inbox(folder)
    assert inbox.waiting == 1
    assert [inbox.poll(now).come for now in (0, 5)] == [[], []]
    put(folder, "old.jpg", b"another picture")
    assert [inbox.poll(now).come for now in (6, 8)] == [[], [folder / "old.jpg"]]


def test_our_own_pictures_and_hidden_and_other_files_are_ignored(folder: Path) -> None:
    inbox = Inbox(folder)
    for name in (beside(folder / "a.jpg").name, ".a.jpg", "notes.txt", "a.jpg.part"):
        put(folder, name)
    assert [inbox.poll(now) for now in (0, 5)] == [([], [], [])] * 2


def test_heic_files_are_reported_as_such(folder: Path) -> None:
    inbox = Inbox(folder)
    path = put(folder, "IMG_1.HEIC")
    inbox.poll(0)
    assert inbox.poll(2) == ([], [], [path])


def test_a_removed_picture_is_reported(folder: Path) -> None:
    inbox = Inbox(folder)
    path = put(folder, "a.webp")
    inbox.poll(0)
    inbox.poll(2)
    path.unlink()
    assert inbox.poll(3).gone == [path]
    assert inbox.poll(4).gone == []


def test_a_picture_that_changes_and_is_taken_away_before_it_is_whole_again_is_gone(folder: Path) -> None:
    """A picture that is removed while it changes does not count any longer."""
    inbox = Inbox(folder)
    path = put(folder, "a.jpg")
    inbox.poll(0)
    assert inbox.poll(2).come == [path]
    put(folder, "a.jpg", b"other bytes, not all of them")
    assert inbox.poll(2.5) == ([], [], [])
    path.unlink()
    assert inbox.poll(3).gone == [path]


Happening: TypeAlias = Callable[[], object] | None
"""An action of somebody in the folder; None: nothing happens."""


class Phone:
    """A clock that advances only when it is waited for; at each wait the next thing happens in the folder."""

    def __init__(self, *happenings: Happening) -> None:
        self.now, self.happenings = 0.0, [*happenings]

    def clock(self) -> float:
        return self.now

    def wait(self, seconds: float) -> None:
        self.now += 2.0
        if not self.happenings:
            raise KeyboardInterrupt
        happening = self.happenings.pop(0)
        if happening is not None:
            happening()


@pytest.fixture(scope="module")
def photo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("photo") / "photo.png"
    Image.fromarray(photographed(table(stand(FIRST, 60, 200)), 10)).save(path)
    return path


def watched(folder: Path, monkeypatch: pytest.MonkeyPatch, *happenings: Happening) -> Result:
    phone = Phone(*happenings)
    monkeypatch.setattr(cli, "time", type("Time", (), {"monotonic": phone.clock, "sleep": phone.wait}))
    return CliRunner().invoke(cli.command, ["--watch", str(folder), "--json"])


def test_each_picture_is_scored_as_it_comes_and_drawn_beside_it(
    folder: Path, photo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = watched(folder, monkeypatch, lambda: shutil.copy(photo, folder / "1.png"), None, None, None)
    [line] = done.stdout.splitlines()
    assert json.loads(line)["seats"][0]["points"] == 1
    assert sorted(os.listdir(folder)) == ["1.png", "1.understood.jpg", "old.jpg"]
    assert (done.exit_code, done.stderr.splitlines()[-1]) == (0, "Pictures counted: 1")


def test_a_picture_that_is_deleted_no_longer_counts(folder: Path, photo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blank = folder / "2.png"

    def second() -> None:
        Image.fromarray(np.full((300, 400), 90, np.uint8)).save(blank)

    done = watched(
        folder, monkeypatch, lambda: shutil.copy(photo, folder / "1.png"), None, second, None, blank.unlink, None
    )
    unread = [json.loads(line)["unread"] for line in done.stdout.splitlines()]
    told = [[each["message"] for each in one] for one in unread]
    assert [any("Picture 2 shows nothing" in text for text in one) for one in told] == [False, True, False]


def test_what_is_not_a_picture_is_reported_in_one_sentence_and_the_watch_continues(
    folder: Path, photo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = watched(
        folder,
        monkeypatch,
        lambda: put(folder, "bad.jpg", b"no picture"),
        lambda: put(folder, "apple.heic"),
        lambda: shutil.copy(photo, folder / "good.png"),
        None,
        None,
    )
    assert "bad.jpg: this is not a JPEG" in done.stderr
    assert "apple.heic: HEIC pictures cannot be read. On the iPhone" in done.stderr
    assert len(done.stdout.splitlines()) == 1


def test_where_nothing_can_be_drawn_the_scores_are_said_all_the_same(
    folder: Path, photo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the drawing cannot be written, as on a full disk, scores are printed and the watch continues."""
    for name in ("1", "2"):
        beside(folder / f"{name}.png").mkdir()
    done = watched(
        folder, monkeypatch, lambda: shutil.copy(photo, folder / "1.png"), None,
        lambda: shutil.copy(photo, folder / "2.png"), None, None,
    )  # fmt: skip
    assert [json.loads(line)["seats"][0]["points"] for line in done.stdout.splitlines()] == [1, 1]
    assert "1.understood.jpg: the picture cannot be written (is a directory)." in done.stderr


def test_no_photograph_is_replaced_by_what_is_drawn(folder: Path, photo: Path) -> None:
    """A drawing whose path is that of a photograph, even the numbered one for a second picture, is refused."""
    for name in ("a.png", "a-2.png"):
        shutil.copy(photo, folder / name)
    for images, picture in (("a.png",), "a.png"), (("old.jpg", "a-2.png"), "a.png"):
        done = CliRunner().invoke(
            cli.command, ["--picture", str(folder / picture), *(str(folder / name) for name in images)]
        )
        assert (done.exit_code, f"--picture would replace {folder / images[-1]}" in done.stderr) == (2, True)
    assert (folder / "a.png").read_bytes() == (folder / "a-2.png").read_bytes() == photo.read_bytes()


def test_a_picture_to_draw_into_needs_one_to_score(folder: Path) -> None:
    done = CliRunner().invoke(cli.command, ["--watch", str(folder), "--picture", str(folder / "out.png")])
    assert (done.exit_code, "--picture works only with IMAGEs" in done.stderr) == (2, True)


def test_a_missing_folder_is_named() -> None:
    done = CliRunner().invoke(cli.command, ["--watch", str(Path("nowhere"))])
    assert (done.exit_code, "nowhere: the folder cannot be read" in done.stderr) == (1, True)
