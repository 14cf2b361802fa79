"""The options of the rules, defaults first, and how they are read from data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from tabletop.rules.game import Json

END_OF_TURN = "end_of_turn"
IMMEDIATE = "immediate"
ENCLOSED_4 = "enclosed_4"
ENCLOSED_8 = "enclosed_8"

CHOICES: Mapping[str, Sequence[Json]] = {
    "coin_null": (6, 0),
    "exchange_same_cell": (True, False),
    "reserve_only_if_unplaceable": (False, True),
    "yard_refill": (END_OF_TURN, IMMEDIATE),
    "holes": (ENCLOSED_4, ENCLOSED_8),
    "final_action_includes_ender": (True, False),
    "first_seat": (0, 1, 2, 3),
}
"""The values of each option; ``first_seat`` must be one of the seats."""


class Options(NamedTuple):
    """How this table plays where the rules are silent or contradictory; each field is an option of the same name."""

    coin_null: int
    exchange_same_cell: bool
    reserve_only_if_unplaceable: bool
    yard_refill: str
    holes: str
    final_action_includes_ender: bool
    first_seat: int

    @property
    def diagonal(self) -> bool:
        """True if diagonal ways lead out of a hole."""
        return self.holes == ENCLOSED_8
