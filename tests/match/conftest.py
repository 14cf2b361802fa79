"""A match that has begun, and folders of matches that are saved and restored."""

from __future__ import annotations

from pathlib import Path

import pytest

from tabletop.match.archive import Archive
from tabletop.match.chain import chain_events
from tabletop.match.event import EventKind, Fact, Source
from tabletop.match.match import Match, begin, start_data
from tabletop.rules.palazzo import GAME
from tests.match.archives import played
from tests.referee.support import NOW


@pytest.fixture
def begun() -> Match:
    """A match of Palazzo that has only its start."""
    position = GAME.new(["Anna", "Ben"], {})
    return begin(chain_events([Fact(EventKind.START, start_data(position, {}), None, Source.TABLE, NOW)], None)[0])


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
