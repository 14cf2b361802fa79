"""A started match of Palazzo, its referee, and hands at its table."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tabletop.match.journal import Journal
from tabletop.match.match import Match
from tabletop.referee.referee import Referee
from tests.referee.hands import Hands
from tests.referee.support import DEALT, NOW


@pytest.fixture
def referee(started: tuple[Journal, Match]) -> Iterator[Referee]:
    """The referee of that match; its clock stands still."""
    journal, match = started
    yield Referee(match, journal, clock=lambda: NOW)
    journal.close()


@pytest.fixture
def table(referee: Referee) -> Hands:
    """Three seats at the first decision: five tiles turned up, four cards dealt to each."""
    hands = Hands(referee)
    position = referee.snapshot.position
    tiles = sorted(position.to_json()["unseen"]["I"])[:5]
    for zone, tile in zip(("quarry1", "quarry2", "quarry3", "quarry4", "warehouse"), tiles, strict=True):
        hands.lay(tile, zone)
        hands.show()
    for seat, cards in enumerate(DEALT):
        for card in cards:
            hands.lay(card, f"bid{seat}")
        hands.show()
        for card in cards:
            hands.take(card)
        hands.show()
    hands.lay("C3", "warehouse")
    hands.show()
    assert referee.snapshot.position.phase == "action"
    return hands
