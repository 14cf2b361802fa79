"""Public photographs are fetched from their repository once, and a failed fetch is reported in one sentence."""

from __future__ import annotations

import subprocess
from pathlib import Path

import cv2
import numpy as np
import pytest

from bench.grounds import LEAST_BYTES, grounds_of
from bench.public_sets import PublicSet, fetched


def git(folder: Path, *words: str) -> str:
    """Run git in a folder with a name and an address configured."""
    named = ["git", "-C", str(folder), "-c", "user.name=Anna", "-c", "user.email=anna@example.org"]
    return subprocess.run([*named, *words], check=True, capture_output=True, text=True).stdout.strip()


@pytest.fixture
def public(tmp_path: Path) -> PublicSet:
    """A repository with large photographs in and outside of ``photos``; a later commit removes ``photos``."""
    source = tmp_path / "source"
    (source / "photos").mkdir(parents=True)
    git(source, "init", "--quiet")
    for name in ("photos/table.png", "cover.png"):
        noise = np.random.default_rng(1).integers(0, 255, (200, 300), np.uint8)
        cv2.imwrite(str(source / name), noise)
    cv2.imwrite(str(source / "photos/icon.png"), np.zeros((9, 9), np.uint8))
    git(source, "add", ".")
    git(source, "commit", "--quiet", "--message", "Photographs")
    commit = git(source, "rev-parse", "HEAD")
    git(source, "rm", "--quiet", "-r", "photos")
    git(source, "commit", "--quiet", "--message", "None any more")
    for setting in ("allowFilter", "allowAnySHA1InWant"):
        git(source, "config", f"uploadpack.{setting}", "true")
    return PublicSet(source.as_uri(), commit, ("/photos/*",), 1, "a table")


def test_only_the_photographs_of_the_given_commit_are_fetched(public: PublicSet, tmp_path: Path) -> None:
    folder = fetched("tables", public, tmp_path / "kept")
    assert [path.relative_to(folder).as_posix() for path in grounds_of(str(folder))] == ["photos/table.png"]
    assert grounds_of(str(folder))[0].stat().st_size > LEAST_BYTES
    assert {path.name for path in folder.rglob("*")} == {"photos", "table.png", "icon.png"}


def test_a_fetched_set_is_not_fetched_again(
    public: PublicSet, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first = fetched("tables", public, tmp_path / "kept")
    assert "Fetching about 1 MB" in capsys.readouterr().err
    assert (
        fetched("tables", PublicSet("https://nowhere.invalid/", public.commit, (), 1, "nothing"), tmp_path / "kept")
        == first
    )
    assert capsys.readouterr().err == ""


def test_an_interrupted_fetch_starts_again(public: PublicSet, tmp_path: Path) -> None:
    (tmp_path / "kept/tables.partial/photos").mkdir(parents=True)
    assert grounds_of(str(fetched("tables", public, tmp_path / "kept")))


def test_a_set_that_cannot_be_fetched_is_refused_in_a_sentence_and_leaves_nothing(tmp_path: Path) -> None:
    lost = PublicSet((tmp_path / "nowhere").as_uri(), "0" * 40, ("/*",), 1, "nothing")
    with pytest.raises(SystemExit, match=r"of tables could not be fetched from file://.*Connect to the internet"):
        fetched("tables", lost, tmp_path / "kept")
    assert list((tmp_path / "kept").iterdir()) == []


def test_without_git_the_error_asks_to_install_it(
    public: PublicSet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SystemExit, match="fetched with Git: install it"):
        fetched("tables", public, tmp_path / "kept")


def test_a_folder_without_photographs_is_refused_with_the_names_of_the_public_sets(tmp_path: Path) -> None:
    with pytest.raises(
        SystemExit, match=r"No photographs below .*a public set that is fetched: set-cards, playing-cards"
    ):
        grounds_of(str(tmp_path))
