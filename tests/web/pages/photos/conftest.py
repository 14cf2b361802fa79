"""A table with a reader of photographs that tests can tell what it sees."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from doubles.clock import PATIENCE
from doubles.fake_photo_reader import FakePhotoReader
from doubles.memory_table import MemoryTable
from doubles.pages import Pages
from doubles.positions import NAMES
from tabletop.rules.palazzo import GAME
from tabletop.web.pages.photos import photos


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a page wait until its photograph is read, however slow the machine is."""
    monkeypatch.setattr(photos, "READING_TIMEOUT_S", PATIENCE)


@pytest.fixture
def reader() -> FakePhotoReader:
    return FakePhotoReader()


@pytest.fixture
def pages(reader: FakePhotoReader) -> Iterator[Pages]:
    made = Pages(MemoryTable(GAME, NAMES, seed=None), press=None, photo_reader=reader)
    yield made
    made.close()
