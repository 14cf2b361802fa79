"""A started match of Palazzo."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tabletop.match.journal import Journal
from tabletop.match.match import Match
from tabletop.referee.referee import Referee
from tests.referee.support import NOW


@pytest.fixture
def referee(started: tuple[Journal, Match]) -> Iterator[Referee]:
    """The referee of that match; its clock stands still."""
    journal, match = started
    yield Referee(match, journal, clock=lambda: NOW)
    journal.close()
