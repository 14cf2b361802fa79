"""Turns of Palazzo that several tests of the referee begin with."""

from __future__ import annotations

from tabletop.referee.referee import Referee
from tests.referee.hands import Hands


def fresh_tiles(referee: Referee, count: int) -> list[str]:
    return sorted(referee.snapshot.position.to_json()["unseen"]["I"])[:count]


def turn_up_two_tiles(table: Hands, referee: Referee) -> None:
    """Seat 0 builds: one tile goes to the warehouse, one to a quarry, and it has to buy or call an auction."""
    first, second = fresh_tiles(referee, 2)
    table.press("BUILD")
    table.lay(first, "warehouse")
    table.show()
    table.lay(second, "quarry2")
    table.show()


def asked(referee: Referee) -> list[str]:
    return [one.text for one in referee.snapshot.say if one.code == "question"]
