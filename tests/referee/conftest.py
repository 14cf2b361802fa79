"""A started match of Palazzo."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tabletop.referee import shelf
from tabletop.referee.journal import Journal
from tabletop.referee.match import Match
from tabletop.referee.referee import Referee
from tabletop.rules.palazzo import GAME
from tests.referee.support import NOW


@pytest.fixture
def started(tmp_path: Path) -> tuple[Journal, Match]:
    """A new match of three seats, its journal in the temporary folder."""
    return shelf.start(tmp_path, GAME, ["Anna", "Ben", "Cleo"], NOW)


@pytest.fixture
def referee(started: tuple[Journal, Match]) -> Iterator[Referee]:
    """The referee of that match; its clock stands still."""
    journal, match = started
    yield Referee(match, journal, clock=lambda: NOW)
    journal.close()
